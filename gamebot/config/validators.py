"""Validators of settings that can also say what they allow."""

from __future__ import annotations

import json
from functools import reduce
from typing import Any

from attrs import Attribute, frozen

from gamebot.errors import BadValue


@frozen
class Between:
    """Allow numbers from *low* to *high*, both included."""

    low: float
    high: float

    def __call__(self, _owner: object, _attribute: Attribute[Any], value: float) -> None:
        """Check *value*.

        Raises:
            BadValue: It lies outside.
        """
        if not self.low <= value <= self.high:
            raise BadValue(
                "expected {low} to {high}, got {value}",
                low=f"{self.low:g}",
                high=f"{self.high:g}",
                value=f"{value:g}",
            )


@frozen
class OneOf:
    """Allow the given texts only."""

    values: tuple[str, ...]

    def __call__(self, _owner: object, _attribute: Attribute[Any], value: str) -> None:
        """Check *value*.

        Raises:
            BadValue: It is none of them.
        """
        if value not in self.values:
            texts: list[object] = [json.dumps(each) for each in self.values]
            allowed = reduce(_or, texts)
            raise BadValue(
                "expected {allowed}, got {value}", allowed=allowed, value=json.dumps(value)
            )


def _or(one: object, other: object) -> BadValue:
    return BadValue("{one} or {other}", one=one, other=other)
