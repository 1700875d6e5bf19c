"""Draw Two, Wild Draw Four and the challenge, preset by preset."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gamebot_uno.engine.cards import Color
from gamebot_uno.engine.events import CardsDrawn, Challenged, HandRevealed, Why
from gamebot_uno.engine.game import Reason
from uno_table import ALDO, BEA, CARLA, DINO, DULL, Table, names

NewTable = Callable[..., Table]


# --- Draw Two


@pytest.mark.parametrize("rules", ["cuciolo", "sterning", "zh2"])
def test_a_draw_two_is_taken_and_costs_the_turn(table: NewTable, rules: str) -> None:
    """it:36, zh:36, zh:81, zh:109: two cards, no turn, and then the sum is gone."""
    t = table("RD2 B1", *DULL[1:], rules=rules)
    t.play(ALDO, "RD2")
    assert t.seen(turn=BEA, pending=2, phase="playing")
    events = t.game.draw(BEA)
    assert CardsDrawn(BEA, 2, Why.PENALTY) in events
    assert t.seen(turn=CARLA, pending=0, cards={"0": 1, "1": 5, "2": 3, "3": 3})


def test_ok_takes_it_too_and_pass_does_not(table: NewTable) -> None:
    t = table("RD2 B1", *DULL[1:])
    assert t.refused(t.game.accept, ALDO) is Reason.NOTHING_PENDING
    t.play(ALDO, "RD2")
    assert t.refused(t.game.pass_turn, BEA) is Reason.ANSWER_OR_TAKE
    t.game.accept(BEA)
    assert t.seen(turn=CARLA, pending=0)


def test_mattel_takes_what_cannot_be_answered_at_once(table: NewTable) -> None:
    t = table("RD2 B1", "VD2 V2 V3", *DULL[2:], rules="mattel")
    assert names(t.play(ALDO, "RD2")) == ["CardPlayed", "CardsDrawn", "TurnStarted"]
    assert t.seen(turn=CARLA, pending=0, cards={"0": 1, "1": 5, "2": 3, "3": 3})


@pytest.mark.parametrize("rules", ["cuciolo", "sterning", "zh2"])
def test_a_draw_two_of_any_colour_sends_the_sum_on(table: NewTable, rules: str) -> None:
    """it:36, zh:37, zh:81: two Draw Twos are four cards for the third."""
    t = table("RD2 B1 B2", "VD2 B3 B4", "GD2 B5 B6", DULL[3], rules=rules)
    t.play(ALDO, "RD2")
    t.play(BEA, "VD2")
    assert t.seen(turn=CARLA, pending=4)
    t.play(CARLA, "GD2")
    t.game.draw(DINO)
    assert t.cards(DINO) == 9
    assert t.seen(turn=ALDO, color="G")


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        ("cuciolo", {"VD2"}),
        ("sterning", {"VD2", "RS", "RC", "JD4"}),
        ("zh2", {"VD2", "JD4"}),
        ("wild_on_pending", {"VD2", "J"}),
        ("mattel,reverse_on_d2", {"RC"}),
        ("mattel,skip_on_d2=next", {"RS"}),
        ("mattel,wd4_on_d2", {"JD4"}),
    ],
)
def test_what_answers_a_draw_two(table: NewTable, rules: str, answers: set[str]) -> None:
    """it:36, it:41; zh:37-40, zh:43; zh:81: nothing else, not even its colour or a wild."""
    t = table("RD2 B1 B2", "VD2 R1 RS VS RC VC J JD4", *DULL[2:], rules=rules)
    t.play(ALDO, "RD2")
    assert t.plays(BEA) == answers
    assert t.refused(t.play, BEA, "R1") is Reason.ANSWER_OR_TAKE


@pytest.mark.parametrize("rules", ["sterning", "zh2"])
def test_two_draw_twos_and_a_wild_draw_four_are_eight(table: NewTable, rules: str) -> None:
    """zh:40, zh:81."""
    t = table("RD2 B1", "VD2 B2", "JD4 B3", DULL[3], rules=rules)
    t.play(ALDO, "RD2")
    t.play(BEA, "VD2")
    t.play(CARLA, "JD4", "G")
    assert t.seen(turn=DINO, pending=8, phase="playing", color="G")
    t.game.draw(DINO)
    assert t.cards(DINO) == 11


def test_sterning_sends_it_to_the_next_but_one(table: NewTable) -> None:
    """zh:38: a Skip of its colour, two seats on from the responder."""
    t = table("RD2 B7", "RS VS V9", "R1 R2", "G3 G4", deck="R9 B3 B4", rules="sterning")
    t.play(ALDO, "RD2")
    assert t.refused(t.play, BEA, "VS") is Reason.ANSWER_OR_TAKE
    t.play(BEA, "RS")
    assert t.seen(turn=DINO, pending=2)
    t.game.draw(DINO)
    assert t.seen(turn=ALDO, pending=0, color="R", cards={"0": 1, "1": 2, "2": 2, "3": 4})


def test_a_skip_may_send_it_to_the_next(table: NewTable) -> None:
    t = table("RD2 B7", "RS V9", "R1 R2", rules="sterning,skip_on_d2=next")
    t.play(ALDO, "RD2")
    assert "TurnSkipped" not in names(t.play(BEA, "RS"))
    assert t.seen(turn=CARLA, pending=2)


def test_sterning_sends_it_back_with_a_reverse(table: NewTable) -> None:
    """zh:39: a Reverse of its colour gives it to the player before."""
    t = table("RD2 B7 RC", "RC VC V9", "R1 R2", rules="sterning")
    t.play(ALDO, "RD2")
    assert t.refused(t.play, BEA, "VC") is Reason.ANSWER_OR_TAKE
    t.play(BEA, "RC")
    assert t.seen(turn=ALDO, pending=2, direction=-1)
    t.play(ALDO, "RC")
    assert t.seen(turn=BEA, pending=2, direction=1)


def test_sterning_on_a_deflecting_card_only_its_colour(table: NewTable) -> None:
    """zh:36-41: a Draw Two follows a Draw Two of any colour, a Skip only in the same one."""
    t = table("RD2 B7", "RS V9", DULL[2], "VD2 RD2 RC VC JD4", rules="sterning")
    t.play(ALDO, "RD2")
    t.play(BEA, "RS")
    assert t.plays(DINO) == {"RD2", "RC", "JD4"}


def test_sterning_between_two(table: NewTable) -> None:
    """zh:38-39: a Skip would hit its player and is refused, a Reverse hits the other."""
    t = table("RD2 B7", "RS RC V9", rules="sterning")
    t.play(ALDO, "RD2")
    assert t.refused(t.play, BEA, "RS") is Reason.ANSWER_OR_TAKE
    t.play(BEA, "RC")
    assert t.seen(turn=ALDO, pending=2)


def test_a_wild_may_send_a_sum_on(table: NewTable) -> None:
    t = table("RD2 B7", "J V9", "VD2 RD2", rules="wild_on_pending")
    t.play(ALDO, "RD2")
    t.play(BEA, "J")
    t.game.choose_color(BEA, Color.GREEN)
    assert t.seen(turn=CARLA, pending=2)
    assert t.plays(CARLA) == {"VD2"}


# --- after it was taken

AFTER = "R1 V1 RS VS VD2 J JD4"


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("cuciolo", {"R1", "RS", "VD2", "J", "JD4"}),
        ("mattel", {"R1", "RS", "VD2", "J", "JD4"}),
        ("sterning", {"R1", "RS", "JD4"}),
        ("zh2", {"R1", "RS", "J", "JD4"}),
        ("after_taken_draw_two=color", {"R1", "RS", "JD4"}),
        ("wild_on_taken_draw=off", {"R1", "RS", "VD2", "JD4"}),
    ],
)
def test_what_follows_a_taken_draw_two(table: NewTable, rules: str, allowed: set[str]) -> None:
    """it:5; zh:41, zh:43: its colour, no Wild; zh:81: its colour or a wild."""
    t = table("RD2 B7", DULL[1], AFTER, rules=rules)
    t.play(ALDO, "RD2")
    if t.game.pending_draw:
        t.game.draw(BEA)
    assert t.plays(CARLA) == allowed


def test_sterning_asks_for_the_colour_until_somebody_plays(table: NewTable) -> None:
    """zh:41."""
    t = table("RD2 VD2 B7", DULL[1], "B4 B5", deck="R9 V7 V8 B0", rules="sterning")
    t.play(ALDO, "RD2")
    t.game.draw(BEA)
    t.game.draw(CARLA)
    assert t.refused(t.play, ALDO, "VD2") is Reason.DOES_NOT_FIT


def test_sterning_after_a_deflected_draw_two(table: NewTable) -> None:
    """zh:41: its colour also where a Skip or Reverse lies on it."""
    t = table("RD2 B7 VS J", "RS V9", DULL[2], DULL[3], rules="sterning")
    t.play(ALDO, "RD2")
    t.play(BEA, "RS")
    t.game.draw(DINO)
    assert t.plays(ALDO) == set()


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("cuciolo", {"G1", "J", "JD4"}),
        ("mattel", {"G1", "J", "JD4"}),
        ("zh2", {"G1", "J", "JD4"}),
        ("sterning", {"G1", "JD4"}),
        ("after_taken_draw_two=color", {"G1", "J", "JD4"}),
    ],
)
def test_what_follows_a_taken_wild_draw_four(
    table: NewTable, rules: str, allowed: set[str]
) -> None:
    """it:41-42; zh:43: no Wild; zh:45: the called colour, for the next but one."""
    t = table("JD4 B7", DULL[1], "G1 R1 V1 J JD4", rules=rules)
    t.play(ALDO, "JD4", "G")
    t.game.accept(BEA)
    assert t.seen(turn=CARLA, color="G", pending=0)
    assert t.plays(CARLA) == allowed


# --- Wild Draw Four


@pytest.mark.parametrize(
    ("rules", "phase"),
    [
        ("cuciolo", "challenge"),
        ("sterning", "playing"),
        ("zh2", "challenge"),
        ("mattel", "challenge"),
    ],
)
def test_accepting_a_wild_draw_four_loses_the_turn(table: NewTable, rules: str, phase: str) -> None:
    """it:43, zh:45, zh:91: exactly four cards; the called colour stays."""
    t = table("JD4 B7", *DULL[1:], rules=rules)
    t.play(ALDO, "JD4", "B")
    assert t.seen(turn=BEA, phase=phase, pending=4)
    assert t.refused(t.game.pass_turn, BEA) in (
        Reason.ACCEPT_OR_CHALLENGE,
        Reason.ANSWER_OR_TAKE,
    )
    t.game.draw(BEA)
    assert t.seen(turn=CARLA, phase="playing", pending=0, color="B")
    assert t.cards(BEA) == 7


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        ("cuciolo", set()),
        ("mattel", set()),
        ("sterning", {"JD4"}),
        ("zh2", {"JD4"}),
        ("d2_on_wd4", {"BD2", "VD2"}),
        ("wild_on_pending", {"J"}),
    ],
)
def test_what_answers_a_wild_draw_four(table: NewTable, rules: str, answers: set[str]) -> None:
    """it:43: nothing but ok and challenge; zh:45, zh:91: another one."""
    t = table("JD4 B7", "BD2 VD2 BS BC B1 J JD4", *DULL[2:], rules=rules)
    t.play(ALDO, "JD4", "B")
    assert t.plays(BEA) == answers
    assert t.refused(t.play, BEA, "B1") in (Reason.ACCEPT_OR_CHALLENGE, Reason.ANSWER_OR_TAKE)


def test_a_draw_two_on_a_wild_draw_four_cannot_be_challenged(table: NewTable) -> None:
    t = table("JD4 R7 B2", "BD2 B7", "RD2 B5", rules="d2_on_wd4")
    t.play(ALDO, "JD4", "B")
    t.play(BEA, "BD2")
    assert t.seen(turn=CARLA, pending=6, phase="playing")
    assert t.refused(t.game.challenge_play, CARLA) is Reason.NO_CHALLENGE


@pytest.mark.parametrize("rules", ["sterning", "zh2"])
def test_wild_draw_fours_add_up(table: NewTable, rules: str) -> None:
    """zh:45, zh:91: the last one's colour counts."""
    t = table("JD4 B7", "JD4 B8", *DULL[2:], rules=rules)
    t.play(ALDO, "JD4", "B")
    t.play(BEA, "JD4", "V")
    assert t.seen(turn=CARLA, pending=8, phase="playing", color="V")
    t.game.accept(CARLA)
    assert t.cards(CARLA) == 11


