"""The cases in which public bots are known to break; A, B, C are Aldo, Bea, Carla."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from gamebot_uno.engine.cards import CODE_FACES, CODES, Color
from gamebot_uno.engine.events import CardsDrawn, Challenged, UnoCaught, Why
from gamebot_uno.engine.game import Game, Reason, Seat
from uno_table import ALDO, BEA, CARLA, DINO, DULL, Table, all_cards, names

NewTable = Callable[..., Table]


def test_1_a_then_b_leave_a_game_of_two(table: NewTable) -> None:
    t = table(*DULL[:2])
    clock = t.game.clock_id
    t.game.leave(ALDO)
    assert t.seen(phase="over", winner=BEA, turn=None)
    assert t.game.expire(clock) == []
    assert t.refused(t.game.leave, BEA) is Reason.GAME_OVER


def test_2_b_scores_what_a_held_and_nothing_else(table: NewTable) -> None:
    t = table("R1 R2 R3 R4 R5 R6", "J JD4 BS")
    t.game.leave(ALDO)
    assert t.seen(points={"1": 21})


def test_3_the_player_before_is_next_when_the_order_is_reversed(table: NewTable) -> None:
    t = table("RC B1", *DULL[1:3], "R5 G9")
    t.play(ALDO, "RC")
    assert t.seen(turn=DINO)
    t.game.leave(DINO)
    assert t.seen(turn=CARLA)


def test_4_a_play_and_its_clock_in_the_same_instant(table: NewTable) -> None:
    t = table("R5 R6", "B1 B2")
    clock = t.game.clock_id
    t.play(ALDO, "R5")
    assert t.game.expire(clock) == []
    late = table("R5 R6", "B1 B2")
    late.game.expire(late.game.clock_id)
    assert late.refused(late.play, ALDO, "R5") is Reason.NOT_YOUR_TURN


def test_5_a_bluffer_leaves_and_is_challenged(table: NewTable) -> None:
    t = table("JD4 R7 B8", *DULL[1:3])
    t.play(ALDO, "JD4", "V")
    t.game.leave(ALDO)
    assert Challenged(BEA, ALDO, guilty=True) in t.game.challenge_play(BEA)
    assert t.seen(cards={"1": 3, "2": 3}, turn=BEA)


def test_6_a_wild_without_a_colour_and_its_player_leaves(table: NewTable) -> None:
    t = table("J V1 V2 B1", *DULL[1:3])
    t.play(ALDO, "J")
    t.game.leave(ALDO)
    assert t.seen(color="V", turn=BEA, phase="playing")


def test_7_a_reshuffle_under_a_called_colour(table: NewTable) -> None:
    t = table("R5 J B1", *DULL[1:2])
    t.play(ALDO, "R5")
    t.game.to_act = ALDO
    t.play(ALDO, "J", "R")
    t.game.set_aside[CARLA], t.game.draw_pile = t.game.draw_pile, []
    t.game.draw(BEA)
    assert t.seen(top="J", color="R")
    assert [CODES[card] for card in t.game.discard_pile] == ["J"]


def test_8_six_pending_and_three_cards_left(table: NewTable) -> None:
    t = table("RD2 B1", "VD2 B2", "GD2 B3", DULL[3])
    t.play(ALDO, "RD2")
    t.play(BEA, "VD2")
    t.play(CARLA, "GD2")
    game = t.game
    game.set_aside[Seat(9)] = [*game.draw_pile[3:], *game.discard_pile[:-1]]
    game.draw_pile, game.discard_pile = game.draw_pile[:3], game.discard_pile[-1:]
    assert CardsDrawn(DINO, 3, Why.PENALTY) in game.draw(DINO)
    assert t.seen(pending=0, turn=ALDO)


def test_9_all_cards_in_hands(table: NewTable) -> None:
    t = table("B1 B2", "V1 V2")
    t.empty_piles()
    t.game.pass_turn(ALDO)
    t.game.pass_turn(BEA)
    assert t.seen(phase="over", winner=ALDO)


def test_10_cards_are_never_lost(table: NewTable) -> None:
    t = table(*DULL)
    for step in range(120):
        t.game.join(Seat(10 + step % 3))
        seat = t.game.to_act
        t.game.draw(seat)
        t.game.pass_turn(seat)
        t.game.leave(Seat(10 + step % 3))
        assert sorted(all_cards(t.game)) == list(range(108))
        if not t.game.can_draw:
            break


def test_11_fifteen_cards_are_the_same_fifteen(table: NewTable) -> None:
    hand = "B1 B2 B3 B4 B5 B6 B7 B8 B9 V1 V2 V3 V4 V5 V6"
    t = table(hand, *DULL[2:])
    t.game.leave(ALDO)
    t.game.join(ALDO)
    assert t.hand(ALDO) == hand.split()


def test_11_the_winner_does_not_come_back(table: NewTable) -> None:
    t = table("R1", DULL[1])
    t.play(ALDO, "R1")
    assert t.refused(t.game.join, ALDO) is Reason.GAME_OVER


@pytest.mark.parametrize("first", [ALDO, BEA])
def test_14_two_calls_in_the_same_second(table: NewTable, first: Seat) -> None:
    second = BEA if first == ALDO else ALDO
    t = table("R5 V3", DULL[1])
    t.play(ALDO, "R5")
    t.game.call_uno(first)
    assert t.refused(t.game.call_uno, second) is Reason.NOBODY_TO_CATCH
    assert t.cards(ALDO) == (1 if first == ALDO else 3)


def test_15_a_second_card_at_once(table: NewTable) -> None:
    t = table("R5 R6", DULL[1])
    t.play(ALDO, "R5")
    assert t.refused(t.play, ALDO, "R6") is Reason.NOT_YOUR_TURN


def test_16_uno_while_nobody_can_be_caught(table: NewTable) -> None:
    t = table(*DULL[:3])
    assert t.refused(t.game.call_uno, CARLA) is Reason.NOBODY_TO_CATCH


def test_17_caught_while_a_colour_is_due(table: NewTable) -> None:
    t = table("J V1", DULL[1])
    t.play(ALDO, "J")
    assert t.game.call_uno(BEA)[0] == UnoCaught(ALDO, BEA)
    assert t.seen(phase="color", turn=ALDO, cards={"0": 3, "1": 3})
    t.game.choose_color(ALDO, Color.RED)
    assert t.seen(turn=BEA, color="R")


def test_18_reverse_with_two_and_with_three_that_become_two(table: NewTable) -> None:
    t = table("RC RC B1", *DULL[1:3])
    t.play(ALDO, "RC")
    assert t.seen(turn=CARLA)
    t.game.leave(CARLA)
    assert t.seen(turn=BEA)
    t.game.expire(t.game.clock_id)
    t.play(ALDO, "RC")
    assert t.seen(turn=ALDO)


@pytest.mark.parametrize("rules", ["cuciolo", "sterning", "zh2"])
def test_19_a_wild_is_turned_up_first(table: NewTable, rules: str) -> None:
    t = table(*DULL[:2], deck="J R7", rules=rules)
    assert t.seen(top="R7", color="R", phase="playing")


def test_20_a_wild_draw_four_on_a_called_colour(table: NewTable) -> None:
    t = table("JD4 V1 V2", DULL[1], "JD4 R1 V3", rules="cuciolo")
    t.play(ALDO, "JD4", "B")
    t.game.accept(BEA)
    t.play(CARLA, "JD4", "R")
    assert Challenged(ALDO, CARLA, guilty=False) in t.game.challenge_play(ALDO)


@pytest.mark.parametrize(("card", "count"), [("RD2", 2), ("JD4", 4)])
def test_21_exactly_two_and_exactly_four(table: NewTable, card: str, count: int) -> None:
    t = table(f"{card} B1", *DULL[1:3])
    t.play(ALDO, card, "R")
    t.game.accept(BEA)
    assert t.cards(BEA) == 3 + count
    assert t.seen(pending=0, turn=CARLA)


def test_22_a_wild_on_a_pending_sum(table: NewTable) -> None:
    t = table("RD2 B1", "VD2 B2", "GD2 B3", "J B4")
    t.play(ALDO, "RD2")
    t.play(BEA, "VD2")
    t.play(CARLA, "GD2")
    assert t.refused(t.play, DINO, "J", "R") is Reason.ANSWER_OR_TAKE


def test_23_going_out_with_four_pending(table: NewTable) -> None:
    t = table("RD2 B1", "VD2 B2", "GD2", "R1", deck="R9 B3 B4 B5 B6 B7 B8")
    t.play(ALDO, "RD2")
    t.play(BEA, "VD2")
    events = t.play(CARLA, "GD2")
    assert CardsDrawn(DINO, 6, Why.PENALTY) in events
    assert "TurnStarted" not in names(events)
    assert t.seen(points={"0": 0, "1": 0, "2": 1 + 2 + 1 + 33, "3": 0})


def test_24_sterning_an_action_last_and_nothing_to_draw(table: NewTable) -> None:
    t = table("RS", DULL[1], rules="sterning")
    t.empty_piles()
    assert t.game.pass_turn(ALDO)
    assert t.seen(turn=BEA)


def test_25_two_of_a_card_that_is_there_once(table: NewTable) -> None:
    t = table("R5 V3 V4", DULL[1], rules="sterning")
    assert t.refused(t.game.find, ALDO, [CODE_FACES["R5"]] * 2) is Reason.NOT_HELD


def test_26_nothing_in_a_game_hangs_on_the_process(table: NewTable) -> None:
    """The same seats, chance and moves give the same game."""
    games = [Game.start([ALDO, BEA], rng=Random(3))[0] for _ in range(2)]
    for game in games:
        while game.to_act is not None:
            game.act(game.to_act, game.legal_moves(game.to_act)[0])
    assert games[0] == games[1]
