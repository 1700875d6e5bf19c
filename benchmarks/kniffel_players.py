"""Measure the Kniffel bot players: mean total of solitaire games and time for a decision.

Run `python benchmarks/kniffel_players.py [games]`; game *n* throws its dice by `Random(n)`. The
figures in `docs/rules/kniffel.md` are from here.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import fmean, stdev
from time import perf_counter

from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.seat import Seat
from gamebot_kniffel.players import Roll, Strength, choose

SEAT = Seat(0)


def play(strength: Strength, seed: int, times: list[float]) -> Game:
    """Play one game and add the seconds of every decision to *times*."""
    ties = Random(f"ties {seed}")  # noqa: S311 - dice are not cryptography
    game, _ = Game.start([SEAT], rng=Random(seed))  # noqa: S311 - dice are not cryptography
    while not game.over:
        begun = perf_counter()
        action = choose(game, SEAT, strength, ties)
        times.append(perf_counter() - begun)
        if isinstance(action, Roll):
            game.roll(SEAT, action.positions)
        else:
            game.enter(SEAT, action.category)
    return game


def main(games: int) -> None:
    """Play *games* games with each strength and write one line for each."""
    for strength in Strength:
        times: list[float] = []
        cards = [play(strength, seed, times).cards[SEAT] for seed in range(games)]
        totals = [card.total for card in cards]
        upper = sum(card.upper_bonus > 0 for card in cards) / games
        sys.stdout.write(
            f"{strength}: mean {fmean(totals):.1f}, sd {stdev(totals):.1f}, "
            f"upper bonus in {upper:.0%}, decision mean {fmean(times) * 1e3:.2f} ms, "
            f"longest {max(times) * 1e3:.0f} ms\n"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
