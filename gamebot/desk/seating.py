"""Seats taken, given back and handed over while a game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamebot.desk import reach, turn_clock, voice_and_topic
from gamebot.desk.desk import Desk
from gamebot.desk.enrolment import new_bot, take_seat
from gamebot.desk.player_names import check_free
from gamebot.desk.presence import Presence
from gamebot.errors import Refused
from gamebot.plugin.typed import completed
from gamebot.table.table import Chair, Seat

if TYPE_CHECKING:
    from gamebot.events import Person
    from gamebot.plugin.game_desk import GameDesk


def enter(desk: GameDesk, person: Person, *, forgiven: bool = False) -> Chair:
    """Seat *person* in the running game; who left it gets the old seat back.

    The caller lets the engine take the seat in and, if it refuses, nothing of this is kept.

    Args:
        desk: The table.
        person: Who comes.
        forgiven: Whether somebody who was taken out is let in again.

    Raises:
        Refused: No game runs, the person is seated or was taken out, the table is full, or the name
            is taken.
    """
    desk = _own(desk)
    table = desk.playing
    if desk.chair_of(person) is not None:
        raise Refused("You are in already.")
    for chair in table.gone:
        if chair.is_barred(person, desk.fold) and not forgiven:
            raise Refused("You were taken out of this game; you can play the next one.")
    for chair in reversed(table.gone):
        if chair.belongs_to(person, desk.fold):
            table.gone.remove(chair)
            check_free(desk, person.nick, person.nick)
            Presence(desk).follow(chair, person.nick)
            chair.present = chair.verified = True
            chair.barred = False
            chair.userhost = person.userhost
            chair.account = person.account or chair.account
            table.chairs.append(chair)
            return chair
    check_free(desk, person.nick, person.nick)
    reach.ask(desk, person.nick)
    return _add(
        desk,
        Chair(
            seat=Seat(table.next_seat),
            name=person.nick,
            nick=person.nick,
            userhost=person.userhost,
            account=person.account,
        ),
    )


def enter_bot(desk: GameDesk, strength: str = "") -> Chair:
    """Seat a bot player in the running game.

    Raises:
        Refused: No game runs, the table is full, or the strength is unknown.
    """
    desk = _own(desk)
    return _add(desk, new_bot(desk, strength))


def _add(desk: Desk, chair: Chair) -> Chair:
    table = desk.playing
    limit = desk.ctx.settings.max_players
    if len(table.chairs) >= limit:
        raise Refused("The table is full: {n} play.", n=limit)
    take_seat(table, chair)
    return chair


def replace(desk: GameDesk, chair: Chair, person: Person) -> None:
    """Hand *chair* over to *person*, with everything in front of it.

    Raises:
        Refused: That person has a seat already, or the name is taken.
    """
    desk = _own(desk)
    if desk.chair_of(person) is not None:
        raise Refused("{name} plays already.", name=person.nick)
    check_free(desk, person.nick, person.nick, chair)
    voice_and_topic.hand_over(desk, chair)
    chair.name = chair.nick = person.nick
    chair.userhost, chair.account = person.userhost, person.account
    chair.is_bot, chair.strength = False, ""
    chair.present = chair.verified = True
    turn_clock.keep_no_longer(desk, chair)


def member(desk: GameDesk, nick: str) -> Person:
    """Return who is called *nick* in the channel.

    Raises:
        Refused: Nobody is.
    """
    desk = _own(desk)
    for typed in (nick, completed(nick)):
        key = desk.fold(typed)
        for person in desk.ctx.members:
            if desk.fold(person.nick) == key:
                return person
    raise Refused("Nobody here is called {name}.", name=nick)


def _own(desk: GameDesk) -> Desk:
    """Return the desk behind what a plugin sees of it."""
    if not isinstance(desk, Desk):
        raise TypeError("this is no table of a channel")
    return desk
