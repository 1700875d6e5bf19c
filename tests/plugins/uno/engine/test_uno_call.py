"""The call at one card, preset by preset."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gamebot_uno.engine.cards import Color
from gamebot_uno.engine.events import CardsDrawn, UnoCalled, UnoCaught, UnoFalselyCalled, Why
from gamebot_uno.engine.game import Reason
from uno_table import ALDO, BEA, CARLA, DULL, Table, names

NewTable = Callable[..., Table]
PRESETS = ("cuciolo", "sterning", "zh2", "mattel")


@pytest.mark.parametrize("rules", PRESETS)
def test_who_is_caught_with_one_card_draws_two(table: NewTable, rules: str) -> None:
    """it:9, zh:26, zh:105."""
    t = table("R5 V3", *DULL[1:], rules=rules)
    t.play(ALDO, "R5")
    assert t.seen(uno_open=ALDO, uno_open_all=[ALDO])
    events = t.game.call_uno(CARLA)
    assert events[:2] == [UnoCaught(ALDO, CARLA), CardsDrawn(ALDO, 2, Why.UNO)]
    assert t.seen(uno_open=None, turn=BEA, cards={"0": 3, "1": 3, "2": 3, "3": 3})
    assert t.refused(t.game.call_uno, BEA) is Reason.NOBODY_TO_CATCH


@pytest.mark.parametrize("rules", PRESETS)
def test_who_calls_first_is_safe(table: NewTable, rules: str) -> None:
    """it:9: before another player writes it; zh:26: late, but before anybody noticed."""
    t = table("R5 V3", DULL[1], rules=rules)
    t.play(ALDO, "R5")
    assert t.game.call_uno(ALDO) == [UnoCalled(ALDO)]
    assert t.refused(t.game.call_uno, BEA) is Reason.NOBODY_TO_CATCH


@pytest.mark.parametrize("rules", PRESETS)
def test_the_call_in_the_line_of_the_play_counts(table: NewTable, rules: str) -> None:
    """zh:26: when playing the last card but one."""
    t = table("R5 V3", DULL[1], rules=rules)
    assert UnoCalled(ALDO) in t.play(ALDO, "R5", said_uno=True)
    assert t.seen(uno_open=None)


def test_a_call_before_the_play_has_no_effect(table: NewTable) -> None:
    t = table("R5 V3", DULL[1])
    assert t.refused(t.game.call_uno, ALDO) is Reason.NOBODY_TO_CATCH
    t.play(ALDO, "R5")
    assert t.seen(uno_open=ALDO)


def test_said_with_more_cards_left_it_means_nothing(table: NewTable) -> None:
    t = table("R5 V3 V4", DULL[1])
    t.play(ALDO, "R5", said_uno=True)
    assert t.seen(uno_open=None)


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_the_next_play_closes_the_window(table: NewTable, rules: str) -> None:
    """it:10: when the next player plays or draws; zh:105."""
    t = table("R5 V3", "R1 V1 V2", DULL[2], rules=rules)
    t.play(ALDO, "R5")
    t.play(BEA, "R1")
    assert t.seen(uno_open=None)


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_the_next_draw_closes_the_window(table: NewTable, rules: str) -> None:
    """it:10."""
    t = table("R5 V3", DULL[1], DULL[2], rules=rules)
    t.play(ALDO, "R5")
    t.game.draw(BEA)
    assert t.seen(uno_open=None)


def test_sterning_keeps_it_open_until_the_offender_acts(table: NewTable) -> None:
    """zh:26: no limit but being noticed; ours is the next action of the offender."""
    t = table("R5 V3", "R1 V1 V2", "R2 G1", rules="sterning")
    t.play(ALDO, "R5")
    t.play(BEA, "R1")
    t.play(CARLA, "R2")
    assert t.seen(uno_open=CARLA, uno_open_all=[ALDO, CARLA])
    t.game.call_uno(BEA)
    assert t.seen(uno_open=ALDO)
    t.game.draw(ALDO)
    assert t.seen(uno_open=None)


def test_sterning_s_offender_closes_his_own_only(table: NewTable) -> None:
    t = table("R5 V3 R6", "R1 V1", rules="sterning")
    t.play(ALDO, "R5")
    t.play(BEA, "R1")
    t.play(ALDO, "R6")
    assert t.seen(uno_open_all=[BEA, ALDO])


def test_the_latest_open_one_is_caught_but_oneself_is_saved_first(table: NewTable) -> None:
    t = table("R5 V3", "R1 V1", DULL[2], rules="sterning")
    t.play(ALDO, "R5")
    t.play(BEA, "R1")
    assert t.game.call_uno(ALDO) == [UnoCalled(ALDO)]
    assert t.game.call_uno(CARLA)[0] == UnoCaught(BEA, CARLA)


@pytest.mark.parametrize(
    ("rules", "open_"), [("cuciolo", None), ("zh2", None), ("mattel", ALDO), ("sterning", ALDO)]
)
def test_taking_a_wild_draw_four(table: NewTable, rules: str, open_: int | None) -> None:
    """it:10: drawing closes; mattel: a turn has not begun before somebody has one."""
    t = table("JD4 V3", *DULL[1:3], rules=rules)
    t.play(ALDO, "JD4", "B")
    assert t.seen(uno_open=ALDO)
    t.game.accept(BEA)
    assert t.seen(uno_open=open_)


@pytest.mark.parametrize(("rules", "open_"), [("cuciolo", ALDO), ("zh2", None), ("mattel", ALDO)])
def test_a_pass_with_nothing_to_draw(table: NewTable, rules: str, open_: int | None) -> None:
    """it:10: neither a play nor a draw; zh:105: any act of the next player."""
    t = table("R5 V3", DULL[1], DULL[2], rules=rules)
    t.play(ALDO, "R5")
    t.empty_piles()
    t.game.draw_pile = []
    t.game.pass_turn(BEA)
    assert t.seen(uno_open=open_ if rules != "mattel" else None)


def test_a_lost_challenge_catches_the_offender_instead(table: NewTable) -> None:
    t = table("JD4 R3", *DULL[1:3])
    t.play(ALDO, "JD4", "B")
    t.game.challenge_play(BEA)
    assert t.seen(uno_open=None, turn=BEA)


@pytest.mark.parametrize(
    ("rules", "open_"),
    [("cuciolo", None), ("zh2", None), ("mattel", ALDO), ("sterning,challenge=on", ALDO)],
)
def test_who_doubts_in_vain_has_drawn(table: NewTable, rules: str, open_: int | None) -> None:
    """it:10, it:44: the next one draws; mattel: but has had no turn yet."""
    t = table("JD4 V3", *DULL[1:3], rules=rules)
    t.play(ALDO, "JD4", "B")
    t.game.challenge_play(BEA)
    assert t.seen(uno_open=open_, turn=CARLA)


def test_who_says_uno_with_the_colour_is_safe(table: NewTable) -> None:
    """it:9, it:41: the colour belongs to the play."""
    t = table("J V3", DULL[1])
    t.play(ALDO, "J")
    assert names(t.game.choose_color(ALDO, Color.RED, said_uno=True))[0] == "UnoCalled"
    assert t.seen(uno_open=None)
    late = table("J V3 V4", DULL[1])
    late.play(ALDO, "J")
    assert "UnoCalled" not in names(late.game.choose_color(ALDO, Color.RED, said_uno=True))


def test_with_two_and_a_skip_it_stays_open_until_the_same_player_acts(table: NewTable) -> None:
    t = table("RS V3", DULL[1])
    t.play(ALDO, "RS")
    assert t.seen(turn=ALDO, uno_open=ALDO)
    t.game.draw(ALDO)
    assert t.seen(uno_open=None)


def test_choosing_the_colour_does_not_close_it(table: NewTable) -> None:
    """it:10: that belongs to the play."""
    t = table("J V3", DULL[1])
    t.play(ALDO, "J")
    t.game.choose_color(ALDO, Color.RED)
    assert t.seen(uno_open=ALDO)


def test_a_false_call_costs_where_the_channel_says_so(table: NewTable) -> None:
    t = table("R5 V3 V4", DULL[1], "G1", rules="false_call_penalty=2")
    events = t.game.call_uno(BEA)
    assert events[:2] == [UnoFalselyCalled(BEA), CardsDrawn(BEA, 2, Why.FALSE_CALL)]
    assert t.refused(t.game.call_uno, BEA) is Reason.NOBODY_TO_CATCH
    assert t.refused(t.game.call_uno, CARLA) is Reason.NOBODY_TO_CATCH
    t.play(ALDO, "R5")
    assert t.game.call_uno(BEA)[0] == UnoFalselyCalled(BEA)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_false_call_costs_nothing_by_default(table: NewTable, rules: str) -> None:
    t = table(*DULL, rules=rules)
    assert t.refused(t.game.call_uno, BEA) is Reason.NOBODY_TO_CATCH


@pytest.mark.parametrize(
    ("due", "open_"), [("at_one_card", [ALDO, BEA]), ("with_play", [ALDO]), ("after_play", [ALDO])]
)
def test_who_gets_one_card_by_a_swap(table: NewTable, due: str, open_: list[int]) -> None:
    """it:9: whoever is left with one card; zh:26, zh:105: who plays."""
    t = table("R7 V3", "V1", rules=f"seven_zero,uno_call_due={due}")
    t.play(ALDO, "R7", swap_with=BEA)
    assert t.seen(uno_open_all=open_)


def test_a_swap_takes_the_window_along(table: NewTable) -> None:
    rules = "seven_zero,uno_window_closes=own_next_action,uno_call_due=with_play"
    t = table("R5 V3", "R7 V1 V2", rules=rules)
    t.play(ALDO, "R5")
    t.play(BEA, "R7", said_uno=True)
    assert t.hand(BEA) == ["V3"]
    assert t.seen(uno_open_all=[])


def test_a_fine_is_drawn_from_what_there_is(table: NewTable) -> None:
    t = table("R5 V3", DULL[1])
    t.empty_piles()
    t.play(ALDO, "R5")
    t.game.discard_pile = t.game.discard_pile[-1:]
    assert CardsDrawn(ALDO, 0, Why.UNO) in t.game.call_uno(BEA)
    assert t.refused(t.game.call_uno, BEA) is Reason.NOBODY_TO_CATCH
