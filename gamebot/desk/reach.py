"""Players whom no private line reaches: the table is told, and their clock waits once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamebot.desk import turn_clock
from gamebot.ports import Urgency
from gamebot.table.table import Phase

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk

LONGER_S = 60.0
"""How long the turn clock waits, once a game, for somebody who cannot be reached, seconds."""


def ask(desk: Desk, nick: str) -> None:
    """Let the server tell whether *nick* takes private lines, where it may drop them in silence."""
    if desk.channel.link.drops_silently:
        desk.ctx.protocol("WHOIS", nick)


def unreachable(desk: Desk, nick: str) -> None:
    """Say, once a game, that the player called *nick* gets no private lines, and what helps."""
    table, key = desk.table, desk.fold(nick)
    if table is None or table.phase is Phase.OVER:
        return
    chair = next((one for one in table.humans if desk.fold(one.nick) == key), None)
    if chair is None or chair.unreachable:
        return
    chair.unreachable = True
    own = desk.channel.link.own_nick
    desk.ctx.say(
        desk.ctx.t(
            "{name} does not get my private lines. Type /accept {bot} or log in to services, "
            "then ask me for them again.",
            name=chair.name,
            bot=own,
        ),
        urgency=Urgency.TURN,
    )
    if table.phase is Phase.PLAYING and table.game.to_act == chair.seat:
        turn_clock.extend(desk, LONGER_S)
