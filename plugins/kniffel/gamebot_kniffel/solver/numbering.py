"""States as numbers: a row for the lower section and a column for the upper one.

A *column* is one set of filled upper boxes with one sum that it can have (63 for more); columns
with equally many boxes filled lie side by side. A *row* is one set of open lower boxes, KN left
aside, with what KN holds. Of the sums 0-63 only those that can be reached have a column, so a
table has 192 x 2,794 = 536,448 values, a quarter less than all consistent ones would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from gamebot_kniffel.engine.rules import DICE, FACES
from gamebot_kniffel.engine.scoring import (
    LOWER_SECTION,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    Category,
)
from gamebot_kniffel.solver.variant import Bonus, Kn, State, Variant

Indices = npt.NDArray[np.intp]

#: The boxes that a row counts, by bit.
PLAIN_LOWER = tuple(box for box in LOWER_SECTION if box is not Category.YAHTZEE)

_SETS = 1 << FACES
_KN_ORDER = (Kn.OPEN, Kn.STRUCK, Kn.HELD, Kn.SPENT)


def _reachable() -> list[tuple[int, int]]:
    """Return every set of filled upper boxes with every sum it can have, fullest sets last."""
    found: set[tuple[int, int]] = {(0, 0)}
    for face in range(1, FACES + 1):
        bit = 1 << (face - 1)
        for filled, total in found.copy():
            sums = [min(total + face * count, UPPER_BONUS_FROM) for count in range(DICE + 1)]
            found.update((filled | bit, each) for each in sums)
    return sorted(found, key=lambda pair: (pair[0].bit_count(), pair))


_COLUMNS = _reachable()
_COLUMN_OF = {pair: number for number, pair in enumerate(_COLUMNS)}

COLUMNS = len(_COLUMNS)
#: The column where a box cannot be filled again; its value is always minus infinity.
NO_COLUMN = COLUMNS
#: For each number of filled upper boxes, 0-6, its columns.
LEVELS = tuple(
    slice(
        min(at for at, (filled, _) in enumerate(_COLUMNS) if filled.bit_count() == size),
        1 + max(at for at, (filled, _) in enumerate(_COLUMNS) if filled.bit_count() == size),
    )
    for size in range(FACES + 1)
)
#: Sum of the upper boxes, by column.
UPPER_SUMS = np.array([total for _, total in _COLUMNS])


def _next_columns() -> Indices:
    table = np.full((FACES, DICE + 1, COLUMNS), NO_COLUMN, dtype=np.intp)
    for at, (filled, total) in enumerate(_COLUMNS):
        for face, count in product(range(1, FACES + 1), range(DICE + 1)):
            bit = 1 << (face - 1)
            if not filled & bit:
                after = filled | bit, min(total + face * count, UPPER_BONUS_FROM)
                table[face - 1, count, at] = _COLUMN_OF[after]
    return table


#: Column after 0-5 dice of a face are entered in its box: `[face - 1, count, column]`.
NEXT_COLUMN = _next_columns()


def kns(variant: Variant) -> tuple[Kn, ...]:
    """Return what KN can hold under *variant*, in the order of the rows."""
    return _KN_ORDER if variant.bonus is Bonus.ONCE else _KN_ORDER[:-1]


def rows(variant: Variant) -> int:
    """Return how many rows a table has."""
    return _SETS * len(kns(variant))


def row_of(lower: int, kn: Kn) -> int:
    """Return the row of a set of open lower boxes, as bits of `PLAIN_LOWER`."""
    return _KN_ORDER.index(kn) * _SETS + lower


def in_order(variant: Variant) -> Iterator[tuple[int, Kn]]:
    """Go through sets of open lower boxes and KN so that what follows from one came before it."""
    for lower in range(_SETS):
        for kn in reversed(kns(variant)):
            yield lower, kn


def lower_set(state: State) -> int:
    """Return the open lower boxes of *state* as bits of `PLAIN_LOWER`."""
    return sum([1 << bit for bit, box in enumerate(PLAIN_LOWER) if box in state.open])


def column_of(state: State) -> int:
    """Return the column of *state*.

    Raises:
        ValueError: No game leads there.
    """
    filled = sum([1 << bit for bit, box in enumerate(UPPER_SECTION) if box not in state.open])
    try:
        return _COLUMN_OF[filled, state.upper]
    except KeyError:
        raise ValueError(f"the upper boxes cannot add up to {state.upper}") from None
