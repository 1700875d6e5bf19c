"""Who leads a game: whoever opened it; when that person is gone, the next one who plays."""

from __future__ import annotations

from gamebot import Chair, Context, Person, Phase, Refused


def leader(ctx: Context) -> str:
    """Return the nick of who leads the lobby or the game, "" if nobody does.

    Raises:
        Refused: There is neither.
    """
    leading = (person.nick for person in ctx.members if _leads(ctx, person))
    if nick := next(leading, ""):
        return nick
    heir = _heir(ctx)
    return heir.nick if heir else ""


def _leads(ctx: Context, person: Person) -> bool:
    """Whether *person* is the one noted as leading, and not a stranger of that nick."""
    if not _is_noted(ctx, person):
        return False
    key = ctx.fold(person.nick)
    seats = [chair for chair in ctx.desk.open.humans if ctx.fold(chair.nick) == key]
    return not seats or ctx.desk.chair_of(person) is not None


def _is_noted(ctx: Context, who: Person | Chair) -> bool:
    """Whether it was *who* that was noted: by services account, else by nick."""
    table = ctx.desk.open
    if table.starter_account and who.account:
        return table.starter_account == who.account
    return ctx.fold(table.starter) == ctx.fold(who.nick)


def _heir(ctx: Context, but: str = "") -> Chair | None:
    players = (chair for chair in ctx.desk.open.humans if chair.present)
    return next((chair for chair in players if ctx.fold(chair.nick) != ctx.fold(but)), None)


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


def hand_lead(ctx: Context, who: Person | Chair | None) -> None:
    """Let *who* lead; None leaves it to the first one who plays."""
    table = ctx.desk.open
    table.starter = who.nick if who else ""
    table.starter_account = who.account if who else None


def pass_on(ctx: Context, gone: Person | Chair) -> None:
    """Let the next player lead in the place of *gone*, who has left the game or the channel."""
    table = ctx.desk.table
    if table is None or table.phase is Phase.OVER or not _is_noted(ctx, gone):
        return
    hand_lead(ctx, _heir(ctx, but=gone.nick))
    if table.starter and table.phase is Phase.LOBBY:
        ctx.say(ctx.t("{name} leads the game now.", name=table.starter))
