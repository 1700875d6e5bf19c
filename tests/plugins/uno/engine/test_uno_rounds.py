"""The deal, the first card, the end of a round, the score."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from gamebot_uno.engine.cards import CODES, POINTS, RANKS, Color, Rank
from gamebot_uno.engine.events import (
    CardTurned,
    DealerDrawn,
    GameEnded,
    HandDealt,
    Reshuffled,
    RoundEnded,
    RoundStarted,
)
from gamebot_uno.engine.game import Game, Reason, Seat
from gamebot_uno.engine.rules import PRESETS
from gamebot_uno.engine.scoring import hand_points
from gamebot_uno.rules_text import parse_rules
from uno_table import ALDO, BEA, CARLA, DINO, DULL, Table, all_cards, names

NewTable = Callable[..., Table]
SEATS = [Seat(n) for n in range(4)]


def started(rules: str, seed: int = 1, seats: int = 4) -> tuple[Game, list[object]]:
    return Game.start(SEATS[:seats], rng=Random(seed), rules=parse_rules(rules))


# --- the deal


@pytest.mark.parametrize("rules", PRESETS)
def test_everybody_gets_seven_cards_in_private(rules: str) -> None:
    """zh:18, zh:96."""
    game, events = started(f"{rules},first_card=number")
    hands = [event for event in events if isinstance(event, HandDealt)]
    assert [(hand.to, len(hand.cards)) for hand in hands] == [(seat, 7) for seat in SEATS]
    assert sorted(all_cards(game)) == list(range(108))
    assert len(game.discard_pile) == 1


def test_more_decks_and_other_hands() -> None:
    game, _ = started("decks=2,hand_size=9")
    assert sorted(all_cards(game)) == list(range(216))
    assert game.view()["cards"] == {"0": 9, "1": 9, "2": 9, "3": 9}


def test_the_same_chance_deals_the_same() -> None:
    assert started("zh2", 5) == started("zh2", 5)
    assert started("zh2", 5) != started("zh2", 6)


def test_cuciolo_lets_chance_decide_who_begins() -> None:
    starters = {started("cuciolo", seed)[0].to_act for seed in range(40)}
    assert starters == set(SEATS)


def test_sterning_begins_with_the_first_enrolled() -> None:
    """zh:18: from the first player on."""
    assert {started("sterning", seed)[0].to_act for seed in range(10)} == {ALDO}


@pytest.mark.parametrize("rules", ["zh2", "mattel,first_card=number"])
def test_the_highest_card_deals_and_the_next_begins(rules: str) -> None:
    """zh:95, zh:97."""
    dealers = set()
    for seed in range(40):
        game, events = started(rules, seed)
        drawn = events[0]
        assert isinstance(drawn, DealerDrawn)
        points = {seat: POINTS[card] for seat, card in drawn.cards}
        first = [POINTS[card] for _, card in drawn.cards[:4]]
        assert max(first) == dict(zip(SEATS, first, strict=True))[drawn.dealer]
        assert points[drawn.dealer] == max(
            points[seat] for seat, _ in drawn.cards[4:] or drawn.cards
        )
        assert game.to_act == game.after(drawn.dealer)
        dealers.add(drawn.dealer)
    assert dealers == set(SEATS)


def test_a_tie_that_never_ends_is_cut_short() -> None:
    class Sorted(Random):
        def shuffle(self, x: list[int]) -> None:
            x.sort(key=lambda card: POINTS[card])

    seats = [Seat(n) for n in range(20)]
    _, events = Game.start(seats, rng=Sorted(), rules=parse_rules("zh2,max_players=20,hand_size=5"))
    assert isinstance(events[0], DealerDrawn)


def test_a_starter_that_is_given_begins() -> None:
    game, events = Game.start(SEATS, rng=Random(1), rules=PRESETS["zh2"], starter=CARLA)
    assert isinstance(events[0], RoundStarted)
    assert game.to_act == CARLA


# --- fixed cards


def test_hands_and_deck_can_be_fixed(table: NewTable) -> None:
    t = table("R5 V3", "B7 B8 B9", deck="R9 V4 B0")
    assert (t.hand(ALDO), t.hand(BEA)) == (["R5", "V3"], ["B7", "B8", "B9"])
    assert [CODES[card] for card in t.game.draw_pile[:-3:-1]] == ["V4", "B0"]
    assert t.seen(top="R9", color="R", draw_pile=108 - 6)


def test_who_has_no_fixed_hand_is_dealt_to() -> None:
    game, _ = Game.start(SEATS[:2], rng=Random(1), hands={ALDO: ["J"]}, deck=["R9"])
    assert [len(game.hands[seat]) for seat in game.seats] == [1, 7]
    assert sorted(all_cards(game)) == list(range(108))


@pytest.mark.parametrize(
    ("hands", "deck"),
    [
        ({ALDO: ["B0", "B0"]}, []),
        ({ALDO: ["B0"], BEA: ["B0"]}, []),
        ({ALDO: ["B0"]}, ["B0"]),
        ({}, ["J"] * 5),
        ({ALDO: ["X9"]}, []),
        ({ALDO: []}, []),
        ({DINO: ["B0"]}, []),
    ],
)
def test_cards_that_the_deck_does_not_have(hands: dict[Seat, list[str]], deck: list[str]) -> None:
    with pytest.raises(ValueError):
        Game.start(SEATS[:2], rng=Random(1), hands=hands, deck=deck)


def test_fixed_cards_leave_enough_to_deal() -> None:
    everything = [CODES[card] for card in range(108)]
    for left in (0, 7):
        with pytest.raises(ValueError, match="card"):
            Game.start(SEATS[:2], rng=Random(1), hands={ALDO: everything[: 108 - left]})


@pytest.mark.parametrize(
    ("seats", "starter"), [([], None), ([ALDO], None), ([ALDO, ALDO], None), ([ALDO, BEA], CARLA)]
)
def test_seats_that_cannot_play(seats: list[Seat], starter: Seat | None) -> None:
    with pytest.raises(ValueError):
        Game.start(seats, rng=Random(1), starter=starter)


# --- the first card


@pytest.mark.parametrize("rules", ["cuciolo", "sterning", "zh2"])
def test_the_first_card_is_a_number(rules: str) -> None:
    """zh:96: turn on until a number comes."""
    for seed in range(1000):
        game, _ = started(rules, seed, 2)
        assert RANKS[game.top_card] < Rank.SKIP
        assert game.color is not None


def test_what_cannot_lie_goes_back(table: NewTable) -> None:
    """zh:96."""
    t = table(*DULL[:2], deck="J RS R9 V4")
    turned = next(event for event in t.events if isinstance(event, CardTurned))
    assert ([CODES[c] for c in turned.put_back], CODES[turned.card]) == (["J", "RS"], "R9")
    assert CODES[t.game.draw_pile[-1]] == "V4"
    assert sorted(all_cards(t.game)) == list(range(108))


def test_without_any_number_a_card_lies_without_effect() -> None:
    numbers = [CODES[card] for card in range(108) if RANKS[card] < Rank.SKIP]
    game, _ = Game.start(
        SEATS[:2], rng=Random(1), starter=ALDO, hands={ALDO: numbers, BEA: ["RS"]}, deck=["J"]
    )
    assert game.view()["top"] == "J"
    assert game.view()["color"] is None
    assert len(game.legal_plays(ALDO)) == len(numbers)
    assert game.observe(ALDO).wd4_honest


@pytest.mark.parametrize(
    ("first", "seen"),
    [
        ("R5", {"turn": ALDO}),
        ("RS", {"turn": BEA}),
        ("RC", {"turn": DINO, "direction": -1}),
        ("RD2", {"turn": BEA, "pending": 0, "cards": {"0": 5, "1": 3, "2": 3, "3": 3}}),
        ("J", {"turn": ALDO, "phase": "color", "color": None}),
        ("JD4 R6", {"turn": ALDO, "top": "R6"}),
    ],
)
def test_mattel_s_first_card_has_its_effect(
    table: NewTable, first: str, seen: dict[str, object]
) -> None:
    t = table(*DULL, deck=first, rules="mattel")
    assert t.seen(**seen)


def test_a_first_draw_two_may_be_answered_where_that_is_a_rule(table: NewTable) -> None:
    t = table("BD2 B1", *DULL[1:], deck="RD2", rules="mattel,d2_on_d2")
    assert t.seen(turn=ALDO, pending=2)
    t.play(ALDO, "BD2")
    assert t.seen(turn=BEA, pending=4)


@pytest.mark.parametrize(
    ("rules", "turn"), [("mattel", BEA), ("mattel,reverse_with_two=inert", ALDO)]
)
def test_a_first_reverse_between_two(table: NewTable, rules: str, turn: int) -> None:
    t = table(*DULL[:2], deck="RC", rules=rules)
    assert t.seen(turn=turn)


def test_mattel_s_first_wild_lets_the_starter_call_and_play(table: NewTable) -> None:
    t = table("V5 V6", *DULL[1:], deck="J", rules="mattel")
    t.game.choose_color(ALDO, Color.GREEN)
    assert t.seen(turn=ALDO, phase="playing", color="V")
    t.play(ALDO, "V5")


def test_mattel_s_first_wild_and_a_starter_who_leaves(table: NewTable) -> None:
    t = table("V5 V6", *DULL[1:], deck="J", rules="mattel")
    t.game.leave(ALDO)
    assert t.seen(turn=BEA, phase="playing", color="V")


@pytest.mark.parametrize("first", ["RS", "RD2", "J", "JD4"])
def test_a_first_card_may_have_no_effect(table: NewTable, first: str) -> None:
    t = table(*DULL, deck=first, rules="first_card=no_effect")
    assert t.seen(turn=ALDO, top=first, pending=0, phase="playing")


# --- nothing left


@pytest.mark.parametrize("rules", PRESETS)
def test_the_discards_are_shuffled_again_and_the_top_stays(table: NewTable, rules: str) -> None:
    """zh:27, zh:111."""
    t = table("R5 V3 V4 V5", "R7 R1 R2", rules=f"{rules},after_taken_draw_two=normal")
    t.play(ALDO, "R5")
    t.play(BEA, "R7")
    game = t.game
    game.set_aside[CARLA], game.draw_pile = game.draw_pile, []
    assert Reshuffled(2) in game.draw(ALDO)
    assert t.seen(top="R7", draw_pile=1)
    assert sorted(all_cards(game)) == list(range(108))


def test_a_called_colour_outlives_a_reshuffle(table: NewTable) -> None:
    t = table("J V3 V4", "B7 B1")
    t.play(ALDO, "J", "R")
    t.game.set_aside[CARLA], t.game.draw_pile = t.game.draw_pile, []
    t.game.draw(BEA)
    assert t.seen(top="J", color="R", draw_pile=0)


def test_who_finds_nothing_to_draw_may_pass(table: NewTable) -> None:
    t = table("B1 B2", DULL[1], DULL[2])
    t.empty_piles()
    t.game.pass_turn(ALDO)
    t.game.draw(BEA)
    assert t.seen(turn=BEA)
    t.game.pass_turn(BEA)
    assert t.seen(turn=CARLA)


def test_a_silent_round_ends_with_the_fewest_points(table: NewTable) -> None:
    t = table("B9 B8", "V1 V2", "G1 G2")
    t.empty_piles()
    aside = hand_points(t.game.set_aside[Seat(99)])
    t.game.pass_turn(ALDO)
    t.game.pass_turn(BEA)
    events = t.game.pass_turn(CARLA)
    assert names(events) == ["TurnPassed", "RoundEnded", "GameEnded"]
    ended = events[1]
    assert isinstance(ended, RoundEnded)
    assert ended.silent
    assert ended.hands == {0: 17, 2: 3, 99: aside}
    assert t.seen(winner=BEA, points={"0": 0, "1": 17 + 3 + aside, "2": 0})


def test_a_play_breaks_the_silence(table: NewTable) -> None:
    t = table("B9 B8", "R1 R2 R3", "G4 G5")
    t.empty_piles()
    t.game.pass_turn(ALDO)
    t.play(BEA, "R1")
    t.game.discard_pile = t.game.discard_pile[-1:]
    t.game.pass_turn(CARLA)
    t.game.pass_turn(ALDO)
    assert t.seen(phase="playing", turn=BEA)


def test_sterning_with_an_action_left_and_no_deck_passes(table: NewTable) -> None:
    """zh:24: no deadlock."""
    t = table("RS", DULL[1], rules="sterning")
    t.empty_piles()
    assert names(t.game.draw(ALDO)) == ["CardsDrawn", "TurnPassed", "TurnStarted"]
    t.game.to_act = ALDO
    t.game.pass_turn(ALDO)


# --- points


@pytest.mark.parametrize(
    ("hand", "points"),
    [("R0 V9 B5", 14), ("RS VC BD2", 60), ("J JD4", 100), ("B0", 0)],
)
def test_what_cards_count(table: NewTable, hand: str, points: int) -> None:
    """zh:49-55, zh:113-118."""
    assert hand_points(table(hand, "R1").game.hands[ALDO]) == points


@pytest.mark.parametrize("rules", ["cuciolo", "sterning", "zh2"])
def test_one_round_is_a_game(table: NewTable, rules: str) -> None:
    t = table("R1", "V9 J", "BS", rules=rules)
    events = t.play(ALDO, "R1")
    assert RoundEnded(ALDO, 79, {BEA: 59, CARLA: 20}, silent=False) in events
    assert GameEnded(ALDO, {ALDO: 79, BEA: 0, CARLA: 0}) in events
    assert t.seen(phase="over", scores={"0": 79, "1": 0, "2": 0})


def test_mattel_goes_on_to_five_hundred(table: NewTable) -> None:
    t = table("R1", "V9 J", "BS", rules="mattel,first_card=number")
    events = t.play(ALDO, "R1")
    assert names(events)[-4:] == ["RoundEnded", "RoundStarted", "CardTurned", "TurnStarted"]
    assert t.seen(round=2, turn=BEA, winner=ALDO, phase="playing", scores={"0": 79, "1": 0, "2": 0})
    assert t.seen(cards={"0": 7, "1": 7, "2": 7})
    assert sorted(all_cards(t.game)) == list(range(108))
    t.game.scores[ALDO] = 490
    t.game.hands[ALDO], t.game.to_act = t.game.hands[ALDO][:1], ALDO
    t.game.color = None
    card = t.game.hands[ALDO][0]
    assert GameEnded(ALDO, t.game.scores) in t.game.play(ALDO, card)
    assert t.seen(phase="over")


def test_the_next_round_begins_one_seat_further(table: NewTable) -> None:
    for starter, later in ((ALDO, BEA), (CARLA, ALDO)):
        t = table("R1", "R2", "R3", rules="mattel,first_card=number", starter=starter)
        t.play(starter, f"R{starter + 1}")
        assert t.seen(turn=later)


def test_a_new_round_forgets_the_old_one(table: NewTable) -> None:
    t = table("RD2", "RC V1", "R3 B3", DULL[3], rules="sterning,target=500,last_card=any")
    t.game.leave(DINO)
    t.play(ALDO, "RD2")
    assert t.seen(round=2, pending=0, direction=1, uno_open=None, players=[ALDO, BEA, CARLA])
    assert t.game.set_aside == {}
    assert t.refused(t.game.join, DINO) is Reason.JOIN_OFF


def test_a_match_ends_when_one_is_left(table: NewTable) -> None:
    t = table(*DULL[:2], rules="mattel")
    t.game.leave(ALDO)
    assert t.seen(phase="over", winner=BEA)
