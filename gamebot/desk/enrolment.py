"""A lobby: opened, filled with people and bot players, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamebot.desk import reach, voice_and_topic
from gamebot.desk.player_names import check_free, check_name, is_free
from gamebot.desk.turn_clock import LOBBY, cancel_all
from gamebot.errors import Refused
from gamebot.table.table import Chair, Phase, Seat, Table

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk
    from gamebot.events import Person


def open_lobby(desk: Desk, seconds: float | None = None) -> Table:
    """Open enrolment; it ends by itself after *seconds* (default: `lobby_timeout_s`).

    Raises:
        Refused: A lobby or a game is there already, of this game or of another.
    """
    if desk.channel.busy_plugin() is not None:
        raise Refused("Another game is on in this channel.")
    if desk.channel.refuses(desk.plugin):
        raise Refused("A game that a newer version stored is kept here; it must end first.")
    table = Table(
        plugin=desk.plugin,
        game_id=desk.channel.new_game_id(),
        seed=desk.channel.entropy().hex(),
        starter=desk.ctx.nick,
        starter_account=desk.ctx.person.account if desk.ctx.person else None,
    )
    if desk.table is not None:
        voice_and_topic.succeed(desk, desk.table, table)
    desk.channel.tables[desk.plugin] = table
    desk.ctx.arm(LOBBY, seconds or desk.ctx.settings.lobby_timeout_s)
    return table


def lobby(desk: Desk) -> Table:
    """Return the open lobby, opening one if nobody plays.

    Raises:
        Refused: A game runs, or another game is on.
    """
    if desk.phase is Phase.PLAYING:
        raise Refused("The game is running already.")
    if desk.table is not None and desk.phase is Phase.LOBBY:
        return desk.table
    return open_lobby(desk)


def close(desk: Desk) -> None:
    """Close the lobby; nobody is enrolled any more."""
    desk.channel.tables.pop(desk.plugin, None)
    cancel_all(desk)


def enrol(desk: Desk, person: Person, name: str = "") -> Chair:
    """Seat *person* in the lobby under *name* (default: the nick).

    Raises:
        Refused: Already seated, table full, name taken, or a game runs.
        UsageError: The name cannot be used.
    """
    shown = check_name(name) if name else person.nick
    if desk.chair_of(person) is not None:
        raise Refused("You are in already.")
    check_free(desk, shown, None if name else person.nick)
    reach.ask(desk, person.nick)
    return add(
        desk,
        Chair(
            seat=Seat(0),
            name=shown,
            nick=person.nick,
            userhost=person.userhost,
            account=person.account,
        ),
    )


def new_bot(desk: Desk, strength: str = "") -> Chair:
    """Return a chair with a bot player, called like the bot itself, which has no seat yet.

    Raises:
        Refused: The strength is unknown.
    """
    strengths = desk.kind.strengths()
    if strength and strength not in strengths:
        raise Refused(
            "A bot player is one of: {allowed}.",
            allowed=[desk.ctx.t(name) for name in strengths],
        )
    own, n = desk.channel.link.own_nick, 1
    name = own
    while not is_free(desk, name):
        n += 1
        name = f"{own}{n}"
    return Chair(
        seat=Seat(0),
        name=name,
        nick=name,
        is_bot=True,
        strength=strength or desk.kind.default_strength(),
    )


def add(desk: Desk, chair: Chair) -> Chair:
    """Give *chair* the next seat of the lobby.

    Raises:
        Refused: Table full, or a game runs.
    """
    table = desk.table if desk.phase is Phase.LOBBY else None
    limit = desk.ctx.settings.max_players
    if len(table.chairs if table else ()) >= limit:
        raise Refused("The table is full: {n} play.", n=limit)
    table = lobby(desk)
    take_seat(table, chair)
    return chair


def take_seat(table: Table, chair: Chair) -> None:
    """Put *chair* at *table*, with a seat that nobody ever had."""
    chair.seat = Seat(table.next_seat)
    table.next_seat += 1
    table.chairs.append(chair)
