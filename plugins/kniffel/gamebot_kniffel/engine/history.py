"""What players decided, kept for a review after the game."""

from __future__ import annotations

from attrs import frozen

from gamebot_kniffel.engine.scoring import Category, Dice
from gamebot_kniffel.engine.seat import Seat


@frozen
class Decision:
    """One decision after a roll.

    Attributes:
        seat: Who decided.
        dice: What lay on the table, by position.
        rolls_left: Rolls that were still allowed.
        thrown: Positions rolled again, 1-5; none if a box was filled.
        box: The box filled; None if dice were rolled again.
    """

    seat: Seat
    dice: Dice
    rolls_left: int
    thrown: tuple[int, ...] = ()
    box: Category | None = None
