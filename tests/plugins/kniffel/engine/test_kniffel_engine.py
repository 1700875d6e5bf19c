from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from gamebot_kniffel.engine.events import (
    CategoryEntered,
    DiceRolled,
    GameEnded,
    GameStarted,
    SeatLeft,
    SeatTimedOut,
    TurnStarted,
)
from gamebot_kniffel.engine.game import Game, roll_die
from gamebot_kniffel.engine.reasons import IllegalMove, Reason
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import CATEGORIES, Category, Scorecard
from gamebot_kniffel.engine.seat import Seat

NewGame = Callable[..., Game]
ANNA, BERT, CARL = Seat(0), Seat(1), Seat(2)


def refused(game: Game, move: Callable[[], object]) -> Reason:
    """Return why *move* is refused, having seen that the game is as before."""
    before = deepcopy(game)
    with pytest.raises(IllegalMove) as caught:
        move()
    assert game == before
    assert str(caught.value) == caught.value.reason.value
    return caught.value.reason


def play_turn(game: Game, box: Category) -> None:
    seat = game.to_act
    assert seat is not None
    game.roll(seat)
    game.enter(seat, box)


def play_to_the_end(game: Game) -> None:
    while game.to_act is not None:
        play_turn(game, game.cards[game.to_act].open[0])


# --- the start


def test_the_first_enrolled_begins_with_three_rolls() -> None:
    """de:34: three rolls a turn; players act in the order of enrolment."""
    game, events = Game.start([BERT, ANNA], rng=Random(1))
    assert events == [GameStarted((BERT, ANNA)), TurnStarted(BERT, 1)]
    assert (game.to_act, game.round, game.rolls_left, game.dice) == (BERT, 1, 3, None)
    assert (game.clock_id, game.clock_runs, game.over, game.winners) == (1, True, False, ())


@pytest.mark.parametrize("seats", [[], [ANNA, ANNA]])
def test_a_game_needs_seats_each_once(seats: list[Seat]) -> None:
    with pytest.raises(ValueError, match="at least one seat"):
        Game.start(seats, rng=Random(1))


# --- rolling


def test_the_first_roll_throws_all_five_in_order_of_position(new_game: NewGame) -> None:
    """de:32, de:75: five dice."""
    game = new_game(4, 2, 4, 6, 2)
    assert game.roll(ANNA) == [DiceRolled(ANNA, (4, 2, 4, 6, 2), 1, (1, 2, 3, 4, 5), 2)]


def test_a_re_roll_throws_the_named_dice_only(new_game: NewGame) -> None:
    """de:34, de:77-78: any dice may be thrown again, named by their position."""
    game = new_game(4, 2, 4, 6, 2, 1, 3)
    game.roll(ANNA)
    assert game.roll(ANNA, (4, 1)) == [DiceRolled(ANNA, (1, 2, 4, 3, 2), 2, (1, 4), 1)]


def test_a_re_roll_without_positions_throws_all_five(new_game: NewGame) -> None:
    """de:75: the plain word throws all five, later in the turn as well."""
    game = new_game(1, 1, 1, 1, 1, 2, 3, 4, 5, 6)
    game.roll(ANNA)
    assert game.roll(ANNA) == [DiceRolled(ANNA, (2, 3, 4, 5, 6), 2, (1, 2, 3, 4, 5), 1)]


def test_there_is_no_fourth_roll(new_game: NewGame) -> None:
    """de:34: three rolls at most; the turn stays."""
    game = new_game()
    for _ in range(3):
        game.roll(ANNA)
    assert refused(game, lambda: game.roll(ANNA, (1,))) is Reason.NO_ROLLS_LEFT
    assert refused(game, lambda: game.roll(ANNA, (9,))) is Reason.NO_ROLLS_LEFT
    assert game.to_act == ANNA


