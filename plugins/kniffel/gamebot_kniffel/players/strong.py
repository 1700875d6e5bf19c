"""A player that plays each turn exactly and estimates what the later turns are worth.

For the boxes open now, every roll and every keep of the turn gets its exact expectation
(`lattice`). What follows the turn is estimated: a price for giving up a box, 35 times the chance
of reaching 63 in the upper section, and what a Kniffel's 50 promises for further ones.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb

from attrs import frozen

from gamebot_kniffel.engine.rules import DICE, Rules
from gamebot_kniffel.engine.scoring import (
    UPPER_BONUS,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    YAHTZEE_POINTS,
    Category,
    Dice,
    Scorecard,
    is_yahtzee,
    score,
    yahtzee_bonus,
)
from gamebot_kniffel.players.action import Action, Enter, Roll, positions_thrown
from gamebot_kniffel.players.lattice import FULL_HANDS, HANDS, INDEX, KEEPS, before_roll, spread

#: Points lost by giving up a box when 1, 2, ... 13 boxes are open: the mean, over all sets of
#: open boxes of that size, of the exact expected score with the box less the one without it.
#: Upper bonus left aside, options off.
PRICE = {
    Category.ONES: (2.1, 5.6, 7.3, 8.2, 8.8, 9.2, 9.4, 9.6, 9.7, 9.8, 9.9, 10.1, 10.2),
    Category.TWOS: (4.2, 7.6, 9.1, 10.0, 10.6, 11.0, 11.3, 11.4, 11.6, 11.7, 11.9, 12.0, 12.2),
    Category.THREES: (6.3, 9.6, 11.1, 12.0, 12.6, 13.1, 13.4, 13.6, 13.8, 13.9, 14.1, 14.3, 14.5),
    Category.FOURS: (8.4, 11.6, 13.2, 14.2, 14.8, 15.3, 15.6, 15.9, 16.1, 16.3, 16.4, 16.6, 16.8),
    Category.FIVES: (10.5, 13.8, 15.4, 16.4, 17.1, 17.6, 18.0, 18.2, 18.4, 18.6, 18.8, 18.9, 19.1),
    Category.SIXES: (12.6, 16.0, 17.6, 18.6, 19.3, 19.8, 20.1, 20.4, 20.5, 20.7, 20.8, 20.9, 21.1),
    Category.THREE_OF_A_KIND: (
        *(17.0, 21.5, 23.6, 24.8, 25.6, 26.1, 26.4),
        *(26.6, 26.8, 26.9, 27.0, 27.2, 27.3),
    ),
    Category.FOUR_OF_A_KIND: (
        *(7.8, 12.0, 14.2, 15.7, 16.8, 17.6, 18.3),
        *(18.9, 19.4, 19.9, 20.3, 20.6, 20.9),
    ),
    Category.FULL_HOUSE: (
        *(10.4, 14.8, 17.3, 19.0, 20.3, 21.3, 22.1),
        *(22.8, 23.4, 24.0, 24.5, 24.9, 25.3),
    ),
    Category.SMALL_STRAIGHT: (
        *(18.7, 24.8, 27.9, 29.8, 31.1, 32.1, 32.8),
        *(33.4, 33.9, 34.3, 34.7, 35.1, 35.4),
    ),
    Category.LARGE_STRAIGHT: (
        *(11.0, 16.2, 19.6, 22.1, 24.2, 26.0, 27.5),
        *(28.8, 30.0, 31.1, 32.0, 32.8, 33.5),
    ),
    Category.YAHTZEE: (2.3, 5.7, 7.6, 9.0, 10.3, 11.6, 13.0, 14.5, 16.0, 17.7, 19.6, 21.5, 23.6),
    Category.CHANCE: (
        *(24.5, 27.5, 28.8, 29.5, 29.9, 30.1, 30.2),
        *(30.3, 30.3, 30.3, 30.3, 30.4, 30.5),
    ),
}
#: What holding 50 in `KN` promises for 0, 1, ... 12 open boxes, found in the same way.
PROMISE = (0.0, 1.2, 3.1, 5.5, 8.3, 11.2, 14.3, 17.5, 20.7, 24.1, 27.6, 31.1, 34.8)

#: Chance that a die shows a wanted face after one turn given to it: 1 - (5/6)**3.
_ONE_TURN = 1 - (5 / 6) ** 3
#: The same with so many open boxes that the turn can be chosen after the dice are seen, by face.
_FREE_CHOICE = (0.44, 0.55, 0.60, 0.64, 0.66, 0.67)

_FIVE_ALIKE = tuple(hand for hand in FULL_HANDS if is_yahtzee(hand))


@frozen
class _State:
    """What decides a turn's values; the key of the cache."""

    boxes: tuple[Category, ...]
    upper_sum: int
    kniffel_is_50: bool
    bonuses: int
    rules: Rules


