"""The command line. Subcommands are imported when they are asked for, so that starting is quick."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

import click

from gamebot._version import __version__
from gamebot.errors import ConfigError, GamebotError

#: Subcommands in the order of the help; each is `gamebot.cli.NAME.NAME`.
COMMANDS = ("init", "check", "run", "demo", "replay", "verify", "simulate", "plugins", "docs")


#: Entry points of plugins that add a subcommand: `name = "package.module:command"`, with click.
PLUGIN_COMMANDS = "gamebot.commands"


def _of_plugins() -> dict[str, EntryPoint]:
    """Return the subcommands that plugins bring; none takes the place of one of ours."""
    found = {point.name: point for point in entry_points(group=PLUGIN_COMMANDS)}
    return {name: found[name] for name in sorted(found) if name not in COMMANDS}


class LazyGroup(click.Group):
    """A group whose commands are modules of this package, or of plugins."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands that are installed."""
        del ctx
        own = [name for name in COMMANDS if find_spec(f"{__name__}.{name}")]
        return [*own, *_of_plugins()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of *cmd_name* and return its command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        if cmd_name in COMMANDS:
            command = getattr(import_module(f"{__name__}.{cmd_name}"), cmd_name)
        else:
            command = _of_plugins()[cmd_name].load()
        if not isinstance(command, click.Command):
            raise TypeError(f"{cmd_name} is no command")
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error of ours, or of a file, is a message and no traceback."""
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            click.echo("\n".join(error.faults), err=True)
            sys.exit(2)
        except GamebotError as error:
            click.echo(f"gamebot: {error}", err=True)
            sys.exit(1)
        except OSError as error:
            if error.filename is None:  # no file: a closed pipe, which click knows, or a mistake
                raise
            click.echo(f"gamebot: {error.filename}: {error.strerror}", err=True)
            sys.exit(1)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="gamebot %(version)s")
def main() -> None:
    """Play games in IRC channels: a bot for several networks at once."""


#: The configuration file as an argument, the same for every command that takes one.
config_argument = click.argument(
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("gamebot.toml"),
    envvar="GAMEBOT_CONFIG",
)
