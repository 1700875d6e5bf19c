"""What a hand was seen to be void of: no rule asks, bot players deal the unseen cards by it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from gamebot_uno.engine.cards import CARD_FACES, Color, Rank
from gamebot_uno.engine.events import Why
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.rules import PRESETS
from gamebot_uno.engine.state import Phase, Void
from gamebot_uno.players import PLAYERS, master, model
from gamebot_uno.rules_text import parse_rules
from uno_table import ALDO, BEA, DULL, Table

NewTable = Callable[..., Table]

RED_NINE = (Color.RED, Rank.NINE, None, None)


def voids(t: Table, seat: Seat) -> list[tuple[object, ...]]:
    found = t.game.observe(BEA if seat == ALDO else ALDO).voids.get(seat, ())
    return [(v.color, v.rank, v.pending_rank, v.taken_rank, v.cards) for v in found]


def misses(t: Table, seat: Seat) -> None:
    t.game.draw(seat)
    if t.game.to_act == seat:
        t.game.pass_turn(seat)


def test_who_draws_and_passes_shows_what_is_missing(table: NewTable) -> None:
    t = table("B1 B2 V3", "G1 R2 G3", deck="R9 V4 R5")
    assert not t.game.voids
    t.game.draw(ALDO)
    assert voids(t, ALDO) == [(*RED_NINE, 3)], "the card just drawn may still be played"
    t.game.pass_turn(ALDO)
    assert voids(t, ALDO) == [(*RED_NINE, 4)]


def test_what_is_played_may_have_been_held(table: NewTable) -> None:
    t = table("B1 B2 V3", "R1 G2 G3", deck="R9 V4 R5")
    misses(t, ALDO)
    t.play(BEA, "R1")
    t.play(ALDO, "B1")
    assert voids(t, ALDO) == [(*RED_NINE, 3)]


@pytest.mark.parametrize("newer", ["R5", "V9", "J"])
def test_what_would_have_fitted_came_later(table: NewTable, newer: str) -> None:
    """Of what it holds as many cards as before were there when nothing fitted."""
    t = table("B1 B2 V3", "R8 G1 G2 V8", deck=f"R9 V4 {newer} B7")
    misses(t, ALDO)
    t.play(BEA, "R8")
    t.game.draw(ALDO)
    assert voids(t, ALDO)[0] == (*RED_NINE, 4)
    if newer == "V9":
        t.game.pass_turn(ALDO)
        t.play(BEA, "V8")
    t.play(ALDO, newer, "B" if newer == "J" else "")
    assert (*RED_NINE, 4) in voids(t, ALDO)


def test_who_takes_a_sum_shows_that_there_was_no_answer(table: NewTable) -> None:
    t = table("RD2 R1 B1", DULL[1], deck="R9 B5 B6")
    t.play(ALDO, "RD2")
    t.game.draw(BEA)
    assert voids(t, BEA) == [(Color.RED, Rank.DRAW_TWO, Rank.DRAW_TWO, None, 3)]


def test_who_takes_a_wild_draw_four_shows_nothing(table: NewTable) -> None:
    """To take it and to doubt it are both sensible with an answer in the hand."""
    t = table("JD4 B1 V2", DULL[1])
    t.play(ALDO, "JD4", "B")
    assert t.game.phase is Phase.CHALLENGE
    t.game.draw(BEA)
    assert voids(t, BEA) == []


def test_the_clock_shows_nothing(table: NewTable) -> None:
    t = table("R1 B2 V3", DULL[1])
    t.game.expire(t.game.clock_id)
    assert voids(t, ALDO) == []


def test_what_left_is_forgotten(table: NewTable) -> None:
    t = table("B1 B2 V3", *DULL[1:3], deck="R9 V4 R5")
    misses(t, ALDO)
    t.game.leave(ALDO)
    assert t.game.voids == {}


@pytest.mark.parametrize("card", ["R7", "R0"])
def test_hands_that_move_are_unknown(table: NewTable, card: str) -> None:
    t = table("B1 B2 V3", f"{card} G2 G3", deck="R9 V4 R5", rules="cuciolo,seven_zero=yes")
    misses(t, ALDO)
    t.play(BEA, card)
    assert t.game.voids == {}


def test_a_round_begins_without(table: NewTable) -> None:
    t = table("R1", "B1 B2 V3", deck="R9 V4 R5", rules="mattel", starter=BEA)
    misses(t, BEA)
    assert t.game.voids
    t.play(ALDO, "R1")
    assert (t.game.round, t.game.voids) == (2, {})


def test_only_the_latest_are_kept(table: NewTable) -> None:
    others = "G8 G7 G6 G5 G4 V8 V7 V6 V5 V4"
    t = table("B1 B2 B3", "V1 V2 V3", deck=f"R9 {others}")
    for _ in range(5):
        for seat in (ALDO, BEA):
            misses(t, seat)
    assert [void.cards for void in t.game.voids[ALDO]] == [6, 7, 8]


def is_true(game: Game, seat: Seat, void: Void) -> bool:
    fits = model.model(game.rules, len(game.seats)).fitting(
        model.NO_COLOR if void.color is None else int(void.color),
        int(void.rank),
        int(void.pending_rank or 0),
        int(void.taken_rank or 0),
    )
    return sum(not fits[CARD_FACES[card]] for card in game.hands[seat]) >= void.cards


@pytest.mark.parametrize("rules", [*PRESETS, "sterning,last_card=number", "zh2,seven_zero=yes"])
def test_it_is_true_of_whoever_plays_what_fits(rules: str) -> None:
    """Whole games of three who draw only where nothing fits: no void says too much."""
    seen = 0
    for number in range(12):
        chance = Random(f"{rules} {number}")
        seats = [Seat(0), Seat(1), Seat(2)]
        game, _ = Game.start(seats, rng=chance, rules=parse_rules(rules).with_overrides(target=0))
        while (seat := game.to_act) is not None:
            game.act(seat, PLAYERS["greedy"](game.observe(seat), chance))
            for other, known in game.voids.items():
                assert all(is_true(game, other, void) for void in known)
                assert all(0 < void.cards <= len(game.hands[other]) for void in known)
                seen += len(known)
    assert seen > 100


def test_unseen_cards_are_dealt_out_by_it(table: NewTable) -> None:
    """Bea had no red, no 9 and no wild at first, then no green: only the newest card is free."""
    t = table("G1 G2 V3", "B1 B2 V4", deck="R9 V5 B7 G8", starter=BEA)
    misses(t, BEA)
    t.game.color = Color.GREEN
    t.game.to_act = BEA
    misses(t, BEA)
    t.game.give(BEA, 1, Why.FALSE_CALL, [])
    hidden = master.Hidden.of(t.game.observe(ALDO))
    assert [holding.cards for holding in hidden.holdings[BEA]] == [4, 1]
    for position in hidden.deals(50, Random(1)):
        hand = position.hands[1]
        assert len(hand) == 6
        assert sum(not hidden.holdings[BEA][0].impossible[face] for face in hand) >= 4
