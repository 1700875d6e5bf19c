"""One SQLite file: ownership, creation, migrations, and a connection that is still on disk."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from pathlib import Path
from typing import Literal

from attrs import define, field

from gamebot.errors import StoreError
from gamebot.store.migrations import Migration, load_migrations, pending

Synchronous = Literal["FULL", "NORMAL"]

BUSY_TIMEOUT_S = 0.5
APPLICATION_ID = 0x67616D65  # "game", in the file's header: tells our file from another program's

_EXPLAINED = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "another program holds a lock on the database",
    "SQLITE_NOTADB": "this is no gamebot database",
    "SQLITE_CORRUPT": "the database is damaged, restore a backup",
    "SQLITE_READONLY": "the database may not be written",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_IOERR": "the disk reports an error",
}
_CREATE_MIGRATION = (
    "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
    " checksum TEXT NOT NULL, applied_at REAL NOT NULL);\n"
)


def explain(path: Path, error: Exception) -> StoreError:
    """Turn what SQLite or a binding raised into one line for the operator."""
    name = getattr(error, "sqlite_errorname", "")
    reason = next((text for key, text in _EXPLAINED.items() if name.startswith(key)), "not stored")
    return StoreError(f"{path}: {reason} ({error})")


def roll_back(connection: sqlite3.Connection) -> None:
    """End a transaction that failed; SQLite may have ended it already."""
    if connection.in_transaction:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")


class FileLock:
    """An exclusive advisory lock on a file beside the database, held by one process.

    The lock dies with the process. Worker processes must be spawned, not forked: a fork would
    inherit it (and a fork must not carry an open SQLite connection anyway).

    Args:
        path: The lock file; it stays when the lock is released.

    Raises:
        StoreError: Somebody else holds the lock.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.fdopen(_open_private(path), "r+", encoding="ascii")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = self._file.read(20).strip()
            self._file.close()
            who = f"another gamebot{f' (process {owner})' if owner else ''}"
            raise StoreError(f"{path.with_suffix('')}: {who} uses this file") from None
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def release(self) -> None:
        """Let another process have the file."""
        self._file.close()


@define(eq=False)
class SqliteFile:
    """Own *path* and hand out its connection; used by one thread only.

    Attributes:
        path: Database file, absolute.
        synchronous: SQLite's setting of that name.
    """

    path: Path
    synchronous: Synchronous
    _lock: FileLock | None = field(default=None, init=False)
    _connection: sqlite3.Connection | None = field(default=None, init=False)
    _inodes: tuple[int, int] = field(default=(0, 0), init=False)

    def open(self) -> sqlite3.Connection:
        """Take the lock, create what is missing, migrate and check the file.

        Raises:
            StoreError: Another process owns the file, it is damaged, or it is no database.
            NewerVersionError: A newer version wrote it; it was left as it is.
        """
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = FileLock(self.path.with_name(f"{self.path.name}.lock"))
            os.close(_open_private(self.path))
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be opened ({error.strerror})") from error
        try:
            connection = self._connect()
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            raise explain(self.path, error) from error
        if verdict != "ok":
            raise StoreError(f"{self.path}: {_EXPLAINED['SQLITE_CORRUPT']} ({verdict})")
        return connection

    def connection(self) -> sqlite3.Connection:
        """Return the connection, made anew if need be, after a look at the files.

        SQLite would go on writing to a file that was deleted, and all of it would be lost.

        Raises:
            StoreError: The file is not the one that was opened.
        """
        database, log = self._stat()
        if database != self._inodes[0]:
            raise StoreError(
                f"{self.path}: the file was moved, deleted or replaced; "
                "put it back, or restart gamebot to go on with what is there now"
            )
        if self._connection is not None and log != self._inodes[1]:
            # The log was deleted under our hands: what it held goes into the database first.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.disconnect()
        return self._connection or self._connect()

    def disconnect(self) -> None:
        """Close the connection only; the next use opens it anew."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def close(self) -> None:
        """Close the connection and let another process have the file."""
        self.disconnect()
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            missing = self._missing(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {self.synchronous}")
            for migration in missing:
                _migrate(connection, migration)
            # The log exists once something was read.
            connection.execute("SELECT COUNT(*) FROM migration").fetchone()
        except BaseException:
            connection.close()
            raise
        self._connection, self._inodes = connection, self._stat()
        return connection

    def _missing(self, connection: sqlite3.Connection) -> tuple[Migration, ...]:
        """Find the migrations to apply, before anything in the file is changed."""
        known = load_migrations("sqlite")
        if connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (0,):
            return known
        if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            raise StoreError(f"{self.path}: this is a database of another program")
        recorded = dict(connection.execute("SELECT number, checksum FROM migration"))
        try:
            return pending(known, recorded)
        except StoreError as error:
            raise type(error)(f"{self.path}: {error}") from None

    def _stat(self) -> tuple[int, int]:
        return _inode(self.path), _inode(self.path.with_name(f"{self.path.name}-wal"))


def _migrate(connection: sqlite3.Connection, migration: Migration) -> None:
    try:
        # executescript commits what is open, so the transaction begins inside of it.
        connection.executescript(f"BEGIN IMMEDIATE;\n{_CREATE_MIGRATION}{migration.sql}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "INSERT INTO migration (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
            (migration.number, migration.name, migration.checksum, time.time()),
        )
        connection.execute("COMMIT")
    except sqlite3.Error:
        roll_back(connection)
        raise


def _open_private(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
