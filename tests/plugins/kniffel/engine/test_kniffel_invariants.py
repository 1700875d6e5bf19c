from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from cattrs.preconf.json import make_converter
from gamebot_kniffel.engine.events import GameEnded
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import IllegalMove
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import CATEGORIES, Category, Scorecard
from gamebot_kniffel.engine.seat import Seat
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

SEATS = 4
RULES = st.builds(
    Rules,
    joker=st.booleans(),
    bonus_once=st.booleans(),
    bonus_in_upper=st.booleans(),
    first_roll_only=st.booleans(),
)
CONVERTER = make_converter()


def reload(game: Game) -> Game:
    loaded = CONVERTER.loads(CONVERTER.dumps(game), Game)
    loaded.rng = game.rng
    return loaded


class AnyPlay(RuleBasedStateMachine):
    """Everything that players and timers may try, legal or not, in any order."""

    clocks = Bundle("clocks")

    @initialize(seats=st.integers(1, SEATS), seed=st.integers(0, 2**32), rules=RULES)
    def start(self, seats: int, seed: int, rules: Rules) -> None:
        everybody = [Seat(n) for n in range(seats)]
        self.game, _ = Game.start(everybody, rng=Random(seed), rules=rules)

    def attempt(self, move: str, *arguments: object) -> None:
        before, dice_before = deepcopy(self.game), self.game.rng.getstate()
        try:
            events = getattr(self.game, move)(*arguments)
        except IllegalMove:
            assert self.game == before
            assert self.game.rng.getstate() == dice_before
        else:
            assert events
            assert self.game != before
            assert any(isinstance(event, GameEnded) for event in events) == self.game.over
            assert self.game.clock_id - before.clock_id in (0, 1)

    @rule(
        seat=st.integers(0, SEATS),
        positions=st.lists(st.integers(-1, 7), max_size=6),
    )
    def anybody_rolls(self, seat: int, positions: list[int]) -> None:
        self.attempt("roll", Seat(seat), positions)

    @rule(seat=st.integers(0, SEATS), box=st.sampled_from(CATEGORIES))
    def anybody_enters(self, seat: int, box: Category) -> None:
        self.attempt("enter", Seat(seat), box)

    @precondition(lambda self: not self.game.over)
    @rule(kept=st.sets(st.integers(1, 5), max_size=4))
    def the_seat_to_act_rolls(self, kept: set[int]) -> None:
        """de:34: the dice that were not named stay as they are."""
        if not self.game.rolls_left:
            return
        before = self.game.dice
        thrown = sorted({1, 2, 3, 4, 5} - kept) if before else ()
        self.game.roll(self.game.to_act, thrown)
        if before:
            assert all(self.game.dice[n - 1] == before[n - 1] for n in kept)

    @precondition(lambda self: not self.game.over and self.game.dice)
    @rule(data=st.data())
    def the_seat_to_act_enters(self, data: st.DataObject) -> None:
        """de:79-81: what the list promised is what gets entered."""
        seat = self.game.to_act
        box, points = data.draw(st.sampled_from(list(self.game.options(seat).items())))
        entered = self.game.enter(seat, box)[0]
        assert (entered.points, entered.total) == (points, self.game.cards[seat].total)

    @rule(seat=st.integers(0, SEATS))
    def anybody_leaves(self, seat: int) -> None:
        self.attempt("leave", Seat(seat))

    @rule(target=clocks)
    def a_timer_is_armed(self) -> int:
        return self.game.clock_id

    @rule(clock=clocks)
    def a_timer_fires(self, clock: int) -> None:
        """de:38: a timer of another time does nothing; the right one removes who was to act."""
        before, due = deepcopy(self.game), self.game.clock_runs and clock == self.game.clock_id
        events = self.game.expire(clock)
        if due:
            assert before.to_act not in self.game.seats
            assert events
        else:
            assert events == []
            assert self.game == before

    @rule()
    def the_process_restarts(self) -> None:
        loaded = reload(self.game)
        assert loaded == self.game
        assert loaded.view() == self.game.view()
        self.game = loaded

    @invariant()
    def the_state_makes_sense(self) -> None:
        game = self.game
        assert set(game.seats) == set(game.cards)
        assert game.seats == sorted(game.seats)
        assert 1 <= game.round <= 13
        assert 0 <= game.rolls_left <= 3
        assert game.dice is None or all(1 <= face <= 6 for face in game.dice)
        assert (game.dice is None) == (game.over or game.rolls_left == 3)

    @invariant()
    def a_total_is_the_sum_of_its_parts(self) -> None:
        """de:43-56."""
        for card in self.game.cards.values():
            upper = sum(card.boxes.get(box, 0) for box in CATEGORIES[:6])
            bonus = 35 if upper >= 63 else 0
            assert card.total == sum(card.boxes.values()) + bonus + 100 * card.yahtzee_bonuses

    @invariant()
    def everybody_has_had_as_many_turns(self) -> None:
        """de:33: those before the seat to act have filled one box more, the others as many."""
        game = self.game
        if game.over:
            assert all(card.is_full for card in game.cards.values())
            return
        place = game.seats.index(game.to_act)
        filled = [len(game.cards[seat].boxes) for seat in game.seats]
        assert filled[:place] == [game.round] * place
        assert filled[place:] == [game.round - 1] * (len(filled) - place)


