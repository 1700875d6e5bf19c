"""Why the engine refuses a move."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Why a move is forbidden."""

    GAME_OVER = "game_over"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    NO_ROLLS_LEFT = "no_rolls_left"
    POSITIONS_BEFORE_FIRST_ROLL = "positions_before_first_roll"
    BAD_POSITION = "bad_position"
    REPEATED_POSITION = "repeated_position"
    NOT_ROLLED = "not_rolled"
    CATEGORY_FILLED = "category_filled"


class IllegalMove(Exception):  # noqa: N818 - a move is refused; nothing has gone wrong
    """Refuse a move that the rules forbid; the game is unchanged.

    Attributes:
        reason: Which rule forbids it.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason.value)
