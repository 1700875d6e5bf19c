"""The stored state of a game, and the steps that everything else is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from enum import Enum
from random import Random
from typing import Self, TypeAlias

from attrs import define, field, frozen

from gamebot_uno.engine.cards import CODES, Card, Color, Rank
from gamebot_uno.engine.events import CardsDrawn, CardsReceived, Event, Reshuffled, TurnStarted, Why
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.rules import Rules
from gamebot_uno.engine.seat import Seat

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


class Phase(Enum):
    """What the seat to act is asked for."""

    PLAYING = "playing"
    COLOR = "color"
    CHALLENGE = "challenge"
    OVER = "over"


@frozen
class Snapshot:
    """A Wild Draw Four as it was played, for a challenge.

    Attributes:
        seat: Who played it.
        hand: What that seat held beside it.
        guilty: Whether it was a bluff.
    """

    seat: Seat
    hand: tuple[Card, ...]
    guilty: bool


@define
class Void:
    """A turn in which a seat drew instead of playing: what its hand was void of then.

    Attributes:
        color: Active colour.
        rank: Rank of the top card.
        pending_rank: Rank of what was pending.
        taken_rank: Rank of what had been taken, with nobody having played since.
        cards: How many of the cards that it holds now it held then, at least.
    """

    color: Color | None
    rank: Rank
    pending_rank: Rank | None
    taken_rank: Rank | None
    cards: int


@define
class State:
    """Everything about a game; `Game` adds the moves.

    Every field but `rng` is stored.

    Attributes:
        rules: House rules of this game.
        seats: Who plays, in turn order.
        hands: Cards of each of `seats`, in order of arrival.
        draw_pile: Cards not drawn yet; the last one is drawn next.
        discard_pile: Cards played; the last one is the top card.
        set_aside: Hands of those who left in this round.
        phase: What the seat to act is asked for.
        to_act: Whose turn it is; None once the game is over.
        color: Active colour; None while a wild waits for one, and on a wild without effect.
        direction: 1 or -1 along `seats`.
        pending_draw: Cards that the seat to act must draw, unless it answers.
        pending_rank: Draw Two or Wild Draw Four: which kind is pending; None if nothing is.
        taken_rank: The same for a sum that was taken and after which nobody has played.
        drew: Whether the seat to act has drawn in this turn.
        drawn_card: The last card it drew, None if there was none.
        snap_seat: Who may still play the card that its last turn ended with.
        snap_card: That card.
        opening_color: Whether the colour awaited is for a Wild turned up at the start.
        challenge: What a challenge would examine, None if there can be none.
        uno_open: Seats that can be caught, the latest last.
        false_callers: Seats that have been fined for a false call in this turn.
        voids: What the hand of each seat was seen to be void of, the latest last.
        timeouts: How often in a row the clock of a seat ran out, if it did.
        silent_passes: Passes in a row in which nothing was drawn.
        round: From 1.
        starter: Who began this round; None before the first deal.
        scores: Points of everybody who ever played in this game.
        winner: Who won the last round that ended.
        points: Points that each seat got in it.
        clock_id: Grows each time the turn clock is armed.
        rng: Chance; no part of equality and never stored.
    """

    rules: Rules
    seats: list[Seat]
    hands: dict[Seat, list[Card]]
    draw_pile: list[Card] = field(factory=list)
    discard_pile: list[Card] = field(factory=list)
    set_aside: dict[Seat, list[Card]] = field(factory=dict)
    phase: Phase = Phase.PLAYING
    to_act: Seat | None = None
    color: Color | None = None
    direction: int = 1
    pending_draw: int = 0
    pending_rank: Rank | None = None
    taken_rank: Rank | None = None
    drew: bool = False
    drawn_card: Card | None = None
    snap_seat: Seat | None = None
    snap_card: Card | None = None
    opening_color: bool = False
    challenge: Snapshot | None = None
    uno_open: list[Seat] = field(factory=list)
    false_callers: list[Seat] = field(factory=list)
    voids: dict[Seat, list[Void]] = field(factory=dict)
    timeouts: dict[Seat, int] = field(factory=dict)
    silent_passes: int = 0
    round: int = 1
    starter: Seat | None = None
    scores: dict[Seat, int] = field(factory=dict)
    winner: Seat | None = None
    points: dict[Seat, int] = field(factory=dict)
    clock_id: int = 0
    rng: Random = field(init=False, eq=False, repr=False)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act is None

    @property
    def top_card(self) -> Card:
        """The card that the next one must fit."""
        return self.discard_pile[-1]

    @property
    def can_draw(self) -> bool:
        """Whether a card is left to draw, perhaps after a reshuffle."""
        return bool(self.draw_pile) or len(self.discard_pile) > 1

    def after(self, seat: Seat, steps: int = 1) -> Seat:
        """Return who follows *seat*, *steps* places on in the direction of play."""
        seats = self.seats
        return seats[(seats.index(seat) + self.direction * steps) % len(seats)]

    def check_seated(self, seat: Seat) -> None:
        """Refuse who does not play.

        Raises:
            IllegalMove: GAME_OVER or NOT_SEATED.
        """
        if self.to_act is None:
            raise IllegalMove(Reason.GAME_OVER)
        if seat not in self.hands:
            raise IllegalMove(Reason.NOT_SEATED)

    def check_turn(self, seat: Seat) -> None:
        """Refuse who is not to act.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED or NOT_YOUR_TURN.
        """
        if seat != self.to_act:
            self.check_seated(seat)
            raise IllegalMove(Reason.NOT_YOUR_TURN)

    def begin_turn(self, seat: Seat, events: list[Event], phase: Phase = Phase.PLAYING) -> None:
        """Give the turn to *seat* and arm its clock."""
        self.phase = phase
        self.to_act = seat
        self.drew = False
        self.drawn_card = None
        if self.false_callers:
            self.false_callers = []
        self.clock_id += 1
        events.append(TurnStarted(seat))

    def take_from_pile(self, count: int, events: list[Event]) -> list[Card]:
        """Draw up to *count* cards, reshuffling the discard pile when none is left (zh:111).

        The top card stays; a wild below it has no colour any more.
        """
        cards: list[Card] = []
        while len(cards) < count and self.can_draw:
            if not self.draw_pile:
                *self.draw_pile, top = self.discard_pile
                self.discard_pile = [top]
                self.rng.shuffle(self.draw_pile)
                events.append(Reshuffled(len(self.draw_pile)))
            cards.append(self.draw_pile.pop())
        return cards

    def hand_over(self, seat: Seat, cards: list[Card], why: Why, events: list[Event]) -> None:
        """Add *cards* to the hand of *seat*, which may have left."""
        hand = self.hands.get(seat)
        if hand is None:
            hand = self.set_aside[seat]
        hand += cards
        events.append(CardsDrawn(seat, len(cards), why))
        if cards:
            self.silent_passes = 0
            events.append(CardsReceived(seat, tuple(cards), why))
            if seat in self.uno_open:
                self.uno_open.remove(seat)

    def give(self, seat: Seat, count: int, why: Why, events: list[Event]) -> None:
        """Let *seat*, which may have left, draw up to *count* cards."""
        self.hand_over(seat, self.take_from_pile(count, events), why, events)

    def clone(self, rng: Random) -> Self:
        """Return a copy that goes its own way, with chance of its own."""
        game = copy(self)
        game.rng = rng
        game.seats, game.uno_open = self.seats[:], self.uno_open[:]
        game.draw_pile, game.discard_pile = self.draw_pile[:], self.discard_pile[:]
        game.hands = {seat: hand[:] for seat, hand in self.hands.items()}
        game.set_aside = {seat: hand[:] for seat, hand in self.set_aside.items()}
        game.false_callers, game.timeouts = self.false_callers[:], self.timeouts.copy()
        game.voids = {seat: [copy(void) for void in known] for seat, known in self.voids.items()}
        game.scores, game.points = self.scores.copy(), self.points.copy()
        return game

    def view(self) -> Mapping[str, Json]:
        """Return all that everybody may know, as JSON.

        Seats are numbers as values and their decimal text as keys; cards are canonical codes.
        """
        return {
            "phase": self.phase.value,
            "turn": self.to_act,
            "top": CODES[self.top_card],
            "color": None if self.color is None else self.color.letter,
            "pending": self.pending_draw,
            "direction": self.direction,
            "cards": {str(seat): len(self.hands[seat]) for seat in self.seats},
            "players": list(self.seats),
            "draw_pile": len(self.draw_pile),
            "uno_open": self.uno_open[-1] if self.uno_open else None,
            "uno_open_all": list(self.uno_open),
            "winner": self.winner,
            "points": {str(seat): points for seat, points in self.points.items()},
            "round": self.round,
            "scores": {str(seat): score for seat, score in self.scores.items()},
        }
