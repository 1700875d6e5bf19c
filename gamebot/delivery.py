"""The way of one channel's lines out: to the connection, or kept until the bot is back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from attrs import define, field

from gamebot.ports import Link, OutLine


@define
class Delivery:
    """Hand lines to the connection and tell the store which were sent.

    Attributes:
        link: The network.
        done: Called with the outbox numbers of lines that need not be kept any more.
    """

    link: Link
    done: Callable[[Sequence[int]], None]
    _held: list[OutLine] = field(factory=list)

    def send(self, lines: Iterable[OutLine], *, up: bool) -> None:
        """Send *lines*; while the bot is not in the channel (*up* is off) its lines wait."""
        for line in lines:
            if not up and self.link.is_channel(line.target):
                self.hold(line)
            elif line.id:
                self.link.send(line, partial(self.done, [line.id]))
            else:
                self.link.send(line)

    def hold(self, line: OutLine) -> None:
        """Keep *line* until the bot is back, if it is one to keep; else it is done with."""
        if line.keep:
            self._held.append(line)
        elif line.id:
            self.done([line.id])

    def release(self) -> list[OutLine]:
        """Return the lines that waited, and forget them."""
        held, self._held = self._held, []
        return held
