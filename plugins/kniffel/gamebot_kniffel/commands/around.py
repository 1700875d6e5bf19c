"""Commands around a game: who leads it, rankings and records."""

from __future__ import annotations

from datetime import UTC, datetime

from gamebot import Context, Phase, Refused, Registry, Urgency, When, Where

RANKS = 5


def stop(ctx: Context) -> None:
    """End the game: an operator, or the only player."""
    table = ctx.desk.open
    alone = [chair.seat for chair in table.humans]
    chair = ctx.desk.chair_of(ctx.person)
    if not ctx.is_op and (chair is None or alone != [chair.seat]):
        raise Refused(
            "Only an operator may end a game of several players; {leave} leaves it.",
            leave=ctx.how("leave"),
        )
    ctx.desk.stop()
    ctx.say(ctx.t("{name} ended the game.", name=ctx.nick), keep=True)


def _need_lead(ctx: Context) -> None:
    """Refuse who neither leads the table, as the first one who enrolled and plays, nor is an operator.

    Raises:
        Refused: The speaker is neither, or there is no game.
    """
    first = next(iter(ctx.desk.open.humans), None)
    if ctx.is_op or (first is not None and ctx.desk.chair_of(ctx.person) is first):
        return
    name = first.name if first else ""
    raise Refused("Only {name}, who leads the game, or an operator may do that.", name=name)


def kick(ctx: Context, nick: str) -> None:
    """Take a player out of the game; for whoever leads it and for operators."""
    _need_lead(ctx)
    chair = ctx.desk.chair_named(nick)
    in_lobby = ctx.desk.phase is Phase.LOBBY
    ctx.desk.take_out(chair)
    if in_lobby:
        ctx.desk.kind.lobby_left(ctx, chair)


def skip(ctx: Context) -> None:
    """Play the turn of somebody who does not: the dice go where they count most."""
    _need_lead(ctx)
    ctx.desk.publish(ctx.desk.game.skip())


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
    """Register these commands."""
    channel = Where.CHANNEL
    registry.command("stop", stop, words="!stop", where=channel)
    registry.command("kick", kick, words="!kick", where=channel, example="bert")
    registry.command("skip", skip, words="!skip", where=channel, when=When.GAME)
    registry.command("top", show_top, words="!top")
    registry.command("records", show_records, words="!records")
