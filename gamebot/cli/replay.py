"""`gamebot replay`: run a transcript."""

from __future__ import annotations

import asyncio
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gamebot.testing.transcript import Record, Run


@click.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--update", is_flag=True, help="Write the bot's lines into the file as expectations.")
@click.option(
    "--folder",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A drop-in folder of plugins; may be given several times.",
)
def replay(
    files: tuple[Path, ...],
    as_json: bool,
    update: bool,
    folders: tuple[Path, ...],
) -> None:
    """Run transcripts and print the session with the bot's lines in place.

    Exits with 1 at the first expectation that fails, with 2 if a file cannot be read.
    """
    from gamebot.logs import set_up_logs
    from gamebot.plugin.loading import load_plugins

    set_up_logs("error")
    registries = load_plugins(folders).registries
    for path in files:
        from gamebot.testing.transcript import Run

        run = Run(registries, lenient=update)
        text = _read(path)
        status = _run(run, text, path)
        if update and not status:
            path.write_text(_updated(text, run), encoding="utf-8", newline="")
        _show(run, text, as_json=as_json)
        if status:
            sys.exit(status)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()  # no line end becomes another one
    except (OSError, UnicodeDecodeError) as error:
        click.echo(f"{path}: {error}", err=True)
        sys.exit(2)


def _run(run: Run, text: str, path: Path) -> int:
    from gamebot.testing.transcript import ExpectationError, TranscriptError

    try:
        asyncio.run(run.run(text))
    except ExpectationError as error:
        click.echo(f"{path}: {error}", err=True)
        return 1
    except TranscriptError as error:
        click.echo(f"{path}: {error}", err=True)
        return 2
    return 0


def _by_line(records: Sequence[Record]) -> dict[int, list[Record]]:
    lines: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        lines[record.line].append(record)
    return lines


def _show(run: Run, text: str, *, as_json: bool) -> None:
    from gamebot.testing.transcript import lines_of

    if as_json:
        for record in run.records:
            click.echo(record.as_json())
        return
    lines = _by_line(run.records)
    for number, line in enumerate(lines_of(text), 1):
        if number > run.line:
            return
        click.echo(line)
        for record in lines[number]:
            if record.kind == "privmsg":
                click.echo(f"    {record.to} <bot> {record.text}")
            elif record.kind == "notice":
                click.echo(f"    -bot- to {record.to}: {record.text}")


def _updated(text: str, run: Run) -> str:
    """Return *text* with the bot's lines as expectations; older generated ones are replaced."""
    from gamebot.testing.expectations import GENERATED
    from gamebot.testing.transcript import lines_of

    lines, out = _by_line(run.records), []
    for number, line in enumerate(lines_of(text), 1):
        if GENERATED.fullmatch(line):
            continue
        out.append(line)
        out += [_expectation(record) for record in lines[number] if record.sender == "bot"]
    end = "\r\n" if "\r\n" in text else "\n"
    return end.join(out) + end


def _expectation(record: Record) -> str:
    pattern = re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", record.text)
    if record.kind == "notice":
        return f"> {record.to}@{record.network} notice ^{pattern}$"
    return f"> {record.network}/{record.to} ^{pattern}$"
