"""What may be drawn, kept and passed, preset by preset."""

from __future__ import annotations

import pytest
from gamebot_uno.engine.cards import CODE_FACES
from gamebot_uno.engine.events import (
    CardPlayed,
    CardsDrawn,
    CardsReceived,
    How,
    TurnPassed,
    TurnStarted,
    Why,
)
from gamebot_uno.engine.game import Reason
from uno_table import ALDO, BEA, CARLA, DULL, names
from uno_turns import PRESETS, NewTable


def test_cuciolo_draws_one_and_plays_it_or_passes(table: NewTable) -> None:
    """it:6: draw one; play it if it fits, else pass, in so many words."""
    t = table("B7 R1", DULL[1], deck="R9 R4 B0")
    clock = t.game.clock_id
    assert names(t.game.draw(ALDO)) == ["CardsDrawn"]
    assert t.game.clock_id == clock + 1
    assert t.plays(ALDO) == {"R4"}
    assert t.refused(t.game.draw, ALDO) is Reason.ALREADY_DREW
    assert t.refused(t.play, ALDO, "R1") is Reason.ONLY_DRAWN_CARD
    t.play(ALDO, "R4")
    assert t.seen(turn=BEA, top="R4")


def test_cuciolo_passes_explicitly_also_what_does_not_fit(table: NewTable) -> None:
    """it:6, it:58."""
    t = table("B7 V1", DULL[1], deck="R9 V4")
    assert t.refused(t.game.pass_turn, ALDO) is Reason.DRAW_FIRST
    t.game.draw(ALDO)
    assert t.seen(turn=ALDO)
    assert t.refused(t.play, ALDO, "V4") is Reason.DOES_NOT_FIT
    assert t.game.pass_turn(ALDO) == [TurnPassed(ALDO), TurnStarted(BEA)]


def test_the_card_drawn_is_private(table: NewTable) -> None:
    t = table("B7 V1", DULL[1], deck="R9 V4")
    public, private = t.game.draw(ALDO)
    assert public == CardsDrawn(ALDO, 1, Why.TURN)
    assert private == CardsReceived(ALDO, tuple(t.game.hands[ALDO][-1:]), Why.TURN)


def test_the_drawn_one_of_equal_cards_is_found(table: NewTable) -> None:
    t = table("R4 V1", DULL[1], deck="R9 R4")
    t.game.draw(ALDO)
    assert t.game.find(ALDO, [CODE_FACES["R4"]]) == (t.game.drawn_card,)
    t.play(ALDO, "R4")
    assert t.hand(ALDO) == ["R4", "V1"]


def test_mattel_may_play_the_drawn_card_and_passes_explicitly(table: NewTable) -> None:
    t = table("R1 V1", DULL[1], deck="R9 R4", rules="mattel")
    t.game.draw(ALDO)
    assert t.plays(ALDO) == {"R4"}
    t.game.pass_turn(ALDO)
    assert t.seen(turn=BEA)


@pytest.mark.parametrize("drawn", ["R4", "V4"])
def test_zh2_keeps_the_drawn_card_and_the_turn_passes(table: NewTable, drawn: str) -> None:
    """zh:104: one card, then the next player, whatever the card is."""
    t = table("B7 V1", DULL[1], deck=f"R9 {drawn}", rules="zh2")
    assert names(t.game.draw(ALDO)) == ["CardsDrawn", "TurnPassed", "TurnStarted"]
    assert t.seen(turn=BEA)
    assert t.refused(t.play, ALDO, drawn) is Reason.NOT_YOUR_TURN


def test_kept_with_an_explicit_pass(table: NewTable) -> None:
    t = table("B7 R1", DULL[1], deck="R9 R4", rules="zh2,pass=explicit")
    t.game.draw(ALDO)
    assert t.plays(ALDO) == set()
    assert t.refused(t.play, ALDO, "R4") is Reason.NO_PLAY_AFTER_DRAW
    t.game.pass_turn(ALDO)
    assert t.seen(turn=BEA)


