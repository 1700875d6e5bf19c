"""Measure how much chance to win the choices of UNO's player `master` give away.

    python tools/regret_uno.py positions.json --refer 150 --playouts 1500
    python tools/regret_uno.py positions.json --try 600,14,0.003,0.3 --try 600,6,0.02,0.6

Whole games tell little: 1,500 of them leave 2.5 % of doubt. Here the moves of a few positions are
valued once, by long playouts against the very opponent (`greedy`, `random`) that they were met
with; a setting is then measured by how far its choices stay behind the best ones. It is given as
playouts, turns, trust, errors, the names of `players/master.py`. `strong` is measured beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import process_time
from typing import TypeAlias

from gamebot_uno.engine.game import Game
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase
from gamebot_uno.players import PLAYERS, master, strong
from gamebot_uno.players.model import Position
from gamebot_uno.players.value_weights import VALUE
from tune_uno import FIXED, Policy

ME, OTHER = Seat(0), Seat(1)
OPPONENTS = ("greedy", "random")
#: Turns of the playouts that value a move, positions of one game at most, tries of a setting.
TURNS, OF_A_GAME, TRIES = 14, 2, 2

Place: TypeAlias = tuple[str, int, int]
"""A position: the opponent, the number of the game, the number of the move in it."""
Valued: TypeAlias = tuple[Place, list[float]]
Setting: TypeAlias = tuple[int, int, float, float]


def replay(opponent: str, number: int) -> list[Observation]:
    """Play a game of `strong`; return what it sees where there is something to think about."""
    rng = Random(f"regret {opponent} {number}")  # noqa: S311  cards, no secrets
    game, _ = Game.start([ME, OTHER], rng=rng)
    found = []
    while (seat := game.to_act) is not None:
        seen = game.observe(seat)
        if seat == OTHER:
            game.act(seat, PLAYERS[opponent](seen, rng))
            continue
        if seen.phase is Phase.PLAYING and len(master.candidates(seen)) > 1:
            found.append(seen)
        game.act(seat, strong.choose(seen, rng))
    return found


def positions(opponent: str, count: int) -> list[Place]:
    """Choose *count* positions from games against *opponent*."""
    chosen: list[Place] = []
    number = 0
    while len(chosen) < count:
        rng = Random(f"regret choice {opponent} {number}")  # noqa: S311
        moves = range(len(replay(opponent, number)))
        picked = rng.sample(moves, min(OF_A_GAME, len(moves)))
        chosen += [(opponent, number, move) for move in picked]
        number += 1
    return chosen[:count]


def play_on(position: Position, place: int, policy: Policy) -> float:
    """Play as `master` expects of itself, the other by *policy*; return the chance to win."""
    turns, habit = TURNS, master.HABITS[2]
    while position.winner is None:
        if not position.drew:
            if not turns:
                won = VALUE.chance(position)
                return won if position.place == place else 1 - won
            turns -= 1
        if position.place == place:
            habit.move(position)
        else:
            position.apply(policy(position, position.options(), position.rng))
    return float(position.winner == place)


def refer(place: Place, playouts: int) -> Valued:
    """Value every move that is tried at *place*."""
    opponent, number, move = place
    seen = replay(opponent, number)[move]
    tried, own = master.candidates(seen), seen.seats.index(seen.seat)
    won = [0.0] * len(tried)
    for position in master.Hidden.of(seen).deals(playouts, Random(f"regret {place}")):  # noqa: S311
        for index, candidate in enumerate(tried):
            twin = position.copy()
            master.make(twin, candidate.move)
            won[index] += play_on(twin, own, FIXED[opponent])
    return place, [one / playouts for one in won]


def regret(valued: Valued, setting: Setting) -> tuple[float, float]:
    """Return what a choice by *setting* gives away, and its seconds."""
    (opponent, number, move), values = valued
    playouts, master.TURNS, master.TRUST, master.ERRS = setting
    seen = replay(opponent, number)[move]
    moves = [candidate.move for candidate in master.candidates(seen)]
    lost, begin = 0.0, process_time()
    for again in range(TRIES):
        chosen = master.search(seen, master.candidates(seen), Random(again), playouts)  # noqa: S311
        lost += max(values) - values[moves.index(chosen)]
    return lost / TRIES, (process_time() - begin) / TRIES


def read_setting(text: str) -> Setting:
    """Read "playouts,turns,trust,errors"."""
    playouts, turns, trust, errors = text.split(",")
    return int(playouts), int(turns), float(trust), float(errors)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--refer", type=int, default=0, help="value so many positions an opponent")
    parser.add_argument("--playouts", type=int, default=1500, help="for each of their moves")
    parser.add_argument("--try", dest="settings", type=read_setting, action="append", default=[])
    given = parser.parse_args()
    with Pool() as pool:
        if given.refer:
            places = [place for name in OPPONENTS for place in positions(name, given.refer)]
            found = pool.map(partial(refer, playouts=given.playouts), places, 1)
            given.file.write_text(json.dumps(found), encoding="utf-8")
        valued: list[Valued] = json.loads(given.file.read_text(encoding="utf-8"))
        for name in OPPONENTS:
            here = [one for one in valued if one[0][0] == name]
            first = sum(max(values) - values[0] for _, values in here) / len(here)
            sys.stdout.write(f"strong against {name}: gives {first:.2%} away\n")
            for setting in given.settings:
                lost, seconds = zip(*pool.map(partial(regret, setting=setting), here), strict=True)
                sys.stdout.write(
                    f"{setting} against {name}: gives {sum(lost) / len(lost):.2%} away,"
                    f" {sum(seconds) / len(seconds) * 1000:.0f} ms\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
