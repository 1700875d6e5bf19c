"""Settings given over IRC: what can be set, in which layer, and what follows for a channel.

The layers, nearest first: channel, network, global, the configuration file, the default. What is
given over IRC stands in the store's `setting` rows, typed as JSON, with who and when.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import attrs
import structlog
from attrs import Attribute, evolve, field, frozen

from gamebot.config.model import LANGUAGES, ChannelDefaults
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.config.structure import structure_field, structure_settings
from gamebot.config.validators import Between, OneOf
from gamebot.errors import ConfigError, Refused, Told
from gamebot.i18n import translatable

if TYPE_CHECKING:
    from gamebot.channel.channel import Channel
    from gamebot.plugin.registry import Registry
    from gamebot.ports import Link, SettingRow

log = structlog.get_logger()

CORE = ""
"""The plugin of the core's own settings."""

RULES = "rules"
"""Stands for all settings of a game that are rules; its value may name a preset."""

_CHANNEL = attrs.fields_dict(ChannelDefaults)


def _prefix(owner: object, attribute: Attribute[Any], value: str | None) -> None:
    """Check as the configuration does; who types a sign that cannot be seen is lost."""
    if check := _CHANNEL["prefix"].validator:
        check(owner, attribute, value)
    if value is not None and not value.isprintable():
        raise ValueError("expected visible characters")


@frozen(kw_only=True)
class CoreSettings:
    """What can be set for any channel, whatever is played there.

    Attributes:
        language: Language of answers and command words.
        prefix: Command prefix; None is the one that the game's players expect.
        plugins: Enabled plugins.
    """

    language: str = field(default="en", validator=OneOf(LANGUAGES))
    prefix: str | None = field(default=None, validator=_prefix)
    plugins: tuple[str, ...] = field(default=(), validator=_CHANNEL["plugins"].validator)


class Layer(Enum):
    """Where a value comes from, nearest first."""

    CHANNEL = "channel"
    NETWORK = "network"
    GLOBAL = "global"
    CONFIGURATION = "configuration"
    DEFAULT = "default"


@frozen
class Scope:
    """What a setting given over IRC holds for.

    Attributes:
        layer: CHANNEL, NETWORK or GLOBAL.
        network: Network name, "" for all.
        channel: Channel, "" for all.
    """

    layer: Layer
    network: str = ""
    channel: str = ""

    def text(self, link: Link) -> str:
        """Write the scope as a row does."""
        return f"{self.network}/{link.fold(self.channel)}" if self.channel else self.network

    def holds(self, row: SettingRow, link: Link) -> bool:
        """Whether *row* belongs to exactly this scope."""
        network, slash, channel = row.scope.partition("/")
        same = link.fold(channel) == link.fold(self.channel)
        return network == self.network and same and bool(slash) == bool(self.channel)


