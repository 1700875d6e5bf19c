"""`gamebot kniffel`: values and advice in the shell."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from gamebot_kniffel.engine.scoring import CATEGORIES, Category
from gamebot_kniffel.solver.variant import Bonus, Joker, Kn, State, Variant

if TYPE_CHECKING:
    from gamebot_kniffel.solver.advice import Move, Option
    from gamebot_kniffel.solver.table import Table


def read_boxes(_ctx: click.Context, _param: click.Parameter, text: str) -> tuple[Category, ...]:
    """Read boxes separated by commas, in any order.

    Raises:
        BadParameter: There is no such box.
    """
    named = {part.strip().upper() for part in text.split(",")}
    if unknown := named - set(CATEGORIES):
        raise click.BadParameter(f"no box: {', '.join(sorted(unknown))}")
    return tuple(box for box in CATEGORIES if box in named)


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose the rules."""
    options = (
        click.option("--joker", is_flag=True, help="The option joker."),
        click.option("--bonus-once", is_flag=True, help="Only the first further Kniffel: 100."),
        click.option("--bonus-in-upper", is_flag=True, help="100 in the boxes 1-6 too."),
        click.option("--us", type=click.Choice(["forced", "free"]), help="The American rules."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def variant_of(*, joker: bool, bonus_once: bool, bonus_in_upper: bool, us: str | None) -> Variant:
    """Return the rules that the options name.

    Raises:
        BadParameter: American rules with an option of the German ones.
    """
    if us:
        if joker or bonus_once or bonus_in_upper:
            raise click.BadParameter(
                "--us has no options: those rules have their own joker and bonus"
            )
        return Variant.american(Joker(us))
    return Variant(
        joker=Joker.OPTION if joker else Joker.NONE,
        bonus=Bonus.ONCE if bonus_once else Bonus.EACH,
        in_upper=bonus_in_upper,
    )


@click.group()
def kniffel() -> None:
    """Kniffel played perfectly: what games and moves are worth."""


@kniffel.command()
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def solve(as_json: bool, **options: Any) -> None:  # noqa: ANN401  click gives them by name
    """Work out what every state is worth, and keep it for bots and advice."""
    variant = variant_of(**options)
    table = table_of(variant)
    expected, states, sd = table.value(State()), int(table.raw.size), table.sd
    if as_json:
        click.echo(
            json.dumps({"expected": round(expected, 6), "sd": round(sd, 4), "states": states})
        )
    else:
        click.echo(f"expected score {expected:.6f}, standard deviation {sd:.2f}, {states} states")


@kniffel.command()
@rules_options
@click.option("--open", "boxes", callback=read_boxes, required=True, help="Open boxes: 1,2,3P,CH")
@click.option("--upper", type=click.IntRange(0), default=0, help="Sum of the boxes 1-6.")
@click.option("--kn-is-50", is_flag=True, help="KN holds 50; otherwise it is open or struck.")
@click.option("--dice", nargs=5, type=click.IntRange(1, 6), required=True)
@click.option("--rolls", type=click.IntRange(0, 2), required=True, help="Throws still allowed.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def advise(
    boxes: tuple[Category, ...],
    upper: int,
    kn_is_50: bool,
    dice: tuple[int, ...],
    rolls: int,
    as_json: bool,
    **options: Any,  # noqa: ANN401  click gives them by name
) -> None:
    """Say what is best to do with the dice on the table."""
    variant = variant_of(**options)
    from gamebot_kniffel.solver.advice import Adviser

    state = State(boxes, min(upper, 63), kn_of(boxes, kn_is_50=kn_is_50))
    try:
        found = Adviser(table_of(variant)).options(state, dice, rolls)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    show_json(found) if as_json else show_text(found)


def kn_of(boxes: tuple[Category, ...], *, kn_is_50: bool) -> Kn:
    """Return what KN holds.

    Raises:
        BadParameter: It is open and holds 50.
    """
    if Category.YAHTZEE not in boxes:
        return Kn.HELD if kn_is_50 else Kn.STRUCK
    if kn_is_50:
        raise click.BadParameter("KN is open: it cannot hold 50")
    return Kn.OPEN


def show_json(found: list[Option]) -> None:
    """Print the best move, its value, and the best one that is worse."""
    from gamebot_kniffel.solver.advice import second

    other = second(found)
    click.echo(
        json.dumps(
            {
                "best": encoded(found[0].move),
                "value": round(found[0].value, 8),
                "second": other and {**encoded(other.move), "value": round(other.value, 8)},
            }
        )
    )


def show_text(found: list[Option]) -> None:
    """Print the best move and what the two next ones cost."""
    best = found[0]
    click.echo(f"{worded(best.move)}: {best.value:.2f} points to come")
    for option in found[1:3]:
        click.echo(f"  {worded(option.move)}: {best.value - option.value:.2f} less")


def encoded(move: Move) -> dict[str, object]:
    """Return *move* as JSON."""
    from gamebot_kniffel.solver.advice import Score

    if isinstance(move, Score):
        return {"type": "score", "what": str(move.box)}
    return {"type": "keep", "what": list(move.faces)}


def worded(move: Move) -> str:
    """Return *move* in words."""
    from gamebot_kniffel.solver.advice import Score

    if isinstance(move, Score):
        return f"enter {move.box}"
    faces = " ".join(map(str, move.faces))
    return f"keep {faces}" if faces else "throw all dice again"


def table_of(variant: Variant) -> Table:
    """Return the table of *variant*; the first time it is worked out.

    Raises:
        ClickException: numpy is not installed.
    """
    try:
        from gamebot_kniffel.solver.table import cache_folder, obtain
    except ImportError as error:
        raise click.ClickException("needs numpy: pip install 'gamebot-kniffel[perfect]'") from error
    with progress("values") as advance:
        return obtain(variant, cache_folder(), advance)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on a terminal once there is something to wait for."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def advance(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield advance
