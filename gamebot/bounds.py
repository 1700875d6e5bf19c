"""Validators of settings that can also say what they allow."""

from __future__ import annotations

import json
from typing import Any

from attrs import Attribute, frozen


@frozen
class Between:
    """Allow numbers from *low* to *high*, both included."""

    low: float
    high: float

    def __call__(self, _owner: object, _attribute: Attribute[Any], value: float) -> None:
        """Check *value*.

        Raises:
            ValueError: It lies outside.
        """
        if not self.low <= value <= self.high:
            raise ValueError(f"expected {self.low:g} to {self.high:g}, got {value:g}")


@frozen
class OneOf:
    """Allow the given texts only."""

    values: tuple[str, ...]

    def __call__(self, _owner: object, _attribute: Attribute[Any], value: str) -> None:
        """Check *value*.

        Raises:
            ValueError: It is none of them.
        """
        if value not in self.values:
            listed = " or ".join(map(json.dumps, self.values))
            raise ValueError(f"expected {listed}, got {json.dumps(value)}")
