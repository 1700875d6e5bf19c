"""Backward induction: what every state is worth under perfect play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Protocol

import numpy as np
from attrs import field, frozen

from gamebot_kniffel.engine.rules import DICE, FACES
from gamebot_kniffel.engine.scoring import (
    UPPER_BONUS,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    YAHTZEE_POINTS,
    Category,
    plain_scores,
)
from gamebot_kniffel.solver.lattice import CHANCES, ROLLS, Floats, Lattice
from gamebot_kniffel.solver.numbering import (
    COLUMNS,
    LEVELS,
    NEXT_COLUMN,
    NO_COLUMN,
    PLAIN_LOWER,
    UPPER_SUMS,
    Indices,
    in_order,
    row_of,
    rows,
)
from gamebot_kniffel.solver.variant import JOKER_POINTS, Bonus, Joker, Kn, Variant, hundred

_POINTS = {
    box: np.array([[plain_scores(roll)[box]] for roll in ROLLS], dtype=np.float64)
    for box in Category
}
#: Small enough for `standard_deviation` to be right to four decimals.
_SMALL_RISK = 1e-7

_SIDES = range(1, FACES + 1)
_COUNTS = tuple(np.array([roll.count(face) for roll in ROLLS]) for face in _SIDES)
_SCORED = tuple(np.array([[float(face * n)] for n in range(DICE + 1)]) for face in _SIDES)
_FIVE_ALIKE = tuple(ROLLS.index((face,) * DICE) for face in _SIDES)


class Values(Protocol):
    """Where the values of the states that follow are read."""

    def at(self, row: int, columns: Indices) -> Floats:
        """Return the values of *columns* in *row*; minus infinity for `NO_COLUMN`."""


@frozen(eq=False)
class Grid:
    """Values in memory, one column more than there are for `NO_COLUMN`."""

    values: Floats

    @classmethod
    def empty(cls, variant: Variant) -> Grid:
        """Return a grid without values."""
        values = np.full((rows(variant), COLUMNS + 1), np.nan)
        values[:, NO_COLUMN] = -np.inf
        return cls(values)

    def at(self, row: int, columns: Indices) -> Floats:
        """Return the values of *columns* in *row*."""
        found: Floats = self.values[row].take(columns)
        return found


@frozen
class Batch:
    """States whose turns are worked out together: some columns of one row.

    Attributes:
        variant: The rules.
        lower: Open lower boxes, as bits of `PLAIN_LOWER`.
        kn: What KN holds.
        columns: The columns.
    """

    variant: Variant
    lower: int
    kn: Kn
    columns: Indices = field(eq=False)

    @property
    def row(self) -> int:
        """The row."""
        return row_of(self.lower, self.kn)

    @property
    def open_lower(self) -> Iterator[tuple[Category, int]]:
        """The open boxes of the lower section but KN, each with what is open after it."""
        for bit, box in enumerate(PLAIN_LOWER):
            if self.lower >> bit & 1:
                yield box, self.lower & ~(1 << bit)


def fill_rolls(batch: Batch, values: Values, out: Floats) -> None:
    """Write what each roll is worth once no throw is left: the best box to enter.

    Args:
        batch: The states.
        values: What the states after them are worth.
        out: Array (roll, state) to fill.
    """
    out.fill(-np.inf)
    for box, after in batch.open_lower:
        np.maximum(out, _POINTS[box] + values.at(row_of(after, batch.kn), batch.columns), out=out)
    for face in range(FACES):
        following = NEXT_COLUMN[face][:, batch.columns]
        worth = values.at(batch.row, following) + _SCORED[face]
        np.maximum(out, worth.take(_COUNTS[face], axis=0), out=out)
    if batch.kn is Kn.OPEN:
        _fill_kn(batch, values, out)
    else:
        for face, at in enumerate(_FIVE_ALIKE):
            out[at] = _further(batch, values, face)


def _fill_kn(batch: Batch, values: Values, out: Floats) -> None:
    struck = values.at(row_of(batch.lower, Kn.STRUCK), batch.columns)
    held = values.at(row_of(batch.lower, Kn.HELD), batch.columns) + YAHTZEE_POINTS
    np.maximum(out, struck, out=out)
    for at in _FIVE_ALIKE:
        np.maximum(out[at], held, out=out[at])


def _further(batch: Batch, values: Values, face: int) -> Floats:
    """Return what five alike are worth, by state, once KN is filled."""
    own = _upper_entry(batch, values, face, face)
    fits = own == -np.inf
    lower = [_lower_entry(batch, values, box, after, face, fits) for box, after in batch.open_lower]
    others = [_upper_entry(batch, values, each, face) for each in range(FACES) if each != face]
    if batch.variant.joker is not Joker.FORCED:
        return _best([own, *lower, *others])
    return np.where(fits, _best(lower or others), own)


def _best(worth: list[Floats]) -> Floats:
    best: Floats = np.max(np.stack(worth), axis=0)
    return best


def _upper_entry(batch: Batch, values: Values, box: int, face: int) -> Floats:
    """Return what five of *face* are worth in an upper *box*, both numbered from 0."""
    count = DICE if box == face else 0
    bonus, kn = _bonus(batch, UPPER_SECTION[box], face)
    following = NEXT_COLUMN[box, count][batch.columns]
    worth: Floats = values.at(row_of(batch.lower, kn), following) + (count * (face + 1) + bonus)
    return worth


def _lower_entry(
    batch: Batch, values: Values, box: Category, after: int, face: int, fits: Floats
) -> Floats:
    """Return what five alike are worth in a lower *box*; *fits*: the face's own box is filled."""
    bonus, kn = _bonus(batch, box, face)
    points = _POINTS[box][_FIVE_ALIKE[face], 0] + bonus
    worth: Floats = values.at(row_of(after, kn), batch.columns) + points
    if box in JOKER_POINTS:
        joker = batch.variant.joker
        if joker is Joker.OPTION and batch.kn is not Kn.STRUCK:
            worth = worth + JOKER_POINTS[box]
        elif joker in (Joker.FORCED, Joker.FREE):
            worth = worth + JOKER_POINTS[box] * fits
    return worth


