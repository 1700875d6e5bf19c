"""The call: who is open, who saves himself, who is caught, and until when."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from gamebot_uno.engine.choices import UnoCallDue, UnoWindowCloses
from gamebot_uno.engine.events import Event, UnoCalled, UnoCaught, UnoFalselyCalled, Why
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import State


class Act(Enum):
    """What a player did in its turn, as far as the window of others is concerned.

    Who loses a challenge takes the sum, and more.
    """

    PLAY = "play"
    DRAW = "draw"
    TAKE = "take"
    CHALLENGE = "challenge"
    PASS = "pass"  # noqa: S105  no password: the player passes


_CLOSED_BY = {
    UnoWindowCloses.NEXT_PLAYS_OR_DRAWS: frozenset({Act.PLAY, Act.DRAW, Act.TAKE}),
    UnoWindowCloses.NEXT_ACTS: frozenset(Act),
    UnoWindowCloses.NEXT_TURN_BEGINS: frozenset({Act.PLAY, Act.DRAW, Act.PASS}),
}


def acted(game: State, seat: Seat, act: Act) -> None:
    """Close the windows, and the chance to snap a card in, that an accepted act of *seat* ends.

    Calling a colour belongs to the play before it and is no act.
    """
    if game.timeouts:
        game.timeouts.pop(seat, None)
    game.snap_seat = game.snap_card = None
    if game.uno_open:
        closes = game.rules.uno_window_closes
        if closes is UnoWindowCloses.OWN_NEXT_ACTION:
            if seat in game.uno_open:
                game.uno_open.remove(seat)
        elif act in _CLOSED_BY[closes]:
            game.uno_open = []


def one_left(game: State, seat: Seat, events: list[Event], *, said_uno: bool) -> None:
    """Let *seat*, which has one card left, call or be open to be caught (it:9, zh:26)."""
    if said_uno:
        events.append(UnoCalled(seat))
    else:
        game.uno_open.append(seat)


def hands_moved(
    game: State, player: Seat, moved: Iterable[Seat], events: list[Event], *, said_uno: bool
) -> None:
    """Open and close windows after *player* made the hands of *moved* change places."""
    for seat in moved:
        if seat in game.uno_open:
            game.uno_open.remove(seat)
        due = game.rules.uno_call_due is UnoCallDue.AT_ONE_CARD or seat == player
        if due and len(game.hands[seat]) == 1:
            one_left(game, seat, events, said_uno=said_uno and seat == player)


def call(game: State, seat: Seat, events: list[Event]) -> None:
    """Save *seat* if it is open, else fine the latest one that is.

    Raises:
        IllegalMove: NOBODY_TO_CATCH.
    """
    rules = game.rules
    if seat in game.uno_open:
        game.uno_open.remove(seat)
        events.append(UnoCalled(seat))
    elif game.uno_open:
        caught = game.uno_open.pop()
        events.append(UnoCaught(caught, seat))
        game.give(caught, rules.uno_penalty, Why.UNO, events)
    elif _is_false(game, seat):
        game.false_callers.append(seat)
        events.append(UnoFalselyCalled(seat))
        game.give(seat, rules.false_call_penalty, Why.FALSE_CALL, events)
    else:
        raise IllegalMove(Reason.NOBODY_TO_CATCH)


def _is_false(game: State, seat: Seat) -> bool:
    """A call repeated with one card in hand is no false one."""
    return bool(
        game.rules.false_call_penalty
        and seat not in game.false_callers
        and len(game.hands[seat]) > 1
    )
