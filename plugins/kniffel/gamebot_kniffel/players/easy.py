"""A player by rules of thumb: collect the commonest face or a straight, enter what pays."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from random import Random

from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import UPPER_SECTION, Category, Dice, Scorecard
from gamebot_kniffel.players.action import Action, Enter, Roll

#: What a box should bring; the box that is farthest above it (or least below) is entered.
PAR = {
    Category.ONES: 2,
    Category.TWOS: 5,
    Category.THREES: 8,
    Category.FOURS: 12,
    Category.FIVES: 15,
    Category.SIXES: 18,
    Category.THREE_OF_A_KIND: 22,
    Category.FOUR_OF_A_KIND: 14,
    Category.FULL_HOUSE: 21,
    Category.SMALL_STRAIGHT: 26,
    Category.LARGE_STRAIGHT: 22,
    Category.YAHTZEE: 12,
    Category.CHANCE: 22,
}

#: Boxes that cannot get any better once they score.
_DONE = (Category.FULL_HOUSE, Category.LARGE_STRAIGHT, Category.YAHTZEE)
_ALIKE = (Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND, Category.YAHTZEE)
#: Dice in a row that are worth keeping, by the straight that is still open.
_RUN_FOR_SMALL, _RUN_FOR_LARGE = 3, 4
_PAIR = 2


def choose(card: Scorecard, dice: Dice, rolls_left: int, rules: Rules, rng: Random) -> Action:
    """Return what to do with *dice* on the table; equal faces are chosen between by *rng*."""
    best = max(card.open, key=lambda box: _gain(card, box, dice, rules))
    if not rolls_left or _is_done(card, best, dice, rules):
        return Enter(best)
    thrown = _thrown(card, dice, rng)
    return Roll(thrown) if thrown else Enter(best)


def _gain(card: Scorecard, box: Category, dice: Dice, rules: Rules) -> int:
    return card.points(box, dice, rules) + card.bonus(box, dice, rules) - PAR[box]


def _is_done(card: Scorecard, best: Category, dice: Dice, rules: Rules) -> bool:
    if best is Category.SMALL_STRAIGHT and Category.LARGE_STRAIGHT not in card.open:
        return card.points(best, dice, rules) > 0
    return best in _DONE and card.points(best, dice, rules) > 0


def _thrown(card: Scorecard, dice: Dice, rng: Random) -> tuple[int, ...]:
    """Return the positions of the dice that do not fit the aim."""
    run = _run(dice)
    if len(run) >= _wanted_run(card.open):
        return tuple(
            n for n, face in enumerate(dice, 1) if face not in run or face in dice[: n - 1]
        )
    kept = _kept_faces(card, dice, rng)
    return tuple(n for n, face in enumerate(dice, 1) if face not in kept)


def _wanted_run(boxes: Collection[Category]) -> int:
    if Category.SMALL_STRAIGHT in boxes:
        return _RUN_FOR_SMALL
    return _RUN_FOR_LARGE if Category.LARGE_STRAIGHT in boxes else len(Category)


def _run(dice: Dice) -> list[int]:
    """Return the faces of the longest run, the higher one of two."""
    faces = sorted(set(dice))
    best = run = faces[:1]
    for lower, higher in pairwise(faces):
        run = [*run, higher] if higher == lower + 1 else [higher]
        best = max(best, run, key=lambda faces: (len(faces), faces))
    return best


def _kept_faces(card: Scorecard, dice: Dice, rng: Random) -> set[int]:
    boxes = card.open
    pairs = {face for face in dice if dice.count(face) >= _PAIR}
    if Category.FULL_HOUSE in boxes and len(pairs) == _PAIR:
        return pairs
    useful = [face for face in set(dice) if UPPER_SECTION[face - 1] in boxes]
    if not useful or any(box in boxes for box in _ALIKE):
        useful = sorted(set(dice))
    most = max(dice.count(face) for face in useful)
    return {rng.choice([face for face in useful if dice.count(face) == most])}
