"""Bot players at a table: they move through the same engine, by what their seat may see."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from random import Random

from gamebot import Seat
from gamebot_uno.engine import seat as engine
from gamebot_uno.engine.game import Game
from gamebot_uno.players import PLAYERS

STRENGTHS = tuple(name for name in ("easy", "strong", "master") if name in PLAYERS)
"""Strengths that a channel may seat, weakest first."""

DEFAULT = "strong" if "strong" in STRENGTHS else STRENGTHS[-1]

THINKERS = frozenset({"master"})
"""Players that think too long for the event loop."""


def act(
    game: Game, seat: Seat, strength: str, rng: Random
) -> Sequence[object] | Awaitable[Sequence[object]]:
    """Make one move for *seat*; a thinker does its thinking in a thread."""
    at, choose = engine.Seat(seat), PLAYERS[strength]
    observation = game.observe(at)
    if strength not in THINKERS:
        return game.act(at, choose(observation, rng))

    async def think() -> Sequence[object]:
        move = await asyncio.to_thread(choose, observation, rng)
        return game.act(at, move)

    return think()
