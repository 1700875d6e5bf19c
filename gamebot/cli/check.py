"""`gamebot check`: every fault of a configuration, or what would run."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gamebot.cli import config_argument
from gamebot.config import (
    ChannelDefaults,
    Config,
    NetworkConfig,
    ResolvedChannel,
    load_config,
    structure_settings,
)
from gamebot.config.files import file_faults
from gamebot.config.network import network_options
from gamebot.config.structure import choices, show, show_path
from gamebot.errors import ConfigError
from gamebot.irc.fingerprints import shorten

if TYPE_CHECKING:
    from gamebot.plugin.registry import Registry


@click.command()
@config_argument
def check(path: Path) -> None:
    """Check the configuration file PATH and show what would run.

    Exits with 2 and a list of all faults if it cannot be used. Connects to nothing.
    """
    config = load_config(path)
    if faults := [*file_faults(config), *plugin_faults(config)]:
        raise ConfigError(faults)
    for line in overview(config):
        click.echo(line)
    for line in warnings(path, config):
        click.echo(f"warning: {line}", err=True)


def plugin_faults(config: Config) -> Iterator[str]:
    """Load the plugins and name what of them, or of their settings, cannot be used."""
    from gamebot.bot.app import load_configured_plugins  # late: the other checks need no plugin
    from gamebot.logs import set_up_logs

    set_up_logs("critical")
    loaded = load_configured_plugins(config)
    for plugin, reason in loaded.failures.items():
        yield f"plugin {plugin}: {reason}"
    layers: list[tuple[str, ChannelDefaults]] = [("defaults", config.defaults)]
    for name, network in config.networks.items():
        base = show_path(["networks", name])
        layers.append((f"{base}.defaults", network.defaults))
        layers += (
            (show_path(["networks", name, "channels", channel]), layer)
            for channel, layer in network.channels.items()
        )
    for path, layer in layers:
        yield from _layer_faults(path, layer, loaded.registries)


def _layer_faults(
    path: str, layer: ChannelDefaults, registries: Mapping[str, Registry]
) -> Iterator[str]:
    for number, plugin in enumerate(layer.plugins or ()):
        if plugin not in registries:
            yield f"{path}.plugins[{number}]: {_no_plugin(plugin, registries)}"
    for plugin, values in layer.settings.items():
        registry = registries.get(plugin)
        where = f"{path}.{show_path([plugin])}"
        if registry is None:
            yield f"{where}: {_no_plugin(plugin, registries)}"
        elif registry.settings is None:
            yield f"{where}: this plugin has no settings"
        else:
            try:
                structure_settings(registry.settings, values, where)
            except ConfigError as error:
                yield from error.faults


def _no_plugin(name: str, registries: Mapping[str, Registry]) -> str:
    return f"no plugin {show(name)} is loaded, expected {choices(sorted(registries))}"


def warnings(path: Path, config: Config) -> Iterator[str]:
    """Say what works but is unwise."""
    secrets = [
        network.password or network.sasl_password or any(c.key for c in network.channels.values())
        for network in config.networks.values()
    ]
    if any(secrets) and path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        yield f"{path} may be read by others and holds or names passwords; chmod 600 helps"
    for name, network in config.networks.items():
        if not network.tls_verify and not network.tls_pin:
            yield f"networks.{name}: the server's certificate is not verified"
        if not network.channels:
            yield f"networks.{name}: no channel is configured"
        if not (network.owners or network.owner_masks or network.owner_certificates):
            yield f"networks.{name}: nobody owns the bot (owners)"


def overview(config: Config) -> Iterator[str]:
    """Describe what would run; no secrets."""
    yield f"database {config.database} (synchronous {config.synchronous})"
    yield f"logging  {config.log_level}, {config.log_format}"
    for name, network in config.networks.items():
        yield ""
        yield from _network_lines(name, network)
        for channel in network.channels:
            yield f"  {_channel_line(config.resolve(name, channel))}"


def _network_lines(name: str, network: NetworkConfig) -> Iterator[str]:
    options = network_options(name, network)
    servers = ", ".join(
        f"{server.host}:{server.port} ({'TLS' if server.tls else 'no TLS'})"
        for server in options.servers
    )
    login = "no login"
    if network.sasl != "off":
        login = f"SASL {network.sasl_mechanism} as {network.sasl_user or 'the certificate'}"
        login += f" ({network.sasl})"
    yield f"network {name}: {servers}"
    yield f"  nick {' '.join([network.nick, *network.alternatives])}, {login}"
    grants = network.grants
    owners = [*grants.owners, *grants.owner_masks, *map(shorten, grants.owner_certificates)]
    if owners:
        yield f"  owners {' '.join(map(str, owners))}"
    admins = [*grants.admins, *grants.admin_masks, *map(shorten, grants.admin_certificates)]
    if admins:
        yield f"  admins {' '.join(map(str, admins))}"


def _channel_line(channel: ResolvedChannel) -> str:
    prefix = "the game's" if channel.prefix is None else channel.prefix
    line = f"{channel.name}: {', '.join(channel.plugins) or 'no plugin'}"
    line += f"; language {channel.language}, prefix {prefix}"
    given = [
        f"{plugin}.{key} = {value}"
        for plugin, values in channel.settings.items()
        for key, value in values.items()
    ]
    return "; ".join([line, *given, *(["key set"] if channel.key else [])])
