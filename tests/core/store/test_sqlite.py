import asyncio
import os
import sqlite3
import stat
import threading
from contextlib import closing
from functools import partial

import pytest

from gamebot.errors import StoreError
from gamebot.ports import (
    GameRow,
    OutLine,
    ResultRow,
    SettingRow,
    Snapshot,
    StateRow,
    Store,
    TimerRow,
    Transaction,
    Urgency,
)
from gamebot.store.sqlite import SqliteStore

KEY = ("net", "#c", "kniffel")
GAME = GameRow(*KEY, game_id="g1", version=1, state="{}")
TIMER = TimerRow(*KEY, name="turn", clock_id=3, due_at=99.5, limit_s=300.0, payload='{"seat": 1}')
LINE = OutLine("net", "#c", "anna is to roll", urgency=Urgency.TURN, channel="#c", keep=True, id=7)
STATE = StateRow(*KEY, key="greeted", value="[1]")
SETTING = SettingRow("net/#c", "kniffel", "turn_timeout_s", "60", by="anna", at=5.0)


def result(player: str = "Anna", **changes) -> ResultRow:
    values = {
        "game_id": "g1",
        "identity": f"n:{player.lower()}",
        "account": None,
        "points": 200,
        "won": False,
        "forfeited": False,
        "is_bot": False,
        "with_bots": False,
        "ended_at": 10.0,
    }
    return ResultRow(*KEY, player=player, **(values | changes))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def store(path):
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


async def stored(store: SqliteStore) -> Snapshot:
    await store.close()
    return await store.open()


async def test_it_is_a_store(path) -> None:
    store: Store = SqliteStore(path)
    assert await store.open() == Snapshot()
    await store.close()


async def test_everything_comes_back_after_a_restart(store) -> None:
    await store.commit(
        Transaction(
            games=(GAME,), timers=(TIMER,), outgoing=(LINE,), states=(STATE,), settings=(SETTING,)
        )
    )
    snapshot = await stored(store)
    assert snapshot == Snapshot(
        games=(GAME,),
        timers=(TIMER,),
        outgoing=(LINE,),
        states=(STATE,),
        settings=(SETTING,),
        next_outbox_id=8,
    )
    assert snapshot.outgoing[0].urgency is Urgency.TURN
    assert snapshot.outgoing[0].keep is True


async def test_rows_are_replaced_and_removed(store) -> None:
    await store.commit(Transaction(games=(GAME,), timers=(TIMER,), states=(STATE,)))
    newer = GameRow(*KEY, game_id="g2", version=2, state='{"a": 1}')
    await store.commit(
        Transaction(
            dropped_games=(KEY,),
            games=(newer,),
            cancelled_timers=((*KEY, "turn"),),
            states=(StateRow(*KEY, key="greeted", value=None),),
            settings=(SETTING,),
        )
    )
    assert await stored(store) == Snapshot(games=(newer,), settings=(SETTING,))
    gone = SettingRow("net/#c", "kniffel", "turn_timeout_s", None, by="bert", at=6.0)
    await store.commit(Transaction(games=(GAME,), settings=(gone,)))
    assert await stored(store) == Snapshot(games=(GAME,))


async def test_lines_come_back_in_order_of_their_ids(store) -> None:
    lines = [OutLine("net", "#c", str(number), id=number) for number in (3, 1, 2)]
    await store.commit(Transaction(outgoing=tuple(lines)))
    assert [line.id for line in (await stored(store)).outgoing] == [1, 2, 3]


async def test_sent_lines_go_with_the_next_commit(store, path) -> None:
    await store.commit(Transaction(outgoing=(LINE,)))
    store.mark_sent([LINE.id])
    await store.commit(Transaction(games=(GAME,)))
    assert rows(path, "SELECT id FROM outbox") == 0


async def test_sent_lines_go_at_close(store) -> None:
    await store.commit(Transaction(outgoing=(LINE,)))
    store.mark_sent([LINE.id])
    assert (await stored(store)).outgoing == ()


async def test_sent_lines_go_by_themselves_soon(store, path, monkeypatch) -> None:
    monkeypatch.setattr("gamebot.store.sqlite.FLUSH_SENT_AFTER_S", 0.0)
    await store.commit(Transaction(outgoing=(LINE,)))
    store.mark_sent([LINE.id])
    await store.ranking(*KEY)  # answered by the same thread, after what was queued before
    async with asyncio.timeout(5):
        while rows(path, "SELECT id FROM outbox"):
            await store.ranking(*KEY)