@pytest.mark.parametrize(
    ("positions", "reason"),
    [
        ((6,), Reason.BAD_POSITION),
        ((0,), Reason.BAD_POSITION),
        ((-1,), Reason.BAD_POSITION),
        ((10**20,), Reason.BAD_POSITION),
        ((1, 6, 6), Reason.BAD_POSITION),
        ((1, 1), Reason.REPEATED_POSITION),
        ((1, 2, 3, 4, 5, 1), Reason.REPEATED_POSITION),
    ],
)
def test_a_wrong_position_uses_no_roll(
    new_game: NewGame, positions: tuple[int, ...], reason: Reason
) -> None:
    """de:78: positions are those of the five dice."""
    game = new_game(1, 2, 3, 4, 6)
    game.roll(ANNA)
    assert refused(game, lambda: game.roll(ANNA, positions)) is reason
    assert (game.dice, game.rolls_left) == ((1, 2, 3, 4, 6), 2)


@pytest.mark.parametrize("positions", [(1,), (1, 2, 3, 4, 5), (7,)])
def test_positions_need_dice_on_the_table(new_game: NewGame, positions: tuple[int, ...]) -> None:
    """de:76: single dice only after the first roll."""
    game = new_game()
    reason = refused(game, lambda: game.roll(ANNA, positions))
    assert reason is Reason.POSITIONS_BEFORE_FIRST_ROLL


def test_a_die_is_one_draw_below_six() -> None:
    fair, same = Random(3), Random(3)
    assert [roll_die(fair) for _ in range(50)] == [same.randrange(6) + 1 for _ in range(50)]


# --- entering


def test_entering_passes_the_turn(new_game: NewGame) -> None:
    """de:80: the choice is entered and the next player is to act."""
    game = new_game(4, 2, 4, 4, 2)
    game.roll(ANNA)
    assert game.enter(ANNA, Category.FULL_HOUSE) == [
        CategoryEntered(
            seat=ANNA,
            category=Category.FULL_HOUSE,
            dice=(4, 2, 4, 4, 2),
            points=25,
            struck=False,
            bonus=0,
            upper_bonus=0,
            total=25,
        ),
        TurnStarted(BERT, 1),
    ]
    assert game.cards[ANNA].boxes == {Category.FULL_HOUSE: 25}
    assert (game.to_act, game.dice, game.rolls_left) == (BERT, None, 3)


def test_the_box_is_the_players_choice_even_a_bad_one(new_game: NewGame) -> None:
    """de:35, de:80-81: a box that does not fit is struck with 0."""
    game = new_game(1, 3, 4, 5, 6)
    game.roll(ANNA)
    entered = game.enter(ANNA, Category.LARGE_STRAIGHT)[0]
    assert isinstance(entered, CategoryEntered)
    assert (entered.points, entered.struck, entered.total) == (0, True, 0)


def test_a_box_is_filled_once(new_game: NewGame) -> None:
    """de:35: each box once in thirteen rounds, a struck one as well."""
    game = new_game(1, 1, 2, 3, 4, 6, 6, 6, 6, 6, seats=1)
    play_turn(game, Category.YAHTZEE)
    game.roll(ANNA)
    assert refused(game, lambda: game.enter(ANNA, Category.YAHTZEE)) is Reason.CATEGORY_FILLED


def test_nothing_is_entered_before_the_first_roll(new_game: NewGame) -> None:
    """de:35: points come from the rolls; the dice of the turn before are off the table."""
    game = new_game()
    assert refused(game, lambda: game.enter(ANNA, Category.CHANCE)) is Reason.NOT_ROLLED
    assert refused(game, lambda: game.options(ANNA)) is Reason.NOT_ROLLED
    play_turn(game, Category.CHANCE)
    assert refused(game, lambda: game.enter(BERT, Category.CHANCE)) is Reason.NOT_ROLLED


