"""Scorecards and dice as text: few lines that read well in any font."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamebot import Context
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import (
    CATEGORIES,
    LOWER_SECTION,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    Category,
    Dice,
    Scorecard,
)
from gamebot_kniffel.texts import code

OPEN = "·"
STRUCK = "✗"
LINE_BYTES = 360
"""Several players' cards share a line up to so many bytes."""


def dice_text(dice: Dice) -> str:
    """Write the dice in their order, spaced so that the eye counts positions."""
    return "[" + " ".join(map(str, dice)) + "]"


def clock_text(seconds: float) -> str:
    """Write a span as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _box(ctx: Context, card: Scorecard, box: Category) -> str:
    points = card.boxes.get(box)
    shown = OPEN if points is None else str(points) if points else STRUCK
    return f"{code(ctx, box)}={shown}"


def card_line(ctx: Context, name: str, card: Scorecard) -> str:
    """Write one whole scorecard: an open box as ·, a struck one as ✗."""
    upper = " ".join(_box(ctx, card, box) for box in UPPER_SECTION)
    lower = " ".join(_box(ctx, card, box) for box in LOWER_SECTION)
    bonus = ctx.t("top {sum}/{needed}", sum=card.upper_sum, needed=UPPER_BONUS_FROM)
    if card.upper_bonus:
        bonus += f" +{card.upper_bonus}"
    extra = f" | Kniffel +{card.yahtzee_bonus}" if card.yahtzee_bonus else ""
    total = ctx.n("{n} point", "{n} points", card.total)
    boxes = f"{ctx.translator.aside(upper, bonus)} | {lower}{extra} | {total}"
    return ctx.translator.headed(name, boxes)


def short_card(ctx: Context, name: str, card: Scorecard) -> str:
    """Write a scorecard with its filled boxes only."""
    filled = [_box(ctx, card, box) for box in CATEGORIES if box in card.boxes]
    extras = [f"+{points}" for points in (card.upper_bonus, card.yahtzee_bonus) if points]
    return ctx.translator.headed(f"{name} {card.total}", " ".join([*filled, *extras]) or "–")


def pack(parts: Iterable[str], limit_bytes: int = LINE_BYTES) -> Iterator[str]:
    """Join *parts* into lines of at most *limit_bytes*."""
    line = ""
    for part in parts:
        longer = f"{line} ‖ {part}" if line else part
        if line and len(longer.encode()) > limit_bytes:
            yield line
            line = part
        else:
            line = longer
    if line:
        yield line


def options_line(ctx: Context, card: Scorecard, dice: Dice, rules: Rules) -> str:
    """Write what each open box would score now, best first; 0 is a strike."""
    worth = {box: card.points(box, dice, rules) + card.bonus(box, dice, rules) for box in card.open}
    scoring = sorted((box for box in worth if worth[box]), key=lambda box: -worth[box])
    strikes = [code(ctx, box) for box in worth if not worth[box]]
    parts = [f"{code(ctx, box)}={worth[box]}" for box in scoring]
    if strikes:
        parts.append(ctx.t("0 (strike): {boxes}", boxes=" ".join(strikes)))
    return f"{dice_text(dice)} " + " · ".join(parts)
