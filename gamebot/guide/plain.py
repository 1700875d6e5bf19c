"""A guide as plain text, for a pastebin or a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from gamebot.guide.model import Commands, Entry, Facts, Guide, Section, Talk
from gamebot.i18n import tight
from gamebot.plugin.voice import Rows, pieces, unmarked

WIDTH = 78
"""Columns of a line."""

_GAP = "  "


def columns(text: str) -> int:
    """Count the columns that *text* takes in a terminal; Chinese characters take two."""
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def fill(text: str, width: int = WIDTH, indent: str = "") -> list[str]:
    """Cut *text* into lines of at most *width* columns, each behind *indent*."""
    lines, line = [], ""
    for piece in pieces(text):
        if line and columns(indent + (line + piece).rstrip()) > width:
            lines.append(indent + line.rstrip())
            line = piece
        else:
            line += piece
    lines += [indent + line.rstrip()] if line else []
    return lines


def as_text(guide: Guide) -> str:
    """Write *guide* as plain text."""
    lines = [f"{guide.title}{guide.dash}{guide.subtitle}"]
    lines += ["=" * columns(lines[0]), ""]
    if guide.about:
        lines += [*fill(guide.about), ""]
    for section in guide.sections:
        lines += _section(guide, section)
    return "\n".join(lines).rstrip() + "\n"


def _section(guide: Guide, section: Section) -> Iterator[str]:
    yield section.title
    yield "-" * columns(section.title)
    for block in section.blocks:
        yield from _BLOCKS[type(block)](guide, block)
        yield ""
    yield ""


def _paragraph(_guide: Guide, text: str) -> Iterator[str]:
    yield from fill(text)


def _rows(_guide: Guide, block: Rows) -> Iterator[str]:
    yield from table([block.head, *block.rows])


def _facts(guide: Guide, block: Facts) -> Iterator[str]:
    yield from table([(_head(guide, name), value) for name, value in block.pairs])


def _head(guide: Guide, name: str) -> str:
    return guide.headed.format(head=name, text="").rstrip()


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Set *rows* in columns; wide columns are filled over several lines."""
    wanted = [max(columns(unmarked(row[n])) for row in rows) for n in range(len(rows[0]))]
    room = WIDTH - len(_GAP) * (len(wanted) - 1)
    while sum(wanted) > room:
        widest = max(range(len(wanted)), key=wanted.__getitem__)
        wanted[widest] -= 1
    for row in rows:
        cells = [fill(cell, width) for cell, width in zip(row, wanted, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (
                part + " " * (width - columns(part))
                for part, width in zip(parts, wanted, strict=True)
            )
            yield _GAP.join(padded).rstrip()


def _talk(guide: Guide, block: Talk) -> Iterator[str]:
    for line in block.lines:
        who = f"<{line.nick}>"
        if line.to:
            who = guide.aside.format(text=who, note=guide.privately.format(nick=line.to))
        first, *others = fill(tight(f"{who} {line.text}"), WIDTH - 4)
        yield first
        yield from (f"    {other}" for other in others)


def _commands(guide: Guide, block: Commands) -> Iterator[str]:
    for group in block.groups:
        yield ""
        yield from fill(_head(guide, group.place))
        for entry in group.entries:
            yield from _entry(guide, entry)


def _entry(guide: Guide, entry: Entry) -> Iterator[str]:
    yield from fill(guide.comma.join([entry.usage, *entry.also]), indent="  ")
    yield from fill(entry.help, indent="      ")
    if entry.example:
        example = guide.headed.format(head=guide.example, text=entry.example)
        if entry.means:
            example += guide.dash + entry.means
        yield from fill(example, indent="      ")


_BLOCKS: dict[type, Callable[[Guide, Any], Iterator[str]]] = {
    str: _paragraph,
    Rows: _rows,
    Facts: _facts,
    Talk: _talk,
    Commands: _commands,
}