def test_a_further_kniffel_is_told_with_its_bonus(new_game: NewGame) -> None:
    """de:55: 50 in KN, then 100 beside what the second one scores in its own box."""
    game = new_game(*[3] * 10, seats=1)
    play_turn(game, Category.YAHTZEE)
    game.roll(ANNA)
    entered = game.enter(ANNA, Category.SMALL_STRAIGHT)[0]
    assert isinstance(entered, CategoryEntered)
    assert (entered.points, entered.struck, entered.bonus, entered.total) == (0, True, 100, 150)


def test_the_entry_that_reaches_63_tells_the_upper_bonus(new_game: NewGame) -> None:
    """de:49: the 35 are added without being asked for."""
    game = new_game(1, 1, 1, 2, 2, 4, 4, 6, 6, 6, seats=1)
    game.cards[ANNA].boxes.update({Category.FIVES: 25, Category.SIXES: 30, Category.FOURS: 5})
    game.roll(ANNA)
    entered = game.enter(ANNA, Category.ONES)[0]
    assert isinstance(entered, CategoryEntered)
    assert (entered.points, entered.upper_bonus, entered.total) == (3, 35, 98)
    game.roll(ANNA)
    later = game.enter(ANNA, Category.CHANCE)[0]
    assert isinstance(later, CategoryEntered)
    assert later.upper_bonus == 0


def test_options_are_the_open_boxes_with_their_points(new_game: NewGame) -> None:
    """de:79: the list of what can be entered."""
    game = new_game(5, 5, 5, 2, 1, 2, 3, 4, 5, 3, seats=1)
    play_turn(game, Category.FIVES)
    game.roll(ANNA)
    assert game.options(ANNA) == {
        Category.ONES: 0,
        Category.TWOS: 2,
        Category.THREES: 6,
        Category.FOURS: 4,
        Category.SIXES: 0,
        Category.THREE_OF_A_KIND: 0,
        Category.FOUR_OF_A_KIND: 0,
        Category.FULL_HOUSE: 0,
        Category.SMALL_STRAIGHT: 30,
        Category.LARGE_STRAIGHT: 0,
        Category.YAHTZEE: 0,
        Category.CHANCE: 17,
    }


def test_options_know_the_joker(new_game: NewGame) -> None:
    """de:55, with the option on."""
    game = new_game(*[2] * 10, seats=1, rules=Rules(joker=True))
    play_turn(game, Category.YAHTZEE)
    game.roll(ANNA)
    assert game.options(ANNA)[Category.LARGE_STRAIGHT] == 40


# --- whose turn


def test_only_the_seat_to_act_may_move(new_game: NewGame) -> None:
    """de:74: the words of a turn are for the player whose turn it is."""
    game = new_game()
    game.roll(ANNA)
    for move in (
        lambda: game.roll(BERT),
        lambda: game.enter(BERT, Category.CHANCE),
        lambda: game.options(BERT),
    ):
        assert refused(game, move) is Reason.NOT_YOUR_TURN


def test_who_does_not_play_cannot_move(new_game: NewGame) -> None:
    game = new_game()
    for move in (
        lambda: game.roll(CARL),
        lambda: game.enter(CARL, Category.CHANCE),
        lambda: game.options(CARL),
        lambda: game.leave(CARL),
    ):
        assert refused(game, move) is Reason.NOT_SEATED


def test_nobody_moves_after_the_end(new_game: NewGame) -> None:
    game = new_game()
    play_to_the_end(game)
    for move in (
        lambda: game.roll(ANNA),
        lambda: game.enter(ANNA, Category.CHANCE),
        lambda: game.options(ANNA),
        lambda: game.leave(ANNA),
    ):
        assert refused(game, move) is Reason.GAME_OVER


# --- the end


