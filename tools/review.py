"""Write the review lists: each catalog as a table, for readers who know the language.

    python tools/review.py            update docs/translations
    python tools/review.py --check    change nothing; fail if something would change

*Back* and *Doubtful* are written by hand and kept as long as the translation stays as it is.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from extraction import ROOT, Distribution, distributions
from i18n import Key, known, languages, strings

FOLDER = ROOT / "docs" / "translations"
NAMES = {"de": "German", "it": "Italian", "zh_Hant": "Traditional Chinese"}
HEAD = """# {language}: {domain}

*Back* is the translation put into English again, made from the translation alone. A `word` is what
is typed; forms of a plural have ‖ between them. Written by `tools/review.py`, which keeps the last
two columns.

| Key | English | Translation | Back | Doubtful |
|---|---|---|---|---|
"""
FORMS = " ‖ "

Row = tuple[str, str, str]
"""Key, English, translation, as they stand in the table."""


def key_text(key: Key) -> str:
    """Name a text shortly, and for ever the same."""
    context, one, _ = key
    digest = hashlib.sha256(f"{context}\4{one}".encode()).hexdigest()[:6]
    return f"{context} {digest}".strip()


def cell(text: str) -> str:
    """Write *text* into a cell."""
    return text.strip().replace("|", "\\|")


def rows(distribution: Distribution, language: str) -> Iterator[Row]:
    """Return what the catalog of *distribution* says in *language*."""
    for key, message in known(distribution.catalog(language), language).items():
        _, one, many = key
        forms = dict.fromkeys(strings(message))  # equal forms once
        yield key_text(key), cell(FORMS.join(filter(None, (one, many)))), cell(FORMS.join(forms))


def written(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Read the columns that are written by hand: (key, translation) -> back, doubtful."""
    if not path.exists():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5:  # as HEAD
            found[cells[0], cells[2]] = (cells[3], cells[4])
    return found


def path_of(distribution: Distribution, language: str) -> Path:
    """Return the list of a catalog."""
    return FOLDER / f"{language}-{distribution.domain}.md"


def render(distribution: Distribution, language: str) -> str:
    """Write the list of a catalog."""
    kept = written(path_of(distribution, language))
    lines = [HEAD.format(language=NAMES.get(language, language), domain=distribution.domain)]
    for key, english, translation in rows(distribution, language):
        back, doubtful = kept.get((key, translation), ("", ""))
        lines.append(f"| {key} | {english} | {translation} | {back} | {doubtful} |\n")
    return "".join(lines)


def stale() -> Iterator[tuple[Path, str]]:
    """Return every list that is not as its catalog is, and its new text."""
    core, *others = distributions()
    for language in languages(core):
        for distribution in (core, *others):
            path, text = path_of(distribution, language), render(distribution, language)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                yield path, text


def main(arguments: list[str]) -> int:
    """Update, or check."""
    check = "--check" in arguments
    lists = list(stale())
    for path, text in lists:
        sys.stdout.write(f"{'out of date' if check else 'updated'}: {path.relative_to(ROOT)}\n")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if check and lists else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
