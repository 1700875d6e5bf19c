"""Boxes, points and the scorecard.

Dice are a tuple of five numbers 1-6 in any order. Rule sources: `docs/rules/kniffel.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from itertools import pairwise

from attrs import define, field

from gamebot_kniffel.engine.rules import DICE, FACES, ROUNDS, Rules

Dice = tuple[int, ...]


class Category(StrEnum):
    """The thirteen boxes; the values are how players and stored games write them."""

    ONES = "1"
    TWOS = "2"
    THREES = "3"
    FOURS = "4"
    FIVES = "5"
    SIXES = "6"
    THREE_OF_A_KIND = "3P"
    FOUR_OF_A_KIND = "4P"
    FULL_HOUSE = "FH"
    SMALL_STRAIGHT = "KS"
    LARGE_STRAIGHT = "GS"
    YAHTZEE = "KN"
    CHANCE = "CH"


#: Every box, in the order of the scorecard.
CATEGORIES = tuple(Category)
#: The boxes 1-6; index `face - 1`.
UPPER_SECTION = CATEGORIES[:FACES]
#: The other seven boxes.
LOWER_SECTION = CATEGORIES[FACES:]

FULL_HOUSE_POINTS = 25
SMALL_STRAIGHT_POINTS = 30
LARGE_STRAIGHT_POINTS = 40
YAHTZEE_POINTS = 50
#: Extra points for a further Kniffel (de:55).
YAHTZEE_BONUS = 100
#: Extra points for the upper section (de:49).
UPPER_BONUS = 35
#: Sum of the upper section that earns `UPPER_BONUS` (de:49).
UPPER_BONUS_FROM = 63

_SMALL_STRAIGHT_LENGTH = 4
_JOKER_POINTS = {
    Category.FULL_HOUSE: FULL_HOUSE_POINTS,
    Category.SMALL_STRAIGHT: SMALL_STRAIGHT_POINTS,
    Category.LARGE_STRAIGHT: LARGE_STRAIGHT_POINTS,
}
_UPPER = frozenset(UPPER_SECTION)


def is_yahtzee(dice: Dice) -> bool:
    """Tell whether all dice show the same face."""
    return dice.count(dice[0]) == DICE


def longest_run(dice: Dice) -> int:
    """Return the length of the longest sequence of consecutive faces; repeats do not break it."""
    longest = length = 1
    for lower, higher in pairwise(sorted(set(dice))):
        length = length + 1 if higher == lower + 1 else 1
        longest = max(longest, length)
    return longest


@cache
def plain_scores(dice: Dice) -> Mapping[Category, int]:
    """Return the points of *dice* in every box, further Kniffel and bonuses left aside."""
    counts = [dice.count(face) for face in range(1, FACES + 1)]
    total, most, run = sum(dice), max(counts), longest_run(dice)
    points = {box: face * counts[face - 1] for face, box in enumerate(UPPER_SECTION, start=1)}
    points[Category.THREE_OF_A_KIND] = total if most >= 3 else 0
    points[Category.FOUR_OF_A_KIND] = total if most >= 4 else 0
    points[Category.FULL_HOUSE] = FULL_HOUSE_POINTS if 3 in counts and 2 in counts else 0
    points[Category.SMALL_STRAIGHT] = SMALL_STRAIGHT_POINTS if run >= _SMALL_STRAIGHT_LENGTH else 0
    points[Category.LARGE_STRAIGHT] = LARGE_STRAIGHT_POINTS if run == DICE else 0
    points[Category.YAHTZEE] = YAHTZEE_POINTS if most == DICE else 0
    points[Category.CHANCE] = total
    return points


def score(category: Category, dice: Dice, rules: Rules, *, kniffel_is_50: bool) -> int:
    """Return the points that *dice* bring in *category*; 0 strikes the box.

    Args:
        category: The box to enter.
        dice: Five faces in any order.
        rules: Options of the game; `joker` matters here.
        kniffel_is_50: Whether the player's box `KN` holds 50.
    """
    if rules.joker and kniffel_is_50 and category in _JOKER_POINTS and is_yahtzee(dice):
        return _JOKER_POINTS[category]
    return plain_scores(dice)[category]


def yahtzee_bonus(
    category: Category, dice: Dice, rules: Rules, *, kniffel_is_50: bool, bonuses: int = 0
) -> int:
    """Return the extra points for entering a further Kniffel in *category*: 100 or 0.

    Args:
        category: The box to enter.
        dice: Five faces in any order.
        rules: Options of the game; `bonus_once` and `bonus_in_upper` matter here.
        kniffel_is_50: Whether the player's box `KN` holds 50.
        bonuses: How many such bonuses the player has already.
    """
    if not kniffel_is_50 or not is_yahtzee(dice):
        return 0
    if rules.bonus_once and bonuses:
        return 0
    if category in _UPPER and not rules.bonus_in_upper:
        return 0
    return YAHTZEE_BONUS


def upper_bonus(upper_sum: int) -> int:
    """Return the extra points for the boxes 1-6 whose points add up to *upper_sum*."""
    return UPPER_BONUS if upper_sum >= UPPER_BONUS_FROM else 0


@define
class Scorecard:
    """One player's boxes.

    Attributes:
        boxes: Points of every filled box, in the order of entry; a struck box holds 0.
        yahtzee_bonuses: Number of hundreds earned by further Kniffel.
    """

    boxes: dict[Category, int] = field(factory=dict)
    yahtzee_bonuses: int = 0

    @property
    def open(self) -> tuple[Category, ...]:
        """The boxes not filled yet, in the order of the scorecard."""
        return tuple([box for box in CATEGORIES if box not in self.boxes])

    @property
    def is_full(self) -> bool:
        """Whether every box is filled."""
        return len(self.boxes) == ROUNDS

    @property
    def kniffel_is_50(self) -> bool:
        """Whether the box `KN` was filled with a Kniffel, not struck."""
        return self.boxes.get(Category.YAHTZEE) == YAHTZEE_POINTS

    @property
    def upper_sum(self) -> int:
        """Points in the boxes 1-6, bonus left aside."""
        return sum([points for box, points in self.boxes.items() if box in _UPPER])

    @property
    def upper_bonus(self) -> int:
        """Points for the upper section: 35 once its sum is 63, else 0."""
        return upper_bonus(self.upper_sum)

    @property
    def yahtzee_bonus(self) -> int:
        """Points for further Kniffel: 100 each."""
        return YAHTZEE_BONUS * self.yahtzee_bonuses

    @property
    def total(self) -> int:
        """All points: boxes, upper bonus, further Kniffel."""
        hundreds = YAHTZEE_BONUS * self.yahtzee_bonuses
        return sum(self.boxes.values()) + upper_bonus(self.upper_sum) + hundreds

    def points(self, category: Category, dice: Dice, rules: Rules) -> int:
        """Return what *dice* would score in *category* now, without any bonus."""
        return score(category, dice, rules, kniffel_is_50=self.kniffel_is_50)

    def bonus(self, category: Category, dice: Dice, rules: Rules) -> int:
        """Return what a further Kniffel would add in *category* now: 100 or 0."""
        return yahtzee_bonus(
            category,
            dice,
            rules,
            kniffel_is_50=self.kniffel_is_50,
            bonuses=self.yahtzee_bonuses,
        )

    def enter(self, category: Category, dice: Dice, rules: Rules) -> tuple[int, int]:
        """Fill *category*, which must be open, and return its points and the bonus (100 or 0)."""
        points, bonus = self.points(category, dice, rules), self.bonus(category, dice, rules)
        self.boxes[category] = points
        self.yahtzee_bonuses += bool(bonus)
        return points, bonus
