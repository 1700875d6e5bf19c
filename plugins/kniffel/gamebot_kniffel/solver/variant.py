"""Which rules are solved, and what entering a box does under them, one state at a time."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from attrs import frozen

from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import (
    CATEGORIES,
    FULL_HOUSE_POINTS,
    LARGE_STRAIGHT_POINTS,
    LOWER_SECTION,
    SMALL_STRAIGHT_POINTS,
    UPPER_BONUS,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    YAHTZEE_BONUS,
    YAHTZEE_POINTS,
    Category,
    Dice,
    Scorecard,
    is_yahtzee,
    plain_scores,
)

#: What a joker scores in the boxes that five alike do not fit.
JOKER_POINTS = {
    Category.FULL_HOUSE: FULL_HOUSE_POINTS,
    Category.SMALL_STRAIGHT: SMALL_STRAIGHT_POINTS,
    Category.LARGE_STRAIGHT: LARGE_STRAIGHT_POINTS,
}


class Joker(StrEnum):
    """When five alike score in FH, KS and GS.

    `OPTION` is this game's option: while KN holds 50, in any box. The other two are the American
    rules, for which KN only has to be filled: `FORCED` first asks for the upper box of the face,
    then for a lower one; `FREE` leaves the choice, and the joker needs that upper box filled.
    """

    NONE = "none"
    OPTION = "option"
    FORCED = "forced"
    FREE = "free"


class Bonus(StrEnum):
    """How often a further Kniffel earns 100."""

    NONE = "none"
    ONCE = "once"
    EACH = "each"


class Kn(StrEnum):
    """What the box KN holds; `SPENT` is 50 when no further Kniffel can earn 100 any more."""

    OPEN = "open"
    STRUCK = "struck"
    HELD = "held"
    SPENT = "spent"


@frozen(kw_only=True)
class Variant:
    """The rules as far as they decide values.

    Attributes:
        joker: When five alike score in FH, KS and GS.
        bonus: How often a further Kniffel earns 100.
        in_upper: Whether it does in the boxes 1-6 too.
    """

    joker: Joker = Joker.NONE
    bonus: Bonus = Bonus.EACH
    in_upper: bool = False

    @classmethod
    def of(cls, rules: Rules) -> Variant:
        """Return the variant that games under *rules* are played by."""
        return cls(
            joker=Joker.OPTION if rules.joker else Joker.NONE,
            bonus=Bonus.ONCE if rules.bonus_once else Bonus.EACH,
            in_upper=rules.bonus_in_upper,
        )

    @classmethod
    def american(cls, joker: Joker) -> Variant:
        """Return the American rules with *joker*: 100 each time, in every box."""
        return cls(joker=joker, bonus=Bonus.EACH, in_upper=True)

    @property
    def key(self) -> str:
        """A name for files: `option-each-lower`."""
        return f"{self.joker}-{self.bonus}-{'all' if self.in_upper else 'lower'}"


@frozen
class State:
    """What a player has before a turn, as far as it decides what can still be won.

    Attributes:
        open: Boxes to fill, in the order of the scorecard.
        upper: Sum of the boxes 1-6, 63 for all that is more.
        kn: What the box KN holds; `OPEN` exactly if it is among `open`.
    """

    open: tuple[Category, ...] = CATEGORIES
    upper: int = 0
    kn: Kn = Kn.OPEN

    @classmethod
    def of(cls, card: Scorecard, variant: Variant) -> State:
        """Return the state of *card*."""
        return cls(card.open, min(card.upper_sum, UPPER_BONUS_FROM), _kn(card, variant))

    @property
    def final(self) -> int:
        """Points that are counted at the very end: 35 or 0."""
        return UPPER_BONUS if self.upper == UPPER_BONUS_FROM else 0


def _kn(card: Scorecard, variant: Variant) -> Kn:
    if Category.YAHTZEE in card.open:
        return Kn.OPEN
    if not card.kniffel_is_50:
        return Kn.STRUCK
    return Kn.SPENT if variant.bonus is Bonus.ONCE and card.yahtzee_bonuses else Kn.HELD


class Entry(NamedTuple):
    """One way to end a turn.

    Attributes:
        box: The box.
        points: What is scored at once, a hundred included.
        after: The state of the next turn.
    """

    box: Category
    points: int
    after: State


def entries(variant: Variant, state: State, dice: Dice) -> Iterator[Entry]:
    """Go through the boxes that *dice* may be entered in."""
    for box in allowed(variant, state, dice):
        bonus = hundred(variant, state.kn, box, dice)
        points = _points(variant, state, box, dice)
        kn = state.kn
        if box is Category.YAHTZEE:
            kn = Kn.HELD if points == YAHTZEE_POINTS else Kn.STRUCK
        elif bonus and variant.bonus is Bonus.ONCE:
            kn = Kn.SPENT
        upper = state.upper + (points if box in UPPER_SECTION else 0)
        after = State(
            tuple([other for other in state.open if other != box]),
            min(upper, UPPER_BONUS_FROM),
            kn,
        )
        yield Entry(box, points + bonus, after)


def allowed(variant: Variant, state: State, dice: Dice) -> tuple[Category, ...]:
    """Return the boxes that may be filled: all open ones, but for a forced joker."""
    if variant.joker is not Joker.FORCED or state.kn is Kn.OPEN or not is_yahtzee(dice):
        return state.open
    own = UPPER_SECTION[dice[0] - 1]
    if own in state.open:
        return (own,)
    return tuple([box for box in state.open if box in LOWER_SECTION]) or state.open


def hundred(variant: Variant, kn: Kn, box: Category, dice: Dice) -> int:
    """Return what a further Kniffel adds in *box*: 100 or 0."""
    if kn is not Kn.HELD or variant.bonus is Bonus.NONE or not is_yahtzee(dice):
        return 0
    return 0 if box in UPPER_SECTION and not variant.in_upper else YAHTZEE_BONUS


def _points(variant: Variant, state: State, box: Category, dice: Dice) -> int:
    if box in JOKER_POINTS and is_yahtzee(dice) and _is_joker(variant, state, dice[0]):
        return JOKER_POINTS[box]
    return plain_scores(dice)[box]


def _is_joker(variant: Variant, state: State, face: int) -> bool:
    if variant.joker is Joker.OPTION:
        return state.kn in (Kn.HELD, Kn.SPENT)
    if variant.joker is Joker.NONE or state.kn is Kn.OPEN:
        return False
    return UPPER_SECTION[face - 1] not in state.open
