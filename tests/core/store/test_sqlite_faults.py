"""What happens when the disk, the file or another program does not play along."""

import asyncio
import hashlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import closing

import pytest

from gamebot.errors import NewerVersionError, StoreError
from gamebot.ports import OutLine, Snapshot, StateRow, Transaction
from gamebot.store.migrations import Migration, load_migrations, pending
from gamebot.store.sqlite import SqliteStore

KEY = ("net", "#c", "kniffel")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def store(path):
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


def put(key: str, value: str = "1") -> Transaction:
    return Transaction(states=(StateRow(*KEY, key=key, value=value),))


async def keys(store: SqliteStore) -> set[str]:
    await store.close()
    return {state.key for state in (await store.open()).states}


async def limit_pages(store: SqliteStore, count: int) -> None:
    def limit() -> None:
        store._file.connection().execute(f"PRAGMA max_page_count = {count}").fetchone()

    await store._call(limit)


async def test_a_full_disk_refuses_and_recovers(store) -> None:
    await store.commit(put("before"))
    await limit_pages(store, 20)
    with pytest.raises(StoreError, match="the disk is full"):
        await store.commit(put("big", "x" * 200_000))
    await store.commit(put("small"))
    await limit_pages(store, 100_000)
    await store.commit(put("big again", "x" * 200_000))
    assert await keys(store) == {"before", "small", "big again"}


async def test_a_full_disk_fails_only_what_does_not_fit(store) -> None:
    await store.commit(Transaction(outgoing=(OutLine("net", "#c", "hello", id=1),)))
    store.mark_sent([1])
    await limit_pages(store, 20)
    gate = threading.Event()
    slow = asyncio.ensure_future(store._call(gate.wait))
    wanted = [put("a"), put("big", "x" * 200_000), put("b")]
    waiting = [asyncio.ensure_future(store.commit(each)) for each in wanted]
    await asyncio.sleep(0)
    gate.set()
    outcome = await asyncio.gather(slow, *waiting, return_exceptions=True)
    assert [type(each) for each in outcome[1:]] == [type(None), StoreError, type(None)]
    await store.close()
    snapshot = await store.open()
    assert {state.key for state in snapshot.states} == {"a", "b"}
    assert snapshot.outgoing == ()


