"""Bot players at a table: they move through the same engine, by what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from gamebot import Seat
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.players import Roll, Strength, choose

STRENGTHS = tuple(Strength)
"""Strengths that a channel may seat, weakest first."""


def act(game: Game, seat: Seat, strength: str, rng: Random) -> Sequence[object]:
    """Roll or enter once for *seat*."""
    at = EngineSeat(seat)
    action = choose(game, at, Strength(strength), rng)
    if isinstance(action, Roll):
        return game.roll(at, action.positions)
    return game.enter(at, action.category)
