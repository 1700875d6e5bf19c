"""The player `greedy`: get rid of points, keep wilds for later, never risk anything."""

from __future__ import annotations

from random import Random

from gamebot_uno.engine.cards import POINTS, Rank
from gamebot_uno.engine.moves import ChooseColor, Move, Play
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.state import Phase
from gamebot_uno.players.habits import calling, favourite, is_wild, rank_of, rest_of, singles, wait


def choose(observation: Observation, rng: Random) -> Move:  # noqa: ARG001  it leaves nothing to chance
    """Play the legal card of most points that is no wild, else a Wild, else an honest +4.

    Of equal cards it plays the one that it has held longest. A wild calls the colour held most,
    ties in the order blue, green, red, yellow. It always says "uno", never bluffs or challenges,
    and draws only if nothing fits.
    """
    if observation.phase is Phase.COLOR:
        return ChooseColor(favourite(observation.hand))
    play = best_play(observation)
    if play is not None:
        return calling(observation, play)
    return wait(observation)


def best_play(observation: Observation) -> Play | None:
    """Return what `choose` plays, None if nothing fits."""
    plays = singles(observation)
    coloured = [play for play in plays if not is_wild(play)]
    if coloured:
        return max(coloured, key=lambda play: POINTS[play.cards[0]])
    wilds = [play for play in plays if rank_of(play) is Rank.WILD]
    if not wilds and observation.wd4_honest:
        wilds = list(plays)
    called = (play for play in wilds if play.color is favourite(rest_of(observation.hand, play)))
    return next(called, None)