def test_a_wild_draw_four_without_a_colour(table: NewTable) -> None:
    t = table("JD4 B7", *DULL[1:])
    t.play(ALDO, "JD4")
    assert t.seen(phase="color", turn=ALDO)
    t.game.choose_color(ALDO, Color.BLUE)
    assert t.seen(phase="challenge", turn=BEA, pending=4)


# --- the challenge

BLUFF, HONEST = "JD4 R7 B8", "JD4 V7 B8"


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_a_bluffer_draws_four_and_the_challenger_plays(table: NewTable, rules: str) -> None:
    """it:44, zh:92: the offender draws the four; the challenger plays on the called colour."""
    t = table(BLUFF, "G1 V1 R1", DULL[2], rules=rules)
    t.play(ALDO, "JD4", "G")
    assert t.refused(t.game.challenge_play, CARLA) is Reason.NOT_YOUR_TURN
    events = t.game.challenge_play(BEA)
    assert events[0] == Challenged(BEA, ALDO, guilty=True)
    assert CardsDrawn(ALDO, 4, Why.BLUFF) in events
    assert t.seen(turn=BEA, phase="playing", pending=0, color="G")
    assert (t.cards(ALDO), t.cards(BEA)) == (6, 3)
    assert t.plays(BEA) == {"G1"}


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_a_challenger_in_the_wrong_draws_six(table: NewTable, rules: str) -> None:
    """it:44, zh:92: the four and two more; the turn is lost."""
    t = table(HONEST, *DULL[1:], rules=rules)
    t.play(ALDO, "JD4", "G")
    events = t.game.challenge_play(BEA)
    assert events[0] == Challenged(BEA, ALDO, guilty=False)
    assert CardsDrawn(BEA, 6, Why.CHALLENGE) in events
    assert t.seen(turn=CARLA, pending=0)
    assert (t.cards(ALDO), t.cards(BEA)) == (2, 9)


