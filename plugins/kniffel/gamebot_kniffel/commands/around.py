"""Commands around a game: rankings and records."""

from __future__ import annotations

from datetime import UTC, datetime

from gamebot import Context, Refused, Registry, Urgency

RANKS = 5


async def show_top(ctx: Context) -> None:
    """Show who won most in this channel."""
    rows = await ctx.ranking(limit=RANKS)
    if not rows:
        raise Refused("No game between people was finished here yet.")
    ranks = [
        ctx.n(
            "{rank}. {name}: {wins} of {n} game won, best {best}",
            "{rank}. {name}: {wins} of {n} games won, best {best}",
            row.games,
            rank=rank,
            name=row.player,
            wins=row.wins,
            best=row.best,
        )
        for rank, row in enumerate(rows, 1)
    ]
    ctx.reply(ctx.translator.clauses(ranks), urgency=Urgency.LISTING)


async def show_records(ctx: Context) -> None:
    """Show the best single games of this channel."""
    rows = await ctx.results(order="points", limit=RANKS)
    if not rows:
        raise Refused("No game was finished here yet.")
    records = [
        ctx.translator.aside(
            f"{rank}. {row.player} {row.points}",
            f"{datetime.fromtimestamp(row.ended_at, UTC):%Y-%m-%d}",
        )
        for rank, row in enumerate(rows, 1)
    ]
    ctx.reply(ctx.t("Records: {list}", list=records), urgency=Urgency.LISTING)


def register(registry: Registry) -> None:
    """Register the commands."""
    registry.command("top", show_top, words="!top")
    registry.command("records", show_records, words="!records")
