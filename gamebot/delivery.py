"""The way of one channel's lines out: to the connection, or kept until the bot is back."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from gamebot.ports import Link, OutLine, Store


@define
class Delivery:
    """Hand lines to the connection and tell the store which were sent.

    Attributes:
        link: The network.
        store: Where the outbox is kept.
    """

    link: Link
    store: Store
    _held: list[OutLine] = field(factory=list)

    def send(self, lines: Iterable[OutLine], *, up: bool) -> None:
        """Send *lines*; while the bot is not in the channel (*up* is off) its lines wait."""
        for line in lines:
            if not up and self.link.is_channel(line.target):
                self.hold(line)
            elif line.id:
                self.link.send(line, lambda line_id=line.id: self.store.mark_sent([line_id]))  # type: ignore[misc]  # a default in a lambda has no type
            else:
                self.link.send(line)

    def hold(self, line: OutLine) -> None:
        """Keep *line* until the bot is back, if it is one to keep; else it is done with."""
        if line.keep:
            self._held.append(line)
        elif line.id:
            self.store.mark_sent([line.id])

    def release(self) -> list[OutLine]:
        """Return the lines that waited, and forget them."""
        held, self._held = self._held, []
        return held
