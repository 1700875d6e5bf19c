"""Who leads a game: whoever opened it; when that person is gone, the next one who plays."""

from __future__ import annotations

from gamebot import Context, Phase, Refused


def leader(ctx: Context) -> str:
    """Return the nick of who leads the lobby or the game, "" if nobody does.

    Raises:
        Refused: There is neither.
    """
    table = ctx.desk.open
    here = {ctx.fold(person.nick) for person in ctx.members}
    return table.starter if ctx.fold(table.starter) in here else _heir(ctx)


def _heir(ctx: Context, but: str = "") -> str:
    players = (chair.nick for chair in ctx.desk.open.humans if chair.present)
    return next((nick for nick in players if ctx.fold(nick) != ctx.fold(but)), "")


def may_lead(ctx: Context) -> bool:
    """Whether the speaker leads the game, or is an operator."""
    return ctx.is_op or ctx.fold(leader(ctx)) == ctx.fold(ctx.nick)


def need_lead(ctx: Context) -> None:
    """Refuse who neither leads the game nor is an operator.

    Raises:
        Refused: The speaker is neither, or there is no game.
    """
    if may_lead(ctx):
        return
    if name := leader(ctx):
        raise Refused("Only {name}, who leads the game, or an operator may do that.", name=name)
    raise Refused("Only an operator of the channel may do that.")


def pass_on(ctx: Context, nick: str) -> None:
    """Let the next player lead in the place of *nick*, who has left the game or the channel."""
    table = ctx.desk.table
    if table is None or table.phase is Phase.OVER or ctx.fold(table.starter) != ctx.fold(nick):
        return
    table.starter = _heir(ctx, but=nick)
    if table.starter and table.phase is Phase.LOBBY:
        ctx.say(ctx.t("{name} leads the game now.", name=table.starter))
