"""What may be played, drawn and passed, preset by preset."""

from __future__ import annotations

import pytest
from gamebot_uno.engine.cards import Color
from gamebot_uno.engine.events import (
    CardPlayed,
    CardsDrawn,
    HandDealt,
    HandsPassed,
    HandsSwapped,
    How,
    Misplayed,
    TurnSkipped,
    TurnStarted,
    Why,
)
from gamebot_uno.engine.game import Event, Reason
from uno_table import ALDO, BEA, CARLA, DINO, DULL, names
from uno_turns import PRESETS, NewTable


def turns(events: list[Event]) -> list[int]:
    return [event.seat for event in events if isinstance(event, TurnStarted)]


@pytest.mark.parametrize("rules", PRESETS)
def test_a_card_follows_its_colour_or_its_value_and_a_wild_anything(
    table: NewTable, rules: str
) -> None:
    """it:5, it:41, zh:18, zh:98-103: colour, number, any wild; nothing else."""
    t = table("G5 G9 V5 V6 R4 GS RC J JD4 BD2", DULL[0], deck="G7", rules=rules)
    assert t.plays(ALDO) == {"G5", "G9", "GS", "J", "JD4"}
    t.play(ALDO, "G5")
    t.game.to_act = ALDO
    assert t.plays(ALDO) == {"G9", "V5", "GS", "J", "JD4"}


@pytest.mark.parametrize("rules", PRESETS)
def test_a_skip_follows_its_colour_or_another_skip(table: NewTable, rules: str) -> None:
    """zh:33: its colour or a Skip of another one; zh:35 says the same of a Reverse."""
    t = table("GS RS RC V1", "GC BC B1", DULL[2], deck="G7", rules=rules)
    t.play(ALDO, "GS")
    assert t.seen(turn=CARLA, top="GS")
    t.game.to_act = ALDO
    assert t.plays(ALDO) == {"RS"}
    t.game.to_act = BEA
    assert t.plays(BEA) == {"GC"}
    t.play(BEA, "GC")
    t.game.to_act = ALDO
    assert t.plays(ALDO) == {"RC"}


def test_not_your_turn_and_does_not_fit_are_different(table: NewTable) -> None:
    t = table("B7 R1", "R7 R2")
    assert t.refused(t.play, BEA, "R7") is Reason.NOT_YOUR_TURN
    assert t.refused(t.play, ALDO, "B7") is Reason.DOES_NOT_FIT
    assert t.refused(t.play, ALDO, "G4") is Reason.NOT_HELD
    assert t.refused(t.game.play, ALDO, t.game.hands[BEA][0]) is Reason.NOT_HELD


def test_a_play_moves_one_card_and_nobody_else(table: NewTable) -> None:
    t = table("R5 V3", "R7 G5")
    card = t.game.hands[ALDO][0]
    events = t.game.play(ALDO, card)
    assert events == [CardPlayed(ALDO, (card,), Color.RED, 1, How.TURN), TurnStarted(BEA)]
    assert (t.hand(ALDO), t.hand(BEA)) == (["V3"], ["R7", "G5"])
    assert t.seen(top="R5", color="R", turn=BEA, cards={"0": 1, "1": 2})


def test_a_coloured_card_does_not_care_for_a_called_colour(table: NewTable) -> None:
    t = table("R5 V3", "R7 G5")
    t.play(ALDO, "R5", "B")
    assert t.seen(color="R")


@pytest.mark.parametrize("rules", PRESETS)
def test_a_skip_costs_the_next_player_the_turn(table: NewTable, rules: str) -> None:
    """it:38, zh:33, zh:73."""
    t = table("RS B1", *DULL[1:], rules=rules)
    events = t.play(ALDO, "RS")
    assert TurnSkipped(BEA) in events
    assert turns(events) == [CARLA]


@pytest.mark.parametrize("rules", PRESETS)
def test_a_reverse_turns_the_order_round(table: NewTable, rules: str) -> None:
    """it:37: after Aldo, Giovanni, Giacomo now Giacomo, Giovanni, Aldo; zh:35, zh:77."""
    t = table("RC B1", "V1 V2 R1", "G1 G2 R2", rules=rules)
    assert turns(t.play(ALDO, "RC")) == [CARLA]
    assert turns(t.play(CARLA, "R2")) == [BEA]
    assert turns(t.play(BEA, "R1")) == [ALDO]
    assert t.seen(direction=-1)


