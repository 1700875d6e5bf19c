"""Chat games on several IRC networks at once: the public API for plugins.

Everything is imported when it is first asked for, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from gamebot._version import __version__

if TYPE_CHECKING:
    from gamebot.config.validators import Between, OneOf
    from gamebot.desk import seating
    from gamebot.errors import (
        BadValue,
        ConfigError,
        GamebotError,
        PluginError,
        Refused,
        StoreError,
        UsageError,
    )
    from gamebot.events import (
        AccountChanged,
        ChannelDown,
        ChannelUp,
        Joined,
        Left,
        LeftHow,
        LinkDown,
        LinkUp,
        NickChanged,
        Person,
        Said,
    )
    from gamebot.irc import formatting
    from gamebot.plugin import private_lines
    from gamebot.plugin.access import Rights, When, Where
    from gamebot.plugin.commands import Command, Duration, Invocation, Rest
    from gamebot.plugin.context import Context
    from gamebot.plugin.game import GameType, Sample, TableGame, TableSettings
    from gamebot.plugin.registry import Registry, hookimpl
    from gamebot.plugin.voice import Block, Rows, Voice, pieces, unmarked
    from gamebot.ports import Urgency
    from gamebot.table.table import Chair, Fixed, Outcome, Phase, Seat, Table

_HOMES = {
    "gamebot.config.validators": "Between OneOf",
    "gamebot.plugin.commands": "Command Duration Invocation Rest",
    "gamebot.plugin.access": "Rights When Where",
    "gamebot.plugin.context": "Context",
    "gamebot.errors": "BadValue ConfigError GamebotError PluginError Refused StoreError UsageError",
    "gamebot.events": "AccountChanged ChannelDown ChannelUp Joined Left LeftHow LinkDown LinkUp NickChanged Person Said",
    "gamebot.plugin.game": "GameType Sample TableGame TableSettings",
    "gamebot.ports": "Urgency",
    "gamebot.plugin.registry": "Registry hookimpl",
    "gamebot.table.table": "Chair Fixed Outcome Phase Seat Table",
    "gamebot.plugin.voice": "Block Rows Voice pieces unmarked",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = {
    "formatting": "gamebot.irc.formatting",
    "private_lines": "gamebot.plugin.private_lines",
    "seating": "gamebot.desk.seating",
}


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "AccountChanged",
    "BadValue",
    "Between",
    "Block",
    "Chair",
    "ChannelDown",
    "ChannelUp",
    "Command",
    "ConfigError",
    "Context",
    "Duration",
    "Fixed",
    "GameType",
    "GamebotError",
    "Invocation",
    "Joined",
    "Left",
    "LeftHow",
    "LinkDown",
    "LinkUp",
    "NickChanged",
    "OneOf",
    "Outcome",
    "Person",
    "Phase",
    "PluginError",
    "Refused",
    "Registry",
    "Rest",
    "Rights",
    "Rows",
    "Said",
    "Sample",
    "Seat",
    "StoreError",
    "Table",
    "TableGame",
    "TableSettings",
    "Urgency",
    "UsageError",
    "Voice",
    "When",
    "Where",
    "__version__",
    "formatting",
    "hookimpl",
    "pieces",
    "private_lines",
    "seating",
    "unmarked",
]
