from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from gamebot_uno.engine.cards import CODES, Color
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.moves import CHALLENGE, DRAW, PASS_TURN, ChooseColor, Move, Play
from gamebot_uno.engine.rules import PRESETS
from gamebot_uno.players import chance, easy, greedy
from uno_table import ALDO, BEA, DULL, Table

NewTable = Callable[..., Table]
CHOOSERS = {"random": chance.choose, "easy": easy.choose, "greedy": greedy.choose}


def choice(player: str, t: Table, seat: Seat = ALDO, seed: int = 1) -> Move:
    return CHOOSERS[player](t.game.observe(seat), Random(seed))


def card(move: Move) -> str:
    assert isinstance(move, Play)
    return CODES[move.cards[0]]


@pytest.mark.parametrize("player", CHOOSERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_players_play_legally_to_the_end(player: str, preset: str) -> None:
    for seed in range(5):
        game, _ = Game.start(
            [Seat(0), Seat(1), Seat(2)],
            rng=Random(seed),
            rules=PRESETS[preset].with_overrides(target=0),
        )
        rng = Random(seed)
        while (seat := game.to_act) is not None:
            game.act(seat, CHOOSERS[player](game.observe(seat), rng))


def test_a_player_sees_its_own_hand_only(table: NewTable) -> None:
    t = table("B7 V1", "R1 R2", deck="R9 R4 V4", rules="sterning")
    t.game.draw(ALDO)
    seen = t.game.observe(BEA)
    assert seen.hand == tuple(t.game.hands[BEA])
    assert (seen.drawn_card, seen.counts, seen.top_card) == (None, {0: 3, 1: 2}, t.game.top_card)
    hidden = {*t.game.hands[ALDO], *t.game.draw_pile}
    shown = {*seen.hand, *seen.discard_pile, *(c for play in seen.plays for c in play.cards)}
    assert not hidden & shown


# --- greedy


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("R1 R8 RS J", "RS"),
        ("R1 R8 J", "R8"),
        ("V9 J JD4", "V9"),
        ("V1 J JD4", "J"),
        ("V1 JD4", "JD4"),
    ],
)
def test_greedy_plays_most_points_and_wilds_last(table: NewTable, hand: str, plays: str) -> None:
    assert card(choice("greedy", table(hand, DULL[1]))) == plays


def test_greedy_does_not_bluff(table: NewTable) -> None:
    t = table("R5 JD4 V1", DULL[1], deck="G9 R5")
    t.game.color = Color.RED
    t.game.drew, t.game.drawn_card = True, t.game.hands[ALDO][1]
    assert choice("greedy", t) is PASS_TURN


def test_greedy_calls_the_colour_held_most(table: NewTable) -> None:
    """Ties in the order blue, green, red, yellow."""
    for hand, color in (
        ("J G1 G2 V1", Color.YELLOW),
        ("J G1 V1", Color.GREEN),
        ("J J", Color.BLUE),
    ):
        play = choice("greedy", table(hand, DULL[1]))
        assert isinstance(play, Play)
        assert play.color is color
    t = table("J G1 G2 V1", DULL[1])
    t.play(ALDO, "J")
    assert choice("greedy", t) == ChooseColor(Color.YELLOW)


def test_greedy_draws_only_if_nothing_fits(table: NewTable) -> None:
    t = table("V1 B2", DULL[1], deck="R9 V4")
    assert choice("greedy", t) is DRAW
    t.game.draw(ALDO)
    assert choice("greedy", t) is PASS_TURN


def test_greedy_answers_and_never_challenges(table: NewTable) -> None:
    t = table("RD2 JD4 B1", "VD2 B3 V2", deck="R9")
    t.play(ALDO, "RD2")
    assert card(choice("greedy", t, BEA)) == "VD2"
    t = table("JD4 B1", DULL[1])
    t.play(ALDO, "JD4", "B")
    assert choice("greedy", t, BEA) is DRAW


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_who_plays_the_last_card_but_one_says_so(table: NewTable, player: str) -> None:
    move = choice(player, table("R1 V3", DULL[1]))
    assert isinstance(move, Play)
    assert move.said_uno
    move = choice(player, table("R1 V3 V4", DULL[1]))
    assert isinstance(move, Play)
    assert not move.said_uno


def test_players_play_what_they_must(table: NewTable) -> None:
    """Nothing but a bluff is legal: they have no choice."""
    t = table("B1 B2", DULL[1], deck="R9 JD4", rules="drawn_card=forced")
    t.game.hands[ALDO].append(t.game.draw_pile.pop())
    t.game.color = Color.BLUE
    t.game.drew, t.game.drawn_card = True, t.game.hands[ALDO][-1]
    for player in ("greedy", "easy"):
        assert card(choice(player, t)) == "JD4"


# --- random, easy


def test_random_plays_anything_bluffs_too(table: NewTable) -> None:
    t = table("R1 RS J JD4 V1", DULL[1])
    moves = [choice("random", t, seed=seed) for seed in range(200)]
    counts = {code: sum(card(move) == code for move in moves) for code in ("R1", "RS", "J", "JD4")}
    assert sum(counts.values()) == 200
    assert min(counts.values()) > 30, "every card is as likely, whatever colours it may call"
    assert {move.color for move in moves if isinstance(move, Play)} == {None, *Color}


def test_random_answers_evenly(table: NewTable) -> None:
    t = table("JD4 B1", DULL[1])
    t.play(ALDO, "JD4", "B")
    moves = [choice("random", t, BEA, seed) for seed in range(200)]
    assert 70 < moves.count(CHALLENGE) < 130
    assert set(moves) == {DRAW, CHALLENGE}


def test_random_draws_then_passes(table: NewTable) -> None:
    t = table("V1 B2", DULL[1], deck="R9 V4")
    assert choice("random", t) is DRAW
    t.game.draw(ALDO)
    assert choice("random", t) is PASS_TURN


@pytest.mark.parametrize("player", ["random", "easy"])
def test_they_call_any_colour(table: NewTable, player: str) -> None:
    t = table("J B1 B2", DULL[1])
    t.play(ALDO, "J")
    called = {choice(player, t, seed=seed) for seed in range(50)}
    assert called == {ChooseColor(color) for color in Color}


def test_easy_keeps_wilds_does_not_bluff_and_forgets(table: NewTable) -> None:
    t = table("R1 J JD4 V1", DULL[1])
    assert {card(choice("easy", t, seed=seed)) for seed in range(50)} == {"R1"}
    said = {choice("easy", table("R1 R2", DULL[1]), seed=s).said_uno for s in range(50)}
    assert said == {True, False}
    assert choice("easy", table("V1 B2", DULL[1])) is DRAW


def play_games(one: str, other: str, games: int) -> float:
    wins = 0
    for seed in range(games):
        game, _ = Game.start([Seat(0), Seat(1)], rng=Random(seed // 2))
        seats = (one, other) if seed % 2 else (other, one)
        rng = Random(seed)
        while (seat := game.to_act) is not None:
            game.act(seat, CHOOSERS[seats[seat]](game.observe(seat), rng))
        wins += seats[game.winner or 0] == one
    return wins / games


def test_greedy_is_better_than_random() -> None:
    assert play_games("greedy", "random", 200) > 0.55