@pytest.mark.parametrize("rules", PRESETS)
def test_between_two_a_reverse_is_a_skip(table: NewTable, rules: str) -> None:
    """it:37: with two players it is the same as a Skip."""
    t = table("RC B1 B2", DULL[1], rules=rules)
    events = t.play(ALDO, "RC")
    assert names(events)[-2:] == ["TurnSkipped", "TurnStarted"]
    assert t.seen(turn=ALDO, direction=-1)


def test_between_two_a_reverse_may_be_inert(table: NewTable) -> None:
    t = table("RC B1 B2", DULL[1], rules="reverse_with_two=inert")
    t.play(ALDO, "RC")
    assert t.seen(turn=BEA, direction=-1)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_wild_calls_a_colour_for_the_next_player(table: NewTable, rules: str) -> None:
    """it:41, zh:43, zh:86: the next follows the colour, or plays a wild again."""
    t = table("J B1", "R1 V1 J", DULL[2], rules=rules)
    t.play(ALDO, "J", "V")
    assert t.seen(color="V", top="J", turn=BEA)
    assert t.plays(BEA) == {"V1", "J"}


def test_a_called_colour_stays_over_draws(table: NewTable) -> None:
    t = table("J B1 B2", DULL[1], DULL[2], deck="R9 B4")
    t.play(ALDO, "J", "R")
    t.game.draw(BEA)
    t.game.pass_turn(BEA)
    assert t.seen(turn=CARLA, color="R")


def test_a_wild_without_a_colour_asks_for_it(table: NewTable) -> None:
    t = table("J B1 B2", DULL[1], DULL[2])
    clock = t.game.clock_id
    assert names(t.play(ALDO, "J")) == ["CardPlayed"]
    assert t.game.clock_id == clock + 1
    assert t.seen(phase="color", turn=ALDO, color=None)
    assert t.refused(t.play, ALDO, "B1") is Reason.COLOR_DUE
    for move in (t.game.draw, t.game.pass_turn, t.game.accept):
        assert t.refused(move, ALDO) is Reason.COLOR_DUE
    assert t.refused(t.game.choose_color, BEA, Color.RED) is Reason.NOT_YOUR_TURN
    assert t.game.legal_plays(ALDO) == []
    assert t.game.legal_pairs(ALDO) == []
    t.game.choose_color(ALDO, Color.YELLOW)
    assert t.seen(phase="playing", turn=BEA, color="G")
    assert t.refused(t.game.choose_color, BEA, Color.RED) is Reason.NO_COLOR_DUE


def test_sterning_plays_two_identical_cards_at_once(table: NewTable) -> None:
    """zh:20: two cards of one colour and number, or the same action; the next plays as ever."""
    t = table("R5 R5 R6 V5 B1", DULL[1], rules="sterning")
    assert t.plays(ALDO) == {"R5", "R6", "R5 R5"}
    t.play(ALDO, "R5 R5")
    assert t.seen(turn=BEA, top="R5", cards={"0": 3, "1": 3})


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_elsewhere_there_are_no_pairs(table: NewTable, rules: str) -> None:
    t = table("R5 R5 B1", DULL[1], rules=rules)
    assert t.refused(t.play, ALDO, "R5 R5") is Reason.NO_PAIRS
    both = tuple(t.game.hands[ALDO][:2])
    assert t.refused(t.game.play, ALDO, both) is Reason.NO_PAIRS
    assert t.game.legal_pairs(ALDO) == []


def test_a_pair_is_two_identical_cards_in_hand(table: NewTable) -> None:
    t = table("R5 V5 R6 B1 J", DULL[1], rules="sterning")
    one = t.game.hands[ALDO][0]
    assert t.refused(t.play, ALDO, "R5 R5") is Reason.NOT_HELD
    assert t.refused(t.game.play, ALDO, (one, one)) is Reason.NOT_HELD
    assert t.refused(t.play, ALDO, "R5 V5") is Reason.NOT_IDENTICAL
    assert t.refused(t.play, ALDO, "R5 R6") is Reason.NOT_IDENTICAL
    assert t.refused(t.game.play, ALDO, (one, one, one)) is Reason.NOT_IDENTICAL


def test_the_penalties_of_a_pair_add(table: NewTable) -> None:
    t = table("RD2 RD2 B1", DULL[1], rules="sterning")
    t.play(ALDO, "RD2 RD2")
    assert t.seen(pending=4)


@pytest.mark.parametrize(("pair", "turn"), [("RS RS", CARLA), ("RC RC", DINO)])
def test_a_pair_of_skips_or_reverses_acts_once(table: NewTable, pair: str, turn: int) -> None:
    t = table(f"{pair} B1", *DULL[1:], rules="sterning")
    t.play(ALDO, pair)
    assert t.seen(turn=turn)


