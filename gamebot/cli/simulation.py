"""Bot players against each other, many games at once: `gamebot simulate`.

Game *i* is dealt like every other of its group, in which each player sits in each seat once. What
decides a game depends on the seed and its number alone, so that the figures are the same whatever
the number of processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from inspect import isawaitable
from itertools import count
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, field, frozen

from gamebot.config import structure_text_settings
from gamebot.errors import GamebotError
from gamebot.logs import set_up_logs
from gamebot.plugin.game import GameType, TableSettings
from gamebot.plugin.loading import load_plugins
from gamebot.table.table import Fixed, Seat

#: Quantile of the normal distribution for 95 %, both sides.
Z_95 = 1.959964
#: Games that a process plays before it reports.
CHUNK = 50


@frozen(kw_only=True)
class Match:
    """What is played.

    Attributes:
        game: Name of the plugin.
        rules: Its rules, as a channel has them.
        players: Kinds of bot players, in the order of the seats of the first game.
        seed: Decides everything.
        folders: Drop-in folders where the plugin may be.
    """

    game: str
    rules: str
    players: tuple[str, ...]
    seed: int
    folders: tuple[Path, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """A name of its own for each player: `greedy`, `greedy2`."""
        counters = {kind: count(2) for kind in self.players}
        seen: set[str] = set()
        keys = []
        for kind in self.players:
            keys.append(f"{kind}{next(counters[kind])}" if kind in seen else kind)
            seen.add(kind)
        return tuple(keys)


@define
class Tally:
    """Figures of some games; players are numbered.

    Attributes:
        games: How many there were.
        wins: Games won by each player; a shared victory counts for each of the winners.
        points: Points of each player.
        turns: Turns of all games.
        longest: Turns of the longest one.
    """

    games: int = 0
    wins: list[int] = field(factory=list)
    points: list[int] = field(factory=list)
    turns: int = 0
    longest: int = 0

    def add(self, other: Tally) -> None:
        """Count the games of *other* too."""
        self.games += other.games
        self.wins = _sums(self.wins, other.wins)
        self.points = _sums(self.points, other.points)
        self.turns += other.turns
        self.longest = max(self.longest, other.longest)


def _sums(first: list[int], second: list[int]) -> list[int]:
    return [a + b for a, b in zip(first, second, strict=True)] if first else second


@define
class Simulator:
    """Plays the games of a match in this process."""

    match: Match
    _kind: GameType[Any]
    _settings: TableSettings
    _runner: asyncio.Runner = field(factory=asyncio.Runner)

    @classmethod
    def of(cls, match: Match) -> Simulator:
        """Load the plugin and read the rules.

        Raises:
            GamebotError: There is no such game or player, or so many cannot play it.
            ConfigError: The rules cannot be read.
        """
        kind = _find(match)
        values = kind.read_rules(match.rules)
        settings = structure_text_settings(kind.settings, values, match.game)
        simulator = cls(match, kind, settings)
        for name in match.players:
            if name not in kind.bot_players():
                known = ", ".join(kind.bot_players())
                raise GamebotError(f"{match.game} has no player {name!r}, only {known}")
        most = settings.max_players
        if not kind.min_players <= len(match.players) <= most:
            raise GamebotError(f"{match.game} is for {kind.min_players}-{most} players")
        return simulator

    def play(self, start: int, stop: int) -> Tally:
        """Play the games from number *start* up to *stop*."""
        tally = Tally()
        for number in range(start, stop):
            tally.add(self._game(number))
        return tally

    def _game(self, number: int) -> Tally:
        players = self.match.players
        deal, turn = divmod(number, len(players))
        rng = Random(f"{self.match.seed} deal {deal}")  # noqa: S311  no stakes
        chance = Random(f"{self.match.seed} players {number}")  # noqa: S311  repeatable on purpose
        seats = [Seat(seat) for seat in range(len(players))]
        game, events = self._kind.new_game(seats, self._settings, rng, Fixed(), {})
        turns = self._kind.turns(events)
        while game.to_act is not None:
            player = players[(game.to_act + turn) % len(players)]
            moved = self._kind.bot_move(game, game.to_act, player, chance)
            if isawaitable(moved):
                moved = self._runner.run(_finish(moved))
            turns += self._kind.turns(moved)
        tally = Tally(1, [0] * len(players), [0] * len(players), turns, turns)
        for seat, outcome in self._kind.outcomes(game).items():
            player_number = (seat + turn) % len(players)
            tally.wins[player_number] += outcome.won
            tally.points[player_number] += outcome.points
        return tally


async def _finish(moved: Any) -> Sequence[object]:  # noqa: ANN401  a coroutine is wanted, an awaitable given
    events: Sequence[object] = await moved
    return events


def _find(match: Match) -> GameType[Any]:
    loaded = load_plugins(match.folders)
    registry = loaded.registries.get(match.game)
    if registry is None or not registry.games:
        games = ", ".join(name for name, each in sorted(loaded.registries.items()) if each.games)
        why = loaded.failures.get(match.game, f"the games are {games}")
        raise GamebotError(f"{match.game!r} is no game: {why}")
    return registry.games[0]


def simulate(match: Match, games: int, processes: int) -> Iterator[Tally]:
    """Play *games* games; yield the figures of each part as it is ready.

    Raises:
        GamebotError: As `Simulator.of`.
    """
    here = Simulator.of(match)
    parts = [(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if processes == 1 or len(parts) == 1:
        for part in parts:
            yield here.play(*part)
        return
    with ProcessPoolExecutor(
        min(processes, len(parts)), get_context("spawn"), _begin, (match,)
    ) as pool:
        try:
            for done in as_completed([pool.submit(_play, *part) for part in parts]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


_simulator: Simulator | None = None


def _begin(match: Match) -> None:
    """Prepare a process that plays parts of *match*."""
    global _simulator  # what a process of a pool knows is global
    set_up_logs("critical")
    _simulator = Simulator.of(match)


def _play(start: int, stop: int) -> Tally:
    assert _simulator is not None  # noqa: S101  `_begin` ran first
    return _simulator.play(start, stop)


def interval(wins: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    share, z2 = wins / games, Z_95 * Z_95
    middle = share + z2 / (2 * games)
    half = Z_95 * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    scale = 1 + z2 / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def figures(match: Match, tally: Tally) -> Mapping[str, Any]:
    """Return what `gamebot simulate --json` prints."""
    players = {}
    for key, wins, points in zip(match.keys, tally.wins, tally.points, strict=True):
        players[key] = {
            "wins": wins,
            "share": round(wins / tally.games, 6),
            "interval": [round(bound, 6) for bound in interval(wins, tally.games)],
            "points": round(points / tally.games, 3),
        }
    turns = {"mean": round(tally.turns / tally.games, 3), "longest": tally.longest}
    return {"players": players, "games": tally.games, "turns": turns}