@frozen
class _Turn:
    """Values of one turn: by complete hand when entered, by hand when kept.

    Attributes:
        stop: Best value of entering each complete hand.
        box: The box that has it.
        keep: Values of keeping each hand; index by the rolls left, 1 or 2, less one.
    """

    stop: list[float]
    box: list[Category]
    keep: tuple[list[float], list[float]]


def choose(card: Scorecard, dice: Dice, rolls_left: int, rules: Rules) -> Action:
    """Return what to do with *dice* on the table."""
    bonuses = min(card.yahtzee_bonuses, 1)
    upper_sum = min(card.upper_sum, UPPER_BONUS_FROM)
    turn = _turn(_State(card.open, upper_sum, card.kniffel_is_50, bonuses, rules))
    hand = INDEX[tuple(sorted(dice))]
    if rolls_left:
        keep = turn.keep[rolls_left - 1]
        best = max(KEEPS[hand], key=keep.__getitem__)
        if keep[best] > turn.stop[hand]:
            return Roll(positions_thrown(dice, HANDS[best]))
    return Enter(turn.box[hand])


@lru_cache(maxsize=64)
def _turn(state: _State) -> _Turn:
    stop, box = [], []
    for values in zip(*[_values(state, box) for box in state.boxes], strict=True):
        best = max(values)
        stop.append(best)
        box.append(state.boxes[values.index(best)])
    last = spread(stop)
    return _Turn(stop, box, (last, spread(before_roll(stop, last))))


def _values(state: _State, box: Category) -> list[float]:
    """Return the value of entering each complete hand in *box*."""
    left = tuple(other for other in state.boxes if other != box)
    points = _points(box, state.kniffel_is_50, state.rules)
    worth = {}
    for each in set(points):
        upper = state.upper_sum + (each if box in UPPER_SECTION else 0)
        worth[each] = each - PRICE[box][len(left)] + UPPER_BONUS * _chance_of_bonus(left, upper)
    if box is Category.YAHTZEE:
        worth[YAHTZEE_POINTS] += PROMISE[len(left)]
    values = [worth[each] for each in points]
    if state.kniffel_is_50:
        for hand in _FIVE_ALIKE:
            values[INDEX[hand]] += yahtzee_bonus(
                box, hand, state.rules, kniffel_is_50=True, bonuses=state.bonuses
            )
    return values


@cache
def _points(box: Category, kniffel_is_50: bool, rules: Rules) -> tuple[int, ...]:  # noqa: FBT001 - a cache key
    return tuple(score(box, hand, rules, kniffel_is_50=kniffel_is_50) for hand in FULL_HANDS)


@lru_cache(maxsize=4096)
def _chance_of_bonus(boxes: tuple[Category, ...], upper_sum: int) -> float:
    """Estimate the chance that *upper_sum* reaches 63 with the upper ones of *boxes* still open."""
    chances = {upper_sum: 1.0}
    for face, box in enumerate(UPPER_SECTION, start=1):
        if box in boxes:
            chances = _with_box(chances, face, _chance_of_face(face, len(boxes)))
    return sum(chance for total, chance in chances.items() if total >= UPPER_BONUS_FROM)


def _with_box(chances: dict[int, float], face: int, p: float) -> dict[int, float]:
    after: dict[int, float] = {}
    for count in range(DICE + 1):
        likely = comb(DICE, count) * p**count * (1 - p) ** (DICE - count)
        for total, chance in chances.items():
            new = total + count * face
            after[new] = after.get(new, 0.0) + chance * likely
    return after


def _chance_of_face(face: int, open_boxes: int) -> float:
    return _ONE_TURN + (_FREE_CHOICE[face - 1] - _ONE_TURN) * (1 - 1 / open_boxes)
