"""A table as plain data: who sits where, and the game in front of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, NewType

from attrs import Factory, define, field, frozen

from gamebot.events import Person


class Phase(Enum):
    """Where a table stands; no table at all is "idle"."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


Seat = NewType("Seat", int)
"""Order of enrolment, never reused within a game."""


Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@frozen
class Fixed:
    """What a transcript fixed for the next game of a channel.

    Attributes:
        starter: Nick who begins, "" if chance decides.
        dice: The next dice thrown.
        hands: Nick -> cards in the canonical notation.
        deck: First upcard, then the cards drawn.
    """

    starter: str = ""
    dice: tuple[int, ...] = ()
    hands: Mapping[str, tuple[str, ...]] = field(factory=dict)
    deck: tuple[str, ...] = ()


@frozen
class Outcome:
    """What one seat takes from an ended game.

    Attributes:
        points: Points of this game.
        won: Whether it won; a tie has several.
        details: The game's own figures (JSON), for records.
    """

    points: int
    won: bool
    details: Mapping[str, Json] = field(factory=dict)


@define
class Chair:
    """A person (or a bot player) on a seat.

    Attributes:
        seat: The engine's seat.
        name: Name shown, unique at the table.
        nick: Present nick (the last one if the player is away).
        userhost: `user@host` when last seen, "@" if unknown.
        account: Services account, None if none was known.
        is_bot: Whether a bot player sits here.
        strength: The bot player's strength.
        present: Whether the player is in the channel.
        verified: Whether it is certain that *nick* is that player (not after a reconnect whose
            member list told no hosts).
        barred: Whether the player was taken out and may not come back by himself.
        unreachable: Whether a private line did not reach the player in this game.
        voiced: Whether the bot gave voice to that player, who is in the channel since.
    """

    seat: Seat
    name: str
    nick: str
    userhost: str = "@"
    account: str | None = None
    is_bot: bool = False
    strength: str = ""
    present: bool = True
    verified: bool = True
    voiced: bool = False
    barred: bool = False
    unreachable: bool = False

    def belongs_to(self, person: Person, fold: Any) -> bool:  # noqa: ANN401  a link's fold
        """Tell whether *person* is the one who took this seat.

        The same services account; where none is known, the same nick from the same host.
        """
        if self.is_bot:
            return False
        if self.account and person.account:
            return self.account == person.account
        same_nick: bool = fold(self.nick) == fold(person.nick)
        return same_nick and self.userhost == person.userhost

    def is_barred(self, person: Person, fold: Any) -> bool:  # noqa: ANN401  as above
        """Whether *person*, by account, address or nick, was taken out on this seat."""
        if not self.barred:
            return False
        if self.account and person.account:
            return self.account == person.account
        same_nick: bool = fold(self.nick) == fold(person.nick)
        return same_nick or (self.userhost != "@" and self.userhost == person.userhost)


@define
class Table:
    """One lobby or game of one channel.

    Attributes:
        plugin: Plugin that owns the game.
        game_id: Unique for ever.
        phase: Lobby, playing or over.
        starter: Nick that opened the lobby.
        starter_account: Services account of it, None if none is known.
        chairs: Taken seats in the order of enrolment.
        gone: Players who left a running game, newest last.
        next_seat: The next seat's number.
        seed: The secret seed (hex) that was drawn when the lobby opened.
        key: The draw key (hex), "" before the start.
        position: Where the game's chance stands.
        loaded: Dice fixed by a transcript and not yet thrown.
        armed: `clock_id` that the turn clock was armed for, -1 for none.
        topics: The last texts, two at most, that the bot set as the topic; empty if it set none.
        topic_before: The topic that was there before.
        topic_at: When the bot set the last one, seconds since the Unix epoch.
        game: The engine's game, None in a lobby.
    """

    plugin: str
    game_id: str
    seed: str
    phase: Phase = Phase.LOBBY
    starter: str = ""
    starter_account: str | None = None
    chairs: list[Chair] = Factory(list)
    gone: list[Chair] = Factory(list)
    next_seat: int = 0
    key: str = ""
    position: int = 0
    loaded: list[int] = Factory(list)
    armed: int = -1
    topics: list[str] = Factory(list)
    topic_before: str = ""
    topic_at: float = 0.0
    game: Any = None

    @property
    def humans(self) -> Iterator[Chair]:
        """Seated people, bot players left out."""
        return (chair for chair in self.chairs if not chair.is_bot)

    def chair(self, seat: Seat) -> Chair:
        """Return the chair of *seat*, also of one that left.

        Raises:
            KeyError: Nobody ever sat there.
        """
        for chair in (*self.chairs, *reversed(self.gone)):
            if chair.seat == seat:
                return chair
        raise KeyError(seat)

    def name(self, seat: Seat) -> str:
        """Return the name shown for *seat*."""
        return self.chair(seat).name

    def names(self, seats: Iterable[Seat]) -> list[str]:
        """Return the names shown for *seats*."""
        return [self.name(seat) for seat in seats]
