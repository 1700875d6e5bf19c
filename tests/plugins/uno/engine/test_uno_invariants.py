from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.rules import PRESETS
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from uno_chaos import CONVERTER, SEATS, Chaos, random_rules, reload

#: A round that would go on longer than this would never end.
LONG = 60_000


class AnyPlay(RuleBasedStateMachine):
    """Everything that players, operators and timers may try, in any order."""

    @initialize(seats=st.integers(2, SEATS - 2), seed=st.integers(0, 2**32))
    def start(self, seats: int, seed: int) -> None:
        chance = Random(seed)
        self.chaos = Chaos(random_rules(chance), seats, chance)
        self.clocks = [0]

    @precondition(lambda self: not self.chaos.game.over)
    @rule(moves=st.integers(1, 30))
    def the_game_goes_on(self, moves: int) -> None:
        for _ in range(moves):
            if not self.chaos.game.over:
                self.chaos.legal_move()

    @rule(moves=st.integers(1, 5))
    def anybody_tries_anything(self, moves: int) -> None:
        for _ in range(moves):
            self.chaos.any_move()

    @precondition(lambda self: self.chaos.game.uno_open)
    @rule(data=st.data())
    def somebody_is_caught_or_saved(self, data: st.DataObject) -> None:
        self.chaos.attempt("call_uno", data.draw(st.sampled_from(self.chaos.game.seats)))

    @rule()
    def somebody_joins(self) -> None:
        self.chaos.join()

    @rule()
    def somebody_leaves(self) -> None:
        self.chaos.leave()

    @rule()
    def a_timer_is_armed(self) -> None:
        self.clocks.append(self.chaos.game.clock_id)

    @rule(data=st.data())
    def a_timer_fires(self, data: st.DataObject) -> None:
        clock = data.draw(st.sampled_from([*self.clocks, self.chaos.game.clock_id]))
        self.chaos.fire(clock)

    @rule()
    def the_process_restarts(self) -> None:
        self.chaos.restart()


AnyPlay.TestCase.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestAnyPlay = AnyPlay.TestCase


def chaos_game(seed: int) -> int:
    """Play a game with everything in it to its end; return the number of moves."""
    chance = Random(seed)
    chaos = Chaos(random_rules(chance), chance.randrange(2, SEATS), chance)
    trouble, moves = chance.choice((0.0, 0.02, 0.2)), 0
    others = (chaos.any_move, chaos.join, chaos.leave, chaos.restart)
    while not chaos.game.over:
        if chance.random() >= trouble:
            chaos.legal_move()
        elif chance.random() < 0.5:
            chaos.fire(chaos.game.clock_id - chance.choice((0, 1)))
        else:
            chance.choice(others)()
        moves += 1
        assert moves < LONG
    return moves


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_game_ends(seed: int) -> None:
    chaos_game(seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_stored_game_goes_on_as_the_one_that_was_not_stopped(preset: str) -> None:
    game, _ = Game.start(
        [Seat(0), Seat(1), Seat(2)], rng=Random(5), rules=PRESETS[preset].with_overrides(target=0)
    )
    for step in range(LONG):
        if game.to_act is None:
            break
        loaded = game.clone(deepcopy(game.rng))
        if step % 8 == 0:
            loaded = reload(game)
            loaded.rng = deepcopy(game.rng)
        moves = game.legal_moves(game.to_act)
        move = moves[step % len(moves)]
        assert loaded.act(game.to_act, move) == game.act(game.to_act, move)
        assert loaded == game
    assert game.over


def test_a_loaded_game_has_no_chance_of_its_own() -> None:
    game, _ = Game.start([Seat(0), Seat(1)], rng=Random(5))
    stored = CONVERTER.dumps(game)
    assert "rng" not in stored
    loaded = CONVERTER.loads(stored, Game)
    loaded.discard_pile += loaded.draw_pile
    loaded.draw_pile = []
    with pytest.raises(AttributeError, match="rng"):
        loaded.draw(loaded.to_act)
    assert Game.version == 1


def test_a_clone_goes_its_own_way() -> None:
    game, _ = Game.start([Seat(0), Seat(1), Seat(2)], rng=Random(5))
    game.leave(Seat(1))
    clone = game.clone(Random(1))
    before = CONVERTER.dumps(game)
    while clone.to_act is not None:
        clone.act(clone.to_act, clone.legal_moves(clone.to_act)[0])
    assert CONVERTER.dumps(game) == before


@pytest.mark.soak
def test_a_million_moves() -> None:
    moves = seed = 0
    while moves < 1_000_000:
        moves += chaos_game(seed)
        seed += 1
