"""Commands about perfect play: the best move now, and what a finished game's moves cost."""

from __future__ import annotations

import asyncio

from gamebot import Context, Phase, Refused, Registry, Seat, Urgency, When, Where
from gamebot_kniffel import advisers
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import Reason
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.movetext import loss_sum_text, loss_text, options_text
from gamebot_kniffel.solver.variant import State
from gamebot_kniffel.texts import REASONS

#: A loss below this is not worth a word, in points.
LEAST_LOSS = 0.05


async def show_tip(ctx: Context) -> None:
    """See the best thing to do with your dice, and what the two next best cost."""
    game: Game = ctx.desk.game
    me = EngineSeat(ctx.desk.seated(ctx.person).seat)
    if me != game.to_act:
        raise Refused(REASONS[Reason.NOT_YOUR_TURN])
    if game.dice is None:
        raise Refused(REASONS[Reason.NOT_ROLLED], roll=ctx.how("roll"))
    adviser = await advisers.adviser(game.rules)
    card = game.cards[me]
    options = adviser.options(State.of(card, adviser.table.variant), game.dice, game.rolls_left)
    ctx.reply(options_text(ctx, options, game.dice, card.total - card.upper_bonus))


async def show_review(ctx: Context) -> None:
    """See after a game what each player's moves cost against perfect play."""
    table = ctx.desk.table
    if table is None or table.phase is not Phase.OVER or not table.game.seats:
        raise Refused("This is told once a game has ended.")
    game: Game = table.game
    if game.history is None:
        raise Refused("The moves of this game were not kept.")
    adviser = await advisers.adviser(game.rules)
    from gamebot_kniffel.solver.review import review

    for seat in game.seats:
        own = [each for each in game.history if each.seat == seat]
        found = await asyncio.to_thread(review, adviser, own)
        worst = found.costliest
        text = loss_sum_text(ctx, found.loss)
        if worst is not None and worst.points >= LEAST_LOSS:
            text = ctx.translator.clauses((text, loss_text(ctx, worst)))
        name = table.name(Seat(seat))
        ctx.reply(ctx.translator.headed(name, text), urgency=Urgency.LISTING)


def register(registry: Registry) -> None:
    """Register the commands."""
    registry.command("tip", show_tip, words="!tip", where=Where.QUERY, when=When.GAME)
    registry.command("review", show_review, words="!review")
