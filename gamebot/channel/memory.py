"""One channel's tables and key-value state: as they are, as accepted, as last stored.

What a handler that did not fail leaves is *accepted*, and that is what `restore` goes back to;
what is accepted and not yet stored is what the next transaction holds. `begin` marks where an
input starts, so that `roll_back` can undo all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import structlog
from attrs import define, field

from gamebot.errors import NewerVersionError
from gamebot.plugin.private_lines import KEPT_AS
from gamebot.plugin.state import State
from gamebot.ports import GameRow, StateRow
from gamebot.table import saved

if TYPE_CHECKING:
    from gamebot.plugin.game import GameType
    from gamebot.plugin.registry import Registry
    from gamebot.table.table import Table

log = structlog.get_logger()


@define
class Memory:
    """What a channel remembers.

    Attributes:
        network: Network name.
        channel: Folded channel name.
        tables: Plugin -> its table.
        refused: Plugins whose stored game a newer version wrote, or that cannot be read; their
            rows stay untouched.
    """

    network: str
    channel: str
    tables: dict[str, Table] = field(factory=dict)
    refused: set[str] = field(factory=set)
    _stored: dict[str, str] = field(factory=dict)
    _accepted: dict[str, str] = field(factory=dict)
    _values: dict[str, dict[str, Any]] = field(factory=dict)
    _stored_values: dict[tuple[str, str], str] = field(factory=dict)
    _accepted_values: dict[tuple[str, str], str] = field(factory=dict)
    _touched: dict[str, set[str]] = field(factory=dict)
    _unsaved: set[tuple[str, str]] = field(factory=set)
    _unclaimed: dict[str, GameRow] = field(factory=dict)
    _before: tuple[dict[str, str], dict[tuple[str, str], str]] = field(factory=lambda: ({}, {}))

    def state(self, plugin: str) -> State:
        """Return the durable values of *plugin*."""
        touched = self._touched.setdefault(plugin, set())
        return State(self._values.setdefault(plugin, {}), touched)

    # -- what changed -----------------------------------------------------------------------

    def changed_games(self, registries: Mapping[str, Registry]) -> list[GameRow]:
        """List the tables that are not what was last stored."""
        rows = []
        for plugin, text in self._accepted.items():
            if plugin in self.tables and text != self._stored.get(plugin):
                game_id = self.tables[plugin].game_id
                version = registries[plugin].games[0].version
                rows.append(GameRow(self.network, self.channel, plugin, game_id, version, text))
        return rows

    def dropped_games(self) -> list[tuple[str, str, str]]:
        """List the rows whose table is gone."""
        return [
            (self.network, self.channel, plugin)
            for plugin in self._stored
            if plugin not in self.tables and plugin not in self.refused
        ]

    def changed_values(self) -> list[StateRow]:
        """List the values that are not what was last stored."""
        return [
            StateRow(self.network, self.channel, *name, self._accepted_values.get(name))
            for name in sorted(self._unsaved)
            if self._accepted_values.get(name) != self._stored_values.get(name)
        ]

    def remember(
        self,
        games: Iterable[GameRow],
        dropped: Iterable[tuple[str, str, str]],
        values: Iterable[StateRow],
    ) -> None:
        """Note that these rows are durable now: no `roll_back` goes behind them."""
        self._stored |= {row.plugin: row.state for row in games}
        for _, _, plugin in dropped:
            del self._stored[plugin]
            self._accepted.pop(plugin, None)
        for row in values:
            if row.value is None:
                self._stored_values.pop((row.plugin, row.key), None)
            else:
                self._stored_values[row.plugin, row.key] = row.value
        self._unsaved.clear()
        self.begin()

    # -- accepted, or back to what was ------------------------------------------------------

    def begin(self) -> None:
        """Note that an input begins."""
        self._before = (dict(self._accepted), dict(self._accepted_values))

    def accept(self, plugin: str) -> None:
        """Take what a handler of *plugin* left as the plugin's state, and what it chose for people.

        Raises:
            Exception: Something of it cannot be stored; then nothing is taken.
        """
        table = self.tables.get(plugin)
        texts = {name: self._texts(name) for name in (plugin, KEPT_AS)}
        if table is None:
            self._accepted.pop(plugin, None)
        else:
            self._accepted[plugin] = saved.dump(table)
        for name, values in texts.items():
            self._accept_values(name, values)

    def _texts(self, plugin: str) -> dict[str, str]:
        values = self._values.get(plugin, {})
        touched = self._touched.get(plugin, ())
        return {key: json.dumps(values[key]) for key in touched if key in values}

    def _accept_values(self, plugin: str, texts: Mapping[str, str]) -> None:
        touched = self._touched.get(plugin, set())
        for key in touched:
            if key in texts:
                self._accepted_values[plugin, key] = texts[key]
            else:
                self._accepted_values.pop((plugin, key), None)
            self._unsaved.add((plugin, key))
        touched.clear()

    def restore(self, registry: Registry) -> None:
        """Put a plugin's table and values back to what was last accepted."""
        plugin = registry.plugin
        if registry.games:
            self._restore_table(plugin, registry.games[0])
        for name in (plugin, KEPT_AS):
            touched = self._touched.get(name, set())
            for key in touched:
                self._restore_value(name, key)
            touched.clear()

    def roll_back(self, registries: Mapping[str, Registry]) -> None:
        """Put everything back to what it was when the input began."""
        self._accepted, self._accepted_values = self._before
        for registry in registries.values():
            self.restore(registry)
        for plugin, key in self._unsaved:
            self._restore_value(plugin, key)

    def _restore_table(self, plugin: str, kind: GameType[Any]) -> None:
        accepted, table = self._accepted.get(plugin), self.tables.get(plugin)
        if accepted is None:
            self.tables.pop(plugin, None)
        elif table is None or saved.dump(table) != accepted:
            self.tables[plugin] = saved.load(accepted, kind.engine)

    def _restore_value(self, plugin: str, key: str) -> None:
        accepted = self._accepted_values.get((plugin, key))
        if accepted is None:
            self._values.get(plugin, {}).pop(key, None)
        else:
            self._values[plugin][key] = json.loads(accepted)

    def reload(self, plugin: str, kind: GameType[Any]) -> None:
        """Rebuild a table as a newer version of its plugin has it."""
        accepted = self._accepted.get(plugin)
        if accepted is not None and plugin in self.tables:
            self.tables[plugin] = saved.load(accepted, kind.engine)
            self.accept(plugin)

    def check(self, plugin: str, kind: GameType[Any]) -> None:
        """Find out whether *kind* can read the table.

        Raises:
            Exception: Whatever keeps it from being read.
        """
        accepted = self._accepted.get(plugin)
        if accepted is not None:
            saved.load(accepted, kind.engine)

    # -- start and change of key ------------------------------------------------------------

    def load_game(self, row: GameRow, registry: Registry | None) -> bool:
        """Take over a stored game; return whether it could be read.

        Without its plugin, here as *registry*, it waits for that. One that a newer version wrote,
        or that cannot be read, is left untouched.
        """
        if registry is None or not registry.games:
            log.warning("stored_game_without_plugin", plugin=row.plugin, channel=self.channel)
        elif self._read_game(row, registry.games[0]):
            return True
        self._unclaimed[row.plugin] = row
        return False

    def claim(self, registry: Registry) -> bool:
        """Read the game that waits for *registry*'s plugin; return whether there is one now."""
        row = self._unclaimed.pop(registry.plugin, None)
        return row is not None and self.load_game(row, registry)

    def _read_game(self, row: GameRow, kind: GameType[Any]) -> bool:
        try:
            _check_version(row, kind.version)
            self.tables[row.plugin] = saved.load(row.state, kind.engine)
        except Exception as error:
            self.refused.add(row.plugin)
            log.exception(
                "stored_game_refused", plugin=row.plugin, channel=self.channel, error=str(error)
            )
            return False
        self.refused.discard(row.plugin)
        self._stored[row.plugin] = self._accepted[row.plugin] = row.state
        return True

    def load_value(self, row: StateRow) -> None:
        """Take over a stored value."""
        if row.value is not None:
            self._values.setdefault(row.plugin, {})[row.key] = json.loads(row.value)
            self._stored_values[row.plugin, row.key] = row.value
            self._accepted_values[row.plugin, row.key] = row.value

    def stored_games(self, registries: Mapping[str, Registry]) -> list[GameRow]:
        """List every stored table under the present folded name."""
        return [
            GameRow(
                self.network,
                self.channel,
                plugin,
                self.tables[plugin].game_id,
                registries[plugin].games[0].version,
                text,
            )
            for plugin, text in self._stored.items()
        ]

    def stored_values(self) -> list[StateRow]:
        """List every stored value under the present folded name."""
        return [
            StateRow(self.network, self.channel, plugin, key, value)
            for (plugin, key), value in self._stored_values.items()
        ]


def _check_version(row: GameRow, known: int) -> None:
    if row.version > known:
        raise NewerVersionError(f"stored as version {row.version}, known is version {known}")
