"""The configuration: TOML and the environment into frozen classes, all faults at once."""

from gamebot.config.checks import LANGUAGES
from gamebot.config.load import load_config
from gamebot.config.model import (
    ChannelConfig,
    ChannelDefaults,
    Config,
    NetworkConfig,
    PluginsConfig,
    ResolvedChannel,
    ServerConfig,
)
from gamebot.config.structure import structure_settings, structure_text_settings

__all__ = [
    "LANGUAGES",
    "ChannelConfig",
    "ChannelDefaults",
    "Config",
    "NetworkConfig",
    "PluginsConfig",
    "ResolvedChannel",
    "ServerConfig",
    "load_config",
    "structure_settings",
    "structure_text_settings",
]
