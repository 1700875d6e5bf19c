"""From a configuration to a running bot, and its end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, cast

import structlog
from attrs import frozen

from gamebot.bot.bot import Bot
from gamebot.clock import RealClock
from gamebot.config import Config, ResolvedChannel, structure_settings
from gamebot.config.network import network_options
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.errors import ConfigError
from gamebot.irc.casemapping import fold
from gamebot.irc.network import Network
from gamebot.plugin.loading import LoadedPlugins, load_plugins
from gamebot.plugin.registry import Registry
from gamebot.plugin.settings_book import SettingsBook, effective
from gamebot.ports import Clock, Link, Store
from gamebot.store.peek import read_settings
from gamebot.store.sqlite import SqliteStore

log = structlog.get_logger()

BEAT_S = 0.2
"""How often the loop tells the watchdog that it runs."""


def load_configured_plugins(config: Config) -> LoadedPlugins:
    """Load the plugins that *config* allows."""
    return load_plugins(config.plugins.folders, config.plugins.disabled)


def profiles(
    config: Config, network: str, registries: Mapping[str, Registry]
) -> Iterator[ChannelProfile]:
    """Build the profile of every channel of *network*.

    Raises:
        ConfigError: A plugin's settings cannot be used; every fault with its path.
    """
    faults: list[str] = []
    for name in config.networks[network].channels:
        resolved = config.resolve(network, name)
        try:
            yield _profile(resolved, registries)
        except ConfigError as error:
            faults += error.faults
    if faults:
        raise ConfigError(faults)


def _profile(channel: ResolvedChannel, registries: Mapping[str, Registry]) -> ChannelProfile:
    settings: dict[str, Any] = {}
    faults: list[str] = []
    always = (name for name in ALWAYS_ENABLED if name in registries and name not in channel.plugins)
    plugins = (*channel.plugins, *always)
    for plugin in plugins:
        if plugin not in registries:
            log.error("channel_without_plugin", channel=channel.name, plugin=plugin)
    for plugin, registry in registries.items():  # any of them may be enabled over IRC
        if registry.settings is not None:
            path = f'networks.{channel.network}.channels."{channel.name}".{plugin}'
            values = channel.settings.get(plugin, {})
            try:
                settings[plugin] = structure_settings(registry.settings, values, path)
            except ConfigError as error:
                faults += error.faults
    if faults:
        raise ConfigError(faults)
    return ChannelProfile(
        name=channel.name,
        language=channel.language,
        prefix=channel.prefix,
        other_words=channel.other_words,
        plugins=plugins,
        settings=settings,
        ops=channel.ops,
    )


def present_profile(
    config: Config, network: str, channel: str, registries: Mapping[str, Registry]
) -> ChannelProfile:
    """Build the profile of *channel* as a running bot has it, settings given over IRC included.

    Raises:
        ConfigError: A plugin's settings cannot be used.
        StoreError: The database cannot be read.
    """
    base = _profile(config.resolve(network, channel), registries)
    link = cast("Link", _Named(network))
    layers = SettingsBook(read_settings(config.database)).layers(link, base.name)
    profile, faults = effective(base, layers, registries)
    for fault in map(str, faults):
        log.warning("stored_setting_ignored", why=fault)
    return profile


@frozen
class _Named:
    """A network that is not connected; its channels fold as most networks fold them."""

    name: str

    @staticmethod
    def fold(text: str) -> str:
        return fold(text)


def make_bot(config: Config, loaded: LoadedPlugins, clock: Clock, store: Store) -> Bot:
    """Assemble the bot of *config*.

    Raises:
        ConfigError: A plugin's settings cannot be used.
    """
    bot = Bot(
        store=store,
        clock=clock,
        registries=loaded.registries,
        grants={name: network.grants for name, network in config.networks.items()},
        limits=config.limits,
    )
    for name, network in config.networks.items():
        link = Network(network_options(name, network), bot.feed, clock)
        template = _profile(config.resolve(name, ""), loaded.registries)
        bot.add_network(link, list(profiles(config, name, loaded.registries)), template)
    bot.sources = loaded.sources
    return bot


async def run_bot(config: Config) -> None:
    """Run until SIGINT or SIGTERM.

    Raises:
        ConfigError: A plugin's settings cannot be used.
        StoreError: The database cannot be opened.
    """
    loaded = load_configured_plugins(config)
    store = SqliteStore(config.database, "FULL" if config.synchronous == "full" else "NORMAL")
    bot = make_bot(config, loaded, RealClock(), store)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    bot.on_shutdown = stopped.set
    await bot.start()
    try:
        await serve(bot, stopped)
    finally:
        await bot.stop()


async def serve(bot: Bot, stopped: asyncio.Event) -> None:
    """Keep every network connected until *stopped* is set or every network gave up."""
    bot.watchdog.start()
    helpers = [asyncio.create_task(_beat(bot)), asyncio.create_task(bot.wall_clock.watch())]
    links = {name: asyncio.create_task(link.run()) for name, link in bot.links.items()}
    ended = asyncio.create_task(stopped.wait())
    waiting = set(links.values())
    try:
        while waiting and not stopped.is_set():
            done, _ = await asyncio.wait({ended, *waiting}, return_when="FIRST_COMPLETED")
            waiting -= done
            _tell_ends({name: task for name, task in links.items() if task in done})
        log.info("stopping", games_running=bot.games_running())
    finally:
        await asyncio.gather(
            *(link.close("restarting, games go on") for link in bot.links.values()),
            return_exceptions=True,
        )
        for task in (*helpers, *links.values(), ended):
            task.cancel()
        await asyncio.gather(*helpers, *links.values(), ended, return_exceptions=True)
        bot.watchdog.stop()


def _tell_ends(tasks: Mapping[str, asyncio.Task[None]]) -> None:
    for name, task in tasks.items():
        with suppress(asyncio.CancelledError):
            log.error("network_given_up", network=name, why=str(task.exception() or "closed"))


async def _beat(bot: Bot) -> None:
    while True:
        bot.watchdog.beat()
        await asyncio.sleep(BEAT_S)
