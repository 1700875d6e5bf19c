"""`gamebot simulate`: bot players against each other."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gamebot.cli.simulation import Match


def _split(_ctx: click.Context, _param: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


@click.command()
@click.argument("game")
@click.option("--rules", default="", help="Rules, as the game reads them: cuciolo,hand_size=5")
@click.option(
    "--players", required=True, callback=_split, help="Bot players, one for each seat: strong,easy"
)
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Decides all that happens.")
@click.option("--jobs", type=click.IntRange(0), default=0, help="Processes; 0: one for each core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--folder",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A drop-in folder of plugins; may be given several times.",
)
def simulate(
    game: str,
    rules: str,
    players: tuple[str, ...],
    games: int,
    seed: int,
    jobs: int,
    as_json: bool,
    folders: tuple[Path, ...],
) -> None:
    """Let bot players play GAME and print how often each one wins.

    The players change seats over the same deals. The same seed gives the same figures, whatever
    the number of processes.
    """
    from gamebot.cli import simulation
    from gamebot.logs import set_up_logs

    set_up_logs("critical")
    match = simulation.Match(game=game, rules=rules, players=players, seed=seed, folders=folders)
    total = simulation.Tally()
    with progress(games) as advance:
        for part in simulation.simulate(match, games, jobs or os.cpu_count() or 1):
            total.add(part)
            advance(part.games)
    result = simulation.figures(match, total)
    if as_json:
        click.echo(json.dumps(result))
    else:
        show(match, result)


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], object]]:
    """Show how many games are played, where somebody can see it; rich does it if it is there."""
    if not sys.stderr.isatty():
        yield lambda games: None  # noqa: ARG005  a file wants no bar
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        with click.progressbar(length=games, label="games", file=sys.stderr) as simple:
            yield lambda games: simple.update(games)
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games)
        yield lambda games: bar.update(task, advance=games)


def show(match: Match, result: Mapping[str, Any]) -> None:
    """Print the figures as a table."""
    turns = result["turns"]
    click.echo(
        f"{' '.join([match.game, match.rules]).strip()}, seed {match.seed}: "
        f"{result['games']} games, {turns['mean']:.1f} turns on average, "
        f"{turns['longest']} at most"
    )
    width = max(len("player"), *map(len, match.keys))
    click.echo(f"{'player':{width}}  {'wins':>7}  {'share':>7}  {'95 % interval':>17}  points")
    for key, row in result["players"].items():
        low, high = row["interval"]
        click.echo(
            f"{key:{width}}  {row['wins']:7}  {row['share']:7.2%}  "
            f"{low:8.2%}-{high:8.2%}  {row['points']:6.1f}"
        )
