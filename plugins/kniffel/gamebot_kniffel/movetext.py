"""Moves and what they are worth, in the channel's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamebot import Context
from gamebot_kniffel.engine.scoring import Category, Dice
from gamebot_kniffel.texts import code

if TYPE_CHECKING:
    from gamebot_kniffel.solver.advice import Option
    from gamebot_kniffel.solver.review import Loss

#: Options that are told besides the best one.
OTHERS = 2


def points_text(ctx: Context, points: float) -> str:
    """Write *points*, 0 or more, with one decimal as the language does."""
    whole, tenth = divmod(round(points * 10), 10)
    return ctx.t("{whole}.{tenth}", whole=whole, tenth=tenth)


def move_text(ctx: Context, move: object, dice: Dice = ()) -> str:
    """Write a move; with *dice* also which of them are thrown again."""
    box: Category | None = getattr(move, "box", None)
    if box is not None:
        return ctx.t("enter {box}", box=code(ctx, box))
    faces: Dice = getattr(move, "faces", ())
    if not faces:
        return ctx.t("re-roll all five")
    kept = " ".join(map(str, faces))
    if not dice:
        return ctx.t("keep {kept}", kept=kept)
    rest = list(dice)
    for face in faces:
        rest.remove(face)
    thrown = " ".join(map(str, sorted(rest)))
    return ctx.t("keep {kept}, re-roll {thrown}", kept=kept, thrown=thrown)


def options_text(ctx: Context, options: Sequence[Option], dice: Dice, counted: int) -> str:
    """Write the best option with the score to expect, and what the next ones cost.

    Args:
        ctx: The channel.
        options: The best first.
        dice: On the table.
        counted: Points that the player has already, the upper bonus left aside.
    """
    best = options[0]
    parts = [
        ctx.t(
            "Best: {move} (final score on average {points})",
            move=move_text(ctx, best.move, dice),
            points=points_text(ctx, counted + best.value),
        )
    ]
    parts += [
        ctx.t(
            "{move} costs {points}",
            move=move_text(ctx, option.move),
            points=points_text(ctx, best.value - option.value),
        )
        for option in options[1 : 1 + OTHERS]
    ]
    return ctx.translator.clauses(parts)


def loss_sum_text(ctx: Context, loss: float) -> str:
    """Write what a player's moves cost in all."""
    return ctx.t("{points} points lost against perfect play", points=points_text(ctx, loss))


def loss_text(ctx: Context, loss: Loss) -> str:
    """Write the decision that cost most."""
    return ctx.t(
        "dearest in round {round}: {done} instead of {best}, -{points}",
        round=loss.round,
        done=move_text(ctx, loss.done),
        best=move_text(ctx, loss.best),
        points=points_text(ctx, loss.points),
    )