def _bonus(batch: Batch, box: Category, face: int) -> tuple[int, Kn]:
    bonus = hundred(batch.variant, batch.kn, box, (face + 1,) * DICE)
    return bonus, Kn.SPENT if bonus and batch.variant.bonus is Bonus.ONCE else batch.kn


def solve(
    variant: Variant, progress: Callable[[int, int], object] | None = None, risk: float = 0.0
) -> Grid:
    """Return the value of every state under *variant*: points still to come, 35 included.

    Args:
        variant: The rules.
        progress: Called with the rows done and the rows there are.
        risk: Not 0: values are certainty equivalents under exponential utility, that is,
            log(mean(exp(risk * score))) / risk instead of the mean.
    """
    grid = Grid.empty(variant)
    lattices = [Lattice(level.stop - level.start) for level in LEVELS]
    for done, (lower, kn) in enumerate(in_order(variant), start=1):
        for filled in range(FACES, -1, -1):
            level = LEVELS[filled]
            batch = Batch(variant, lower, kn, np.arange(level.start, level.stop))
            if filled == FACES and not lower and kn is not Kn.OPEN:
                worth = UPPER_BONUS * (UPPER_SUMS[level] == UPPER_BONUS_FROM)
            else:
                worth = _before_turn(batch, grid, lattices[filled], risk)
            grid.values[batch.row, level] = worth
        if progress:
            progress(done, rows(variant))
    return grid


def _before_turn(batch: Batch, grid: Grid, lattice: Lattice, risk: float) -> Floats:
    rolls = lattice.values[DICE]
    fill_rolls(batch, grid, rolls)
    if risk:
        rolls[:] = np.expm1(rolls * risk) / risk
    for _ in range(2):
        lattice.spread()
        lattice.throw_before()
    worth: Floats = CHANCES @ rolls
    if risk:
        worth = np.log1p(worth * risk) / risk
    return worth


def standard_deviation(
    variant: Variant, grid: Grid, progress: Callable[[int, int], object] | None = None
) -> float:
    """Return how far the scores of whole games lie around the mean under perfect play.

    For a small risk r the certainty equivalent is mean + r / 2 * variance, up to terms in r**2;
    perfect play changes nothing of that, as its value is stationary.

    Args:
        variant: The rules.
        grid: Their values.
        progress: As in `solve`.
    """
    start = row_of((1 << len(PLAIN_LOWER)) - 1, Kn.OPEN)
    risky = solve(variant, progress, _SMALL_RISK)
    gained = float(risky.values[start, 0] - grid.values[start, 0])
    return sqrt(2 * gained / _SMALL_RISK)
