"""A turn that is played without the player, so that the others need not wait."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest
from gamebot_kniffel.engine.events import CategoryEntered, DiceRolled, TurnStarted
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import IllegalMove, Reason
from gamebot_kniffel.engine.scoring import Category
from gamebot_kniffel.engine.seat import Seat

NewGame = Callable[..., Game]
ANNA, BERT = Seat(0), Seat(1)


def entered(game: Game) -> list[Category]:
    return [event.category for event in game.skip() if isinstance(event, CategoryEntered)]


def test_dice_not_thrown_are_thrown_once_and_go_where_they_count_most(new_game: NewGame) -> None:
    game = new_game(2, 2, 2, 5, 5)
    rolled, put, turn = game.skip()
    assert isinstance(rolled, DiceRolled)
    assert isinstance(put, CategoryEntered)
    assert game.cards[ANNA].boxes == {Category.FULL_HOUSE: 25}
    assert turn == TurnStarted(BERT, 1)


def test_dice_on_the_table_are_not_thrown_again(new_game: NewGame) -> None:
    game = new_game(1, 2, 3, 4, 6)
    game.roll(ANNA)
    assert entered(game) == [Category.SMALL_STRAIGHT]


def test_of_equal_boxes_the_first_is_taken(new_game: NewGame) -> None:
    """Three of a kind, four of a kind and chance count the same."""
    assert entered(new_game(6, 6, 6, 6, 4)) == [Category.THREE_OF_A_KIND]


def test_a_game_that_is_over_has_no_turn_to_skip(new_game: NewGame) -> None:
    game = new_game(seats=1)
    while not game.over:
        game.skip()
    assert not game.cards[ANNA].open
    before = deepcopy(game)
    with pytest.raises(IllegalMove) as caught:
        game.skip()
    assert caught.value.reason is Reason.GAME_OVER
    assert game == before