FILE_LIMIT = """
    import asyncio, resource, signal, sys
    from gamebot.errors import StoreError
    from gamebot.ports import StateRow, Transaction
    from gamebot.store.sqlite import SqliteStore

    def put(key, size):
        return Transaction(states=(StateRow("n", "#c", "p", key, "x" * size),))

    async def main():
        store = SqliteStore(sys.argv[1])
        await store.open()
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        try:
            await store.commit(put("big", 400_000))
        except StoreError as error:
            print("refused:", error)
        await store.commit(put("small", 10))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        await store.commit(put("later", 400_000))
        await store.close()
        print("keys:", sorted(state.key for state in (await store.open()).states))
        await store.close()

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no file size limit here")
def test_a_failing_write_refuses_and_recovers(path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FILE_LIMIT), path],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert run.stderr == ""
    assert f"refused: {path}: " in run.stdout
    assert "keys: ['later', 'small']" in run.stdout


async def test_a_locked_database_refuses_and_recovers(store, path, monkeypatch) -> None:
    await store.commit(put("before"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program holds a lock"):
            await store.commit(put("refused"))
        other.execute("ROLLBACK")
    await store.commit(put("after"))
    assert await keys(store) == {"before", "after"}


async def test_sent_lines_wait_for_a_locked_database(store, path) -> None:
    await store.commit(Transaction(outgoing=(OutLine("net", "#c", "hello", id=1),)))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.mark_sent([1])
        with pytest.raises(StoreError):
            await store.commit(put("refused"))
        other.execute("ROLLBACK")
    await store.commit(put("after"))
    await store.close()
    assert (await store.open()).outgoing == ()


async def test_a_moved_file_takes_no_transaction_until_it_is_back(store, path) -> None:
    await store.commit(put("before"))
    away = path.with_name("away")
    path.rename(away)
    for _ in range(2):
        with pytest.raises(StoreError, match="moved, deleted or replaced"):
            await store.commit(put("lost"))
    away.rename(path)
    await store.commit(put("after"))
    assert await keys(store) == {"before", "after"}


async def test_a_deleted_log_is_written_anew(store, path) -> None:
    await store.commit(put("before"))
    path.with_name(f"{path.name}-wal").unlink()
    await store.commit(put("after"))
    with closing(sqlite3.connect(path)) as other:
        found = {key for (key,) in other.execute("SELECT key FROM state")}
    assert found == {"before", "after"}


async def test_a_broken_connection_is_opened_anew(store) -> None:
    await store._call(lambda: store._file.connection().close())
    with pytest.raises(StoreError):
        await store.commit(put("refused"))
    await store.commit(put("after"))
    assert await keys(store) == {"after"}


CONTENTS = {
    "text": (b"this is a diary, not a database\n" * 500, "no gamebot database"),
    "header": (b"SQLite format 3\0" + b"\xff" * 8000, "gamebot database|damaged"),
}


@pytest.mark.parametrize("kind", CONTENTS)
async def test_a_foreign_file_is_refused_and_left_alone(path, kind) -> None:
    content, message = CONTENTS[kind]
    path.write_bytes(content)
    with pytest.raises(StoreError, match=message) as caught:
        await SqliteStore(path).open()
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


async def test_another_programs_database_is_refused_and_left_alone(path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE migration (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        await SqliteStore(path).open()
    assert path.read_bytes() == before


async def test_a_damaged_database_is_refused(store, path) -> None:
    for number in range(200):
        await store.commit(put(str(number), "x" * 500))
    await store.close()
    content = bytearray(path.read_bytes())
    content[4096 * 8 : 4096 * 24] = b"\x5a" * 4096 * 16
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged, restore a backup"):
        await SqliteStore(path).open()
    # The lock is free again.
    shutil.copy(path, path.with_name("copy"))
    path.unlink()
    await SqliteStore(path).open()


async def test_a_folder_that_cannot_be_made_is_named(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        await SqliteStore(tmp_path / "file" / "games.sqlite3").open()


async def test_a_newer_schema_is_refused_and_left_alone(store, path) -> None:
    await store.close()
    change(path, "INSERT INTO migration VALUES (99, 'future', 'abc', 0)")
    before = hashlib.sha256(path.read_bytes()).digest()
    with pytest.raises(NewerVersionError, match=r"schema 99, this version knows \d+"):
        await store.open()
    assert hashlib.sha256(path.read_bytes()).digest() == before


async def test_an_edited_migration_is_refused(store, path) -> None:
    await store.close()
    change(path, "UPDATE migration SET checksum = 'abc'")
    with pytest.raises(StoreError, match=r"migration 0001 \(initial\) differs"):
        await store.open()


def change(path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


async def test_a_failing_migration_changes_nothing(path, monkeypatch) -> None:
    good = load_migrations("sqlite")
    bad = Migration(2, "bad", "CREATE TABLE extra (a);\nINSERT INTO nowhere VALUES (1);")
    monkeypatch.setattr("gamebot.store.file.load_migrations", lambda _backend: (*good, bad))
    with pytest.raises(StoreError, match="nowhere"):
        await SqliteStore(path).open()
    monkeypatch.undo()
    store = SqliteStore(path)
    await store.open()
    await store.commit(put("after"))
    await store.close()


def test_migrations_are_applied_once_and_in_order() -> None:
    first, second = Migration(1, "a", "A"), Migration(2, "b", "B")
    assert pending((first, second), {}) == (first, second)
    assert pending((first, second), {1: first.checksum}) == (second,)
    assert pending((first, second), {1: first.checksum, 2: second.checksum}) == ()


def test_a_gap_in_the_numbers_is_an_error(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "migrations" / "sqlite"
    folder.mkdir(parents=True)
    (folder / "0002_second.sql").write_text("")
    monkeypatch.setattr("gamebot.store.migrations.files", lambda _package: tmp_path)
    with pytest.raises(StoreError, match="not numbered"):
        load_migrations("sqlite")


ENDLESS = """
    import asyncio, os, sys
    from gamebot.ports import GameRow, OutLine, StateRow, Transaction
    from gamebot.store.sqlite import SqliteStore

    async def table(store, channel):
        number = 0
        while True:
            number += 1
            await store.commit(Transaction(
                games=(GameRow("n", channel, "p", "g", 1, str(number)),),
                states=(StateRow("n", channel, "p", "twin", str(number)),),
            ))
            os.write(1, f"{channel} {number}\\n".encode())

    async def main():
        store = SqliteStore(sys.argv[1])
        await store.open()
        os.write(1, b"open 0\\n")
        await asyncio.gather(*(table(store, f"#{n}") for n in range(8)))

    asyncio.run(main())
"""


@pytest.mark.parametrize("lines", [1, 2, 9, 40, 333, 1000])
def test_what_was_acknowledged_survives_kill_9(path, lines) -> None:
    acknowledged = run_and_kill(path, lines)
    snapshot = asyncio.run(read(path))
    games = {game.channel: int(game.state) for game in snapshot.games}
    assert games == {state.channel: int(state.value) for state in snapshot.states}
    for channel, number in acknowledged.items():
        assert number <= games[channel] <= number + 1


def run_and_kill(path, lines: int) -> dict[str, int]:
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(ENDLESS), path], stdout=subprocess.PIPE, text=True
    )
    told = [child.stdout.readline() for _ in range(lines)]
    child.send_signal(signal.SIGKILL)
    told += child.stdout.read().splitlines(keepends=True)
    child.wait()
    child.stdout.close()
    pairs = [line.split() for line in told if line.endswith("\n")]
    return {channel: int(number) for channel, number in pairs if channel != "open"}


async def read(path) -> Snapshot:
    store = SqliteStore(path)
    snapshot = await store.open()
    await store.close()
    return snapshot