@pytest.mark.parametrize(
    ("hand", "guilty"),
    [("JD4 RS B8", True), ("JD4 RD2 B8", True), ("JD4 J B8", False), ("JD4 JD4 B8", False)],
)
def test_what_counts_as_a_card_of_the_colour(table: NewTable, hand: str, guilty: bool) -> None:
    """it:42: Skip, Reverse and Draw Two have a colour, wilds have none."""
    t = table(hand, *DULL[1:])
    t.play(ALDO, "JD4", "G")
    assert t.game.challenge_play(BEA)[0] == Challenged(BEA, ALDO, guilty)


def test_the_colour_before_counts_not_the_called_one(table: NewTable) -> None:
    t = table("JD4 RS", "V1 V2", deck="G4")
    t.play(ALDO, "JD4", "R")
    assert t.game.challenge_play(BEA)[0] == Challenged(BEA, ALDO, guilty=False)


@pytest.mark.parametrize("rules", ["sterning,challenge=on", "zh2", "mattel"])
def test_the_challenger_alone_sees_the_hand(table: NewTable, rules: str) -> None:
    """zh:47, zh:92."""
    t = table(BLUFF, *DULL[1:], rules=rules)
    rest = tuple(t.game.hands[ALDO][1:])
    t.play(ALDO, "JD4", "G")
    assert HandRevealed(BEA, ALDO, rest) in t.game.challenge_play(BEA)


