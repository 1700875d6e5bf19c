"""Fit the value of a UNO position between two, where playouts of the player `master` stop.

    python tools/fit_uno_value.py --games 20000

Positions come from games of `strong` against itself and `greedy`, with a few random moves; the
weights are those of a logistic regression of who won, by AdaGrad. The deals have seeds of their
own (`value ...`). The loss on games that were not used for fitting is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import TypeAlias

from gamebot_uno.players.model import Option, Position
from gamebot_uno.players.value import FEATURES, LARGE, LARGEST, Described, describe
from gamebot_uno.players.weights import TWO
from tune_uno import deal, greedy

TARGET = Path(__file__).parents[1] / "plugins/uno/gamebot_uno/players/value_weights.py"

#: Where the weights of each part begin in a flat list.
MINE = LARGEST * LARGEST
OTHER = MINE + LARGE * len(FEATURES)
PENDING = OTHER + LARGE * len(FEATURES)
SIZE = PENDING + 2 * LARGE
#: Share of turns that are looked at, of moves that are random, of games against `greedy`.
LOOKED_AT, RANDOM, AGAINST_GREEDY = 0.35, 0.05, 0.5
RATE, EPOCHS = 0.05, 3

Example: TypeAlias = tuple[Described, bool]


def strong(position: Position, options: list[Option]) -> Option:
    """Play as the tuned evaluation does."""
    scores = [TWO.score(row) for row in position.rows(options)]
    return options[scores.index(max(scores))]


def play(rng: Random) -> Iterator[Example]:
    """Play a game; yield positions and whether who was to act won."""
    position, seen = deal(2, rng), []
    weak = rng.randrange(2) if rng.random() < AGAINST_GREEDY else None
    while position.winner is None:
        options = position.options()
        if not position.drew and position.suspect is None and rng.random() < LOOKED_AT:
            seen.append((position.place, describe(position)))
        if rng.random() < RANDOM:
            position.apply(rng.choice(options))
        elif position.place == weak:
            position.apply(greedy(position, options, rng))
        else:
            position.apply(strong(position, options))
    for place, described in seen:
        yield described, place == position.winner


def places(described: Described) -> Iterator[tuple[int, float]]:
    """Return the weights that a position depends on, with their factors."""
    mine, other, features, others, pending = described
    yield (min(mine, LARGEST) - 1) * LARGEST + min(other, LARGEST) - 1, 1.0
    large = min(mine, LARGE) - 1
    yield from enumerate(features, MINE + large * len(FEATURES))
    yield from enumerate(others, OTHER + (min(other, LARGE) - 1) * len(FEATURES))
    if pending:
        yield PENDING + 2 * large, pending
        yield PENDING + 2 * large + 1, 1.0


def chance(flat: list[float], described: Described) -> float:
    """Return the chance that who is to act wins."""
    return 1 / (1 + exp(-sum(flat[index] * value for index, value in places(described))))


def loss(flat: list[float], examples: list[Example]) -> float:
    """Return the mean surprise."""
    surprise = [log(abs(chance(flat, described) - (not won))) for described, won in examples]
    return -sum(surprise) / len(surprise)


def fit(examples: list[Example], rng: Random) -> list[float]:
    """Return the weights that explain *examples* best."""
    flat, squares = [0.0] * SIZE, [1e-6] * SIZE
    for _ in range(EPOCHS):
        rng.shuffle(examples)
        for described, won in examples:
            error = won - chance(flat, described)
            for index, value in places(described):
                slope = error * value
                squares[index] += slope * slope
                flat[index] += RATE * slope / sqrt(squares[index])
        sys.stdout.write(f"{loss(flat, examples[:10_000]):.4f}\n")
        sys.stdout.flush()
    return flat


def table(head: str, flat: list[float], start: int, rows: int, columns: int) -> str:
    """Write a part of *flat* as a table."""
    lines = [
        " ".join(f"{value:7.3f}" for value in flat[start + n * columns : start + (n + 1) * columns])
        for n in range(rows)
    ]
    return '    """\\\n' + "\n".join([head, *lines]) + '\n""",\n'


def module(flat: list[float], games: int, surprise: float) -> str:
    """Write the module of weights."""
    features = " ".join(FEATURES)
    sizes = " ".join(f"{n:>7}" for n in range(1, LARGEST + 1))
    return (
        '"""Weights of the value: data, written by `tools/fit_uno_value.py`; see there.\n\n'
        f"{games} games; mean surprise {surprise:.4f} on other games (even chances: 0.6931).\n"
        '"""\n\nfrom __future__ import annotations\n\n'
        "from gamebot_uno.players.value import Value\n\nVALUE = Value.read(\n"
        + table(sizes, flat, 0, LARGEST, LARGEST)
        + table(features, flat, MINE, LARGE, len(FEATURES))
        + table(features, flat, OTHER, LARGE, len(FEATURES))
        + table("each_two once", flat, PENDING, LARGE, 2)
        + ")\n"
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=20_000)
    games = parser.parse_args().games
    rng = Random("value fit")  # noqa: S311  cards, no secrets
    flat = fit([example for _ in range(games) for example in play(rng)], rng)
    other = Random("value test")  # noqa: S311
    surprise = loss(flat, [example for _ in range(games // 10) for example in play(other)])
    TARGET.write_text(module(flat, games, surprise), encoding="utf-8")


if __name__ == "__main__":
    main()
