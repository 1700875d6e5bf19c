"""Perfect play beside the event loop: nothing holds it up."""

import asyncio
import logging
from random import Random

import pytest
from gamebot_kniffel import advisers, bots
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.seat import Seat
from gamebot_kniffel.solver.variant import State

from gamebot import Refused

MOST_S = 0.02


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch) -> None:
    monkeypatch.setattr(advisers, "_ready", {})
    monkeypatch.setattr(advisers, "_coming", {})


async def test_table_advice_and_bot_hold_the_loop_less_than_20_ms(caplog) -> None:
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.slow_callback_duration = MOST_S
    game, _ = Game.start([Seat(0)], rng=Random(1))
    game.roll(Seat(0))
    with caplog.at_level(logging.WARNING, "asyncio"):
        acted = bots.act(game, Seat(0), bots.PERFECT, Random(1))
        await acted
        found = await advisers.adviser(game.rules)
        for _ in range(20):
            await asyncio.sleep(0)
            found.options(State(), (1, 2, 3, 4, 6), 2)
    assert [record.message for record in caplog.records if "took" in record.message] == []


async def test_a_table_is_fetched_once() -> None:
    first, second = await asyncio.gather(advisers.adviser(Rules()), advisers.adviser(Rules()))
    assert first is second is advisers.known(Rules())


async def test_who_must_wait_too_long_is_told_and_the_work_goes_on(monkeypatch) -> None:
    may_go_on = asyncio.Event()

    async def slow(variant: object) -> object:
        await may_go_on.wait()
        return variant

    monkeypatch.setattr(advisers, "_fetch", slow)
    monkeypatch.setattr(advisers, "PATIENCE_S", 0.0)
    with pytest.raises(Refused, match="worked out"):
        await advisers.adviser(Rules())
    (task,) = advisers._coming.values()
    may_go_on.set()
    await task


async def test_a_strong_player_stands_in_while_values_are_worked_out(monkeypatch) -> None:
    monkeypatch.setattr(advisers, "AVAILABLE", False)
    game, _ = Game.start([Seat(0)], rng=Random(1))
    game.roll(Seat(0))
    assert await bots.act(game, Seat(0), bots.PERFECT, Random(1))
    assert game.history


def test_history_of_an_old_game_stays_unknown() -> None:
    game, _ = Game.start([Seat(0)], rng=Random(1))
    game.history = None
    game.roll(Seat(0))
    game.roll(Seat(0), [1])
    assert game.history is None
