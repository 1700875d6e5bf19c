"""Whether a nick is its player's: what is for a player alone must reach nobody else.

While the bot is in a channel it follows every nick there. After a time away a nick may be anybody's
until the network tells the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import evolve

from gamebot.table.table import Chair, Phase

if TYPE_CHECKING:
    from gamebot.desk.host import TableHost
    from gamebot.events import Person
    from gamebot.ports import OutLine


def is_certain(channel: TableHost, nick: str, speaker: Person | None) -> bool:
    """Whether *nick* is no player's here, or certainly the player's.

    Args:
        channel: Where the table is.
        nick: A nick.
        speaker: Who speaks at this moment, and so certainly has the nick shown.
    """
    fold = channel.link.fold
    chair = next((one for one in _seated(channel, nick) if one.present), None)
    if chair is None or (chair.verified and channel.up):
        return True
    speaks = speaker is not None and fold(speaker.nick) == fold(nick)
    return speaks and speaker is not None and chair.belongs_to(speaker, fold)


def is_news(channel: TableHost, person: Person) -> bool:
    """Whether user and host of *person* tell who has a player's nick, or are that player's new ones."""
    seated = _seated(channel, person.nick)
    return any(not chair.verified or chair.userhost != person.userhost for chair in seated)


def _seated(channel: TableHost, nick: str) -> Iterator[Chair]:
    fold = channel.link.fold
    return (
        chair
        for table in channel.tables.values()
        if table.phase is not Phase.OVER
        for chair in table.humans
        if fold(chair.nick) == fold(nick)
    )


def player_of(channel: TableHost, nick: str) -> Chair | None:
    """Return a copy of the chair of the player called *nick*, also of one who left the game."""
    key = channel.link.fold(nick)
    chairs = [
        chair
        for table in sorted(channel.tables.values(), key=lambda one: one.phase is not Phase.OVER)
        for chair in (*table.gone, *table.chairs)
        if channel.link.fold(chair.nick) == key
    ]
    return evolve(chairs[-1]) if chairs else None


def reaches(channel: TableHost, line: OutLine, chair: Chair | None) -> bool | None:
    """Whether a private line that waited would reach the player of *chair*.

    Returns:
        None if nobody knows yet.
    """
    fold = channel.link.fold
    key = fold(line.target)
    person = next(
        (one for one in channel.link.members(channel.name) if fold(one.nick) == key), None
    )
    if person is None or chair is None:
        return False
    if chair.belongs_to(person, fold):
        return True
    return False if person.user else None
