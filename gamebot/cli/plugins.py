"""`gamebot plugins`: what is there, and what could not be loaded."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--folder",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A drop-in folder to look at too; may be given several times.",
)
def plugins(folders: tuple[Path, ...]) -> None:
    """List the plugins with their commands; exits with 1 if one cannot be loaded."""
    from gamebot.logs import set_up_logs
    from gamebot.plugin.loading import load_plugins

    set_up_logs("critical")
    loaded = load_plugins(folders)
    for name, registry in sorted(loaded.registries.items()):
        what = "game" if registry.games else "plugin"
        click.echo(f"{name} ({what}, {loaded.sources[name].place})")
        for command in registry.commands:
            click.echo(f"  {command.words:20} {command.help}")
    for name, why in loaded.failures.items():
        click.echo(f"{name}: cannot be loaded: {why}", err=True)
    sys.exit(1 if loaded.failures else 0)
