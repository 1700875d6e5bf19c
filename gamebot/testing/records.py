"""What a transcript's run records, and what it raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from gamebot.errors import GamebotError


class TranscriptError(GamebotError):
    """Say which line of a transcript cannot be read."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


class ExpectationError(AssertionError):
    """Say which expectation of a transcript does not hold."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


@frozen
class Record:
    """One thing that happened, in the order of happening.

    Attributes:
        line: Line of the transcript that was being run.
        at: Virtual seconds since the beginning.
        network: Network name.
        sender: Nick, "bot" for the bot.
        to: Channel or nick.
        kind: "privmsg", "notice", "input" or "event".
        text: Text without formatting codes.
        event: An engine event's public fields, None for anything else.
    """

    line: int
    at: float
    network: str
    sender: str
    to: str
    kind: str
    text: str
    event: Mapping[str, Any] | None = None

    def as_json(self) -> str:
        """Write the record as one line of JSON."""
        raw: dict[str, Any] = {
            "line": self.line,
            "at": self.at,
            "network": self.network,
            "from": self.sender,
            "to": self.to,
            "kind": self.kind,
            "text": self.text,
        }
        if self.event is not None:
            raw["event"] = self.event
        return json.dumps(raw, ensure_ascii=False, default=str)
