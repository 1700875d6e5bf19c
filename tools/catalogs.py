"""Compile every catalog of the working tree: `LC_MESSAGES/*.po` to `*.mo` beside it."""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]


def compile_catalogs(root: Path) -> int:
    """Compile what changed below *root*, fuzzy entries left out; return how many there are."""
    sources = sorted(
        source
        for folder in (root / "gamebot", root / "plugins")
        for source in folder.rglob("LC_MESSAGES/*.po")
    )
    for source in sources:
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalog = read_po(file, locale=source.parts[-3], abort_invalid=True)
        with target.open("wb") as file:
            write_mo(file, catalog)
    return len(sources)


if __name__ == "__main__":
    sys.stdout.write(f"{compile_catalogs(ROOT)} catalogs are compiled\n")
