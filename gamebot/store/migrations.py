"""Numbered SQL migrations: `migrations/<backend>/NNNN_name.sql`, applied once and in order.

A file that was published is never edited again: its SHA-256 is recorded in the database.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from attrs import frozen

from gamebot.errors import NewerVersionError, StoreError

_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@frozen
class Migration:
    """One step of the schema.

    Attributes:
        number: Place in the order, from 1 without gaps.
        name: Rest of the file's name.
        sql: Statements, without BEGIN and COMMIT.
    """

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the statements, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def load_migrations(backend: str) -> tuple[Migration, ...]:
    """Read all migrations of *backend*, in order.

    Raises:
        StoreError: The numbers have a gap or repeat: the installation is damaged.
    """
    folder = files("gamebot.store").joinpath("migrations", backend)
    found = [
        Migration(int(match[1]), match[2], file.read_text("utf-8"))
        for file in folder.iterdir()
        if (match := _FILE_NAME.fullmatch(file.name))
    ]
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise StoreError(f"the {backend} migrations are not numbered 1, 2, 3: install gamebot anew")
    return tuple(found)


def pending(known: Sequence[Migration], recorded: Mapping[int, str]) -> tuple[Migration, ...]:
    """Return what is still to be applied.

    Args:
        known: All migrations of this version.
        recorded: Checksum of each applied migration by its number.

    Raises:
        NewerVersionError: The database holds a migration that this version does not know.
        StoreError: A migration was edited after it had been applied.
    """
    newest = max(recorded, default=0)
    if newest > len(known):
        raise NewerVersionError(
            f"written by a newer gamebot (schema {newest}, this version knows {len(known)}); "
            "nothing was changed"
        )
    for migration in known:
        if recorded.get(migration.number, migration.checksum) != migration.checksum:
            raise StoreError(
                f"migration {migration.number:04} ({migration.name}) differs from the one that "
                "made this database; nothing was changed"
            )
    return tuple(migration for migration in known if migration.number not in recorded)
