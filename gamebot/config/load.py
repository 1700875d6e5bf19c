"""The file, the environment and the secrets' files into one `Config`, or all faults at once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

import attrs

from gamebot.config.environment import Sources, override
from gamebot.config.model import ChannelConfig, ChannelDefaults, Config
from gamebot.config.profile import ALWAYS_ENABLED
from gamebot.config.structure import Fault, Key, show, structure, unknown_key, without_none
from gamebot.errors import ConfigError

Table = dict[str, Any]


def load_config(path: Path, environment: Mapping[str, str] = os.environ) -> Config:
    """Read and validate a configuration.

    Args:
        path: TOML file; relative paths in it are relative to its folder.
        environment: Variables that override keys of the file.

    Raises:
        ConfigError: Every fault, each with the full path of its key.
    """
    values = _read(path)
    folder = path.resolve().parent
    faults = _name_channels(values)
    sources, wrong = override(values, Config, environment)
    faults += wrong + _name_channels(values) + _read_secrets(values, folder)
    _gather_settings(values)
    config = structure(Config, values, folder)
    if isinstance(config, Config):
        config = attrs.evolve(config, database=folder / config.database)
        faults += _stray_settings(config)
    else:
        faults += config
    if faults or not isinstance(config, Config):
        raise ConfigError([_with_source(fault, sources) for fault in faults])
    return config


def _read(path: Path) -> Table:
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))  # some editors begin with a mark
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({error.strerror})"]) from None
    except ValueError as error:  # no UTF-8, or no TOML: both say where
        raise ConfigError([f"{path}: {error}"]) from None
    except RecursionError:
        raise ConfigError([f"{path}: is nested too deep"]) from None


def _with_source(fault: Fault, sources: Sources) -> str:
    for length in range(len(fault.path), 0, -1):
        if name := sources.get(fault.path[:length]):
            return f"{fault} (from {name})"
    return str(fault)


def _tables(node: Any, kind: Any, path: tuple[Key, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - TOML values and types
    """Go through every (path, table, class) of the file, as far as it has the right shape."""
    kind = without_none(kind)
    if attrs.has(kind) and isinstance(node, dict):
        yield path, node, kind
        for name, attribute in attrs.fields_dict(kind).items():
            if name in node:
                yield from _tables(node[name], attribute.type, (*path, name))
    elif get_origin(kind) is tuple and isinstance(node, list):
        for index, child in enumerate(node):
            yield from _tables(child, get_args(kind)[0], (*path, index))
    elif len(get_args(kind)) == 2 and isinstance(node, dict):
        for key, child in node.items():
            yield from _tables(child, get_args(kind)[1], (*path, key))


def _name_channels(values: Table) -> list[Fault]:
    """Turn each network's list of channels (names, or tables with a name) into a table."""
    faults: list[Fault] = []
    networks = values.get("networks")
    for name, network in networks.items() if isinstance(networks, dict) else ():
        if isinstance(network, dict) and isinstance(network.get("channels"), list):
            path = ("networks", name, "channels")
            network["channels"] = _named(network["channels"], path, faults)
    return faults


def _named(entries: list[Any], path: tuple[Key, ...], faults: list[Fault]) -> Table:
    named: Table = {}
    for index, entry in enumerate(entries):
        table = {"name": entry} if isinstance(entry, str) else entry
        name = table.pop("name", None) if isinstance(table, dict) else None
        if not isinstance(name, str):
            faults.append(Fault((*path, index), "expected a name, or a table with a name"))
        elif name in named:
            faults.append(Fault((*path, index), f"{show(name)} is listed twice"))
        else:
            named[name] = table
    return named


def _read_secrets(values: Table, folder: Path) -> list[Fault]:
    """Replace each `NAME_file` of a secret by its content, without the last line's end."""
    faults = []
    for path, table, kind in _tables(values, Config):
        for attribute in attrs.fields(kind):
            name = f"{attribute.name}_file"
            if not attribute.metadata.get("secret") or name not in table:
                continue
            try:
                table[attribute.name] = _secret(table, attribute.name, folder)
            except ValueError as error:
                faults.append(Fault((*path, name), str(error)))
            del table[name]
    return faults


def _secret(table: Table, name: str, folder: Path) -> str:
    where = table[f"{name}_file"]
    if name in table:
        raise ValueError(f"there is a {name} as well; expected one of them")
    if not isinstance(where, str):
        raise ValueError("expected a path")  # noqa: TRY004 - all faults are one kind
    path = folder / Path(where).expanduser()
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no UTF-8 text") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror})") from None
    return text.removesuffix("\n").removesuffix("\r")


def _gather_settings(values: Table) -> None:
    """Move the tables of plugins, which have names of their own, under `settings`."""
    for _, table, kind in list(_tables(values, Config)):
        if issubclass(kind, ChannelDefaults):
            known = attrs.fields_dict(kind)
            for name in [name for name in table if name not in known]:
                if isinstance(table[name], dict):
                    table.setdefault("settings", {})[name] = table.pop(name)


def _stray_settings(config: Config) -> list[Fault]:
    """Find settings of a plugin that is not enabled where they stand: mostly a wrong name."""
    faults = []
    for network, options in config.networks.items():
        for name, channel in options.channels.items():
            enabled = (*config.resolve(network, name).plugins, *ALWAYS_ENABLED)
            faults += _strays(channel, enabled, ("networks", network, "channels", name))
    return faults


def _strays(channel: ChannelConfig, enabled: tuple[str, ...], path: tuple[Key, ...]) -> list[Fault]:
    return [
        Fault((*path, plugin), f"{unknown_key(plugin, enabled)}; no such plugin is enabled here")
        for plugin in channel.settings
        if plugin not in enabled
    ]
