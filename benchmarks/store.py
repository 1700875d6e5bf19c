"""Commits a second of the SQLite store, for one channel and for many at once.

Run with `python benchmarks/store.py [FOLDER]`; the folder decides which disk is measured.
A transaction is what a Kniffel roll stores: the game (2 KiB), a timer and two lines.
"""

# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from gamebot.ports import GameRow, OutLine, ResultRow, TimerRow, Transaction
from gamebot.store.file import Synchronous
from gamebot.store.sqlite import SqliteStore

SECONDS = 2.0
STATE = '{"state": "' + "x" * 2048 + '"}'


def roll(channel: str, number: int) -> Transaction:
    """Build what one input stores; *number* is unique in the run."""
    key = ("net", channel, "kniffel")
    return Transaction(
        games=(GameRow(*key, game_id="g", version=1, state=STATE),),
        timers=(TimerRow(*key, name="turn", clock_id=number, due_at=1e9, limit_s=300.0),),
        outgoing=tuple(
            OutLine("net", channel, "anna rolls 1 2 3 4 5", channel=channel, id=2 * number + n)
            for n in (1, 2)
        ),
    )


async def play(store: SqliteStore, channels: int) -> list[float]:
    """Commit as fast as *channels* tables can, each waiting for its own; return latencies."""
    latencies: list[float] = []
    numbers = iter(range(10**9))
    end = time.perf_counter() + SECONDS

    async def table(channel: str) -> None:
        while (start := time.perf_counter()) < end:
            transaction = roll(channel, next(numbers))
            await store.commit(transaction)
            latencies.append(time.perf_counter() - start)
            store.mark_sent(line.id for line in transaction.outgoing)

    await asyncio.gather(*(table(f"#{number}") for number in range(channels)))
    return sorted(latencies)


async def measure(folder: Path, channels: int, synchronous: Synchronous) -> None:
    """Print one line for one way of use."""
    path = folder / f"bench-{channels}-{synchronous}.sqlite3"
    store = SqliteStore(path, synchronous)
    await store.open()
    found = await play(store, channels)
    await store.close()
    print(
        f"{synchronous:6} {channels:3} channels: {len(found) / SECONDS:8.0f} commits/s, "
        f"median {1000 * found[len(found) // 2]:6.2f} ms, "
        f"p99 {1000 * found[len(found) * 99 // 100]:6.2f} ms"
    )


async def measure_ranking(folder: Path, count: int) -> None:
    """Print how long a ranking over *count* results of 200 players takes."""
    store = SqliteStore(folder / "ranking.sqlite3")
    await store.open()
    rows = tuple(
        ResultRow(
            *("net", "#c", "kniffel", f"g{number}", f"p{number % 200}", f"n:p{number % 200}"),
            account=None,
            points=number % 400,
            won=number % 3 == 0,
            forfeited=False,
            is_bot=False,
            with_bots=False,
            ended_at=float(number),
        )
        for number in range(count)
    )
    await store.commit(Transaction(results=rows))
    start = time.perf_counter()
    await store.ranking("net", "#c", "kniffel")
    middle = time.perf_counter()
    await store.results("net", "#c", "kniffel")
    end = time.perf_counter()
    await store.close()
    print(
        f"{count} results: ranking {1000 * (middle - start):.1f} ms, "
        f"best ten {1000 * (end - middle):.1f} ms"
    )


async def main() -> None:
    """Measure on the given folder's disk, or on that of the temporary files."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        for synchronous in ("FULL", "NORMAL"):
            for channels in (1, 50):
                await measure(Path(name), channels, synchronous)
        await measure_ranking(Path(name), 20_000)


if __name__ == "__main__":
    asyncio.run(main())
