"""What the engine answers: frozen events, in the order in which things happened.

An event with an attribute `to` is for that seat alone; it is the only carrier of cards that not
everybody has seen. All others are public.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from attrs import frozen

from gamebot_uno.engine.cards import Card, Color
from gamebot_uno.engine.seat import Seat


class Why(Enum):
    """Why cards were drawn."""

    TURN = "turn"
    PENALTY = "penalty"
    BLUFF = "bluff"
    CHALLENGE = "challenge"
    UNO = "uno"
    FALSE_CALL = "false_call"
    MISPLAY = "misplay"
    HINT = "hint"
    JOIN = "join"


class How(Enum):
    """When a card was played."""

    TURN = "turn"
    SNAP = "snap"
    JUMP_IN = "jump_in"


# --- for one seat alone


@frozen
class HandDealt:
    """*to* holds these cards now, whatever it held before.

    Attributes:
        to: Who alone may see them.
        cards: The whole hand.
    """

    to: Seat
    cards: tuple[Card, ...]


@frozen
class CardsReceived:
    """*to* drew these cards.

    Attributes:
        to: Who alone may see them.
        cards: In the order drawn.
        why: Why.
    """

    to: Seat
    cards: tuple[Card, ...]
    why: Why


@frozen
class HandRevealed:
    """A challenger sees the hand from which a Wild Draw Four was played, as it was then.

    Attributes:
        to: The challenger.
        seat: Whose hand.
        cards: What it held beside the Wild Draw Four.
    """

    to: Seat
    seat: Seat
    cards: tuple[Card, ...]


# --- for everybody


@frozen
class DealerDrawn:
    """Everybody drew a card openly; the highest deals.

    Attributes:
        dealer: Who deals; the next one begins.
        cards: Seat and card in the order drawn; seats that tied for the highest draw again.
    """

    dealer: Seat
    cards: tuple[tuple[Seat, Card], ...]


@frozen
class RoundStarted:
    """Cards are dealt; a game has one round, or several where points decide.

    Attributes:
        round: From 1.
        seats: Who plays, in turn order.
        starter: Who begins, before the first card has any effect.
    """

    round: int
    seats: tuple[Seat, ...]
    starter: Seat


@frozen
class CardTurned:
    """The first card lies open.

    Attributes:
        card: It.
        color: Its colour, None for a wild.
        put_back: Cards turned up before it that could not stay and went back into the pile.
    """

    card: Card
    color: Color | None
    put_back: tuple[Card, ...]


@frozen
class CardPlayed:
    """*seat* played.

    Attributes:
        seat: Who.
        cards: One card, or two identical ones.
        color: Active colour now; None if a wild still waits for one.
        left: Cards that the seat has left.
        how: In turn, snapped in, or jumped in.
    """

    seat: Seat
    cards: tuple[Card, ...]
    color: Color | None
    left: int
    how: How


@frozen
class ColorChosen:
    """The active colour was called after the wild had been played.

    Attributes:
        seat: Whose wild it is.
        color: The active colour now.
        by_bot: Whether it was chosen for the seat, because it left or ran out of time.
    """

    seat: Seat
    color: Color
    by_bot: bool


@frozen
class CardsDrawn:
    """*seat* drew; the cards are in `CardsReceived`.

    Attributes:
        seat: Who.
        count: How many there were, possibly fewer than due, possibly none.
        why: Why.
    """

    seat: Seat
    count: int
    why: Why


@frozen
class TurnPassed:
    """*seat* ended its turn without playing."""

    seat: Seat


@frozen
class TurnSkipped:
    """*seat* loses its turn."""

    seat: Seat


@frozen
class DirectionReversed:
    """Turns go the other way round.

    Attributes:
        direction: 1: as enrolled; -1: backwards.
    """

    direction: int


@frozen
class Challenged:
    """A Wild Draw Four was challenged.

    Attributes:
        seat: The challenger.
        offender: Who played it.
        guilty: Whether it was a bluff.
    """

    seat: Seat
    offender: Seat
    guilty: bool


@frozen
class UnoCalled:
    """*seat* said "uno" and cannot be caught."""

    seat: Seat


@frozen
class UnoCaught:
    """*seat* had not called.

    Attributes:
        seat: Who is fined.
        by: Who was first to say it.
    """

    seat: Seat
    by: Seat


@frozen
class UnoFalselyCalled:
    """*seat* called while nobody could be caught, and is fined."""

    seat: Seat


@frozen
class Misplayed:
    """*seat* showed cards that do not fit, keeps them and is fined.

    Attributes:
        seat: Who.
        cards: What it wanted to play.
    """

    seat: Seat
    cards: tuple[Card, ...]


@frozen
class HintFined:
    """*seat* advised another player and is fined."""

    seat: Seat


@frozen
class HandsSwapped:
    """Two players swapped hands.

    Attributes:
        seat: Who played the 7.
        other: The other one.
    """

    seat: Seat
    other: Seat


@frozen
class HandsPassed:
    """Everybody handed the hand on, in the direction of play."""

    direction: int


@frozen
class Reshuffled:
    """The played cards are the draw pile again.

    Attributes:
        count: Cards in it.
    """

    count: int


@frozen
class SeatJoined:
    """*seat* plays from now on.

    Attributes:
        seat: Who.
        count: Cards in its hand.
        returned: Whether it has its old hand back.
    """

    seat: Seat
    count: int
    returned: bool


@frozen
class SeatLeft:
    """*seat* left; its hand is set aside and counts for the winner.

    Attributes:
        seat: Who.
        count: Cards that it held.
    """

    seat: Seat
    count: int


@frozen
class SeatTimedOut:
    """The turn clock ran out.

    Attributes:
        seat: Whose.
        removed: Whether it was the second time in a row, so that the seat is out of the game.
    """

    seat: Seat
    removed: bool


@frozen
class TurnStarted:
    """*seat* is to act; the turn clock runs. Everything else is in the game's view."""

    seat: Seat


@frozen
class RoundEnded:
    """Somebody won a round.

    Attributes:
        winner: Who.
        points: What the winner gets.
        hands: Points of the cards that each other seat held, leavers included.
        silent: Whether it ended because nobody could draw or play any more.
    """

    winner: Seat
    points: int
    hands: Mapping[Seat, int]
    silent: bool


@frozen
class GameEnded:
    """The game is over.

    Attributes:
        winner: Who.
        scores: All points, of everybody who ever played in the game.
    """

    winner: Seat
    scores: Mapping[Seat, int]


PrivateEvent: TypeAlias = HandDealt | CardsReceived | HandRevealed
PublicEvent: TypeAlias = (
    DealerDrawn
    | RoundStarted
    | CardTurned
    | CardPlayed
    | ColorChosen
    | CardsDrawn
    | TurnPassed
    | TurnSkipped
    | DirectionReversed
    | Challenged
    | UnoCalled
    | UnoCaught
    | UnoFalselyCalled
    | Misplayed
    | HintFined
    | HandsSwapped
    | HandsPassed
    | Reshuffled
    | SeatJoined
    | SeatLeft
    | SeatTimedOut
    | TurnStarted
    | RoundEnded
    | GameEnded
)
Event: TypeAlias = PrivateEvent | PublicEvent
