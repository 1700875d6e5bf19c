"""Who comes and goes while a game runs."""

from __future__ import annotations

from gamebot_uno.engine import voids
from gamebot_uno.engine.choices import JoinMidGame
from gamebot_uno.engine.events import CardsReceived, Event, SeatJoined, Why
from gamebot_uno.engine.penalty import settle, take
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.rounds import end_round
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, State
from gamebot_uno.engine.turn import call_color, favourite_color

_TWO = 2


def remove(game: State, seat: Seat, events: list[Event]) -> None:
    """Take *seat* out of the game; its hand is set aside until the round ends.

    A seat to act first does what its clock would have done: it takes what is pending and gets a
    colour called, so that the next one acts with nothing pending. Who is left alone wins.
    """
    if len(game.seats) == _TWO:
        _take_before_the_end(game, seat, events)
    elif seat == game.to_act:
        _hand_the_turn_on(game, seat, events)
    game.seats.remove(seat)
    game.set_aside[seat] = game.hands.pop(seat)
    game.timeouts.pop(seat, None)
    voids.forget(game, [seat])
    if seat in game.uno_open:
        game.uno_open.remove(seat)
    if seat == game.snap_seat:
        game.snap_seat = game.snap_card = None
    if len(game.seats) == 1:
        end_round(game, game.seats[0], events)


def _take_before_the_end(game: State, seat: Seat, events: list[Event]) -> None:
    if seat != game.to_act:
        return
    if game.phase is Phase.COLOR:
        game.color = favourite_color(game.hands[seat])
    elif game.pending_draw:
        game.give(seat, settle(game), Why.PENALTY, events)


def _hand_the_turn_on(game: State, seat: Seat, events: list[Event]) -> None:
    game.snap_seat = game.snap_card = None
    if game.phase is Phase.COLOR and not game.opening_color:
        call_color(game, seat, favourite_color(game.hands[seat]), events, by_bot=True)
    elif game.pending_draw:
        take(game, seat, events)
    else:
        if game.opening_color:
            game.opening_color, game.color = False, favourite_color(game.hands[seat])
        game.begin_turn(game.after(seat), events)


def check_join(game: State, seat: Seat) -> None:
    """Refuse who may not join now (it:54).

    Raises:
        IllegalMove: GAME_OVER, ALREADY_SEATED, JOIN_OFF, TABLE_FULL, CHALLENGE_OPEN or
            SOMEBODY_HAS_ONE_CARD.
    """
    for refused, reason in (
        (game.over, Reason.GAME_OVER),
        (seat in game.hands, Reason.ALREADY_SEATED),
        (game.rules.join_mid_game is JoinMidGame.OFF, Reason.JOIN_OFF),
        (len(game.seats) >= game.rules.max_players, Reason.TABLE_FULL),
        (game.phase is Phase.CHALLENGE, Reason.CHALLENGE_OPEN),
        (any(len(hand) == 1 for hand in game.hands.values()), Reason.SOMEBODY_HAS_ONE_CARD),
    ):
        if refused:
            raise IllegalMove(reason)


def join(game: State, seat: Seat, events: list[Event]) -> None:
    """Seat *seat* just behind the one to act; who comes back gets the old hand.

    Raises:
        IllegalMove: NOT_ENOUGH_CARDS.
    """
    assert game.to_act is not None  # noqa: S101  `check_join` has seen that the game goes on
    returned = seat in game.set_aside
    if returned:
        hand = game.set_aside.pop(seat)
    else:
        count = _cards_for_newcomer(game)
        if len(game.draw_pile) + len(game.discard_pile) - 1 < count:
            raise IllegalMove(Reason.NOT_ENOUGH_CARDS)
        hand = game.take_from_pile(count, events)
        game.silent_passes = 0
    place = game.seats.index(game.to_act)
    game.seats.insert(place if game.direction == 1 else place + 1, seat)
    game.hands[seat] = hand
    game.scores.setdefault(seat, 0)
    events.append(SeatJoined(seat, len(hand), returned))
    events.append(CardsReceived(seat, tuple(hand), Why.JOIN))


def _cards_for_newcomer(game: State) -> int:
    if game.rules.join_mid_game is JoinMidGame.HAND_SIZE:
        return game.rules.hand_size
    held = sum(len(hand) for hand in game.hands.values())
    return max(_TWO, round(held / len(game.hands)))