def test_cuciolo_shows_no_hand(table: NewTable) -> None:
    """it:44: the hand is checked, not shown."""
    t = table(BLUFF, *DULL[1:])
    t.play(ALDO, "JD4", "G")
    assert not any(isinstance(e, HandRevealed) for e in t.game.challenge_play(BEA))


def test_sterning_has_no_challenge_unless_switched_on(table: NewTable) -> None:
    """zh:45, zh:47: an option."""
    t = table(BLUFF, *DULL[1:], rules="sterning")
    t.play(ALDO, "JD4", "G")
    assert t.refused(t.game.challenge_play, BEA) is Reason.NO_CHALLENGE


@pytest.mark.parametrize(
    ("hand", "guilty"), [("JD4 V9 B8", True), ("JD4 J V8", True), ("JD4 V8 B8", False)]
)
def test_sterning_asks_for_no_other_playable_card(table: NewTable, hand: str, guilty: bool) -> None:
    """zh:47: guilty is who could have played anything else, a Wild too."""
    t = table(hand, *DULL[1:], rules="sterning,challenge=on")
    t.play(ALDO, "JD4", "G")
    assert t.game.challenge_play(BEA)[0] == Challenged(BEA, ALDO, guilty)


def test_sterning_challenges_the_first_of_a_chain_for_the_whole_sum(table: NewTable) -> None:
    """zh:47: the first one's hand is examined, and that player draws everything."""
    t = table("JD4 R7 B8", "JD4 V7", *DULL[2:], rules="sterning,challenge=on")
    t.play(ALDO, "JD4", "G")
    t.play(BEA, "JD4", "B")
    assert t.seen(phase="challenge", turn=CARLA, pending=8)
    events = t.game.challenge_play(CARLA)
    assert events[0] == Challenged(CARLA, ALDO, guilty=True)
    assert CardsDrawn(ALDO, 8, Why.BLUFF) in events
    assert t.seen(turn=CARLA, pending=0)


