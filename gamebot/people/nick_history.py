"""Who left, or took another nick, while an input waited for its turn.

A connection knows of a QUIT at once; a channel's task comes to it later, and what it says until then
is addressed to a nick that somebody else may have by now. So each input notes what was known when it
came, and a private line is readdressed, or dropped, by what has happened since.
"""

from __future__ import annotations

from collections import deque

from attrs import define, field

from gamebot.events import ChannelDown, Event, Left, LeftHow, LinkDown, NickChanged
from gamebot.ports import Link

REMEMBERED = 4096
"""NickHistory of one network that are remembered; a line that waited for longer reaches nobody."""


@define
class _Move:
    number: int
    nick: str  # folded; "" is everybody
    to: str | None  # the new nick, None if the person is out of sight
    channel: str = ""  # folded; "" is every channel


@define
class _Log:
    moves: deque[_Move] = field(factory=lambda: deque(maxlen=REMEMBERED))
    forgotten: int = 0  # number of the last move that fell out


@define
class NickHistory:
    """The latest movements of people on each network.

    Attributes:
        now: Number of the last movement.
    """

    now: int = 0
    _logs: dict[str, _Log] = field(factory=dict)

    def note(self, link: Link, event: Event) -> None:
        """Remember *event* if after it a nick may belong to somebody else."""
        match event:
            case NickChanged():
                self._note(link, event.person.nick, event.new_nick)
            case Left():
                everywhere = event.how is LeftHow.QUIT
                self._note(link, event.person.nick, None, "" if everywhere else event.channel)
            case ChannelDown():
                self._note(link, "", None, event.channel)
            case LinkDown():
                self._note(link, "", None)
            case _:
                pass

    def _note(self, link: Link, nick: str, to: str | None, channel: str = "") -> None:
        log = self._logs.setdefault(link.name, _Log())
        self.now += 1
        if len(log.moves) == REMEMBERED:
            log.forgotten = log.moves[0].number
        log.moves.append(_Move(self.now, link.fold(nick), to, link.fold(channel)))

    def follow(self, link: Link, nick: str, channel: str, since: int) -> str | None:
        """Return the present nick of who was called *nick* when *since* was the last movement.

        Args:
            link: The network.
            nick: The nick at that time.
            channel: Folded channel where the person was seen.
            since: What `now` was then.

        Returns:
            The nick, None if the person is out of sight.
        """
        log = self._logs.get(link.name)
        if log is None:
            return nick
        if since < log.forgotten:
            return None
        newer = []
        for move in reversed(log.moves):
            if move.number <= since:
                break
            newer.append(move)
        for move in reversed(newer):
            if move.nick in ("", link.fold(nick)) and move.channel in ("", channel):
                if move.to is None:
                    return None
                nick = move.to
            elif move.to is not None and link.fold(move.to) == link.fold(nick):
                return None  # a stranger gave it up, unseen, and somebody else took it
        return nick
