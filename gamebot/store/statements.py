"""The SQL of the SQLite store: rows in, rows out, one connection as an argument.

Columns carry the names of the row classes' fields in `gamebot.ports`, so that neither can drift
away from the other. Values are always bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs
from attrs import evolve

from gamebot.ports import (
    GameRow,
    OutLine,
    RankingRow,
    ResultRow,
    SettingRow,
    Snapshot,
    StateRow,
    TimerRow,
    Transaction,
    Urgency,
)

if TYPE_CHECKING:  # the store's package stays light: sqlite3 is imported by sqlite.py alone
    from sqlite3 import Connection

_GAME_KEY = ("network", "channel", "plugin")
_TIMER_KEY = (*_GAME_KEY, "name")
_STATE_KEY = (*_GAME_KEY, "key")
_SETTING_KEY = ("scope", "plugin", "key")


def _columns(row_type: type[Any]) -> tuple[str, ...]:
    return tuple(column.name for column in attrs.fields(row_type))


def _values(row_type: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*_columns(row_type))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _insert(table: str, row_type: type[Any]) -> str:
    columns = _columns(row_type)
    marks = ", ".join("?" * len(columns))
    # The names are constants of this package.
    return f"INSERT INTO {table} ({_listed(columns)}) VALUES ({marks})"  # noqa: S608  names of our own columns; values are bound


def _upsert(table: str, row_type: type[Any], key: tuple[str, ...]) -> str:
    changes = ", ".join(
        f'"{name}" = excluded."{name}"' for name in _columns(row_type) if name not in key
    )
    return f"{_insert(table, row_type)} ON CONFLICT ({_listed(key)}) DO UPDATE SET {changes}"


def _delete(table: str, key: tuple[str, ...]) -> str:
    condition = " AND ".join(f'"{name}" = ?' for name in key)
    # The names are constants of this package.
    return f"DELETE FROM {table} WHERE {condition}"  # noqa: S608  names of our own columns; values are bound


def _select(table: str, row_type: type[Any]) -> str:
    # The names are constants of this package.
    return f"SELECT {_listed(_columns(row_type))} FROM {table}"  # noqa: S608  names of our own columns; values are bound


_SET_GAME = _upsert("game", GameRow, _GAME_KEY)
_DROP_GAME = _delete("game", _GAME_KEY)
_SET_TIMER = _upsert("timer", TimerRow, _TIMER_KEY)
_DROP_TIMER = _delete("timer", _TIMER_KEY)
_ADD_LINE = _insert("outbox", OutLine)
_DROP_LINE = _delete("outbox", ("id",))
_ADD_RESULT = _insert("result", ResultRow)
_SET_STATE = _upsert("state", StateRow, _STATE_KEY)
_DROP_STATE = _delete("state", _STATE_KEY)
_SET_SETTING = _upsert("setting", SettingRow, _SETTING_KEY)
_DROP_SETTING = _delete("setting", _SETTING_KEY)

_MOVE_CHANNEL = tuple(
    f"UPDATE OR IGNORE {table} SET channel = ? WHERE network = ? AND channel = ?"  # noqa: S608  names of our own tables; values are bound
    for table in ("game", "timer", "state", "outbox", "result")
)

_game_values = _values(GameRow)
_timer_values = _values(TimerRow)
_line_values = _values(OutLine)
_result_values = _values(ResultRow)
_state_values = _values(StateRow)
_state_key = attrgetter(*_STATE_KEY)
_setting_values = _values(SettingRow)
_setting_key = attrgetter(*_SETTING_KEY)

_RANKING = """
    SELECT (
            SELECT newest.player FROM result AS newest
            WHERE newest.network = :network AND newest.channel = :channel
                AND newest.plugin = :plugin AND newest.identity = result.identity
            ORDER BY newest.ended_at DESC, newest.id DESC LIMIT 1
        ) AS name,
        identity,
        COUNT(*) AS games,
        SUM(won) AS wins,
        SUM(points) AS points,
        SUM(forfeited) AS forfeits,
        COALESCE(MAX(CASE WHEN forfeited THEN NULL ELSE points END), 0) AS best
    FROM result
    WHERE network = :network AND channel = :channel AND plugin = :plugin
        AND ended_at >= :since AND with_bots = :with_bots AND is_bot = 0
    GROUP BY identity
    ORDER BY wins DESC, points DESC, games, name, identity
    LIMIT :limit