def test_sterning_adds_two_to_the_whole_sum(table: NewTable) -> None:
    """zh:47: a challenger in the wrong draws the sum and two more."""
    t = table("RD2 B7", "JD4 V7", *DULL[2:], rules="sterning,challenge=on")
    t.play(ALDO, "RD2")
    t.play(BEA, "JD4", "B")
    assert CardsDrawn(CARLA, 8, Why.CHALLENGE) in t.game.challenge_play(CARLA)


def test_a_chain_that_was_taken_is_over(table: NewTable) -> None:
    """zh:47: the first one of this chain, not of the one before."""
    t = table("JD4 V7", DULL[1], "JD4 B7 V8", DULL[3], rules="sterning,challenge=on")
    t.play(ALDO, "JD4", "B")
    t.game.accept(BEA)
    assert t.game.observe(CARLA).offender is None
    t.play(CARLA, "JD4", "G")
    assert t.game.challenge_play(DINO)[0] == Challenged(DINO, CARLA, guilty=True)


def test_nobody_doubts_the_own_card_when_a_chain_comes_round(table: NewTable) -> None:
    """zh:47: who would draw challenges the first one of the chain, and here is that one."""
    t = table("JD4 JD4 R7 B8", "JD4 V7", rules="sterning,challenge=on")
    t.play(ALDO, "JD4", "G")
    t.play(BEA, "JD4", "B")
    assert t.seen(phase="playing", turn=ALDO, pending=8)
    assert t.refused(t.game.challenge_play, ALDO) is Reason.NO_CHALLENGE
    assert t.game.observe(ALDO).offender is None
    t.play(ALDO, "JD4", "R")
    assert t.seen(phase="challenge", turn=BEA, pending=12)
    events = t.game.challenge_play(BEA)
    assert events[0] == Challenged(BEA, ALDO, guilty=True)
    assert CardsDrawn(ALDO, 12, Why.BLUFF) in events


