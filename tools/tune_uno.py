"""Tune the evaluation of the UNO players `strong` and `master`.

    python tools/tune_uno.py tune two two.json
    python tools/tune_uno.py tune many many.json
    python tools/tune_uno.py write two.json many.json

Natural policy gradient: the player draws its moves by the softmax of their scores, plays whole
games against `greedy`, `random` and itself, and the weights take a step along the gradient of its
wins, scaled by the inverse of the Fisher matrix to a fixed change of behaviour. A result counts
against the mean result of similar positions of earlier rounds, which takes most of the noise out.
What is kept is a moving average of the weights.

Rules are those of the preset `cuciolo`. The games are dealt from seeds of their own (`tune ...`),
so that the figures of `gamebot simulate` are about other deals. The same arguments give the same
weights, whatever the number of processes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import exp, sqrt
from multiprocessing import get_context
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field, frozen
from gamebot_uno.engine.cards import CARD_FACES, WILD_DRAW_FOUR_FACE, WILD_FACE, Rank, deck
from gamebot_uno.engine.rules import CUCIOLO
from gamebot_uno.players.evaluation import (
    BASES,
    CHALLENGE,
    COLOR_OF,
    COLORS,
    DANGERS,
    DRAW,
    FEATURES,
    GROUPS,
    KINDS,
    NO_COLOR,
    PASS,
    RANK_OF,
    SIZE,
    TAKE,
    Row,
    Weights,
)
from gamebot_uno.players.model import DRAW as DRAW_OPTION
from gamebot_uno.players.model import Option, Position, model

WEIGHTS = Path(__file__).parents[1] / "plugins/uno/gamebot_uno/players/weights.py"

#: Whom the player meets, and how often.
OPPONENTS = {"greedy": 5, "random": 2, "itself": 3}
#: Sizes of tables, drawn evenly.
TABLES = {"two": (2,), "many": (3, 4, 4, 4, 5, 6)}
#: The player to start from shuns what plays no card.
START = {DRAW: -3.0, PASS: -2.0, TAKE: -1.0, CHALLENGE: -2.0}
#: Parts of a round; each has chance of its own.
PARTS = 8
#: Change of behaviour in the first round (Kullback-Leibler, per decision), and its decay.
DIVERGENCE, DECAY = 0.02, 0.96
#: Largest step, and what keeps the Fisher matrix regular.
LARGEST_STEP, DAMPING = 30.0, 2e-4
#: Share of decisions that the Fisher matrix is estimated from.
SAMPLED = 0.08
#: How fast older rounds are forgotten: by the average of the weights, by the baseline.
AVERAGE, MEMORY = 0.85, 0.6
#: Weight of the even chance in the baseline of a position, in games.
PRIOR_GAMES = 5
#: Hands count as equal from this size on, pending sums likewise.
MANY_CARDS, MANY_PENDING = 12, 4

Policy = Callable[[Position, list[Option], Random], Option]
Key = tuple[str, int, int, int, int]


# --- the opponents, as `uno.md` fixes them


def greedy(position: Position, options: list[Option], rng: Random) -> Option:  # noqa: ARG001
    """Play most points, wilds last, in the colour held most; never bluff or challenge."""
    coloured = [option for option in options if option < WILD_FACE * COLORS]
    if coloured:
        return max(coloured, key=lambda option: min(RANK_OF[option // COLORS], Rank.SKIP))
    hand = position.hands[position.place]
    for face in (WILD_FACE, WILD_DRAW_FOUR_FACE):
        if face * COLORS in options and (face == WILD_FACE or position.honest(hand)):
            held = [0] * COLORS
            for other in hand:
                held[COLOR_OF[other]] += 1
            return face * COLORS + held.index(max(held[:NO_COLOR]))
    return next(option for option in options if option >= DRAW_OPTION)


def careless(position: Position, options: list[Option], rng: Random) -> Option:  # noqa: ARG001
    """Play a random card in a random colour; challenge or accept evenly."""
    plays = [option for option in options if option < DRAW_OPTION]
    if plays:
        face = rng.choice(sorted({option // COLORS for option in plays}))
        return rng.choice([option for option in plays if option // COLORS == face])
    return rng.choice(options)


FIXED: dict[str, Policy] = {"greedy": greedy, "random": careless}


# --- games


def deal(players: int, rng: Random) -> Position:
    """Deal as the engine does; place 0 begins."""
    pile: list[int] = [CARD_FACES[card] for card in deck(1)]
    rng.shuffle(pile)
    size = CUCIOLO.hand_size
    hands = [pile[n * size : (n + 1) * size] for n in range(players)]
    del pile[: players * size]
    while RANK_OF[pile[-1]] >= Rank.SKIP:
        pile.insert(rng.randrange(len(pile)), pile.pop())
    top = pile.pop()
    return Position(model(CUCIOLO, players), rng, hands, pile, [top], COLOR_OF[top])


@frozen
class Job:
    """A part of a round.

    Attributes:
        name: Seeds its chance.
        games: How many to play.
        tables: Sizes of tables.
        flat: Weights.
        baseline: Mean result of positions of earlier rounds.
    """

    name: str
    games: int
    tables: tuple[int, ...]
    flat: Sequence[float]
    baseline: dict[Key, float]


@define
class Yield:
    """What came of it.

    Attributes:
        gradient: Sum over decisions.
        fisher: Sum over sampled decisions, the lower half.
        decisions: Number of decisions.
        sampled: How many of them `fisher` is of.
        results: Sum and number of the results of positions.
        wins: The same for whole games, by opponent and table.
    """

    gradient: list[float] = field(factory=lambda: [0.0] * SIZE)
    fisher: dict[tuple[int, int], float] = field(factory=lambda: defaultdict(float))
    decisions: int = 0
    sampled: int = 0
    results: dict[Key, tuple[float, int]] = field(factory=dict)
    wins: dict[tuple[str, int], tuple[float, int]] = field(factory=dict)

    def add(self, other: Yield) -> None:
        """Add what came of another part."""
        self.gradient = [a + b for a, b in zip(self.gradient, other.gradient, strict=True)]
        for place, value in other.fisher.items():
            self.fisher[place] += value
        self.decisions += other.decisions
        self.sampled += other.sampled
        for key, (total, games) in other.results.items():
            count(self.results, key, total, games)
        for table, (total, games) in other.wins.items():
            count(self.wins, table, total, games)


def count(where: dict[Any, tuple[float, int]], key: object, total: float, games: int = 1) -> None:
    """Add results to a table of sums and numbers."""
    before, played = where.get(key, (0.0, 0))
    where[key] = before + total, played + games


@frozen
class Decision:
    """One decision of the player.

    Attributes:
        rows: The moves.
        chances: How likely each one was.
        taken: Which one it made.
        key: What the baseline knows the position by.
    """

    rows: list[Row]
    chances: list[float]
    taken: int
    key: Key


def play_part(job: Job) -> Yield:
    """Play the games of *job*."""
    rng, out = Random(f"tune {job.name}"), Yield()  # noqa: S311  cards, no secrets
    names, shares = list(OPPONENTS), list(OPPONENTS.values())
    for _ in range(job.games):
        players = rng.choice(job.tables)
        opponent = rng.choices(names, shares)[0]
        me = rng.randrange(players)
        decisions, winner = play(deal(players, rng), me, opponent, Weights.of(job.flat), rng)
        result = float(winner == me)
        count(out.wins, (opponent, players), result)
        for decision in decisions:
            count(out.results, decision.key, result)
            learn(out, decision, result - job.baseline.get(decision.key, 1 / players), rng)
    return out


def play(
    position: Position, me: int, opponent: str, weights: Weights, rng: Random
) -> tuple[list[Decision], int]:
    """Play a game; return what the place *me* decided, and who won."""
    other, decisions = FIXED.get(opponent), []
    while position.winner is None:
        options = position.options()
        if other and position.place != me:
            position.apply(other(position, options, rng))
        elif len(options) == 1:
            position.apply(options[0])
        else:
            rows = position.rows(options)
            chances = softmax([weights.score(row) for row in rows])
            taken = rng.choices(range(len(rows)), chances)[0]
            if position.place == me:
                decisions.append(Decision(rows, chances, taken, key_of(position, opponent)))
            position.apply(options[taken])
    return decisions, position.winner


def softmax(scores: list[float]) -> list[float]:
    """Return chances."""
    best = max(scores)
    powers = [exp(score - best) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def key_of(position: Position, opponent: str) -> Key:
    """Return what the baseline knows *position* by."""
    hands, place = position.hands, position.place
    following = hands[(place + position.step) % len(hands)]
    return (
        opponent,
        len(hands),
        min(len(hands[place]), MANY_CARDS),
        min(len(following), MANY_CARDS),
        min(position.pending, MANY_PENDING),
    )


def learn(out: Yield, decision: Decision, advantage: float, rng: Random) -> None:
    """Add a decision to the gradient, and perhaps to the Fisher matrix."""
    out.decisions += 1
    slope: dict[int, float] = defaultdict(float)
    for index, value in places(decision.rows[decision.taken]):
        slope[index] += value
    for row, chance in zip(decision.rows, decision.chances, strict=True):
        for index, value in places(row):
            slope[index] -= chance * value
    for index, value in slope.items():
        out.gradient[index] += advantage * value
    if rng.random() < SAMPLED:
        out.sampled += 1
        entries = list(slope.items())
        for index, value in entries:
            for other, factor in entries:
                if other <= index:
                    out.fisher[index, other] += value * factor


def places(row: Row) -> Iterable[tuple[int, float]]:
    """Return the weights that *row* depends on, with their factors."""
    base, group, features = row
    yield base, 1.0
    start = BASES + group * len(FEATURES)
    for index, value in enumerate(features, start):
        if value:
            yield index, value


# --- rounds


def solve(out: Yield, right: Sequence[float]) -> list[float]:
    """Solve `(fisher + DAMPING) x = right` by Cholesky's method."""
    lower: list[list[float]] = []
    for i in range(SIZE):
        row: list[float] = []
        for j in range(i + 1):
            value = out.fisher.get((i, j), 0.0) / out.sampled + DAMPING * (i == j)
            value -= sum(map(mul, row, lower[j] if j < i else row))
            row.append(value / lower[j][j] if j < i else sqrt(max(value, DAMPING / 10)))
        lower.append(row)
    half: list[float] = []
    for row, value in zip(lower, right, strict=True):
        half.append((value - sum(map(mul, row, half))) / row[len(half)])
    solution = [0.0] * SIZE
    for i in reversed(range(SIZE)):
        later = sum(lower[k][i] * solution[k] for k in range(i + 1, SIZE))
        solution[i] = (half[i] - later) / lower[i][i]
    return solution


