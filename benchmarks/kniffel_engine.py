"""Measure the Kniffel engine: whole solitaire games of random legal moves, one core.

Run `python benchmarks/kniffel_engine.py [games]`. A figure to look at, never a test.
"""

from __future__ import annotations

import sys
from itertools import combinations
from random import Random
from time import perf_counter

from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.seat import Seat

SEAT = Seat(0)
POSITIONS = [chosen for size in range(1, 6) for chosen in combinations(range(1, 6), size)]
RULES = Rules()


def play(dice: Random, player: Random) -> int:
    """Play one random game: one to three rolls a turn, any dice, any open box."""
    game, _ = Game.start([SEAT], rng=dice, rules=RULES)
    while not game.over:
        game.roll(SEAT)
        for _ in range(player.randrange(3)):
            game.roll(SEAT, player.choice(POSITIONS))
        game.enter(SEAT, player.choice(game.cards[SEAT].open))
    return game.cards[SEAT].total


def main(games: int) -> None:
    """Play *games* games and write their number per second."""
    dice, player = Random(1), Random(2)  # noqa: S311 - dice are not cryptography
    begun = perf_counter()
    points = sum(play(dice, player) for _ in range(games))
    rate = games / (perf_counter() - begun)
    sys.stdout.write(f"{games} games, {rate:.0f} games/s, mean total {points / games:.1f}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
