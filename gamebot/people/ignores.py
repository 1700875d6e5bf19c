"""Whom the bot does not hear: masks with an end, kept in the store's settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import structlog
from attrs import define, field, frozen

from gamebot.config.grants import Mask, parse_mask
from gamebot.plugin.access import Rights
from gamebot.ports import SettingRow

if TYPE_CHECKING:
    from gamebot.events import Person
    from gamebot.people.rights import RightsBook
    from gamebot.plugin.settings import Scope
    from gamebot.ports import Link

log = structlog.get_logger()

KEY = "ignore "
"""What the keys of these rows begin with; no setting's name has a space."""

MOST = 100
"""Masks that one scope can hold."""


@frozen
class Ignored:
    """One mask.

    Attributes:
        mask: Who is meant.
        until: End, seconds since the Unix epoch.
        row: How it is stored.
    """

    mask: Mask
    until: float
    row: SettingRow


def ignore_row(scope: str, mask: Mask, until: float | None, by: str, at: float) -> SettingRow:
    """Make the row of a mask; without an end the mask is removed."""
    value = None if until is None else json.dumps(until)
    return SettingRow(scope, "", f"{KEY}{mask}", value, by, at)


@define
class Ignores:
    """Every mask that is ignored somewhere."""

    _entries: dict[tuple[str, str], Ignored] = field(factory=dict)

    def take(self, rows: Iterable[SettingRow]) -> None:
        """Set what *rows* say; rows of other things are passed over."""
        for row in rows:
            if row.plugin or not row.key.startswith(KEY):
                continue
            self._entries.pop((row.scope, row.key), None)
            if row.value is None:
                continue
            try:
                mask, until = parse_mask(row.key.removeprefix(KEY)), float(json.loads(row.value))
            except (ValueError, TypeError):
                log.warning("stored_ignore_not_read", scope=row.scope, key=row.key)
                continue
            self._entries[row.scope, row.key] = Ignored(mask, until, row)

    def of_scope(self, scope: Scope, link: Link) -> list[Ignored]:
        """List what exactly *scope* ignores, what has ended too."""
        return [entry for entry in self._entries.values() if scope.holds(entry.row, link)]

    def hold(
        self, scopes: Iterable[Scope], link: Link, person: Person, rights: RightsBook, now: float
    ) -> bool:
        """Whether *person* is ignored in one of *scopes*; who looks after the bot never is."""
        if not self._entries:
            return False
        hit = any(
            entry.until > now and entry.mask.matches(link, person)
            for scope in scopes
            for entry in self.of_scope(scope, link)
        )
        return hit and not rights.standing(link, person).rights.cover(Rights.ADMIN)
