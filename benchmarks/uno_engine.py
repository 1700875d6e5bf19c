"""Measure the UNO engine: whole games of two random players, all rules and events, one core.

Run `python benchmarks/uno_engine.py [seconds] [rules]`. A figure to look at, never a test. Prints
one JSON object with `engine`, `games_per_s`, `moves_per_s`, `moves_per_game` and `games`. A move is
one accepted call of the engine: a play, draw, pass, answer or challenge.
"""

from __future__ import annotations

import json
import sys
from random import Random
from time import perf_counter

from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.rules import Rules
from gamebot_uno.rules_text import parse_rules

SEATS = (Seat(0), Seat(1))


def play(rules: Rules, deals: Random, player: Random) -> int:
    """Play one game of random legal moves, drawing only if nothing fits; return their number."""
    game, _ = Game.start(SEATS, rng=deals, rules=rules)
    moves, chance = 0, player.random
    while (seat := game.to_act) is not None:
        options = game.legal_plays(seat) or game.other_moves(seat)
        game.act(seat, options[int(chance() * len(options))])
        moves += 1
    return moves


def measure(seconds: float, text: str) -> dict[str, object]:
    """Play games for *seconds* and return the figures."""
    rules = parse_rules(text)
    deals, player = Random(1), Random(2)  # noqa: S311 - cards are not cryptography
    games = moves = 0
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        moves += play(rules, deals, player)
        games += 1
    spent = perf_counter() - begun
    return {
        "engine": f"gamebot_uno ({text}, all rules and events)",
        "games_per_s": games / spent,
        "moves_per_s": moves / spent,
        "moves_per_game": moves / games,
        "games": games,
    }


def main(seconds: float, text: str) -> None:
    """Write the figures."""
    sys.stdout.write(json.dumps(measure(seconds, text)) + "\n")


if __name__ == "__main__":
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 4.0,
        sys.argv[2] if len(sys.argv) > 2 else "cuciolo",
    )
