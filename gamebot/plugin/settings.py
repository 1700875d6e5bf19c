"""Settings given over IRC: what can be set, in which layer, and what follows for a channel.

The layers, nearest first: channel, network, global, the configuration file, the default. What is
given over IRC stands in the store's `setting` rows, typed as JSON, with who and when.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import attrs
import structlog
from attrs import Attribute, field, frozen

from gamebot.config.checks import LANGUAGES
from gamebot.config.model import ChannelDefaults
from gamebot.config.structure import structure_field
from gamebot.config.validators import Between, OneOf
from gamebot.errors import Refused
from gamebot.i18n import translatable

if TYPE_CHECKING:
    from gamebot.plugin.registry import Registry
    from gamebot.ports import Link, SettingRow

log = structlog.get_logger()

CORE = ""
"""The plugin of the core's own settings."""

JOINED_KEY = "channel "
"""What the keys of rows begin with that say where the bot was told over IRC to be; no setting's name
has a space."""

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
        other_words: Words that other bots of the channel answer, without their prefix.
    """

    language: str = field(default="en", validator=OneOf(LANGUAGES))
    prefix: str | None = field(default=None, validator=_prefix)
    plugins: tuple[str, ...] = field(default=(), validator=_CHANNEL["plugins"].validator)
    other_words: tuple[str, ...] = ()


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
            return translatable("1 to 5 signs, no letter, digit, space or /"), {}
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
