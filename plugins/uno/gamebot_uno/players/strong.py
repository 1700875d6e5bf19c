"""The player `strong`: the move that a tuned linear evaluation likes best."""

from __future__ import annotations

from random import Random

from gamebot_uno.engine.cards import CARD_FACES, FACE_COLORS
from gamebot_uno.engine.moves import ChooseColor, Draw, Move, PassTurn, Play
from gamebot_uno.engine.observation import Observation
from gamebot_uno.players.evaluation import (
    CHALLENGE,
    COLOR_OF,
    DRAW,
    NO_COLOR,
    PASS,
    TAKE,
    Row,
    Sight,
    Weights,
    tally,
)
from gamebot_uno.players.habits import calling
from gamebot_uno.players.weights import MANY, TWO

_PAIR = 2
#: What going out is worth; a pair may do it, which the weights do not know.
_GOES_OUT = 1000.0


def choose(observation: Observation, rng: Random) -> Move:  # noqa: ARG001  it leaves nothing to chance
    """Return the move that is worth most, of equal ones the first; it always says "uno"."""
    moves = observation.moves
    best = moves[0]
    if len(moves) > 1:
        values = evaluate(observation)
        best = moves[values.index(max(values))]
    return calling(observation, best) if isinstance(best, Play) else best


def evaluate(observation: Observation) -> list[float]:
    """Return what each of the legal moves is worth."""
    score = weights_for(len(observation.seats)).score
    sight = look(observation)
    return [
        score(_row(observation, sight, move)) + _GOES_OUT * _goes_out(observation, move)
        for move in observation.moves
    ]


def _goes_out(observation: Observation, move: Move) -> bool:
    return isinstance(move, Play) and len(move.cards) == len(observation.hand)


def weights_for(players: int) -> Weights:
    """Return the weights for a table of *players*."""
    return TWO if players == _PAIR else MANY


def look(observation: Observation) -> Sight:
    """Return what the evaluation looks at."""
    seats, counts = observation.seats, observation.counts
    place = seats.index(observation.seat)
    following, next_but_one, previous = (
        counts[seats[(place + observation.direction * steps) % len(seats)]] for steps in (1, 2, -1)
    )
    lying = [CARD_FACES[card] for card in observation.discard_pile]
    sight = Sight(
        [CARD_FACES[card] for card in observation.hand],
        tally(lying),
        observation.rules.decks,
        (following, next_but_one, previous),
        two=len(seats) == _PAIR,
        color=NO_COLOR if observation.color is None else int(observation.color),
        pending=observation.pending_draw,
        honest=observation.wd4_honest,
        usable=len({CARD_FACES[play.cards[0]] for play in observation.plays}),
    )
    if observation.offender is not None:
        below = COLOR_OF[lying[-2]] if len(lying) > 1 else NO_COLOR
        sight.suspect(counts.get(observation.offender, 0), below)
    return sight


def _row(observation: Observation, sight: Sight, move: Move) -> Row:
    match move:
        case Play(cards, color):
            face = CARD_FACES[cards[0]]
            own = FACE_COLORS[face] if color is None else color
            return sight.play(face, NO_COLOR if own is None else int(own), len(cards))
        case ChooseColor(color):
            return sight.play(CARD_FACES[observation.top_card], int(color), copies=0)
        case Draw():
            return sight.other(TAKE if observation.pending_draw else DRAW)
        case PassTurn():
            return sight.other(PASS)
        case _:
            return sight.other(CHALLENGE)