def test_the_last_of_a_chain_is_challenged_elsewhere(table: NewTable) -> None:
    t = table("JD4 V7 B8", "JD4 G7 B9", *DULL[2:], rules="wd4_on_wd4")
    t.play(ALDO, "JD4", "G")
    t.play(BEA, "JD4", "B")
    events = t.game.challenge_play(CARLA)
    assert events[0] == Challenged(CARLA, BEA, guilty=True)
    assert CardsDrawn(BEA, 4, Why.BLUFF) in events
    assert t.seen(turn=CARLA, pending=0)


def test_zh2_cannot_challenge_an_answer(table: NewTable) -> None:
    """zh:92: on a Draw Two or Wild Draw Four it is always legal."""
    t = table("JD4 V7", "JD4 B9 B8", "JD4 R1", DULL[3], rules="zh2")
    t.play(ALDO, "JD4", "B")
    assert t.seen(phase="challenge")
    t.play(BEA, "JD4", "B")
    assert t.seen(phase="playing", pending=8)
    assert t.refused(t.game.challenge_play, CARLA) is Reason.NO_CHALLENGE
    t.play(CARLA, "JD4", "B")
    assert t.seen(phase="playing", pending=12)


def test_a_bluff_may_be_refused_instead(table: NewTable) -> None:
    rules = "challenge=off,wd4_bluff=off"
    t = table(BLUFF, HONEST, deck="R9", rules=rules)
    assert t.plays(ALDO) == {"R7"}
    assert t.refused(t.play, ALDO, "JD4") is Reason.WILD_DRAW_FOUR_NOT_ALLOWED
    t.play(ALDO, "R7")
    t.play(BEA, "JD4", "V")
    assert t.seen(phase="playing", pending=4)


@pytest.mark.parametrize(
    ("rules", "honest"),
    [
        ("cuciolo", False),
        ("challenge=off", True),
        ("challenge=off,wd4_legal_if=free", True),
        ("sterning", True),
    ],
)
def test_a_player_knows_whether_it_would_bluff(table: NewTable, rules: str, honest: bool) -> None:
    t = table(BLUFF, DULL[1], rules=rules)
    assert t.game.observe(ALDO).wd4_honest is honest


def test_a_wild_draw_four_that_is_always_legal(table: NewTable) -> None:
    t = table(BLUFF, DULL[1], rules="challenge=off,wd4_legal_if=free,wd4_bluff=off")
    t.play(ALDO, "JD4", "B")
    assert t.seen(pending=4)


# --- going out on a penalty


@pytest.mark.parametrize("rules", ["cuciolo", "zh2", "mattel"])
def test_a_last_draw_two_is_still_drawn_and_counts(table: NewTable, rules: str) -> None:
    """zh:110: the game is over, the next one draws all the same."""
    t = table("RD2", "R9", "V8", deck="R9 B5 B6", rules=f"{rules},target=0")
    t.play(ALDO, "RD2")
    assert t.seen(phase="over", pending=0, points={"0": 9 + 5 + 6 + 8, "1": 0, "2": 0})


def test_a_last_wild_draw_four_is_not_challenged(table: NewTable) -> None:
    t = table("JD4", "R9", deck="R9 B5 B6 B7 B8")
    t.play(ALDO, "JD4")
    assert t.seen(phase="over", points={"0": 9 + 5 + 6 + 7 + 8, "1": 0})
    assert t.game.challenge is None


def test_a_channel_may_let_it_be(table: NewTable) -> None:
    t = table("RD2", "R9", rules="last_card_draw_applies=off")
    t.play(ALDO, "RD2")
    assert t.seen(phase="over", points={"0": 9, "1": 0})


def test_a_last_deflection_hits_whom_it_would(table: NewTable) -> None:
    t = table("RD2 B1", "RS", "V8", "G5", deck="R9 B5 B6", rules="sterning,last_card=any")
    t.play(ALDO, "RD2")
    t.play(BEA, "RS")
    assert t.seen(winner=BEA, cards={"0": 1, "1": 0, "2": 1, "3": 3})
