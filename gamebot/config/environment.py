"""Environment variables over the file: `GAMEBOT_NETWORKS__LIBERA__SASL_PASSWORD=...`.

A name is `GAMEBOT_`, then the path of the key with `__` between its parts. Parts are compared
without regard to case, every run of other characters than letters and digits is one `_`, and
those at the ends do not count: `KNIFFEL` is the channel `#kniffel`. A list's entry is its
number: `GAMEBOT_NETWORKS__LIBERA__SERVERS__0__PORT=6697`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import attrs

from gamebot.config.structure import Fault, Key, known_keys, unknown_key, without_none

PREFIX = "GAMEBOT_"
#: Variables that are no keys: the path of the file itself.
RESERVED = frozenset({"GAMEBOT_CONFIG"})

Sources = dict[tuple[Key, ...], str]


def override(
    values: dict[str, Any], kind: type, environment: Mapping[str, str]
) -> tuple[Sources, list[Fault]]:
    """Write every variable into *values*; a whole table first, then the keys inside.

    Args:
        values: The parsed file; changed.
        kind: The class of the whole file.
        environment: Variables of the process.

    Returns:
        The variable that each path came from, and the faults.
    """
    sources: Sources = {}
    faults = []
    names = [name for name in environment if name.startswith(PREFIX) and name not in RESERVED]
    for name in sorted(names, key=lambda name: (name.count("__"), name)):
        parts = name.removeprefix(PREFIX).split("__")
        try:
            sources[_assign(values, kind, parts, environment[name])] = name
        except ValueError as error:
            faults.append(Fault((name,), str(error)))
    return sources, faults + _doubles(sources)


def _doubles(sources: Sources) -> list[Fault]:
    return [
        Fault((name,), f"{name}_FILE is set as well; expected one of them")
        for path, name in sources.items()
        if (*path[:-1], f"{path[-1]}_file") in sources
    ]


def _assign(values: Any, kind: Any, parts: list[str], text: str) -> tuple[Key, ...]:  # noqa: ANN401 - a TOML value and its type
    """Set the value at *parts* below *values*; return the path of its key."""
    path: list[Key] = []
    for number, part in enumerate(parts, 1):
        kind = without_none(kind)
        key, inner = _find(values, kind, part, last=number == len(parts))
        path += key
        if number == len(parts):
            _put(values, key, _parse(text, inner))
            _drop_counterpart(values, kind, key)
        else:
            values, kind = _descend(values, key, inner), inner
    return tuple(path)


def _find(values: Any, kind: Any, part: str, *, last: bool) -> tuple[list[Key], Any]:  # noqa: ANN401 - a TOML value and its type
    """Find the key that *part* names and the type of its value."""
    if isinstance(values, list):
        if not part.isdecimal() or int(part) > len(values):
            raise ValueError(f"expected the number of an entry, 0 to {len(values)}, got {part}")
        return [int(part)], get_args(kind)[0] if get_args(kind) else Any
    if not isinstance(values, dict):
        raise ValueError(f"there is nothing inside of a plain value: {part}")  # noqa: TRY004 - all faults are one kind
    if attrs.has(kind):
        return _find_field(values, kind, part, last=last)
    inner = get_args(kind)[1] if len(get_args(kind)) == 2 else Any
    return [_match(part, list(values)) or _new_key(part, inner)], inner


def _find_field(
    values: dict[str, Any],
    kind: type,
    part: str,
    *,
    last: bool,
) -> tuple[list[Key], Any]:
    fields = attrs.fields_dict(kind)
    key = _match(part, known_keys(kind))
    if key is not None:
        return [key], fields[key].type if key in fields else str
    if "settings" in fields and not last:  # a table of a plugin's settings
        return [_match(part, list(values)) or part.lower()], Any
    raise ValueError(unknown_key(part.lower(), known_keys(kind)))


def _match(part: str, names: list[str]) -> str | None:
    found = [name for name in names if _plain(name) == _plain(part)]
    if len(found) > 1:
        raise ValueError(f"{part} can be {' or '.join(found)}")
    return found[0] if found else None


def _plain(name: str) -> str:
    return re.sub(r"[^0-9a-z]+", "_", name.lower()).strip("_")


def _new_key(part: str, kind: Any) -> str:  # noqa: ANN401 - a type
    """Name a table that the file does not have; a channel's variable cannot hold the `#`."""
    is_channel = attrs.has(kind) and "ops" in attrs.fields_dict(kind)
    return f"#{part.lower()}" if is_channel else part.lower()


def _put(values: Any, key: list[Key], value: object) -> None:  # noqa: ANN401 - a table or list
    if isinstance(values, list) and key[0] == len(values):
        values.append(value)
    else:
        values[key[0]] = value


def _descend(values: Any, key: list[Key], kind: Any) -> Any:  # noqa: ANN401 - TOML values
    """Return the table or list at *key*, made if it is missing."""
    missing = key[0] == len(values) if isinstance(values, list) else key[0] not in values
    if missing:
        is_list = get_origin(without_none(kind)) is tuple
        _put(values, key, [] if is_list else {})
    return values[key[0]]


def _drop_counterpart(values: Any, kind: Any, key: list[Key]) -> None:  # noqa: ANN401 - TOML values
    """Let a secret's variable win over the file's `..._file`, and the other way round."""
    name = str(key[0])
    other = name.removesuffix("_file") if name.endswith("_file") else f"{name}_file"
    if attrs.has(kind) and attrs.fields_dict(kind).get(min(name, other, key=len)):
        secret = attrs.fields_dict(kind)[min(name, other, key=len)]
        if secret.metadata.get("secret"):
            values.pop(other, None)


def _parse(text: str, kind: Any) -> object:  # noqa: ANN401 - a type
    """Read a value as TOML; a text may stand without quotes, whatever it looks like."""
    if without_none(kind) in (str, Path) and text[:1] not in ('"', "'"):
        return text
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return parsed["value"] if len(parsed) == 1 else text
