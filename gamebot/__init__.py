"""Chat games on several IRC networks at once: the public API for plugins."""

from gamebot import seating
from gamebot._version import __version__
from gamebot.commands import Command, Duration, Invocation, Rest, Rights, When, Where
from gamebot.context import Context
from gamebot.errors import (
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
from gamebot.game import Fixed, GameType, Outcome, Sample, Seat, TableGame, TableSettings
from gamebot.irc import formatting
from gamebot.ports import Urgency
from gamebot.registry import Registry, hookimpl
from gamebot.table import Chair, Phase, Table
from gamebot.voice import Block, Rows, Voice, unmarked

__all__ = [
    "AccountChanged",
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
    "seating",
    "unmarked",
]
