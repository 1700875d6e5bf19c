"""Plain values into frozen attrs classes: strict types, every fault at once, each with its path.

The configuration file and the plugins' own settings go through the same machinery.
"""

from __future__ import annotations

import json
import math
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import attrs
from attrs import frozen
from cattrs import Converter
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from gamebot.errors import ConfigError, Told

T = TypeVar("T")
Key = str | int

#: Metadata of a field whose value never appears in a message: its field says `repr=False` too,
#: and its validator uses `expected`, from which the value can be cut off.
SECRET: dict[str, Any] = {"secret": True}

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(s|m|h|d)?")
_UNIT_S = {None: 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_WORDS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


@frozen
class Fault:
    """What is wrong with one value.

    Attributes:
        path: Keys and indices that lead to it.
        message: What was expected and what was found.
        below: Whether *message* begins with the rest of the path.
        reason: The same for whoever typed the value, None if that person knows what is allowed.
    """

    path: tuple[Key, ...]
    message: str
    below: bool = False
    reason: Told | None = None

    def __str__(self) -> str:
        return self.shown()

    def shown(self, prefix: str = "") -> str:
        """Write the fault of a table that stands at *prefix*."""
        where = show_path(self.path)
        where = f"{prefix}.{where}" if prefix and where else prefix or where
        separator = "." if self.below else ": "
        return f"{where}{separator}{self.message}" if where else self.message


def show_path(path: Sequence[Key]) -> str:
    """Write a path as TOML does: `networks.libera.servers[1].port`, odd keys in quotes."""
    shown = ""
    for key in path:
        if isinstance(key, int):
            shown += f"[{key}]"
        else:
            name = key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            shown += f".{name}" if shown else name
    return shown


def show(value: object) -> str:
    """Write a value for a message, a text in double quotes; long ones are cut."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


class ExpectedError(ValueError):
    """Say what kind of value was expected; people who type one are told what is allowed instead."""


def expected(what: str, value: object) -> ExpectedError:
    """Build the error that says what was expected instead of *value*."""
    return ExpectedError(f"expected {what}, got {show(value)}")


def choices(values: Sequence[object]) -> str:
    """List what is allowed: `"a" or "b"`."""
    shown = [show(value) for value in values]
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def unknown_key(name: str, known: Sequence[str]) -> str:
    """Say that *name* is unknown, with the nearest known name if one is near."""
    near = get_close_matches(name, known, n=1)
    return f'unknown key, did you mean "{near[0]}"?' if near else "unknown key"


def known_keys(kind: type) -> list[str]:
    """List the keys that a table of class *kind* may have."""
    keys = []
    for attribute in attrs.fields(kind):
        keys.append(attribute.name)
        if attribute.metadata.get("secret"):
            keys.append(f"{attribute.name}_file")
    return keys


def without_none(kind: Any) -> Any:  # noqa: ANN401 - a type expression has no type
    """Return X for `X | None`, every other type as it is."""
    if get_origin(kind) in (Union, types.UnionType):
        rest = [each for each in get_args(kind) if each is not type(None)]
        return rest[0] if len(rest) == 1 else kind
    return kind


def structure(kind: type[T], value: object, folder: Path | None = None) -> T | list[Fault]:
    """Build a *kind* from *value*; return the faults if there are any.

    Args:
        kind: An attrs class.
        value: What the TOML parser gave.
        folder: What relative paths are relative to; None leaves them as they are.
    """
    try:
        return _Structurer(text=False, folder=folder).converter.structure(value, kind)
    # A converter collects whatever hooks and validators raise; all of it is told by path.
    except Exception as error:
        return list(_faults(error, ()))


def structure_settings(
    cls: type[T], mapping: Mapping[str, object], path: str = "", folder: Path | None = None
) -> T:
    """Build a plugin's settings from a table of the configuration.

    Args:
        cls: The plugin's frozen attrs class; every field has a default.
        mapping: Values as TOML gives them.
        path: Where the table stands, for messages.
        folder: What relative paths are relative to; None leaves them as they are.

    Raises:
        ConfigError: Every fault, each with its full path.
    """
    return _raise_faults(_Structurer(text=False, folder=folder), cls, mapping, path)


def structure_text_settings(cls: type[T], mapping: Mapping[str, object], path: str = "") -> T:
    """Build a plugin's settings from words, as IRC commands and transcripts give them.

    Numbers, `true/false/on/off/yes/no`, members of an enumeration in any case, and lists with
    commas are read; a field whose name ends in `_s` takes durations such as `90s`, `5m`, `1h`.

    Raises:
        ConfigError: Every fault, each with its full path.
    """
    return _raise_faults(_text_structurer(), cls, mapping, path)


def structure_field(cls: type, name: str, value: object, *, text: bool) -> object:
    """Build the value of one field of a settings class, from a word or from plain JSON.

    Raises:
        ConfigError: What is wrong with it.
        KeyError: The class has no such field.
    """
    attrs.resolve_types(cls)
    attribute = attrs.fields_dict(cls)[name]
    structurer = _text_structurer() if text else _Structurer(text=False, folder=None)
    if value is None and without_none(attribute.type) is not attribute.type:
        return None
    try:
        return structurer.field_hook(attribute)(value, attribute.type)
    # As in `structure`.
    except Exception as error:
        faults = _faults(error, (name,))
        raise ConfigError([fault.reason or fault.message for fault in faults]) from None


def _raise_faults(
    structurer: _Structurer, cls: type[T], mapping: Mapping[str, object], path: str
) -> T:
    try:
        return structurer.converter.structure(mapping, cls)
    # As in `structure`.
    except Exception as error:
        raise ConfigError([fault.shown(path) for fault in _faults(error, ())]) from None


def forget_classes() -> None:
    """Let go of the plugins' settings classes, so that a replaced plugin's leave the memory."""
    _text_structurer.cache_clear()


@lru_cache(maxsize=1)
def _text_structurer() -> _Structurer:
    return _Structurer(text=True, folder=None)


class _Structurer:
    """A converter with strict hooks; in text mode strings are read as what a field needs."""

    def __init__(self, *, text: bool, folder: Path | None) -> None:
        self._text, self._folder = text, folder
        self.converter = converter = Converter(forbid_extra_keys=True)
        converter.register_structure_hook(bool, self._boolean)
        converter.register_structure_hook(int, self._integer)
        converter.register_structure_hook(float, self._number)
        converter.register_structure_hook(str, self._string)
        converter.register_structure_hook(Path, self._path)
        converter.register_structure_hook_func(_is_enum, self._member)
        converter.register_structure_hook_func(_is_literal, self._literal)
        converter.register_structure_hook_factory(attrs.has, self._class_hook)

    def _boolean(self, value: object, _kind: object) -> bool:
        if self._text and isinstance(value, str):
            value = _WORDS.get(value.lower(), value)
        if not isinstance(value, bool):
            raise expected("true or false", value)
        return value

    def _integer(self, value: object, _kind: object) -> int:
        if self._text and isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,18}", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise expected("an integer", value)
        return value

    def _number(self, value: object, _kind: object) -> float:
        if self._text and isinstance(value, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", value):
            value = float(value)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise expected("a number", value)
        if not math.isfinite(value):
            raise expected("a finite number", str(value))
        return float(value)

    def _string(self, value: object, _kind: object) -> str:
        if not isinstance(value, str):
            raise expected("a text", value)
        return value

    def _path(self, value: object, _kind: object) -> Path:
        if not isinstance(value, str) or not value or "\0" in value:
            raise expected("a path", value)
        path = Path(value).expanduser()
        return self._folder / path if self._folder else path

    def _member(self, value: object, kind: type[Enum]) -> Enum:
        for member in kind:
            if member.value == value and type(member.value) is type(value):
                return member
            if self._text and str(value).lower() in (
                str(member.value).lower(),
                member.name.lower(),
            ):
                return member
        raise expected(choices([member.value for member in kind]), value)

    def _literal(self, value: object, kind: object) -> object:
        for allowed in get_args(kind):
            if allowed == value and type(allowed) is type(value):
                return allowed
            if self._text and str(value).lower() == str(allowed).lower():
                return allowed
        raise expected(choices(get_args(kind)), value)

    def _class_hook(self, kind: type) -> Callable[[Any, Any], Any]:
        attrs.resolve_types(kind)
        hooks = {
            attribute.name: override(struct_hook=self.field_hook(attribute))
            for attribute in attrs.fields(kind)
        }
        inner: Callable[[Any, Any], Any] = make_dict_structure_fn(
            kind,
            self.converter,
            _cattrs_forbid_extra_keys=True,
            **hooks,  # type: ignore[arg-type]  # the names of fields are no names of options
        )

        def structure_class(value: object, kind: type) -> object:
            if not isinstance(value, Mapping):
                raise expected("a table", value)
            return inner(value, kind)

        return structure_class

    def field_hook(self, attribute: attrs.Attribute[Any]) -> Callable[[Any, Any], Any]:
        """Make what builds and validates one field."""

        def structure_field(value: object, kind: Any) -> object:  # noqa: ANN401 - a type expression
            value = self._container(attribute, value, without_none(kind))
            result = self.converter.structure(value, kind)
            _validate(attribute, result)
            return result

        def structure_secret(value: object, kind: Any) -> object:  # noqa: ANN401 - a type expression
            try:
                return structure_field(value, kind)
            except ValueError as error:
                wanted = str(error).partition(", got ")[0]
            raise ValueError(f"{wanted} (what was found is not shown)")

        return structure_secret if attribute.metadata.get("secret") else structure_field

    def _container(self, attribute: attrs.Attribute[Any], value: object, kind: object) -> object:
        """Refuse what is iterable but no list; in text mode, read lists and durations."""
        origin = get_origin(kind) or kind
        if isinstance(origin, type) and issubclass(origin, Mapping):
            if not isinstance(value, Mapping):
                raise expected("a table", value)
        elif origin in (tuple, list, set, frozenset, Sequence):
            if self._text and isinstance(value, str):
                return [part.strip() for part in value.split(",") if part.strip()]
            if not isinstance(value, list | tuple):
                raise expected("a list", value)
        elif self._text and origin in (int, float) and attribute.name.endswith("_s"):
            return _seconds(value)
        return value


def _seconds(value: object) -> object:
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        if isinstance(value, str):
            raise expected("a duration such as 90s, 5m or 1h", value)
        return value
    seconds = float(match[1]) * _UNIT_S[match[2]]
    return int(seconds) if seconds.is_integer() else seconds


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_literal(kind: object) -> bool:
    return get_origin(kind) is Literal


def _validate(attribute: attrs.Attribute[Any], value: object) -> None:
    """Run a field's validator now: when the object is made the first fault would hide the rest."""
    if attribute.validator is None:
        return
    try:
        attribute.validator(None, attribute, value)
    except AttributeError:  # it looks at other fields: its time is when the object is made
        return


def _faults(error: BaseException, path: tuple[Key, ...]) -> Iterator[Fault]:
    if isinstance(error, BaseValidationError):
        for inner in error.exceptions:
            yield from _faults(inner, (*path, *_step(inner)))
    elif isinstance(error, ForbiddenExtraKeysError):
        for name in sorted(error.extra_fields):
            known = known_keys(error.cl) if error.cl else []
            yield Fault((*path, name), unknown_key(name, known))
    elif isinstance(error, ConfigError):  # a class's own check of several fields
        for line in error.faults:
            yield Fault(path, line, below=True)
    elif isinstance(error, KeyError) and path and error.args == (path[-1],):
        yield Fault(path, "is missing")
    else:
        message = _message(error, path)
        told = error if isinstance(error, Told) else Told(message)
        yield Fault(path, message, reason=None if isinstance(error, ExpectedError) else told)


def _step(error: BaseException) -> tuple[Key, ...]:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return (note.name,)
        if isinstance(note, IterableValidationNote):
            return (note.index,)
    return ()


def _message(error: BaseException, path: tuple[Key, ...]) -> str:
    """Take an attrs validator's message without the name of the field, which the path shows."""
    text = str(error.args[0]) if error.args else type(error).__name__
    return text.removeprefix(f"'{path[-1]}' ") if path else text
