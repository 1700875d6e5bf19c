"""Moves that newcomers regret: where the channel wants it, each says once what it does."""

from __future__ import annotations

from collections.abc import Sequence

from gamebot import Context, Urgency
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import ROLLS
from gamebot_kniffel.engine.scoring import Category
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.texts import code

MOST = 200
"""People whom a channel remembers to have been told; the oldest are forgotten."""


def holds_back_strike(ctx: Context, seat: EngineSeat, box: Category) -> bool:
    """Whether the player is to say again that *box* shall be struck, and was told so.

    Raises:
        IllegalMove: The dice cannot be entered now.
    """
    game: Game = ctx.desk.game
    if not ctx.settings.confirm or game.options(seat).get(box, 1):
        return False
    card, dice = game.cards[seat], game.dice
    if dice is None or card.bonus(box, dice, game.rules):
        return False
    return _told(
        ctx,
        "strike",
        ctx.t(
            "With {dice} that strikes {box}: 0 points, for good. Type {command} again to do it.",
            dice=" ".join(map(str, dice)),
            box=code(ctx, box),
            command=f"{ctx.how('list')} {code(ctx, box)}",
        ),
    )


def holds_back_roll(ctx: Context, seat: EngineSeat, positions: Sequence[int]) -> bool:
    """Whether the player is to say again that all dice shall be thrown, and was told so."""
    game: Game = ctx.desk.game
    if not ctx.settings.confirm or positions or game.dice is None or game.to_act != seat:
        return False
    if not 0 < game.rolls_left < ROLLS:
        return False
    return _told(
        ctx,
        "roll",
        ctx.t(
            "{roll} throws all five dice again; {roll} 1 4 throws only the first and the fourth. "
            "Type {roll} again to throw all.",
            roll=ctx.how("roll"),
        ),
    )


def _told(ctx: Context, what: str, text: str) -> bool:
    """Say *text* to the speaker once; return whether that was now."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    told: list[str] = ctx.state.get("confirmed", [])
    key = f"{what} {ctx.identity(ctx.person)}"
    if key in told:
        return False
    ctx.state["confirmed"] = [*told, key][-MOST:]
    ctx.say(ctx.translator.headed(ctx.nick, text), urgency=Urgency.TURN)
    return True