def test_a_pair_of_wilds_calls_one_colour(table: NewTable) -> None:
    t = table("J J JD4 JD4 B1", DULL[1], rules="sterning")
    t.play(ALDO, "J J", "V")
    assert t.seen(color="V", pending=0)
    t.game.to_act = ALDO
    t.play(ALDO, "JD4 JD4", "R")
    assert t.seen(color="R", pending=8)


def test_a_pair_goes_out_without_a_call(table: NewTable) -> None:
    t = table("R5 R5", DULL[1], rules="sterning")
    t.play(ALDO, "R5 R5")
    assert t.seen(phase="over", winner=ALDO, uno_open=None)


def test_a_pair_of_actions_cannot_be_the_last(table: NewTable) -> None:
    t = table("RS RS", DULL[1], rules="sterning")
    assert t.plays(ALDO) == {"RS"}
    assert t.refused(t.play, ALDO, "RS RS") is Reason.LAST_CARD_IS_NO_NUMBER


def test_only_the_drawn_card_is_snapped_in_no_pair(table: NewTable) -> None:
    """zh:22: nothing but the card drawn in this turn."""
    t = table("R4 V1", DULL[1], deck="R9 R4", rules="sterning")
    t.game.draw(ALDO)
    assert t.refused(t.play, ALDO, "R4 R4") is Reason.NOT_YOUR_TURN


def test_an_identical_card_is_jumped_in(table: NewTable) -> None:
    t = table("R5 B1", "R1 V1", "R5 G1 J", DULL[3], deck="R9", rules="jump_in")
    t.play(ALDO, "R5")
    assert t.plays(CARLA) == {"R5"}
    events = t.play(CARLA, "R5")
    assert isinstance(events[0], CardPlayed)
    assert events[0].how is How.JUMP_IN
    assert t.seen(turn=DINO)


def test_what_cannot_be_jumped_in_with(table: NewTable) -> None:
    t = table("J JD4 RD2 B1", "J B5", "J RD2 V5", deck="R9", rules="jump_in")
    t.play(ALDO, "J", "R")
    assert t.refused(t.play, CARLA, "J") is Reason.NOT_YOUR_TURN
    t.game.to_act = ALDO
    t.play(ALDO, "RD2")
    assert t.refused(t.play, CARLA, "RD2") is Reason.NOT_YOUR_TURN
    assert t.refused(t.game.play, CARLA, t.game.top_card) is Reason.NOT_YOUR_TURN


def test_a_jump_needs_the_card_in_hand(table: NewTable) -> None:
    t = table("R5 B1", DULL[1], DULL[2], rules="jump_in")
    t.play(ALDO, "R5")
    assert t.refused(t.game.play, CARLA, t.game.top_card) is Reason.NOT_HELD


def test_a_seven_swaps_hands(table: NewTable) -> None:
    t = table("R7 B1 B2", DULL[1], "G1 G2 G3 G4", rules="seven_zero")
    events = t.play(ALDO, "R7", swap_with=CARLA)
    assert HandsSwapped(ALDO, CARLA) in events
    assert [event.to for event in events if isinstance(event, HandDealt)] == [ALDO, CARLA]
    assert (t.hand(ALDO), t.hand(CARLA)) == (["G1", "G2", "G3", "G4"], ["B1", "B2"])


def test_a_seven_takes_the_smallest_hand_by_default(table: NewTable) -> None:
    t = table("R7 B1 B2 B3", "V1 V2 V3", "G1 G2", "R1 R2", rules="seven_zero")
    assert HandsSwapped(ALDO, CARLA) in t.play(ALDO, "R7")


@pytest.mark.parametrize("other", [ALDO, 17])
def test_a_seven_swaps_with_another_player_only(table: NewTable, other: int) -> None:
    t = table("R7 B1 B2", DULL[1], rules="seven_zero")
    assert t.refused(t.play, ALDO, "R7", swap_with=other) is Reason.BAD_SWAP


def test_a_zero_hands_all_hands_on(table: NewTable) -> None:
    t = table("RC B1 B2", "V1 V2 V3", "R0 G1", rules="seven_zero", starter=ALDO)
    t.play(ALDO, "RC")
    assert HandsPassed(-1) in t.play(CARLA, "R0")
    assert [t.hand(seat) for seat in (ALDO, BEA, CARLA)] == [
        ["V1", "V2", "V3"],
        ["G1"],
        ["B1", "B2"],
    ]


