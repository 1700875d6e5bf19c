"""`gamebot docs`: the players' guide of a game, as a channel has it set."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gamebot.errors import ConfigError, GamebotError
from gamebot.i18n import languages

if TYPE_CHECKING:
    from gamebot.guide import Edition
    from gamebot.plugin.loading import LoadedPlugins


@click.group()
def docs() -> None:
    """Write documentation for players."""


@docs.command()
@click.option("--plugin", help="The game; by default the first one of the channel.")
@click.option("--format", "form", type=click.Choice(["html", "txt"]), default="html")
@click.option("--lang", type=click.Choice(languages()), help="By default the channel's language.")
@click.option("--channel", metavar="NETWORK/#NAME", help="Write what is true of this channel.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("gamebot.toml"),
    envvar="GAMEBOT_CONFIG",
    show_default=True,
    help="The configuration; read for --channel only.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write into a file."
)
def export(
    plugin: str | None,
    form: str,
    lang: str | None,
    channel: str | None,
    config: Path,
    output: Path | None,
) -> None:
    """Write the guide of a game: a page of HTML, or plain text.

    Without --channel it is about the game as it comes. With it, prefix, language of the commands,
    rules and times are those of the channel, settings given over IRC included.
    """
    from gamebot.guide import as_html, as_text, build
    from gamebot.guide.sample import play
    from gamebot.logs import set_up_logs

    set_up_logs("error")
    edition = _of_channel(config, channel, plugin, lang) if channel else _of_game(plugin, lang)
    own = edition.voice(edition.plugin, own=True)
    sample = asyncio.run(play(own.registry, edition.profile, own))
    guide = build(edition, sample)
    text = as_html(guide) if form == "html" else as_text(guide)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


def _of_game(plugin: str | None, language: str | None) -> Edition:
    from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
    from gamebot.guide import Edition
    from gamebot.plugin.loading import load_plugins

    loaded = load_plugins()
    game = _game(loaded, plugin, tuple(loaded.registries))
    language = language or "en"
    return Edition(
        profile=ChannelProfile(name="", language=language, plugins=(game, *ALWAYS_ENABLED)),
        registries=loaded.registries,
        plugin=game,
        language=language,
    )


def _of_channel(path: Path, where: str, plugin: str | None, language: str | None) -> Edition:
    from gamebot.bot.app import load_configured_plugins, present_profile
    from gamebot.config import load_config
    from gamebot.guide import Edition

    config = load_config(path)
    network, _, name = where.partition("/")
    if network not in config.networks or not name:
        known = [f"{n}/{c}" for n, net in config.networks.items() for c in net.channels]
        raise ConfigError(
            [f"--channel {where}: expected NETWORK/#NAME, such as {', '.join(known)}"]
        )
    loaded = load_configured_plugins(config)
    profile = present_profile(config, network, name, loaded.registries)
    return Edition(
        profile=profile,
        registries=loaded.registries,
        plugin=_game(loaded, plugin, profile.plugins),
        language=language or profile.language,
        network=network,
        nick=config.networks[network].nick,
    )


def _game(loaded: LoadedPlugins, wanted: str | None, enabled: tuple[str, ...]) -> str:
    """Return the plugin whose game is asked for.

    Raises:
        GamebotError: There is no such game.
    """
    games = [
        name for name in enabled if name in loaded.registries and loaded.registries[name].games
    ]
    if wanted is None and games:
        return games[0]
    if wanted in games and wanted is not None:
        return wanted
    raise GamebotError(f"no game {wanted or ''} here; there is: {', '.join(games) or 'none'}")
