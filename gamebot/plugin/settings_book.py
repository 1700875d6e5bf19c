"""Settings given over IRC, and what holds in a channel: layers upon the configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import structlog
from attrs import evolve, frozen

from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.config.structure import structure_field, structure_settings
from gamebot.errors import ConfigError, Told
from gamebot.plugin.settings import CORE, CoreSettings, Key, Layer, Scope, plain

if TYPE_CHECKING:
    from gamebot.plugin.registry import Registry
    from gamebot.ports import Link, SettingRow

log = structlog.get_logger()


class SettingsBook:
    """Every row that was given over IRC."""

    def __init__(self, rows: Iterable[SettingRow] = ()) -> None:
        self._rows: dict[tuple[str, str, str], SettingRow] = {}
        self.take(rows)

    def take(self, rows: Iterable[SettingRow]) -> None:
        """Set what *rows* say; one without a value is removed."""
        for row in rows:
            key = (row.scope, row.plugin, row.key)
            self._rows.pop(key, None)
            if row.value is not None:
                self._rows[key] = row

    def trial(self, rows: Iterable[SettingRow]) -> SettingsBook:
        """Return what the book would be with *rows*."""
        book = SettingsBook(self._rows.values())
        book.take(rows)
        return book

    def all(self) -> list[SettingRow]:
        """List every row."""
        return list(self._rows.values())

    def rows(self, scope: Scope, link: Link) -> list[SettingRow]:
        """List the rows of exactly *scope*."""
        return [row for row in self._rows.values() if scope.holds(row, link)]

    def layers(self, link: Link, channel: str) -> list[tuple[Layer, SettingRow]]:
        """List the rows that hold in *channel*, the nearest layer last."""
        scopes = (
            Scope(Layer.GLOBAL),
            Scope(Layer.NETWORK, link.name),
            Scope(Layer.CHANNEL, link.name, channel),
        )
        held = scopes if channel else scopes[:2]
        return [(scope.layer, row) for scope in held for row in self.rows(scope, link)]


def is_setting(row: SettingRow) -> bool:
    """Whether *row* is a setting, not an ignored mask or a channel to be in."""
    return " " not in row.key


def concerns(row: SettingRow, link: Link, channel: str) -> bool:
    """Whether *row* is a setting that may hold in the channel called *channel*."""
    network, _, name = row.scope.partition("/")
    return (
        is_setting(row)
        and network in ("", link.name)
        and (not name or link.fold(name) == link.fold(channel))
    )


@frozen
class Value:
    """A setting's value in one channel.

    Attributes:
        value: Typed.
        layer: Where it comes from.
        row: The row, None if it was not given over IRC.
    """

    value: Any
    layer: Layer
    row: SettingRow | None = None


def base_settings(profile: ChannelProfile, registry: Registry) -> Any:  # noqa: ANN401  the plugin's class
    """Return what the configuration says, as the plugin's present settings class."""
    owner = registry.settings or object
    given = profile.settings.get(registry.plugin)
    if given is None:
        return owner()
    return given if isinstance(given, owner) else _carried_over(given, owner)


def _carried_over(given: Any, owner: type) -> Any:  # noqa: ANN401  two versions of a plugin's class
    """Rebuild settings of a class that was reloaded since; unknown ones are left out."""
    names = attrs.fields_dict(owner)
    values = {
        name: plain(getattr(given, name))
        for name in attrs.fields_dict(type(given))
        if name in names
    }
    try:
        return structure_settings(owner, values)
    except ConfigError as error:
        log.error("settings_not_carried_over", faults=error.faults)  # noqa: TRY400  the message says it all
        return owner()


def core_settings(profile: ChannelProfile) -> CoreSettings:
    """Return a profile's core settings; plugins that are always enabled are left out."""
    named = tuple(name for name in profile.plugins if name not in ALWAYS_ENABLED)
    return CoreSettings(
        language=profile.language,
        prefix=profile.prefix,
        plugins=named,
        other_words=profile.other_words,
    )


@frozen
class LeftOut:
    """A value given over IRC that cannot be used.

    Attributes:
        plugin: Its plugin, "" for the core's own.
        name: What it is called, with its scope where that matters.
        why: What is wrong with it.
    """

    plugin: str
    name: str
    why: str | Told

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


def effective(
    base: ChannelProfile,
    layers: Sequence[tuple[Layer, SettingRow]],
    registries: Mapping[str, Registry],
    keep: str | None = None,
) -> tuple[ChannelProfile, list[LeftOut]]:
    """Lay what was given over IRC upon the configuration.

    Args:
        base: What is configured.
        layers: What was given, the nearest layer last.
        registries: Every loaded plugin.
        keep: A plugin that stays enabled whatever is set.

    Returns:
        The profile, and what is wrong with rows that had to be left out.
    """
    faults: list[LeftOut] = []
    core = _laid(core_settings(base), CORE, layers, faults)
    always = tuple(name for name in base.plugins if name in ALWAYS_ENABLED)
    plugins = (*(name for name in core.plugins if name not in always), *always)
    if keep is not None and keep not in plugins:
        plugins = (keep, *plugins)
    settings = dict(base.settings)
    for name in plugins:
        registry = registries.get(name)
        if registry is not None and registry.settings is not None:
            settings[name] = _laid(base_settings(base, registry), name, layers, faults)
    profile = evolve(
        base,
        language=core.language,
        prefix=core.prefix,
        plugins=plugins,
        other_words=core.other_words,
        settings=settings,
    )
    return profile, faults


def _laid(
    given: Any,  # noqa: ANN401  a settings class
    plugin: str,
    layers: Sequence[tuple[Layer, SettingRow]],
    faults: list[LeftOut],
) -> Any:  # noqa: ANN401  the same class
    values: dict[str, object] = {}
    for _, row in layers:
        if row.plugin == plugin and row.key in attrs.fields_dict(type(given)):
            try:
                values[row.key] = structure_field(
                    type(given), row.key, json.loads(row.value or "null"), text=False
                )
            except (ConfigError, ValueError) as error:
                name = f"{row.scope or 'global'} {plugin}.{row.key}"
                faults += [LeftOut(plugin, name, why) for why in _reasons(error)]
    try:
        return evolve(given, **values)
    except (ConfigError, ValueError) as error:  # the class's own check of several fields
        faults += [LeftOut(plugin, plugin, why) for why in _reasons(error)]
        return given


def _reasons(error: ConfigError | ValueError) -> Sequence[str | Told]:
    if isinstance(error, ConfigError):
        return error.reasons
    return [error if isinstance(error, Told) else str(error)]


def value_of(
    key: Key,
    base: ChannelProfile,
    layers: Sequence[tuple[Layer, SettingRow]],
    registries: Mapping[str, Registry],
) -> Value:
    """Tell what a setting is in a channel, and why."""
    for layer, row in reversed(layers):
        if (row.plugin, row.key) == (key.plugin, key.name):
            try:
                raw = json.loads(row.value or "null")
                value = structure_field(key.owner, key.name, raw, text=False)
            except (ConfigError, ValueError):
                continue
            return Value(value, layer, row)
    given = base_settings(base, registries[key.plugin]) if key.plugin else core_settings(base)
    value = getattr(given, key.name)
    default = getattr(key.owner(), key.name)
    return Value(value, Layer.DEFAULT if value == default else Layer.CONFIGURATION)