def test_sterning_snaps_a_drawn_number_in_until_the_next_acts(table: NewTable) -> None:
    """zh:22: the turn has passed, yet a number that fits may be played before the next acts."""
    t = table("B7 V1", "R1 V5 V6", DULL[2], deck="R9 R4", rules="sterning")
    t.game.draw(ALDO)
    assert t.seen(turn=BEA)
    assert t.plays(ALDO) == {"R4"}
    assert t.refused(t.play, ALDO, "B7") is Reason.NOT_YOUR_TURN
    assert t.game.find(ALDO, [CODE_FACES["R4"]]) == (t.game.snap_card,)
    assert t.game.observe(ALDO).drawn_card is None
    events = t.play(ALDO, "R4")
    assert isinstance(events[0], CardPlayed)
    assert events[0].how is How.SNAP
    assert t.seen(turn=BEA, top="R4")
    assert t.plays(ALDO) == set()


def test_sterning_snaps_nothing_once_the_next_has_acted(table: NewTable) -> None:
    """zh:22."""
    t = table("B7 V1", "R1 V5 V6", DULL[2], deck="R9 R4", rules="sterning")
    t.game.draw(ALDO)
    t.play(BEA, "R1")
    assert t.refused(t.play, ALDO, "R4") is Reason.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("drawn", "why"),
    [("RS", Reason.NOT_YOUR_TURN), ("J", Reason.NOT_YOUR_TURN), ("V4", Reason.DOES_NOT_FIT)],
)
def test_sterning_snaps_no_action_and_nothing_that_does_not_fit(
    table: NewTable, drawn: str, why: Reason
) -> None:
    """zh:22: numbers only."""
    t = table("B7 V1", DULL[1], deck=f"R9 {drawn}", rules="sterning")
    t.game.draw(ALDO)
    assert t.plays(ALDO) == set()
    assert t.refused(t.play, ALDO, drawn) is why


def test_who_leaves_can_snap_nothing_in(table: NewTable) -> None:
    t = table("B7 V1", DULL[1], DULL[2], deck="R9 R4", rules="sterning")
    t.game.draw(ALDO)
    t.game.leave(ALDO)
    assert t.game.snap_seat is None


@pytest.mark.parametrize("rules", PRESETS)
def test_who_could_play_may_draw(table: NewTable, rules: str) -> None:
    """zh:22: also with a card that fits."""
    t = table("R1 V1", DULL[1], rules=rules)
    t.game.draw(ALDO)
    assert t.cards(ALDO) == 3


def test_a_channel_may_forbid_it(table: NewTable) -> None:
    t = table("R1 V1", "V2 V3", deck="R9 V5", rules="voluntary_draw=off")
    assert t.refused(t.game.draw, ALDO) is Reason.MUST_PLAY
    t.empty_piles()
    assert t.refused(t.game.pass_turn, ALDO) is Reason.MUST_PLAY
    t.play(ALDO, "R1")
    assert names(t.game.draw(BEA))[-1:] == ["CardsDrawn"]


def test_until_playable_draws_on(table: NewTable) -> None:
    t = table("B7 V1", DULL[1], deck="R9 V4 B0 G3 R4 R5", rules="draw_if_none=until_playable")
    assert t.game.draw(ALDO)[0] == CardsDrawn(ALDO, 4, Why.TURN)
    assert t.plays(ALDO) == {"R4"}


def test_until_playable_ends_with_the_cards(table: NewTable) -> None:
    t = table("B7 V1", DULL[1], rules="draw_if_none=until_playable")
    game = t.game
    keep = [card for card in game.draw_pile if card in {0, 1, 25}]
    game.set_aside[CARLA] = [card for card in game.draw_pile if card not in keep]
    game.draw_pile = keep
    assert game.draw(ALDO)[0] == CardsDrawn(ALDO, 3, Why.TURN)
    assert t.plays(ALDO) == set()


def test_forced_is_played_if_it_fits(table: NewTable) -> None:
    t = table("B7 V1", DULL[1], deck="R9 R4 V5", rules="drawn_card=forced")
    t.game.draw(ALDO)
    assert t.refused(t.game.pass_turn, ALDO) is Reason.MUST_PLAY_DRAWN_CARD
    t.play(ALDO, "R4")
    t.game.draw(BEA)
    t.game.pass_turn(BEA)


@pytest.mark.parametrize(("drawn", "turn"), [("R4", ALDO), ("V4", BEA)])
def test_an_automatic_pass_waits_for_a_card_that_can_be_played(
    table: NewTable, drawn: str, turn: int
) -> None:
    t = table("B7 V1", DULL[1], deck=f"R9 {drawn}", rules="pass=automatic")
    t.game.draw(ALDO)
    assert t.seen(turn=turn)