# A course tries 50 moves of every kind; 40 courses reach every branch of the engine.
AnyPlay.TestCase.settings = settings(max_examples=40, deadline=None)
TestAnyPlay = AnyPlay.TestCase


@given(
    seats=st.integers(1, SEATS),
    seed=st.integers(0, 2**32),
    rules=RULES,
    trouble=st.sampled_from([0.0, 0.01, 0.1]),
)
def test_every_game_ends_after_thirteen_rounds(
    seats: int, seed: int, rules: Rules, trouble: float
) -> None:
    """de:33: whoever leaves or is removed on the way."""
    chance = Random(seed)
    game, _ = Game.start([Seat(n) for n in range(seats)], rng=Random(seed), rules=rules)
    turns = 0
    while game.to_act is not None:
        seat = game.to_act
        if chance.random() < trouble:
            game.leave(chance.choice(game.seats))
        elif chance.random() < trouble:
            game.expire(game.clock_id)
        elif game.dice is None or (game.rolls_left and chance.random() < 0.5):
            game.roll(seat)
        else:
            game.enter(seat, chance.choice(game.cards[seat].open))
            turns += 1
    assert all(len(card.boxes) == 13 for card in game.cards.values())
    assert 13 * len(game.seats) <= turns <= 13 * seats
    assert bool(game.winners) == bool(game.seats)


def test_a_stored_game_goes_on_as_the_one_that_was_not_stopped() -> None:
    game, _ = Game.start([Seat(0), Seat(1)], rng=Random(5), rules=Rules(joker=True))
    game.roll(Seat(0))
    game.enter(Seat(0), Category.CHANCE)
    game.roll(Seat(1), ())
    loaded = reload(game)
    loaded.rng = deepcopy(game.rng)
    assert loaded.roll(Seat(1), (2, 3)) == game.roll(Seat(1), (2, 3))
    assert loaded == game


def test_a_loaded_game_has_no_dice_of_its_own() -> None:
    game, _ = Game.start([Seat(0)], rng=Random(5))
    stored = CONVERTER.dumps(game)
    assert "rng" not in stored
    loaded = CONVERTER.loads(stored, Game)
    before = CONVERTER.dumps(loaded)
    with pytest.raises(AttributeError, match="rng"):
        loaded.roll(Seat(0))
    assert CONVERTER.dumps(loaded) == before


def test_the_stored_form_is_plain_json() -> None:
    assert CONVERTER.unstructure(Scorecard({Category.FULL_HOUSE: 25})) == {
        "boxes": {"FH": 25},
        "yahtzee_bonuses": 0,
    }
    assert Game.version == 1