def rows(path, query: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return len(connection.execute(query).fetchall())


async def test_ranking_sums_by_identity_and_leaves_bots_apart(store) -> None:
    await store.commit(
        Transaction(
            results=(
                result("Anna", won=True, points=250),
                result("Bert", points=190),
                result("anna_", identity="n:anna", points=100, ended_at=20.0, forfeited=True),
                result("Bert", points=300, won=True, ended_at=20.0),
                result("Carl", points=400, won=True, with_bots=True),
                result("bot", is_bot=True, with_bots=True),
            )
        )
    )
    ranking = await store.ranking(*KEY)
    assert [(row.player, row.identity, row.wins, row.points) for row in ranking] == [
        ("Bert", "n:bert", 1, 490),
        ("anna_", "n:anna", 1, 350),
    ]
    assert [(row.games, row.forfeits, row.best) for row in ranking] == [(2, 0, 300), (2, 1, 250)]
    assert [row.player for row in await store.ranking(*KEY, since=15.0)] == ["Bert", "anna_"]
    assert [row.points for row in await store.ranking(*KEY, since=15.0)] == [300, 100]
    assert [row.player for row in await store.ranking(*KEY, with_bots=True)] == ["Carl"]
    assert len(await store.ranking(*KEY, limit=1)) == 1
    assert await store.ranking("net", "#other", "kniffel") == []


async def test_results_are_single_finished_games_of_humans(store) -> None:
    best, newest = result("Anna", points=300), result("Bert", points=200, ended_at=11.0)
    others = (result("Carl", forfeited=True, points=900), result("bot", is_bot=True, points=900))
    await store.commit(Transaction(results=(newest, best, *others)))
    assert await store.results(*KEY) == [best, newest]
    assert await store.results(*KEY, order="ended_at", limit=1) == [newest]
    with pytest.raises(ValueError, match="points, ended_at"):
        await store.results(*KEY, order="1; DROP TABLE result")


async def test_waiting_transactions_share_one_commit(store) -> None:
    seen: list[str] = []
    await trace(store, seen)
    taken, gate = threading.Event(), threading.Event()
    slow = asyncio.ensure_future(store._call(lambda: taken.set() or gate.wait()))
    await asyncio.to_thread(taken.wait)
    states = [StateRow(*KEY, key=str(number), value="1") for number in range(50)]
    waiting = [asyncio.ensure_future(store.commit(Transaction(states=(s,)))) for s in states]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(slow, *waiting)
    assert seen.count("COMMIT") == 1
    assert set((await stored(store)).states) == set(states)


async def trace(store: SqliteStore, seen: list[str]) -> None:
    def install() -> None:
        store._file.connection().set_trace_callback(seen.append)

    await store._call(install)


@pytest.mark.parametrize(
    "bad",
    [
        Transaction(games=(GAME, GameRow(*KEY, game_id="\ud800", version=1, state="{}"))),
        Transaction(timers=(TIMER,), outgoing=(OutLine("net", "#c", "no id"),)),
        Transaction(games=(GAME, GameRow(*KEY, game_id="g", version=2**70, state="{}"))),
        Transaction(games=(GAME, GameRow(*KEY, game_id="g", version=1, state=None))),
    ],
)
async def test_a_bad_transaction_fails_alone_and_as_a_whole(store, bad) -> None:
    gate = threading.Event()
    slow = asyncio.ensure_future(store._call(gate.wait))
    good = [StateRow(*KEY, key=str(number), value="1") for number in range(2)]
    transactions = [Transaction(states=(good[0],)), bad, Transaction(states=(good[1],))]
    waiting = [asyncio.ensure_future(store.commit(each)) for each in transactions]
    await asyncio.sleep(0)
    gate.set()
    outcome = await asyncio.gather(slow, *waiting, return_exceptions=True)
    assert [type(each) for each in outcome[1:]] == [type(None), StoreError, type(None)]
    snapshot = await stored(store)
    assert snapshot.states == tuple(good)
    assert not snapshot.games
    assert not snapshot.timers


async def test_a_fault_of_our_own_is_told_and_the_thread_lives_on(store, monkeypatch) -> None:
    with pytest.raises(StoreError, match="not stored"):
        await store.commit(Transaction(states=(None,)))
    with monkeypatch.context() as patch:
        patch.setattr("gamebot.store.sqlite.apply", lambda *_args: 1 / 0)
        with pytest.raises(StoreError, match="not stored"):
            await store.commit(Transaction(states=(STATE,)))
    await store.commit(Transaction(states=(STATE,)))
    assert (await stored(store)).states == (STATE,)


async def test_a_cancelled_waiter_harms_nobody(store) -> None:
    waiter = asyncio.ensure_future(store.commit(Transaction(states=(STATE,))))
    await asyncio.sleep(0)
    waiter.cancel()
    await store.commit(Transaction(games=(GAME,)))
    assert waiter.cancelled()


async def test_closed_means_closed(path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StoreError, match="not open"):
        await store.commit(Transaction())
    await store.close()
    await store.open()
    with pytest.raises(StoreError, match="open already"):
        await store.open()
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="not open"):
        await store.ranking(*KEY)


async def test_close_finishes_what_is_queued(path) -> None:
    store = SqliteStore(path)
    await store.open()
    waiting = asyncio.ensure_future(store.commit(Transaction(games=(GAME,))))
    await asyncio.sleep(0)
    await store.close()
    await waiting
    assert rows(path, "SELECT game_id FROM game") == 1


async def test_the_file_is_private_and_its_folder_is_made(tmp_path) -> None:
    store = SqliteStore(tmp_path / "new" / "games.sqlite3")
    await store.open()
    await store.commit(Transaction(games=(GAME,)))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new").iterdir()}
    await store.close()
    assert set(modes) > {"games.sqlite3", "games.sqlite3-wal", "games.sqlite3.lock"}
    assert set(modes.values()) == {0o600}


async def test_synchronous_is_what_was_asked(path) -> None:
    for name, number in (("FULL", 2), ("NORMAL", 1)):
        store = SqliteStore(path, name)
        await store.open()
        found = await store._call(partial(pragma, store, "synchronous"))
        await store.close()
        assert found == (number,)


def pragma(store: SqliteStore, name: str):
    return store._file.connection().execute(f"PRAGMA {name}").fetchone()


async def test_only_one_process_owns_the_file(store, path) -> None:
    other = SqliteStore(path)
    with pytest.raises(StoreError, match=rf"another gamebot \(process {os.getpid()}\)"):
        await other.open()
    await store.close()
    await other.open()
    await other.close()
