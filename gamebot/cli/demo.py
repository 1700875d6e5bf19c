"""`gamebot demo`: an IRC server, the bot and a console in one process; one plays at once."""

from __future__ import annotations

import asyncio
import secrets
import sys

import click

from gamebot.i18n import languages


@click.command()
@click.option("--auto", is_flag=True, help="Let two bot players play a whole game, then exit.")
@click.option("--seed", help="Decide the dice; the same seed gives the same totals.")
@click.option("--json", "as_json", is_flag=True, help="With --auto: the last line is the result.")
@click.option("--language", type=click.Choice(languages()), default="en", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; 0 takes a free one.")
def demo(auto: bool, seed: str | None, as_json: bool, language: str, port: int) -> None:
    """Start an IRC server on this machine, the bot in #kniffel, and a console to play in.

    Any IRC client can join the server too.
    """
    if as_json and not auto:
        raise click.UsageError("--json is for --auto.")
    from gamebot.demo.demo import Demo, play_alone
    from gamebot.logs import set_up_logs

    set_up_logs("error")
    stage = Demo(seed=seed or secrets.token_hex(4), language=language, port=port)
    if auto:
        result = asyncio.run(play_alone(stage, click.echo))
        if as_json:
            import json

            click.echo(json.dumps(result, ensure_ascii=False))
        return
    try:
        from gamebot.demo.console import play
    except ImportError:
        click.echo("The console needs the extra gamebot[console].", err=True)
        sys.exit(1)
    asyncio.run(play(stage))
