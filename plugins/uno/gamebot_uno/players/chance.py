"""The player `random`: any legal card, and it draws only if nothing fits."""

from __future__ import annotations

from random import Random

from gamebot_uno.engine.moves import Move
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.state import Phase
from gamebot_uno.players.habits import calling, singles


def choose(observation: Observation, rng: Random) -> Move:
    """Play a random legal card, bluffs included, in a random colour.

    Where there is none: draw, or pass when that has been done; challenge or accept evenly. A
    colour asked for is any. It always says "uno".
    """
    plays = singles(observation)
    if plays:
        card = rng.choice(sorted({play.cards[0] for play in plays}))
        return calling(observation, rng.choice([p for p in plays if p.cards[0] == card]))
    if observation.phase is Phase.PLAYING:
        return observation.moves[0]
    return rng.choice(observation.moves)
