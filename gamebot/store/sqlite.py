"""The default store: the standard library's sqlite3 in one writer thread, with group commit.

The thread owns the connection. It takes whatever waits in the queue and commits it as one SQL
transaction, so that under load many inputs share one fsync while a lone one waits for nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Condition, Thread
from typing import Any, TypeVar

from attrs import define, field

from gamebot.errors import StoreError
from gamebot.ports import RankingRow, ResultRow, Snapshot, Transaction
from gamebot.store.file import SqliteFile, Synchronous, explain, roll_back
from gamebot.store.statements import (
    RESULT_ORDERS,
    apply,
    delete_sent,
    read_snapshot,
    select_ranking,
    select_results,
)

FLUSH_SENT_AFTER_S = 1.0

_T = TypeVar("_T")
# What a job can raise: text that is no Unicode is a ValueError, a number over 64 bits an
# OverflowError, a row that is none an AttributeError or TypeError.
_FAULTS = (sqlite3.Error, ValueError, OverflowError, AttributeError, TypeError)


@define(eq=False)
class _Job:
    """Something that the thread does for a waiter in the event loop."""

    future: asyncio.Future[Any]
    result: Any = field(default=None, init=False)
    error: StoreError | None = field(default=None, init=False)

    def settle(self) -> None:
        if self.future.done():  # the waiter was cancelled
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


@define(eq=False)
class _Commit(_Job):
    transaction: Transaction


@define(eq=False)
class _Call(_Job):
    function: Callable[[], Any]


class SqliteStore:
    """Keep everything in one SQLite file; implements `gamebot.ports.Store`.

    Args:
        path: Database file; its folder is made when missing.
        synchronous: "FULL" survives a power loss, "NORMAL" only the death of the process.
    """

    def __init__(self, path: str | Path, synchronous: Synchronous = "FULL") -> None:
        self._path = Path(path).resolve()
        self._file = SqliteFile(self._path, synchronous)  # the thread's own
        self._wakeup = Condition()  # guards the four fields below
        self._jobs: list[_Job] = []
        self._sent: list[int] = []
        self._flush_at = 0.0
        self._closing = False
        self._thread: Thread | None = None

    async def open(self) -> Snapshot:
        """Open (create, migrate) and read what the core needs to go on.

        Raises:
            StoreError: Another process owns the file, it is damaged, or it is no database.
            NewerVersionError: A newer version wrote it; it was left as it is.
        """
        if self._thread is not None:
            raise StoreError(f"{self._path}: is open already")
        self._closing = False
        self._thread = Thread(target=self._serve, name="gamebot-store", daemon=True)
        self._thread.start()
        try:
            return await self._call(lambda: read_snapshot(self._file.open()))
        except StoreError:
            await self.close()
            raise

    async def commit(self, transaction: Transaction) -> None:
        """Return once *transaction* is durable; on an error nothing of it took effect."""
        await self._queue(_Commit(_new_future(), transaction))

    def mark_sent(self, ids: Iterable[int]) -> None:
        """Delete these outbox rows with the next commit, at the latest after a second."""
        with self._wakeup:
            if not self._sent:
                self._flush_at = time.monotonic() + FLUSH_SENT_AFTER_S
                self._wakeup.notify()
            self._sent.extend(ids)

    async def ranking(
        self,
        network: str,
        channel: str,
        plugin: str,
        *,
        since: float = 0.0,
        with_bots: bool = False,
        limit: int = 10,
    ) -> Sequence[RankingRow]:
        """Rank human players by wins, then points.

        Args:
            network: Network name.
            channel: Folded channel name.
            plugin: Plugin whose games count.
            since: Ignore games that ended before, seconds since the Unix epoch.
            with_bots: Count only the games with bot players, instead of only those without.
            limit: Most rows to return.
        """
        values: dict[str, object] = {
            "network": network,
            "channel": channel,
            "plugin": plugin,
            "since": since,
            "with_bots": with_bots,
            "limit": limit,
        }
        return await self._call(lambda: select_ranking(self._file.connection(), values))

    async def results(
        self, network: str, channel: str, plugin: str, *, order: str = "points", limit: int = 10
    ) -> Sequence[ResultRow]:
        """Return single results of humans in games that they finished.

        Args:
            network: Network name.
            channel: Folded channel name.
            plugin: Plugin whose games count.
            order: "points" for the best first, "ended_at" for the newest first.
            limit: Most rows to return.
        """
        if order not in RESULT_ORDERS:
            raise ValueError(f"order must be one of {', '.join(RESULT_ORDERS)}, got {order!r}")
        key = (network, channel, plugin)
        return await self._call(lambda: select_results(self._file.connection(), key, order, limit))

    async def close(self) -> None:
        """Finish what is queued, then close; harmless when repeated."""
        thread = self._thread
        if thread is None:
            return
        with self._wakeup:
            self._closing = True
            self._wakeup.notify()
        await asyncio.to_thread(thread.join)
        self._thread = None

    async def _call(self, function: Callable[[], _T]) -> _T:
        result: _T = await self._queue(_Call(_new_future(), function))
        return result

    def _queue(self, job: _Job) -> asyncio.Future[Any]:
        with self._wakeup:
            if self._thread is None or self._closing:
                raise StoreError(f"{self._path}: the store is not open")
            self._jobs.append(job)
            self._wakeup.notify()
        return job.future

    # From here on everything runs in the thread.

    def _serve(self) -> None:
        closing = False
        while not closing:
            jobs, sent, closing = self._take()
            try:
                self._work(jobs, sent)
            # The thread serves every table: whatever failed is told to those who wait for it.
            except Exception as error:
                self._file.disconnect()
                for job in jobs:
                    job.error = job.error or StoreError(f"{self._path}: not stored ({error!r})")
            if jobs:
                with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                    jobs[0].future.get_loop().call_soon_threadsafe(_settle, jobs)
        self._file.close()

    def _take(self) -> tuple[list[_Job], list[int], bool]:
        with self._wakeup:
            while not self._jobs and not self._closing:
                rest_s = self._flush_at - time.monotonic() if self._sent else None
                if rest_s is not None and rest_s <= 0:
                    break
                self._wakeup.wait(rest_s)
            jobs, self._jobs = self._jobs, []
            sent, self._sent = self._sent, []
            return jobs, sent, self._closing

    def _work(self, jobs: list[_Job], sent: list[int]) -> None:
        commits = [job for job in jobs if isinstance(job, _Commit)]
        if commits or sent:
            self._commit(commits, sent)
        for job in jobs:
            if isinstance(job, _Call):
                self._answer(job)

    def _answer(self, job: _Call) -> None:
        try:
            job.result = job.function()
        except StoreError as error:
            job.error = error
        except _FAULTS as error:
            job.error = explain(self._path, error)

    def _commit(self, jobs: list[_Commit], sent: list[int]) -> None:
        try:
            connection = self._begin()
        except StoreError as error:
            self._keep_sent(sent)
            for job in jobs:
                job.error = StoreError(str(error))  # one each: waiters add their tracebacks
            return
        try:
            self._fill(connection, jobs, sent)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            roll_back(connection)
            self._keep_sent(sent)
            for job in jobs:
                job.error = explain(self._path, error)
            if len(jobs) > 1:  # on a nearly full disk the small ones still fit
                for job in jobs:
                    self._commit_alone(job)

    def _begin(self) -> sqlite3.Connection:
        try:
            connection = self._file.connection()
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "") != "SQLITE_BUSY":
                self._file.disconnect()  # the next transaction opens it anew
            raise explain(self._path, error) from error
        return connection

    def _fill(self, connection: sqlite3.Connection, jobs: list[_Commit], sent: list[int]) -> None:
        delete_sent(connection, sent)
        for job in jobs:
            connection.execute("SAVEPOINT job")
            try:
                apply(connection, job.transaction)
            except _FAULTS as error:
                if not connection.in_transaction:  # SQLite gave up the whole transaction
                    raise
                job.error = explain(self._path, error)
                connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")

    def _commit_alone(self, job: _Commit) -> None:
        job.error = None
        try:
            connection = self._begin()
            try:
                apply(connection, job.transaction)
                connection.execute("COMMIT")
            finally:
                roll_back(connection)
        except StoreError as error:
            job.error = error
        except _FAULTS as error:
            job.error = explain(self._path, error)

    def _keep_sent(self, sent: list[int]) -> None:
        with self._wakeup:
            if sent and not self._closing:
                self._sent[:0] = sent
                self._flush_at = time.monotonic() + FLUSH_SENT_AFTER_S


def _new_future() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


def _settle(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()
