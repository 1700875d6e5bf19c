"""What one seat may see: the only thing a bot player decides by."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from gamebot_uno.engine.cards import Card, Color
from gamebot_uno.engine.moves import Move, Play
from gamebot_uno.engine.rules import Rules
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, Void


@frozen
class Observation:
    """The game as *seat* sees it.

    Attributes:
        seat: Who looks.
        rules: House rules.
        phase: What the seat to act is asked for.
        to_act: Whose turn it is.
        seats: Who plays, in turn order.
        direction: 1 or -1 along `seats`.
        hand: Own cards, in order of arrival.
        counts: Number of cards of each of `seats`.
        discard_pile: Cards played since the last reshuffle; the last one is the top card.
        draw_pile: Number of cards in it.
        set_aside: Number of cards that left with players.
        color: Active colour.
        pending_draw: Cards that the seat to act must draw, unless it answers.
        drew: Whether the seat to act has drawn in this turn.
        drawn_card: The card that *seat* drew in its present turn, None if it did not.
        offender: Whose Wild Draw Four can be challenged, None if none can.
        uno_open: Seats that can be caught, the latest last.
        scores: Points of the rounds played.
        voids: What the hands of others were seen to be void of, the latest last.
        moves: Every legal move of *seat* now.
        wd4_honest: Whether a Wild Draw Four played now would be no bluff, or bluffs are free.
    """

    seat: Seat
    rules: Rules
    phase: Phase
    to_act: Seat | None
    seats: tuple[Seat, ...]
    direction: int
    hand: tuple[Card, ...]
    counts: Mapping[Seat, int]
    discard_pile: tuple[Card, ...]
    draw_pile: int
    set_aside: int
    color: Color | None
    pending_draw: int
    drew: bool
    drawn_card: Card | None
    offender: Seat | None
    uno_open: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    voids: Mapping[Seat, tuple[Void, ...]]
    moves: tuple[Move, ...]
    wd4_honest: bool

    @property
    def top_card(self) -> Card:
        """The card that the next one must fit."""
        return self.discard_pile[-1]

    @property
    def plays(self) -> tuple[Play, ...]:
        """The legal moves that play a card."""
        return tuple(move for move in self.moves if isinstance(move, Play))
