"""Read a database beside the bot that owns it; nothing is locked and nothing is changed."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from gamebot.ports import SettingRow
from gamebot.store.file import APPLICATION_ID, explain


def read_settings(path: Path) -> list[SettingRow]:
    """Return the settings given over IRC, none if there is no database yet.

    Raises:
        StoreError: It cannot be read.
    """
    if not path.exists():
        return []
    try:
        with contextlib.closing(_connect(path)) as db:
            rows = db.execute('SELECT scope, plugin, "key", value, "by", at FROM setting')
            return [SettingRow(*row) for row in rows]
    except sqlite3.Error as error:
        raise explain(path, error) from error


def is_ours(path: Path) -> bool:
    """Tell whether *path*, which exists, is a database of gamebot, or empty so that it can be one.

    Raises:
        StoreError: It cannot be read, or is no database.
    """
    try:
        with contextlib.closing(_connect(path)) as db:
            tables = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
            return not tables or db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    except sqlite3.Error as error:
        raise explain(path, error) from error


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