"""
_RESULTS = (
    _select("result", ResultRow)
    + " WHERE network = ? AND channel = ? AND plugin = ? AND is_bot = 0 AND forfeited = 0"
)
RESULT_ORDERS = {
    "points": f"{_RESULTS} ORDER BY points DESC, ended_at, id LIMIT ?",
    "ended_at": f"{_RESULTS} ORDER BY ended_at DESC, id DESC LIMIT ?",
}


def apply(connection: Connection, transaction: Transaction) -> None:
    """Execute every change of *transaction*; removals come before what replaces them."""
    execute = connection.execute
    for network, old, new in transaction.moved_channels:
        for move in _MOVE_CHANNEL:
            execute(move, (new, network, old))
    for game_key in transaction.dropped_games:
        execute(_DROP_GAME, game_key)
    for timer_key in transaction.cancelled_timers:
        execute(_DROP_TIMER, timer_key)
    for game in transaction.games:
        execute(_SET_GAME, _game_values(game))
    for timer in transaction.timers:
        execute(_SET_TIMER, _timer_values(timer))
    for line in transaction.outgoing:
        execute(_ADD_LINE, _line_values(line))
    for result in transaction.results:
        execute(_ADD_RESULT, _result_values(result))
    _apply_values(connection, transaction)


def _apply_values(connection: Connection, transaction: Transaction) -> None:
    for state in transaction.states:
        if state.value is None:
            connection.execute(_DROP_STATE, _state_key(state))
        else:
            connection.execute(_SET_STATE, _state_values(state))
    for setting in transaction.settings:
        if setting.value is None:
            connection.execute(_DROP_SETTING, _setting_key(setting))
        else:
            connection.execute(_SET_SETTING, _setting_values(setting))


def delete_sent(connection: Connection, ids: Iterable[int]) -> None:
    """Delete the outbox rows of lines that were handed to the network."""
    connection.executemany(_DROP_LINE, ((number,) for number in ids))


def read_snapshot(connection: Connection) -> Snapshot:
    """Read everything that a start needs; results stay where they are."""

    def rows(table: str, row_type: type[Any]) -> Iterable[Any]:
        return (row_type(*values) for values in connection.execute(_select(table, row_type)))

    lines = sorted(rows("outbox", OutLine), key=attrgetter("id"))
    return Snapshot(
        games=tuple(rows("game", GameRow)),
        timers=tuple(rows("timer", TimerRow)),
        outgoing=tuple(
            evolve(line, urgency=Urgency(line.urgency), keep=bool(line.keep)) for line in lines
        ),
        states=tuple(rows("state", StateRow)),
        settings=tuple(rows("setting", SettingRow)),
        next_outbox_id=lines[-1].id + 1 if lines else 1,
    )


def select_ranking(connection: Connection, values: dict[str, object]) -> list[RankingRow]:
    """Rank the players of one channel; *values* are the named parameters of the query."""
    return [RankingRow(*row) for row in connection.execute(_RANKING, values)]


def select_results(
    connection: Connection, key: tuple[str, str, str], order: str, limit: int
) -> list[ResultRow]:
    """Read single results of one channel, ordered by "points" or "ended_at"."""
    found = (ResultRow(*row) for row in connection.execute(RESULT_ORDERS[order], (*key, limit)))
    return [
        evolve(
            row,
            won=bool(row.won),
            forfeited=bool(row.forfeited),
            is_bot=bool(row.is_bot),
            with_bots=bool(row.with_bots),
        )
        for row in found
    ]