def test_thirteen_rounds_then_the_highest_total_wins(new_game: NewGame) -> None:
    """de:33, de:36: after thirteen rounds the most points win."""
    game = new_game()
    for box in CATEGORIES[:-1]:
        play_turn(game, box)
        play_turn(game, box)
    assert game.round == 13
    play_turn(game, Category.CHANCE)
    game.roll(BERT)
    events = game.enter(BERT, Category.CHANCE)
    totals = {seat: game.cards[seat].total for seat in (ANNA, BERT)}
    best = max(totals, key=lambda seat: totals[seat])
    assert events[1:] == [GameEnded((best,), totals)]
    assert (game.over, game.to_act, game.dice, game.rolls_left) == (True, None, None, 0)
    assert (game.round, game.clock_runs, game.winners) == (13, False, (best,))


def test_a_tie_is_a_shared_win(new_game: NewGame) -> None:
    """de:36 is silent on ties; both win, in turn order."""
    game = new_game(*[1, 2, 2, 5, 6] * 26)
    play_to_the_end(game)
    assert game.winners == (ANNA, BERT)


# --- leaving


def test_leaving_on_ones_own_turn_passes_it_with_a_fresh_clock(new_game: NewGame) -> None:
    """de:63-64: leaving early, points void; the others go on at once."""
    game = new_game(seats=3)
    game.roll(ANNA)
    clock = game.clock_id
    assert game.leave(ANNA) == [SeatLeft(ANNA), TurnStarted(BERT, 1)]
    assert (game.to_act, game.dice, game.rolls_left) == (BERT, None, 3)
    assert game.clock_id == clock + 1
    assert game.seats == [BERT, CARL]
    assert ANNA not in game.cards


@pytest.mark.parametrize("leaver", [ANNA, CARL])
def test_leaving_on_anothers_turn_does_not_touch_it(new_game: NewGame, leaver: Seat) -> None:
    """de:63: the turn, its dice and its clock stay."""
    game = new_game(seats=3)
    play_turn(game, Category.CHANCE)
    game.roll(BERT)
    dice, clock = game.dice, game.clock_id
    assert game.leave(leaver) == [SeatLeft(leaver)]
    assert (game.to_act, game.dice, game.rolls_left, game.clock_id) == (BERT, dice, 2, clock)


def test_the_last_of_a_round_leaves_and_the_next_round_begins(new_game: NewGame) -> None:
    """de:33: a round is over when everybody who still plays has had a turn."""
    game = new_game()
    play_turn(game, Category.CHANCE)
    assert game.leave(BERT) == [SeatLeft(BERT), TurnStarted(ANNA, 2)]


def test_the_first_leaves_late_in_a_round_and_nobody_is_skipped(new_game: NewGame) -> None:
    """de:33: each remaining player has one turn in each round."""
    game = new_game(seats=3)
    play_turn(game, Category.CHANCE)
    play_turn(game, Category.CHANCE)
    game.leave(ANNA)
    game.roll(CARL)
    assert game.enter(CARL, Category.CHANCE)[1:] == [TurnStarted(BERT, 2)]


def test_leaving_in_the_last_turn_ends_the_game_for_the_others(new_game: NewGame) -> None:
    """de:33, de:64: the leaver's points are void, even the highest."""
    game = new_game()
    while (game.to_act, game.round) != (BERT, 13):
        assert game.to_act is not None
        play_turn(game, game.cards[game.to_act].open[0])
    total = game.cards[ANNA].total
    assert game.leave(BERT) == [SeatLeft(BERT), GameEnded((ANNA,), {ANNA: total})]


def test_one_who_is_left_plays_on_alone(new_game: NewGame) -> None:
    """de:63 is silent; the game goes on with one."""
    game = new_game()
    game.leave(ANNA)
    play_turn(game, Category.CHANCE)
    assert (game.to_act, game.round) == (BERT, 2)
    play_to_the_end(game)
    assert game.winners == (BERT,)


