"""Why the engine refuses a move."""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    """Why a move is forbidden."""

    GAME_OVER = "game_over"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    COLOR_DUE = "color_due"
    NO_COLOR_DUE = "no_color_due"
    NOT_HELD = "not_held"
    DOES_NOT_FIT = "does_not_fit"
    ANSWER_OR_TAKE = "answer_or_take"
    ACCEPT_OR_CHALLENGE = "accept_or_challenge"
    ONLY_DRAWN_CARD = "only_drawn_card"
    NO_PLAY_AFTER_DRAW = "no_play_after_draw"
    LAST_CARD_IS_NO_NUMBER = "last_card_is_no_number"
    WILD_DRAW_FOUR_NOT_ALLOWED = "wild_draw_four_not_allowed"
    NO_PAIRS = "no_pairs"
    NOT_IDENTICAL = "not_identical"
    BAD_SWAP = "bad_swap"
    ALREADY_DREW = "already_drew"
    MUST_PLAY = "must_play"
    MUST_PLAY_DRAWN_CARD = "must_play_drawn_card"
    DRAW_FIRST = "draw_first"
    NOTHING_PENDING = "nothing_pending"
    NO_CHALLENGE = "no_challenge"
    NOBODY_TO_CATCH = "nobody_to_catch"
    JOIN_OFF = "join_off"
    ALREADY_SEATED = "already_seated"
    TABLE_FULL = "table_full"
    CHALLENGE_OPEN = "challenge_open"
    SOMEBODY_HAS_ONE_CARD = "somebody_has_one_card"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    RULE_OFF = "rule_off"
    NOTHING_TO_DRAW = "nothing_to_draw"


class IllegalMove(Exception):  # noqa: N818 - a move is refused; nothing has gone wrong
    """Refuse a move that the rules forbid; the game is unchanged.

    Attributes:
        reason: Which rule forbids it.
    """

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason.value)
