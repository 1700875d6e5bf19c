"""Exact expectations over one turn, on the lattice of kept dice.

A *hand* is a sorted tuple of zero to five faces, and has an index in `HANDS`. The value of a
hand of fewer than five dice is the mean over the six hands with one die more, so a whole turn
needs 210 such means for each roll instead of a table of all keeps and all outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

from gamebot_kniffel.engine.rules import DICE, FACES
from gamebot_kniffel.engine.scoring import Dice

_SIDES = range(1, FACES + 1)

#: Every hand; the 252 complete ones come first.
HANDS: tuple[Dice, ...] = tuple(
    hand for size in range(DICE, -1, -1) for hand in combinations_with_replacement(_SIDES, size)
)
INDEX = {hand: index for index, hand in enumerate(HANDS)}
#: The complete hands, that is, every roll of five dice.
FULL_HANDS = tuple(hand for hand in HANDS if len(hand) == DICE)

_GROWN = tuple(
    tuple(INDEX[tuple(sorted((*hand, face)))] for face in _SIDES)
    for hand in HANDS[len(FULL_HANDS) :]
)
#: For each complete hand the indices of the hands that can be kept of it, itself left out.
KEEPS = tuple(
    tuple({INDEX[kept] for size in range(DICE) for kept in combinations(hand, size)})
    for hand in FULL_HANDS
)


def spread(full: Sequence[float]) -> list[float]:
    """Extend values of the complete hands to all hands: the mean over the missing dice."""
    values = list(full)
    for grown in _GROWN:
        a, b, c, d, e, f = grown
        values.append((values[a] + values[b] + values[c] + values[d] + values[e] + values[f]) / 6)
    return values


def before_roll(stop: Sequence[float], keep: Sequence[float]) -> list[float]:
    """Return for every complete hand the better of stopping and the best keep.

    Args:
        stop: Value of each complete hand when its box is entered now.
        keep: Value of each hand when it is kept and the rest rolled, from `spread`.
    """
    return [
        max(now, *[keep[index] for index in keeps]) for now, keeps in zip(stop, KEEPS, strict=True)
    ]
