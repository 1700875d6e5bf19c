"""`gamebot run`: the bot itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from gamebot.cli import config_argument


@click.command()
@config_argument
def run(path: Path) -> None:
    """Run the bot that the configuration file PATH describes, until it is told to stop.

    SIGINT and SIGTERM end it; every game goes on at the next start.
    """
    from gamebot.bot.app import run_bot
    from gamebot.config import load_config
    from gamebot.logs import set_up_logs

    config = load_config(path)
    set_up_logs(config.log_level, config.log_format)
    asyncio.run(run_bot(config))
