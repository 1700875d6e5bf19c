"""The player `easy`: plays what comes to hand, and sometimes forgets to call."""

from __future__ import annotations

from random import Random

from gamebot_uno.engine.cards import Color, Rank
from gamebot_uno.engine.moves import CHOOSE_COLOR, Move
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.state import Phase
from gamebot_uno.players.habits import calling, is_wild, rank_of, singles, wait

#: How often it says "uno".
CALLS = 0.7


def choose(observation: Observation, rng: Random) -> Move:
    """Play a random coloured card that fits, else a random wild in a random colour.

    It does not bluff, accepts every Wild Draw Four, and draws only if nothing fits.
    """
    if observation.phase is Phase.COLOR:
        return CHOOSE_COLOR[rng.randrange(len(Color))]
    plays = singles(observation)
    if not observation.wd4_honest:
        plays = tuple(play for play in plays if rank_of(play) is not Rank.WILD_DRAW_FOUR)
    coloured = [play for play in plays if not is_wild(play)]
    if plays:
        play = rng.choice(coloured or plays)
        return calling(observation, play) if rng.random() < CALLS else play
    return wait(observation)
