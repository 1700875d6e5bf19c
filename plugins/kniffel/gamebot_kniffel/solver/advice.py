"""The best thing to do with the dice on the table, and what everything else costs."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
from attrs import frozen

from gamebot_kniffel.engine.rules import DICE
from gamebot_kniffel.engine.scoring import Category, Dice
from gamebot_kniffel.solver.induction import Batch, fill_rolls
from gamebot_kniffel.solver.lattice import INDEX, Floats, Lattice
from gamebot_kniffel.solver.numbering import column_of, lower_set
from gamebot_kniffel.solver.table import Table
from gamebot_kniffel.solver.variant import State, entries

#: Turns that are remembered, about 20 kB each.
MOST_TURNS = 64
#: Two options that differ by less are equally good: values are exact to about this much.
TIE = 1e-6


@frozen
class Keep:
    """Keep *faces* (ascending, fewer than five) and throw the other dice."""

    faces: Dice


@frozen
class Score:
    """Enter the dice in *box*."""

    box: Category


Move: TypeAlias = Keep | Score


@frozen
class Option:
    """One move.

    Attributes:
        move: What to do.
        value: Points still to come, this turn's included, if it is done and all that follows is
            perfect.
    """

    move: Move
    value: float


@frozen(eq=False)
class _Turn:
    """Values of a turn by number of throws left, 0-2, then as in `Lattice.values`."""

    by_throws: tuple[tuple[Floats, ...], ...]


@frozen
class Adviser:
    """Answers for one table.

    Attributes:
        table: Values of the states.
    """

    table: Table

    def options(self, state: State, dice: Dice, throws: int) -> list[Option]:
        """Return everything that may be done, the best first.

        Args:
            state: Before the turn.
            dice: Five faces in any order.
            throws: Throws still allowed, 0-2.

        Raises:
            ValueError: No game leads to *state*.
        """
        found = [
            Option(Score(entry.box), entry.points + self._after(entry.after))
            for entry in entries(self.table.variant, state, dice)
        ]
        if throws:
            values = _turn(self.table, state).by_throws[throws]
            found += [
                Option(Keep(kept), float(values[len(kept)][INDEX[len(kept)][kept], 0]))
                for kept in _kept(tuple(sorted(dice)))
            ]
        return sorted(found, key=lambda option: -option.value)

    def value(self, state: State, dice: Dice, throws: int) -> float:
        """Return what the best option is worth."""
        roll = INDEX[DICE][tuple(sorted(dice))]
        return float(_turn(self.table, state).by_throws[throws][DICE][roll, 0])

    def before(self, state: State) -> float:
        """Return what *state* is worth before its turn; at the end the upper bonus."""
        return self._after(state)

    def _after(self, state: State) -> float:
        return self.table.value(state) if state.open else float(state.final)


def second(options: list[Option]) -> Option | None:
    """Return the best option that is worse than the first; ties are left aside."""
    best = options[0].value
    return next((option for option in options if option.value < best - TIE), None)


@lru_cache(maxsize=MOST_TURNS)
def _turn(table: Table, state: State) -> _Turn:
    batch = Batch(table.variant, lower_set(state), state.kn, np.array([column_of(state)]))
    lattice = Lattice(1)
    fill_rolls(batch, table, lattice.values[DICE])
    stages = [_copied(lattice)]
    for _ in range(2):
        lattice.spread()
        keeping = _copied(lattice)
        lattice.throw_before()
        stages.append((*keeping[:DICE], lattice.values[DICE].copy()))
    return _Turn(tuple(stages))


def _copied(lattice: Lattice) -> tuple[Floats, ...]:
    return tuple(values.copy() for values in lattice.values)


@cache
def _kept(dice: Dice) -> tuple[Dice, ...]:
    """Return every multiset of fewer than five of *dice*, which ascend."""
    return tuple(sorted({hand for size in range(DICE) for hand in combinations(dice, size)}))
