"""The timers of a table: turn, warning, lobby, a bot player's pause, an absent player's grace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk
    from gamebot.table.table import Chair, Table

TURN, WARN, LOBBY, BOT, GRACE = (
    "table.turn",
    "table.warn",
    "table.lobby",
    "table.bot",
    "table.grace:",
)
_AWAY_MATTERS = (TURN, LOBBY, GRACE)
AT_LEAST_S = 60.0
"""Time that a clock has at least when the bot comes back, seconds."""


def arm(desk: Desk, table: Table) -> None:
    """Arm the clock of the player to act if the engine says that it starts anew."""
    game = table.game
    if game.clock_id != table.armed:
        table.armed = game.clock_id
        _arm_turn(desk, game.clock_id, desk.ctx.settings.turn_timeout_s)
    if not desk.kind.clock_runs(game):
        desk.ctx.cancel(TURN)
        desk.ctx.cancel(WARN)
    if not table.chair(game.to_act).is_bot:
        desk.ctx.cancel(BOT)
    elif desk.channel.timer_row(desk.plugin, BOT, desk.ctx.effects) is None:
        desk.ctx.arm(BOT, desk.ctx.settings.bot_delay_s, clock_id=game.clock_id)


def _arm_turn(desk: Desk, clock_id: int, left_s: float) -> None:
    desk.ctx.arm(TURN, left_s, clock_id=clock_id)
    before = desk.ctx.settings.warning_s
    if 0 < before < left_s:
        desk.ctx.arm(WARN, left_s - before, clock_id=clock_id)
    else:
        desk.ctx.cancel(WARN)


def cancel_all(desk: Desk) -> None:
    """Cancel every timer of the table."""
    for plugin, name in desk.channel.timer_names(desk.ctx.effects):
        if plugin == desk.plugin and name.startswith("table."):
            desk.ctx.cancel(name)


def keep_seat(desk: Desk, chair: Chair, seconds: float) -> None:
    """Keep the seat of an absent player for so long."""
    desk.ctx.arm(f"{GRACE}{chair.seat}", seconds)


def keep_no_longer(desk: Desk, chair: Chair) -> None:
    """End the grace of a player who is back, or was replaced."""
    desk.ctx.cancel(f"{GRACE}{chair.seat}")


def is_kept(desk: Desk, chair: Chair) -> bool:
    """Whether the grace of an absent player runs."""
    return desk.left_s(f"{GRACE}{chair.seat}") is not None


def rearm(desk: Desk) -> None:
    """Arm the clocks anew after the bot was away: at least 60 s, at most their length."""
    for plugin, name in desk.channel.timer_names(desk.ctx.effects):
        row = desk.channel.timer_row(plugin, name, desk.ctx.effects)
        if row is None or plugin != desk.plugin or not name.startswith(_AWAY_MATTERS):
            continue
        left = min(row.limit_s, max(desk.left_s(name) or 0.0, AT_LEAST_S))
        _set(desk, name, row.clock_id, left, row.limit_s)


def extend(desk: Desk, seconds: float) -> None:
    """Let the running turn last for so much longer."""
    row = desk.channel.timer_row(desk.plugin, TURN, desk.ctx.effects)
    if row is not None:
        left = (desk.left_s() or 0.0) + seconds
        _set(desk, TURN, row.clock_id, left, row.limit_s + seconds)


def retime(desk: Desk, before: Any) -> None:  # noqa: ANN401  each game's own settings class
    """Let running clocks follow settings that were *before*: what has passed counts."""
    for name, setting in ((TURN, "turn_timeout_s"), (LOBBY, "lobby_timeout_s")):
        row = desk.channel.timer_row(desk.plugin, name, desk.ctx.effects)
        length = getattr(desk.ctx.settings, setting)
        if row is None or length == getattr(before, setting, length):
            continue
        passed = row.limit_s - (desk.left_s(name) or 0.0)
        left = min(length, max(length - passed, AT_LEAST_S))
        _set(desk, name, row.clock_id, left, length)


def _set(desk: Desk, name: str, clock_id: int, left_s: float, limit_s: float) -> None:
    """Arm *name* for what is left of *limit_s*."""
    if name == TURN:
        _arm_turn(desk, clock_id, left_s)
    else:
        desk.ctx.arm(name, left_s)
    timers = desk.ctx.effects.timers
    row = timers[desk.plugin, name]
    assert row is not None  # noqa: S101  it was armed on the lines before
    timers[desk.plugin, name] = evolve(row, limit_s=limit_s)
