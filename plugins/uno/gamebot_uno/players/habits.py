"""What several players have in common."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from gamebot_uno.engine.cards import COLORS, RANKS, Card, Color, Rank
from gamebot_uno.engine.moves import DRAW, PASS_TURN, Move, Play
from gamebot_uno.engine.observation import Observation


def singles(observation: Observation) -> tuple[Play, ...]:
    """Return the legal plays of one card."""
    return tuple(play for play in observation.plays if len(play.cards) == 1)


def rest_of(hand: Sequence[Card], play: Play) -> list[Card]:
    """Return what is left of *hand* after *play*."""
    return [card for card in hand if card not in play.cards]


def favourite(cards: Sequence[Card]) -> Color:
    """Return the colour held most, of several the first of blue, green, red, yellow."""
    held = [COLORS[card] for card in cards]
    return max(Color, key=held.count)


def calling(observation: Observation, play: Play) -> Play:
    """Return *play* with "uno" said if it leaves one card."""
    if len(observation.hand) - len(play.cards) != 1:
        return play
    return evolve(play, said_uno=True)


def is_wild(play: Play) -> bool:
    """Tell whether *play* plays a wild of either kind."""
    return COLORS[play.cards[0]] is None


def rank_of(play: Play) -> Rank:
    """Return the rank of the card that *play* plays."""
    return RANKS[play.cards[0]]


def wait(observation: Observation) -> Move:
    """Return the move of who plays nothing: draw or take, else pass; else what it must play."""
    for move in (DRAW, PASS_TURN):
        if move in observation.moves:
            return move
    return observation.moves[0]
