"""A channel's settings as the core uses them, whatever file or line they came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

ALWAYS_ENABLED = ("rights", "settings", "help")
"""Plugins that every channel has if they are installed, whatever it names; a channel that names them
decides the order."""

CONSOLE_PLUGINS = ("admin",)
"""Plugins of the console alone, where the bot is looked after in queries."""


@frozen(kw_only=True)
class ChannelProfile:
    """What is set for one channel.

    Attributes:
        name: The channel as configured.
        language: Catalog language of everything said and typed there.
        prefix: Command prefix; None is the one that its game's players expect.
        other_words: Words that other bots of the channel answer; nobody is told of them.
        plugins: Names of the enabled plugins, asked in this order.
        ops: Services accounts that may do here what channel operators may.
        settings: Plugin -> an instance of its settings class; a missing one has its defaults.
    """

    name: str
    language: str = "en"
    prefix: str | None = None
    other_words: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(factory=dict)
    ops: tuple[str, ...] = ()