@pytest.mark.parametrize("last", ["R7", "R0"])
def test_a_last_seven_or_zero_wins(table: NewTable, last: str) -> None:
    t = table(last, DULL[1], rules="seven_zero")
    t.play(ALDO, last)
    assert t.seen(winner=ALDO)


def test_without_the_rule_a_seven_is_a_number(table: NewTable) -> None:
    t = table("R7 B1 B2", DULL[1])
    t.play(ALDO, "R7")
    assert t.hand(ALDO) == ["B1", "B2"]


@pytest.mark.parametrize("rules", PRESETS)
def test_a_misplay_costs_nothing_by_default(table: NewTable, rules: str) -> None:
    t = table("B7 R1", DULL[1], rules=rules)
    assert t.refused(t.play, ALDO, "B7") is Reason.DOES_NOT_FIT


def test_sterning_may_fine_a_misplay(table: NewTable) -> None:
    """zh:30: two cards; the player is still to act."""
    t = table("B7 R1", DULL[1], rules="sterning,misplay_penalty=2")
    cards = tuple(t.game.hands[ALDO][:1])
    assert t.play(ALDO, "B7")[:2] == [Misplayed(ALDO, cards), CardsDrawn(ALDO, 2, Why.MISPLAY)]
    assert t.seen(turn=ALDO, cards={"0": 4, "1": 3})
    assert t.refused(t.play, ALDO, "V9") is Reason.NOT_HELD
    assert t.refused(t.play, BEA, "V1") is Reason.NOT_YOUR_TURN
    t.empty_piles()
    assert t.refused(t.play, ALDO, "B7") is Reason.DOES_NOT_FIT


def test_sterning_may_fine_a_hint(table: NewTable) -> None:
    """zh:29: two cards for advising another player."""
    t = table(*DULL, rules="sterning,hint_penalty=2")
    assert names(t.game.fine_hint(CARLA)) == ["HintFined", "CardsDrawn"]
    assert t.cards(CARLA) == 5
    t.empty_piles()
    assert t.refused(t.game.fine_hint, CARLA) is Reason.NOTHING_TO_DRAW


@pytest.mark.parametrize("rules", PRESETS)
def test_a_hint_costs_nothing_by_default(table: NewTable, rules: str) -> None:
    t = table(*DULL, rules=rules)
    assert t.refused(t.game.fine_hint, CARLA) is Reason.RULE_OFF
    assert t.refused(t.game.fine_hint, 9) is Reason.NOT_SEATED


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
@pytest.mark.parametrize("last", ["R1", "RS", "RC", "RD2", "J", "JD4"])
def test_any_card_may_be_the_last(table: NewTable, rules: str, last: str) -> None:
    """it:4, zh:106, zh:110."""
    t = table(last, DULL[1], rules=f"{rules},target=0")
    t.play(ALDO, last)
    assert t.seen(phase="over", winner=ALDO, turn=None)


@pytest.mark.parametrize("last", ["RS", "RC", "RD2", "J", "JD4"])
def test_sterning_goes_out_on_a_number_only(table: NewTable, last: str) -> None:
    """zh:24: with an action as the last card one must draw, even if it fits."""
    t = table(last, DULL[1], rules="sterning")
    assert t.plays(ALDO) == set()
    assert t.refused(t.play, ALDO, last) is Reason.LAST_CARD_IS_NO_NUMBER
    t.game.draw(ALDO)
    assert t.seen(turn=BEA)


def test_sterning_goes_out_on_a_number(table: NewTable) -> None:
    """zh:24."""
    t = table("R1", DULL[1], rules="sterning")
    t.play(ALDO, "R1")
    assert t.seen(winner=ALDO)


def test_nobody_acts_in_a_game_that_is_over(table: NewTable) -> None:
    t = table("R1", DULL[1])
    t.play(ALDO, "R1")
    for move in (t.game.draw, t.game.leave, t.game.join, t.game.call_uno, t.game.observe):
        assert t.refused(move, BEA) is Reason.GAME_OVER
    assert t.game.expire(t.game.clock_id) == []
    assert t.game.legal_moves(BEA) == []
    assert t.refused(t.game.play, BEA, 0) is Reason.GAME_OVER


def test_strangers_do_not_act(table: NewTable) -> None:
    t = table(*DULL)
    for move in (t.game.draw, t.game.leave, t.game.call_uno, t.game.observe):
        assert t.refused(move, 9) is Reason.NOT_SEATED
    assert t.game.legal_moves(9) == []
