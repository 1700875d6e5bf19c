"""Write `docs/typing.md`, what one can type, from the tables in `tests/inputs`.

Run with `python tools/inputs.py`; with `--check` nothing is written, and the exit code says whether
the page is what the tables say.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "typing.md"
PHASES = {
    "idle": "no game is on",
    "lobby": "others may join",
    "turn": "it is your turn",
    "off": "it is another one's turn",
    "by": "you do not play",
}
HEAD = """# What you can type

Examples of what the bot understands, from the tables that its tests run (`tests/inputs`). Much of it
is what phones and clients make of a line: capitals, full stops, the bot's nick before it, letters of
another width. *Talk* is met with silence, a *hint* with a notice that says what may have been meant.
"""


def rows(path: Path) -> dict[tuple[str, str], list[str]]:
    """Collect what is typed in a table by phase and what comes of it."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            phase, text, outcome = line.split("\t")
            if text.isprintable():
                found.setdefault((phase, outcome), []).append(text)
    return found


def page() -> str:
    """Write the whole page."""
    parts = [HEAD]
    for path in sorted((ROOT / "tests" / "inputs").glob("*.tsv")):
        game, _, language = path.stem.partition("-")
        parts.append(f"\n## {game}, {language}\n\n| when | typed | is |\n|---|---|---|\n")
        for (phase, outcome), texts in rows(path).items():
            typed = " · ".join(f"`{text}`" for text in texts)
            parts.append(f"| {PHASES[phase]} | {typed} | {outcome} |\n")
    return "".join(parts)


def main() -> int:
    """Write the page, or compare it."""
    if "--check" in sys.argv:
        return int(not PAGE.exists() or PAGE.read_text("utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
