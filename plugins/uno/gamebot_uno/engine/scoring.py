"""Points of hands, and who wins when nobody can go out."""

from __future__ import annotations

from collections.abc import Iterable

from gamebot_uno.engine.cards import POINTS, Card
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import State


def hand_points(cards: Iterable[Card]) -> int:
    """Return the points of *cards*: numbers their face, actions 20, wilds 50 (zh:49-55)."""
    return sum([POINTS[card] for card in cards])


def fewest_points(game: State) -> Seat:
    """Return who holds the fewest points; of several the first in turn order."""
    return min(game.seats, key=lambda seat: hand_points(game.hands[seat]))


def held_against(game: State, winner: Seat) -> dict[Seat, int]:
    """Return the points that everybody but *winner* holds, those who left in this round too."""
    hands = {**game.set_aside, **game.hands}
    return {seat: hand_points(cards) for seat, cards in hands.items() if seat != winner}
