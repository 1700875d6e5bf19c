"""Who comes, who goes, who is late."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gamebot_uno.engine.cards import POINTS, Color
from gamebot_uno.engine.events import (
    CardsDrawn,
    CardsReceived,
    Challenged,
    ColorChosen,
    SeatJoined,
    SeatLeft,
    SeatTimedOut,
    TurnPassed,
    TurnStarted,
    Why,
)
from gamebot_uno.engine.game import Reason, Seat
from uno_table import ALDO, BEA, CARLA, DINO, DULL, Table, names

NewTable = Callable[..., Table]
EVA = Seat(4)


# --- leaving


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("to_act", [ALDO, BEA, CARLA, DINO])
@pytest.mark.parametrize("leaver", [ALDO, BEA, CARLA, DINO])
def test_the_right_one_acts_next(table: NewTable, leaver: int, to_act: int, reverse: bool) -> None:
    """it:55: whoever leaves, whoever is to act, in both directions."""
    t = table(*DULL, starter=to_act)
    t.game.direction = -1 if reverse else 1
    expected = t.game.after(to_act) if leaver == to_act else to_act
    t.game.leave(leaver)
    assert t.seen(turn=expected)
    assert t.game.seats == [seat for seat in (ALDO, BEA, CARLA, DINO) if seat != leaver]


def test_who_stays_alone_wins_what_the_leaver_held(table: NewTable) -> None:
    t = table("R5 RS J", "V9")
    assert names(t.game.leave(ALDO)) == ["SeatLeft", "RoundEnded", "GameEnded"]
    assert t.seen(phase="over", winner=BEA, points={"1": 75}, players=[BEA])
    assert t.refused(t.game.leave, BEA) is Reason.GAME_OVER


def test_the_hand_of_a_leaver_counts_at_the_end(table: NewTable) -> None:
    t = table("R5 R6", "V9 V8", "J")
    t.game.leave(CARLA)
    t.play(ALDO, "R5")
    t.game.draw(BEA)
    t.game.pass_turn(BEA)
    drawn = t.game.hands[BEA][-1]
    t.play(ALDO, "R6")
    assert t.seen(points={"0": 50 + 17 + POINTS[drawn], "1": 0})


def test_a_leaver_takes_what_is_pending(table: NewTable) -> None:
    t = table("RD2 B1", *DULL[1:3])
    t.play(ALDO, "RD2")
    events = t.game.leave(BEA)
    assert events[:2] == [SeatLeft(BEA, 3), CardsDrawn(BEA, 2, Why.PENALTY)]
    assert t.seen(turn=CARLA, pending=0)
    assert len(t.game.set_aside[BEA]) == 5


def test_one_of_two_takes_it_too_and_the_other_wins_it(table: NewTable) -> None:
    t = table("RD2 B1", "V1 V2", deck="R9 B5 B6")
    t.play(ALDO, "RD2")
    t.game.leave(BEA)
    assert t.seen(winner=ALDO, points={"0": 1 + 2 + 5 + 6}, pending=0)


def test_a_leaver_s_wild_gets_the_colour_held_most(table: NewTable) -> None:
    t = table("J G1 G2 R3", *DULL[1:3])
    t.play(ALDO, "J")
    assert ColorChosen(ALDO, Color.YELLOW, by_bot=True) in t.game.leave(ALDO)
    assert t.seen(phase="playing", turn=BEA, color="G")


def test_a_leaver_s_wild_draw_four_is_still_to_be_answered(table: NewTable) -> None:
    t = table("JD4 G1 G2 R3", *DULL[1:3])
    t.play(ALDO, "JD4")
    t.game.leave(ALDO)
    assert t.seen(phase="challenge", turn=BEA, pending=4, color="G")


def test_with_two_the_colour_does_not_matter_any_more(table: NewTable) -> None:
    t = table("J G1 G2", DULL[1])
    t.play(ALDO, "J")
    t.game.leave(ALDO)
    assert t.seen(phase="over", winner=BEA, color="G")


def test_a_bluffer_who_has_left_pays_himself(table: NewTable) -> None:
    t = table("JD4 R7 B8", *DULL[1:])
    t.play(ALDO, "JD4", "B")
    t.game.leave(ALDO)
    events = t.game.challenge_play(BEA)
    assert events[:2] == [Challenged(BEA, ALDO, guilty=True), CardsDrawn(ALDO, 4, Why.BLUFF)]
    assert len(t.game.set_aside[ALDO]) == 6
    assert t.seen(turn=BEA, cards={"1": 3, "2": 3, "3": 3})


def test_who_leaves_cannot_be_caught(table: NewTable) -> None:
    t = table("R5 V3", *DULL[1:3])
    t.play(ALDO, "R5")
    t.game.leave(ALDO)
    assert t.seen(uno_open=None)


def test_reverse_is_a_skip_once_three_are_two(table: NewTable) -> None:
    t = table("RC B1 B2", *DULL[1:3])
    t.game.leave(CARLA)
    t.play(ALDO, "RC")
    assert t.seen(turn=ALDO)


# --- coming


@pytest.mark.parametrize(("direction", "order"), [(1, [4, 0, 1]), (-1, [0, 4, 1])])
def test_a_newcomer_sits_just_behind_the_one_to_act(
    table: NewTable, direction: int, order: list[int]
) -> None:
    """it:54: whose turn comes last."""
    t = table("R1 R2", "R3 R4")
    t.game.direction = direction
    joined, received = t.game.join(EVA)
    assert joined == SeatJoined(EVA, 7, returned=False)
    assert received == CardsReceived(EVA, tuple(t.game.hands[EVA]), Why.JOIN)
    assert t.game.seats == order
    t.play(ALDO, "R1")
    assert t.seen(turn=BEA)
    t.play(BEA, "R3")
    assert t.seen(turn=EVA)


def test_who_comes_back_gets_the_old_hand(table: NewTable) -> None:
    """it:54-55: no fresh hand for a bad one."""
    t = table("R1 R2 R3 R4", *DULL[1:3])
    t.game.leave(ALDO)
    assert t.game.join(ALDO)[0] == SeatJoined(ALDO, 4, returned=True)
    assert t.hand(ALDO) == ["R1", "R2", "R3", "R4"]
    assert ALDO not in t.game.set_aside


@pytest.mark.parametrize("rules", ["sterning", "zh2", "mattel"])
def test_elsewhere_nobody_joins(table: NewTable, rules: str) -> None:
    t = table(*DULL, rules=rules)
    assert t.refused(t.game.join, EVA) is Reason.JOIN_OFF


def test_when_nobody_may_join(table: NewTable) -> None:
    """it:54."""
    t = table("JD4 R5 B8", "B1 B2", deck="R9")
    assert t.refused(t.game.join, ALDO) is Reason.ALREADY_SEATED
    t.play(ALDO, "JD4", "B")
    assert t.refused(t.game.join, EVA) is Reason.CHALLENGE_OPEN
    t.game.accept(BEA)
    t.game.hands[ALDO].pop()
    assert t.refused(t.game.join, EVA) is Reason.SOMEBODY_HAS_ONE_CARD


def test_nobody_joins_a_full_table(table: NewTable) -> None:
    t = table(*DULL[:2], rules="max_players=2")
    assert t.refused(t.game.join, EVA) is Reason.TABLE_FULL


def test_nobody_joins_without_cards(table: NewTable) -> None:
    t = table(*DULL)
    t.empty_piles()
    assert t.refused(t.game.join, EVA) is Reason.NOT_ENOUGH_CARDS


def test_a_newcomer_may_get_the_average(table: NewTable) -> None:
    t = table("R1 R2 R3 R4 R5", "B1 B2", rules="join_mid_game=average")
    t.game.join(EVA)
    assert t.cards(EVA) == round(3.5)


# --- the clock


def test_who_is_late_draws_and_passes(table: NewTable) -> None:
    t = table("R1 B1", DULL[1])
    events = t.game.expire(t.game.clock_id)
    assert [e for e in events if not hasattr(e, "to")] == [
        SeatTimedOut(ALDO, removed=False),
        CardsDrawn(ALDO, 1, Why.TURN),
        TurnPassed(ALDO),
        TurnStarted(BEA),
    ]


def test_who_is_late_after_a_draw_passes(table: NewTable) -> None:
    t = table("R1 B1", DULL[1])
    t.game.draw(ALDO)
    assert names(t.game.expire(t.game.clock_id)) == ["SeatTimedOut", "TurnPassed", "TurnStarted"]


def test_a_pass_that_comes_by_itself_comes_once(table: NewTable) -> None:
    t = table("R1 B1", DULL[1], DULL[2], rules="zh2")
    t.game.expire(t.game.clock_id)
    assert t.seen(turn=BEA)


def test_a_stale_clock_does_nothing(table: NewTable) -> None:
    t = table("R1 B1", DULL[1])
    stale = t.game.clock_id
    t.play(ALDO, "R1")
    assert t.game.expire(stale) == []
    assert t.seen(turn=BEA)


def test_who_is_late_takes_what_is_pending(table: NewTable) -> None:
    t = table("RD2 B1", *DULL[1:3])
    t.play(ALDO, "RD2")
    assert CardsDrawn(BEA, 2, Why.PENALTY) in t.game.expire(t.game.clock_id)
    assert t.seen(turn=CARLA, pending=0)


def test_who_is_late_accepts_a_wild_draw_four(table: NewTable) -> None:
    t = table("JD4 B1", *DULL[1:3])
    t.play(ALDO, "JD4", "B")
    t.game.expire(t.game.clock_id)
    assert t.seen(turn=CARLA, phase="playing", pending=0)
    assert t.cards(BEA) == 7


def test_who_is_late_with_a_colour_gets_the_one_held_most(table: NewTable) -> None:
    t = table("J V1 R3 B2", DULL[1])
    t.play(ALDO, "J")
    events = t.game.expire(t.game.clock_id)
    assert ColorChosen(ALDO, Color.BLUE, by_bot=True) in events
    assert t.seen(turn=BEA, color="B")


def test_the_second_time_in_a_row_removes(table: NewTable) -> None:
    t = table(*DULL[:3])
    t.game.expire(t.game.clock_id)
    for seat in (BEA, CARLA):
        t.game.draw(seat)
        t.game.pass_turn(seat)
    assert names(t.game.expire(t.game.clock_id)) == ["SeatTimedOut", "TurnStarted"]
    assert t.seen(players=[BEA, CARLA], turn=BEA)


def test_acting_in_between_forgives(table: NewTable) -> None:
    t = table("B1 R1 R2", "V1 V2")
    t.game.expire(t.game.clock_id)
    t.game.draw(BEA)
    t.game.pass_turn(BEA)
    t.play(ALDO, "R1")
    t.game.draw(BEA)
    t.game.pass_turn(BEA)
    t.game.expire(t.game.clock_id)
    assert t.seen(players=[ALDO, BEA])


def test_choosing_a_colour_forgives_too(table: NewTable) -> None:
    t = table("J B1 B2", DULL[1])
    t.game.timeouts[ALDO] = 1
    t.play(ALDO, "J")
    t.game.timeouts[ALDO] = 1
    t.game.choose_color(ALDO, Color.RED)
    assert t.game.timeouts == {}


def test_the_second_of_two_late_ones_loses(table: NewTable) -> None:
    t = table(*DULL[:2])
    for _ in range(2):
        t.game.expire(t.game.clock_id)
    t.game.expire(t.game.clock_id)
    assert t.seen(phase="over", winner=BEA)


def test_a_late_end_leaves_no_clock(table: NewTable) -> None:
    t = table(*DULL[:2])
    t.empty_piles()
    t.game.pass_turn(ALDO)
    t.game.expire(t.game.clock_id)
    assert t.seen(phase="over")
    assert t.game.timeouts == {}
