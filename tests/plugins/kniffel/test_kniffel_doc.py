from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest
from gamebot_kniffel.engine.reasons import Reason
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import Category

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/rules/kniffel.md").read_text(encoding="utf-8")
ROWS = [int(line) for line in re.findall(r"^\| de:(\d+) \|", DOCUMENT, re.MULTILINE)]
#: The lines of the help that hold nothing.
BLANK = {2, 10, 15, 16, 22, 23, 24, 25, 27, 28, 29, 31, 37, 39, 41, 57, 59}


def test_every_line_of_the_help_has_its_row() -> None:
    assert sorted({*range(1, 82)} - BLANK) == ROWS


def test_every_line_cited_in_code_and_tests_has_a_row() -> None:
    sources = [*(ROOT / "plugins/kniffel").rglob("*.py"), *Path(__file__).parent.glob("*.py")]
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    cited = {int(n) for pair in re.findall(r"de:(\d+)(?:-(\d+))?", text) for n in pair if n}
    assert cited
    assert cited <= set(ROWS)


@pytest.mark.parametrize(
    "name",
    [
        *(f"Category.{box.name}" for box in Category),
        *(f"Reason.{reason.name}" for reason in Reason if reason is not Reason.GAME_OVER),
        *(option.name for option in attrs.fields(Rules)),
    ],
)
def test_the_document_names_every_box_refusal_and_option(name: str) -> None:
    assert f"`{name}`" in DOCUMENT or f", `{name}" in DOCUMENT