@frozen
class Key:
    """One setting.

    Attributes:
        plugin: Its plugin, "" for the core's own.
        attribute: The field of the settings class.
        owner: The settings class.
    """

    plugin: str
    attribute: Attribute[Any]
    owner: type

    @property
    def name(self) -> str:
        """The field's name."""
        return str(self.attribute.name)

    def __str__(self) -> str:
        return f"{self.plugin}.{self.name}" if self.plugin else self.name

    def read(self, text: str) -> object:
        """Read a value as people type it.

        Raises:
            ConfigError: Why it will not do.
        """
        return structure_field(self.owner, self.name, text, text=True)

    def show(self, value: object) -> str:
        """Write a value as people type it."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, int | float):
            return _span(value) if self.name.endswith("_s") else f"{value:g}"
        if isinstance(value, tuple | list):
            return ",".join(map(str, value)) or "–"
        return str(plain(value))

    def allowed(self) -> tuple[str, dict[str, object]]:
        """Say what is allowed: a msgid and its values."""
        kind = _kind(self.attribute.type)
        bounds = self.attribute.validator
        if "allowed" in self.attribute.metadata:
            return self.attribute.metadata["allowed"], {}
        if kind is bool:
            return translatable("on or off"), {}
        if (values := _choices(kind, bounds)) is not None:
            return translatable("one of {values}"), {"values": values}
        if kind in (int, float):
            return self._numbers(bounds, whole=kind is int)
        if (get_origin(kind) or kind) in (tuple, list):
            return translatable("names with commas between them"), {}
        if self.name == "prefix":
            return translatable("1 to 5 characters without spaces"), {}
        return translatable("a text"), {}

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return _kind(self.attribute.type) is bool

    @property
    def says_all(self) -> bool:
        """Whether `allowed` says everything, so that no other reason need be given."""
        attribute = self.attribute
        known = attribute.validator is None or isinstance(attribute.validator, Between | OneOf)
        return known or self.owner is CoreSettings or "allowed" in attribute.metadata

    def _numbers(self, bounds: object, *, whole: bool) -> tuple[str, dict[str, object]]:
        span = self.name.endswith("_s")
        if isinstance(bounds, Between):
            ends = {"low": self.show(bounds.low), "high": self.show(bounds.high)}
            if span:
                return translatable("a time such as 90s, 5m or 1h, from {low} to {high}"), {**ends}
            if whole:
                return translatable("a whole number from {low} to {high}"), {**ends}
            return translatable("a number from {low} to {high}"), {**ends}
        if span:
            return translatable("a time such as 90s, 5m or 1h"), {}
        return translatable("a whole number") if whole else translatable("a number"), {}


def _span(seconds: float) -> str:
    for unit, size in (("h", 3600), ("m", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds / size:g}{unit}"
    return f"{seconds:g}s"


def _kind(annotation: Any) -> Any:  # noqa: ANN401  a type expression
    if get_origin(annotation) in (types.UnionType, Union):
        inner = [part for part in get_args(annotation) if part is not type(None)]
        return inner[0] if len(inner) == 1 else annotation
    return annotation


def _choices(kind: Any, bounds: object) -> list[str] | None:  # noqa: ANN401  a type expression
    if isinstance(bounds, OneOf):
        return list(bounds.values)
    if get_origin(kind) is Literal:
        return list(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    return None


def plain(value: Any) -> Any:  # noqa: ANN401  any setting's value
    """Return a typed value as JSON can hold it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(each) for each in value]
    return value


# -- which settings there are ---------------------------------------------------------------


def keys_of(plugin: str, owner: type) -> list[Key]:
    """List what can be set over IRC: no secrets, no paths and nothing that is nested."""
    attrs.resolve_types(owner)
    return [
        Key(plugin, attribute, owner)
        for attribute in attrs.fields(owner)
        if not attribute.metadata.get("secret") and _is_simple(_kind(attribute.type))
    ]


def _is_simple(kind: Any) -> bool:  # noqa: ANN401  a type expression
    if (get_origin(kind) or kind) in (tuple, list):
        return all(_is_simple(part) for part in get_args(kind) if part is not ...)
    choice = get_origin(kind) is Literal or (isinstance(kind, type) and issubclass(kind, Enum))
    return choice or kind in (bool, int, float, str)


def all_keys(registries: Mapping[str, Registry]) -> list[Key]:
    """List the core's settings and those of *registries*."""
    keys = keys_of(CORE, CoreSettings)
    for name, registry in registries.items():
        if registry.settings is not None:
            keys += keys_of(name, registry.settings)
    return keys


def find_key(text: str, registries: Mapping[str, Registry]) -> Key:
    """Find the setting called *text*, with its plugin's name or without.

    Raises:
        Refused: There is none, or there are several.
    """
    keys, wanted = all_keys(registries), text.casefold()
    found = [key for key in keys if str(key) == wanted]
    found = found or [key for key in keys if key.name == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused("Several have that: {names}.", names=found)
    names = [str(key) for key in keys]
    whole = {**{key.name: str(key) for key in keys}, **dict(zip(names, names, strict=True))}
    near = get_close_matches(wanted, list(whole), 1, 0.5)
    if near:
        raise Refused(
            "There is no setting “{name}”. Do you mean {near}?",
            name=text[:40],
            near=whole[near[0]],
        )
    raise Refused("There is no setting “{name}”.", name=text[:40])


# -- what is set ----------------------------------------------------------------------------


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


def concerns(row: SettingRow, channel: Channel) -> bool:
    """Whether *row* is a setting that may hold in *channel*."""
    network, _, name = row.scope.partition("/")
    link = channel.link
    return (
        is_setting(row)
        and network in ("", link.name)
        and (not name or link.fold(name) == link.fold(channel.name))
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
    return CoreSettings(language=profile.language, prefix=profile.prefix, plugins=named)


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
        base, language=core.language, prefix=core.prefix, plugins=plugins, settings=settings
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
