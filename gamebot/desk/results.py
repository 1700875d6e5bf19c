"""What is stored of a game that ended: one row a player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gamebot.ports import ResultRow

if TYPE_CHECKING:
    from gamebot.plugin.context import Context
    from gamebot.table.table import Chair, Outcome, Seat, Table


def result_rows(ctx: Context, table: Table, outcomes: Mapping[Seat, Outcome]) -> list[ResultRow]:
    """Make the rows of everybody who played; whoever has no outcome has forfeited.

    Args:
        ctx: Where and when it ended.
        table: Who played.
        outcomes: What the seats that stayed to the end take from it.
    """
    played = (*table.chairs, *table.gone)
    with_bots = any(chair.is_bot for chair in played)
    return [
        _row(ctx, table, chair, outcomes.get(chair.seat), with_bots=with_bots) for chair in played
    ]


def _row(
    ctx: Context, table: Table, chair: Chair, outcome: Outcome | None, *, with_bots: bool
) -> ResultRow:
    return ResultRow(
        network=ctx.network,
        channel=ctx.channel.key,
        plugin=table.plugin,
        game_id=table.game_id,
        player=chair.name,
        identity=f"b:{chair.strength}" if chair.is_bot else ctx.identity(chair),
        account=chair.account,
        points=outcome.points if outcome else 0,
        won=bool(outcome and outcome.won),
        forfeited=outcome is None,
        is_bot=chair.is_bot,
        with_bots=with_bots,
        ended_at=ctx.now(),
        details=json.dumps(dict(outcome.details) if outcome else {}),
    )
