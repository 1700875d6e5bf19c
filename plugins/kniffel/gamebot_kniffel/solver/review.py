"""A finished game against perfect play: what luck gave, and what decisions cost."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from gamebot_kniffel.engine.history import Decision
from gamebot_kniffel.engine.scoring import Dice
from gamebot_kniffel.solver.advice import Adviser, Keep, Move, Option, Score
from gamebot_kniffel.solver.variant import State, entries


@frozen
class Loss:
    """What one decision cost.

    Attributes:
        round: 1-13.
        done: What was done.
        best: What would have been best.
        points: The difference, 0 or more.
    """

    round: int
    done: Move
    best: Move
    points: float


@define
class Review:
    """One player's game; its score is `expected + luck - loss`.

    Attributes:
        expected: Value of the start.
        luck: Sum of the changes of value by throws.
        losses: One for each decision, in order.
    """

    expected: float
    luck: float = 0.0
    losses: list[Loss] = field(factory=list)

    @property
    def loss(self) -> float:
        """Points lost by all decisions."""
        return sum(each.points for each in self.losses)

    @property
    def costliest(self) -> Loss | None:
        """The decision that cost most; None if all were perfect or none was made."""
        return max(self.losses, key=lambda each: each.points, default=None)


def review(adviser: Adviser, decisions: Iterable[Decision]) -> Review:
    """Compare the decisions of one player, from the first turn on, with the best ones."""
    state = State()
    expected = adviser.before(state)
    found, number = Review(expected), 1
    for decision in decisions:
        options = adviser.options(state, decision.dice, decision.rolls_left)
        best, done = options[0], _done(options, decision)
        found.luck += best.value - expected
        found.losses.append(Loss(number, done.move, best.move, best.value - done.value))
        expected = done.value
        if isinstance(done.move, Score):
            points, state = _entered(adviser, state, decision.dice, done.move)
            expected, number = done.value - points, number + 1
    return found


def _done(options: list[Option], decision: Decision) -> Option:
    move = _move(decision)
    return next(option for option in options if option.move == move)


def _move(decision: Decision) -> Move:
    if decision.box is not None:
        return Score(decision.box)
    kept = [face for n, face in enumerate(decision.dice, 1) if n not in decision.thrown]
    return Keep(tuple(sorted(kept)))


def _entered(adviser: Adviser, state: State, dice: Dice, move: Score) -> tuple[int, State]:
    for entry in entries(adviser.table.variant, state, dice):
        if entry.box == move.box:
            return entry.points, entry.after
    raise ValueError(f"{move.box} cannot be filled")