def step(out: Yield, flat: Sequence[float], number: int) -> list[float]:
    """Return the weights after round *number*, from 0."""
    gradient = [value / out.decisions for value in out.gradient]
    direction = solve(out, gradient)
    slope = sum(map(mul, gradient, direction))
    length = min(sqrt(2 * DIVERGENCE * DECAY**number / slope), LARGEST_STEP)
    return [weight + length * value for weight, value in zip(flat, direction, strict=True)]


def start() -> list[float]:
    """Return the weights to start from."""
    flat = [0.0] * SIZE
    for danger in range(DANGERS):
        for kind, weight in START.items():
            flat[danger * len(KINDS) + kind] = weight
    return flat


def tune(name: str, target: Path, rounds: int, games: int, jobs: int) -> None:
    """Tune the weights *name* and store them in *target* after each round."""
    flat = average = start()
    results: dict[Key, tuple[float, int]] = {}
    with get_context("spawn").Pool(jobs) as pool:
        for number in range(rounds):
            baseline = {
                key: (total + PRIOR_GAMES / key[1]) / (played + PRIOR_GAMES)
                for key, (total, played) in results.items()
            }
            parts = [
                Job(f"{name} {number} {part}", games // PARTS, TABLES[name], flat, baseline)
                for part in range(PARTS)
            ]
            out = Yield()
            for part in pool.imap(play_part, parts):
                out.add(part)
            flat = step(out, flat, number)
            average = [
                AVERAGE * old + (1 - AVERAGE) * new if number else new
                for old, new in zip(average, flat, strict=True)
            ]
            results = {k: (v * MEMORY, round(n * MEMORY)) for k, (v, n) in results.items()}
            for key, (total, played) in out.results.items():
                count(results, key, total, played)
            tuned = {"name": name, "rounds": number + 1, "games": games, "weights": average}
            target.write_text(json.dumps(tuned), encoding="utf-8")
            report(number, out)


def report(number: int, out: Yield) -> None:
    """Print how often the player won in a round."""
    shares = [
        f"{opponent}/{players} {total / games:.3f}"
        for (opponent, players), (total, games) in sorted(out.wins.items())
    ]
    sys.stdout.write(f"{number:3} {' '.join(shares)}\n")
    sys.stdout.flush()


# --- the module


def write(two: Path, many: Path) -> None:
    """Write `weights.py` from what `tune` stored."""
    tuned = [json.loads(path.read_text(encoding="utf-8")) for path in (two, many)]
    runs = "\n".join(
        f"- `{each['name']}`: {each['rounds']} rounds of {each['games']} games" for each in tuned
    )
    parts = [
        '"""Weights of the evaluation: data, written by `tools/tune_uno.py`; see there.\n\n'
        f'{runs}\n"""\n\nfrom __future__ import annotations\n\n'
        "from gamebot_uno.players.evaluation import Weights\n"
    ]
    for each in tuned:
        weights = Weights.of(each["weights"])
        tables = ",\n".join(f'    """\\\n{table}"""' for table in (bases(weights), slopes(weights)))
        parts.append(f"\n{each['name'].upper()} = Weights.read(\n{tables},\n)\n")
    WEIGHTS.write_text("".join(parts), encoding="utf-8")


def bases(weights: Weights) -> str:
    """Write the bases as a table."""
    rows = [f"{'kind':14}{'one_card':>9}{'two_cards':>10}{'more':>9}"]
    for number, kind in enumerate(KINDS):
        values = weights.base[number :: len(KINDS)]
        rows.append(f"{kind:14}{values[0]:9.3f}{values[1]:10.3f}{values[2]:9.3f}")
    return "\n".join(rows) + "\n"


def slopes(weights: Weights) -> str:
    """Write the slopes as a table; rows end with the last one that is not zero."""
    widths = [max(len(feature), 7) + 1 for feature in FEATURES]
    rows = [f"{'group':9}" + "".join(f"{f:>{w}}" for f, w in zip(FEATURES, widths, strict=True))]
    for group, values in zip(GROUPS, weights.slopes, strict=True):
        used = max((n for n, value in enumerate(values, 1) if value), default=1)
        cells = zip(values[:used], widths, strict=False)
        rows.append(f"{group:9}" + "".join(f"{value:{width}.3f}" for value, width in cells))
    return "\n".join(rows) + "\n"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    tuning = commands.add_parser("tune", help="tune one set of weights")
    tuning.add_argument("name", choices=TABLES)
    tuning.add_argument("target", type=Path)
    tuning.add_argument("--rounds", type=int, default=40)
    tuning.add_argument("--games", type=int, default=12_000, help="of each round")
    tuning.add_argument("--jobs", type=int, default=2)
    writing = commands.add_parser("write", help="write the module")
    writing.add_argument("two", type=Path)
    writing.add_argument("many", type=Path)
    given = parser.parse_args()
    if given.command == "tune":
        tune(given.name, given.target, given.rounds, given.games, given.jobs)
    else:
        write(given.two, given.many)


if __name__ == "__main__":
    main()
