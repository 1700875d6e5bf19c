"""How a round begins and ends."""

from __future__ import annotations

from gamebot_uno.engine.cards import RANKS, Rank
from gamebot_uno.engine.choices import ReverseWithTwo
from gamebot_uno.engine.dealing import Fixed, deal
from gamebot_uno.engine.events import (
    DirectionReversed,
    Event,
    GameEnded,
    RoundEnded,
    RoundStarted,
    TurnSkipped,
)
from gamebot_uno.engine.penalty import add, press
from gamebot_uno.engine.scoring import held_against
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, State

_TWO = 2


def begin_round(game: State, starter: Seat, fixed: Fixed, events: list[Event]) -> None:
    """Deal, turn the first card up and let *starter* begin.

    Raises:
        ValueError: The fixed cards are not in the deck, or there are too few cards.
    """
    _clear(game)
    game.starter = starter
    events.append(RoundStarted(game.round, tuple(game.seats), starter))
    if deal(game, fixed, events):
        _first_effect(game, starter, events)
    else:
        game.begin_turn(starter, events)


def _clear(game: State) -> None:
    """Forget everything that belongs to one round."""
    game.set_aside = {}
    game.direction = 1
    game.drew, game.drawn_card = False, None
    game.pending_draw, game.pending_rank, game.taken_rank = 0, None, None
    game.snap_seat = game.snap_card = game.challenge = None
    game.opening_color = False
    game.uno_open, game.false_callers = [], []
    game.silent_passes = 0
    game.voids = {}


def _first_effect(game: State, starter: Seat, events: list[Event]) -> None:
    """Let the first card act on *starter* as if the player before had played it."""
    rank = RANKS[game.top_card]
    if rank is Rank.WILD:
        game.opening_color = True
        game.begin_turn(starter, events, Phase.COLOR)
    elif rank is Rank.DRAW_TWO:
        add(game, rank, 1)
        press(game, starter, events)
    elif rank is Rank.SKIP:
        events.append(TurnSkipped(starter))
        game.begin_turn(game.after(starter), events)
    elif rank is Rank.REVERSE:
        game.direction = -1
        events.append(DirectionReversed(-1))
        inert = len(game.seats) == _TWO and game.rules.reverse_with_two is ReverseWithTwo.INERT
        game.begin_turn(starter if inert else game.after(starter), events)
    else:
        game.begin_turn(starter, events)


def end_round(game: State, winner: Seat, events: list[Event], *, silent: bool = False) -> None:
    """Count points; the game ends, or the next round begins one seat further (zh:106)."""
    held = held_against(game, winner)
    gained = sum(held.values())
    _clear_after_round(game)
    game.winner = winner
    game.points = {seat: gained if seat == winner else 0 for seat in game.seats}
    game.scores[winner] += gained
    events.append(RoundEnded(winner, gained, held, silent))
    target = game.rules.target
    if not target or game.scores[winner] >= target or len(game.seats) == 1:
        game.to_act, game.phase = None, Phase.OVER
        events.append(GameEnded(winner, dict(game.scores)))
        return
    game.round += 1
    begin_round(game, _next_starter(game), Fixed(), events)


def _clear_after_round(game: State) -> None:
    """Close what players could still do, and leave the cards where they lie."""
    aside, direction = game.set_aside, game.direction
    _clear(game)
    game.set_aside, game.direction = aside, direction


def _next_starter(game: State) -> Seat:
    """Return the seat after the one that began this round, in the order of enrolment."""
    assert game.starter is not None  # noqa: S101  a round has been played
    later = [seat for seat in game.seats if seat > game.starter]
    return later[0] if later else game.seats[0]
