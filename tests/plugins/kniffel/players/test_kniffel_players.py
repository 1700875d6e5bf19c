from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import IllegalMove, Reason
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import CATEGORIES, Category, Scorecard, plain_scores
from gamebot_kniffel.engine.seat import Seat
from gamebot_kniffel.players import Enter, Roll, Strength, choose, lattice
from gamebot_kniffel.players.action import Action
from gamebot_kniffel.players.strong import PRICE, PROMISE
from hypothesis import given, settings
from hypothesis import strategies as st

NewGame = Callable[..., Game]
ANNA, BERT = Seat(0), Seat(1)
STRENGTHS = pytest.mark.parametrize("strength", list(Strength))


def act(game: Game, action: Action) -> None:
    assert game.to_act is not None
    if isinstance(action, Roll):
        assert game.dice is None or action.positions, "no positions would throw all five"
        game.roll(game.to_act, action.positions)
    else:
        game.enter(game.to_act, action.category)


def play(strength: Strength, seed: int, rules: Rules) -> int:
    game, _ = Game.start([ANNA], rng=Random(seed), rules=rules)
    chance = Random(seed)
    while not game.over:
        before = deepcopy(game)
        action = choose(game, ANNA, strength, chance)
        assert game == before, "a player only looks"
        act(game, action)
    return game.cards[ANNA].total


@STRENGTHS
@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(joker=True, bonus_in_upper=True), Rules(bonus_once=True, first_roll_only=True)],
)
def test_whole_games_are_legal(strength: Strength, rules: Rules) -> None:
    assert all(play(strength, seed, rules) > 90 for seed in range(3))


def test_the_strong_player_is_the_better_one() -> None:
    easy = sum(play(Strength.EASY, seed, Rules()) for seed in range(25))
    strong = sum(play(Strength.STRONG, seed, Rules()) for seed in range(25))
    assert strong > easy + 25 * 10


DICE = st.tuples(*[st.integers(1, 6)] * 5)


@settings(max_examples=60, deadline=None)
@given(
    strength=st.sampled_from(Strength),
    filled=st.sets(st.sampled_from(CATEGORIES), max_size=12),
    filling=DICE,
    dice=DICE,
    rolls_left=st.integers(0, 2),
)
def test_any_state_gets_a_legal_action(
    strength: Strength,
    filled: set[Category],
    filling: tuple[int, ...],
    dice: tuple[int, ...],
    rolls_left: int,
) -> None:
    game, _ = Game.start([ANNA], rng=Random(1))
    for box in sorted(filled):
        game.cards[ANNA].enter(box, filling, game.rules)
    game.dice, game.rolls_left = dice, rolls_left
    act(game, choose(game, ANNA, strength, Random(1)))


@STRENGTHS
def test_a_turn_begins_with_a_roll(new_game: NewGame, strength: Strength) -> None:
    assert choose(new_game(), ANNA, strength, Random(1)) == Roll()


@STRENGTHS
def test_only_the_seat_to_act_is_advised(new_game: NewGame, strength: Strength) -> None:
    game = new_game()
    with pytest.raises(IllegalMove) as caught:
        choose(game, BERT, strength, Random(1))
    assert caught.value.reason is Reason.NOT_YOUR_TURN
    game.leave(ANNA)
    game.leave(BERT)
    with pytest.raises(IllegalMove) as caught:
        choose(game, BERT, strength, Random(1))
    assert caught.value.reason is Reason.GAME_OVER


@STRENGTHS
@pytest.mark.parametrize(
    ("dice", "filled", "action"),
    [
        ((1, 1, 1, 1, 1), "", Enter(Category.YAHTZEE)),
        ((2, 3, 4, 5, 6), "", Enter(Category.LARGE_STRAIGHT)),
        ((6, 4, 3, 5, 3), "1 2 3 4 5 6 3P 4P FH GS KN CH", Enter(Category.SMALL_STRAIGHT)),
        ((6, 4, 3, 5, 3), "1 2 3 4 5 6 3P 4P FH KN CH KS", Roll((5,))),
        ((6, 2, 6, 6, 1), "KS GS FH CH", Roll((2, 5))),
        ((2, 6, 2, 6, 1), "1 2 3 4 5 6 3P 4P KS GS KN CH", Roll((5,))),
        ((6, 6, 6, 2, 1), "1 3 4 5 6 3P 4P FH KS GS KN CH", Roll((1, 2, 3, 5))),
    ],
)
def test_plain_decisions(
    new_game: NewGame,
    strength: Strength,
    dice: tuple[int, ...],
    filled: str,
    action: Action,
) -> None:
    game = new_game(*dice)
    game.cards[ANNA].boxes.update(dict.fromkeys(map(Category, filled.split()), 0))
    game.roll(ANNA)
    chosen = choose(game, ANNA, strength, Random(1))
    if action == Roll((5,)) and Category.LARGE_STRAIGHT not in game.cards[ANNA].boxes:
        assert chosen in (Roll((3,)), Roll((5,)))  # either 3 is as good
    else:
        assert chosen == action


def test_the_easy_player_chooses_between_equals_by_its_generator(new_game: NewGame) -> None:
    game = new_game(1, 2, 2, 4, 4)
    game.cards[ANNA].boxes.update(dict.fromkeys(set(CATEGORIES) - {"2", "4", "3P"}, 0))
    game.roll(ANNA)
    chosen = {choose(game, ANNA, Strength.EASY, Random(seed)) for seed in range(20)}
    assert chosen == {Roll((1, 2, 3)), Roll((1, 4, 5))}


def test_the_lattice_gives_exact_means() -> None:
    """Chances of five alike: 6/7776 at once, 1/6 with one die to go, 4.6029 % in three rolls."""
    kniffel = [float(plain_scores(hand)[Category.YAHTZEE] > 0) for hand in lattice.FULL_HANDS]
    values = lattice.spread(kniffel)
    assert len(lattice.HANDS) == 462
    assert values[lattice.INDEX[()]] == pytest.approx(6 / 6**5)
    assert values[lattice.INDEX[(3, 3, 3, 3)]] == pytest.approx(1 / 6)
    assert values[lattice.INDEX[(3, 3)]] == pytest.approx(1 / 6**3)
    two_more = lattice.spread(lattice.before_roll(kniffel, values))
    three = lattice.spread(lattice.before_roll(kniffel, two_more))
    assert three[lattice.INDEX[()]] == pytest.approx(0.04602864, abs=1e-8)


def test_the_estimates_cover_every_number_of_open_boxes() -> None:
    assert all(len(PRICE[box]) == 13 for box in CATEGORIES)
    assert len(PROMISE) == 13
    assert PRICE[Category.YAHTZEE][0] == round(50 * 0.04602864, 1)


def test_a_full_card_is_never_asked(new_game: NewGame) -> None:
    game = new_game(seats=1)
    game.cards[ANNA] = Scorecard(dict.fromkeys(CATEGORIES[:-1], 0))
    game.roll(ANNA)
    game.enter(ANNA, Category.CHANCE)
    with pytest.raises(IllegalMove):
        choose(game, ANNA, Strength.STRONG, Random(1))
