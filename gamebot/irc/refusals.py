"""Lines that the server would not pass on: sent again after a wait, or told to whom it concerns."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Final

from attrs import define, field

from gamebot.irc.parser import Message
from gamebot.ports import Clock, OutLine

TOO_FAST: Final = frozenset({"439", "707"})
"""Targets change too fast: the same line is welcome later."""

FOR_GOOD: Final = frozenset(
    {"401", "404", "408", "477", "486", "489", "492", "531", "716", "717", "718"}
)
"""No such nick, not to this channel, no colours, registered people only, caller-id."""

_SENT: Final = 128
_FRESH_S: Final = 60.0
_WAIT_S: Final = 30.0
_LONGEST_WAIT_S: Final = 300.0
_SECONDS: Final = re.compile(r"(\d{1,4}) *(?:s\b|sec)")


@define(eq=False)
class Refusals:
    """Remembers what was sent lately, so that a refusal finds its line.

    Attributes:
        clock: Time.
        fold: The network's casemapping.
        again: Queues a line once more.
        undelivered: Told (target, folded channel of the table or "", numeric) of a refusal for good.
        refused: How many lines were refused so far.
    """

    clock: Clock
    fold: Callable[[str], str]
    again: Callable[[OutLine], None]
    undelivered: Callable[[str, str, str], None]
    refused: int = 0
    _sent: deque[tuple[float, OutLine]] = field(factory=lambda: deque(maxlen=_SENT))
    _waiting: dict[str, list[OutLine]] = field(factory=dict)

    def sent(self, line: OutLine) -> None:
        """Note that *line* was handed to the socket."""
        self._sent.append((self.clock.monotonic(), line))

    def handle(self, message: Message) -> None:
        """Find the line that *message* refuses, and do what can be done."""
        target = message.param(1)
        lines = self._take(target)
        if message.command in TOO_FAST:
            if lines:
                self.refused += 1
                self._send_later(target, lines[:1], _wait_s(message))
                self._sent.extend((self.clock.monotonic(), line) for line in lines[1:])
            return
        if lines or message.command in {"716", "717", "718"}:
            self.refused += 1
            self.undelivered(target, lines[-1].channel if lines else "", message.command)

    def _take(self, target: str) -> list[OutLine]:
        """Return the lines lately sent to *target*, oldest first, and forget them."""
        key, now = self.fold(target), self.clock.monotonic()
        mine = [(at, line) for at, line in self._sent if self.fold(line.target) == key]
        for each in mine:
            self._sent.remove(each)
        return [line for at, line in mine if now - at <= _FRESH_S]

    def _send_later(self, target: str, lines: list[OutLine], wait_s: float) -> None:
        key = self.fold(target)
        waiting = self._waiting.setdefault(key, [])
        if not waiting:
            self.clock.call_at(self.clock.monotonic() + wait_s, lambda: self._release(key))
        waiting += lines

    def _release(self, key: str) -> None:
        for line in self._waiting.pop(key, ()):
            self.again(line)

    def close(self) -> None:
        """Forget everything: the link is lost."""
        self._sent.clear()
        self._waiting.clear()


def _wait_s(message: Message) -> float:
    """Return how long the server wants the bot to wait, seconds."""
    match = _SECONDS.search(message.params[-1] if message.params else "")
    return min(_LONGEST_WAIT_S, float(match[1]) + 1.0) if match else _WAIT_S
