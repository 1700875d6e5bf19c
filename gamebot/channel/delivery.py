"""The way of one channel's lines out: to the connection, or kept until the bot is back.

A private line is for a person, not for a nick. While the bot is away it cannot follow a nick, so a
line to be kept waits until it is certain who has the nick then, and is dropped if it is another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from attrs import define, evolve, field

from gamebot.ports import Link, OutLine
from gamebot.table.table import Chair

Check = Callable[[OutLine, Chair | None], bool | None]
"""Whether the nick of a private line is the player's of that chair, None if nobody knows yet."""


@define
class Delivery:
    """Hand lines to the connection and tell the store which were sent.

    Attributes:
        link: The network.
        done: Called with the outbox numbers of lines that need not be kept any more.
        follow: Returns the present nick of who had a nick when the input came, None if the
            person is out of sight.
        chair_of: Returns the chair whose player has a nick, a copy; None if there is none.
        held: The lines that wait, each with the chair of who it is for.
    """

    link: Link
    done: Callable[[Sequence[int]], None]
    follow: Callable[[str], str | None]
    chair_of: Callable[[str], Chair | None]
    held: list[tuple[OutLine, Chair | None]] = field(factory=list)

    def send(self, lines: Iterable[OutLine], *, up: bool) -> None:
        """Send *lines*; while the bot is not in the channel (*up* is off) its lines wait."""
        for line in lines:
            public = self.link.is_channel(line.target)
            if not up and (public or line.keep):
                self.hold(line)
            elif public:
                self._send(line)
            elif (nick := self.follow(line.target)) is not None:
                self._send(evolve(line, target=nick))
            else:
                self._drop(line)

    def _send(self, line: OutLine) -> None:
        if line.id:
            self.link.send(line, partial(self.done, [line.id]))
        else:
            self.link.send(line)

    def _drop(self, line: OutLine) -> None:
        if line.id:
            self.done([line.id])

    def hold(self, line: OutLine) -> None:
        """Keep *line* until the bot is back, if it is one to keep; else it is done with."""
        if line.keep:
            self.held.append((line, self.chair_of(line.target)))
        else:
            self._drop(line)

    def release(self, check: Check) -> list[OutLine]:
        """Return the lines that waited, and forget them; a private one may have to go on waiting."""
        held, self.held = self.held, []
        released = []
        for line, chair in held:
            verdict = True if self.link.is_channel(line.target) else check(line, chair)
            if verdict:
                released.append(line)
            elif verdict is None:
                self.held.append((line, chair))
            else:
                self._drop(line)
        return released
