"""Players by values, and the account of luck and loss after a game."""

from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest
from gamebot_kniffel.bots import MIDDLE, TEMPERATURES
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.seat import Seat
from gamebot_kniffel.players import Roll, perfect
from gamebot_kniffel.solver import table
from gamebot_kniffel.solver.advice import Adviser
from gamebot_kniffel.solver.review import review
from gamebot_kniffel.solver.variant import State, Variant

ALONE = Seat(0)


@cache
def adviser() -> Adviser:
    found = table.find(Variant.of(Rules()), Path("nowhere"))
    assert found is not None
    return Adviser(found)


def play(seed: int, temperature: float) -> Game:
    game, _ = Game.start([ALONE], rng=Random(seed))
    taste = Random(f"taste {seed}")
    while not game.over:
        if game.dice is None:
            game.roll(ALONE)
            continue
        card = game.cards[ALONE]
        found = perfect.choose(
            adviser(), card, game.dice, game.rolls_left, temperature=temperature, rng=taste
        )
        if isinstance(found, Roll):
            game.roll(ALONE, found.positions)
        else:
            game.enter(ALONE, found.category)
    return game


def check_account(seed: int) -> None:
    game = play(seed, TEMPERATURES[MIDDLE])
    found = review(adviser(), game.history)
    total = game.cards[ALONE].total
    assert total == pytest.approx(found.expected + found.luck - found.loss, abs=1e-6)
    assert all(each.points >= 0 for each in found.losses)
    assert found.loss > 0
    assert found.costliest.points == max(each.points for each in found.losses)


@pytest.mark.parametrize("seed", range(20))
def test_a_score_is_expectation_and_luck_less_losses(seed: int) -> None:
    check_account(seed)


@pytest.mark.soak
def test_a_score_is_expectation_and_luck_less_losses_in_a_thousand_games() -> None:
    for seed in range(1000):
        check_account(seed)


def test_perfect_play_loses_nothing() -> None:
    found = review(adviser(), play(5, 0.0).history)
    assert found.loss == pytest.approx(0, abs=1e-5)


def check_mean(games: int) -> None:
    totals = [play(seed, 0.0).cards[ALONE].total for seed in range(games)]
    expected, sd = adviser().before(State()), adviser().table.sd
    assert abs(sum(totals) / games - expected) < 2.5 * sd / sqrt(games)


def test_the_mean_of_some_games_is_the_expectation() -> None:
    check_mean(60)


@pytest.mark.soak
def test_the_mean_of_twenty_thousand_games_is_the_expectation() -> None:
    check_mean(20_000)
