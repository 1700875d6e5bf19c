"""Bot players: what to do in a turn, from what the seat may see alone."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from gamebot_uno.engine.moves import Move
from gamebot_uno.engine.observation import Observation
from gamebot_uno.players import chance, easy, greedy, master, strong

__all__ = ["PLAYERS", "Player"]


class Player(Protocol):
    """Somebody who decides by an observation."""

    def __call__(self, observation: Observation, rng: Random) -> Move:
        """Return a legal move.

        Args:
            observation: What the seat sees; its `moves` are not empty.
            rng: The player's own chance, never the game's.
        """


#: Every player, by name.
PLAYERS: Mapping[str, Player] = {
    "random": chance.choose,
    "easy": easy.choose,
    "greedy": greedy.choose,
    "strong": strong.choose,
    "master": master.choose,
}