def test_when_all_have_left_the_game_is_over_without_a_winner(new_game: NewGame) -> None:
    game = new_game()
    game.leave(BERT)
    assert game.leave(ANNA) == [SeatLeft(ANNA), GameEnded((), {})]
    assert (game.over, game.winners, game.seats, game.cards) == (True, (), [], {})
    view = game.view()
    assert (view["phase"], view["players"], view["winner"]) == ("over", [], [])


# --- the clock


def test_timeout_passes_the_turn_and_a_stale_timer_does_nothing(new_game: NewGame) -> None:
    """de:38: who does not roll in time is removed; the next player's clock is another one."""
    game = new_game()
    stale = game.clock_id
    assert game.expire(stale) == [SeatTimedOut(ANNA), TurnStarted(BERT, 1)]
    before = deepcopy(game)
    assert game.expire(stale) == []
    assert game == before


def test_each_accepted_roll_arms_the_clock_anew(new_game: NewGame) -> None:
    """de:38: who rolls is not removed by the timer of the time before."""
    game = new_game()
    ids = [game.clock_id]
    for _ in range(3):
        game.roll(ANNA)
        ids.append(game.clock_id)
    game.enter(ANNA, Category.CHANCE)
    ids.append(game.clock_id)
    assert ids == [1, 2, 3, 4, 5]
    assert [game.expire(stale) for stale in ids[:-1]] == [[], [], [], []]
    assert game.to_act == BERT


def test_a_refused_roll_does_not_arm_the_clock(new_game: NewGame) -> None:
    """de:38: only a roll counts."""
    game = new_game()
    game.roll(ANNA)
    clock = game.clock_id
    refused(game, lambda: game.roll(ANNA, (1, 1)))
    assert game.expire(clock) == [SeatTimedOut(ANNA), TurnStarted(BERT, 1)]


def test_option_first_roll_only(new_game: NewGame) -> None:
    """de:38 to the letter: one roll in time is all that is asked for in a turn."""
    game = new_game(rules=Rules(first_roll_only=True))
    clock = game.clock_id
    game.roll(ANNA)
    assert (game.clock_id, game.clock_runs) == (clock, False)
    assert game.expire(clock) == []
    game.enter(ANNA, Category.CHANCE)
    assert (game.clock_id, game.clock_runs) == (clock + 1, True)
    assert game.expire(clock + 1) == [SeatTimedOut(BERT), TurnStarted(ANNA, 2)]


def test_the_last_player_timed_out_ends_the_game(new_game: NewGame) -> None:
    """de:38: nobody is left to play."""
    game = new_game(seats=1)
    clock = game.clock_id
    assert game.expire(clock) == [SeatTimedOut(ANNA), GameEnded((), {})]
    assert game.expire(clock) == []


# --- the view


def test_the_view(new_game: NewGame) -> None:
    game = new_game(3, 3, 3, 3, 3, 1, 2, 3, 4, 6)
    assert game.view()["dice"] is None
    play_turn(game, Category.YAHTZEE)
    game.roll(BERT)
    assert game.view() == {
        "phase": "playing",
        "turn": 1,
        "round": 1,
        "dice": [1, 2, 3, 4, 6],
        "rolls_left": 2,
        "players": [0, 1],
        "score": {"0": {"KN": 50}, "1": {}},
        "bonus": {"0": {"upper": 0, "kniffel": 0}, "1": {"upper": 0, "kniffel": 0}},
        "total": {"0": 50, "1": 0},
        "winner": [],
    }


def test_the_view_forgets_who_left_and_counts_bonuses_in_points(new_game: NewGame) -> None:
    """de:64: the points of a leaver are void."""
    game = new_game()
    game.cards[BERT] = Scorecard({Category.FIVES: 25, Category.SIXES: 40}, yahtzee_bonuses=2)
    game.leave(ANNA)
    view = game.view()
    assert view["players"] == [1]
    assert view["score"] == {"1": {"5": 25, "6": 40}}
    assert view["bonus"] == {"1": {"upper": 35, "kniffel": 200}}
    assert view["total"] == {"1": 300}
