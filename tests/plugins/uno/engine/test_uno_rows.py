"""Every preset has a transcript for every row of the rules in which it differs from another one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamebot_uno.engine.rules import PRESETS
from gamebot_uno.rules_text import FIELDS, render_value

FOLDER = Path(__file__).parents[3] / "transcripts"
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("uno-*.irc")}
DIFFERING = [
    name for name in FIELDS if len({render_value(rules, name) for rules in PRESETS.values()}) > 1
]


def rows_of(text: str) -> set[str]:
    """Return the rows that a transcript names in its comments."""
    comments = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
    named = re.findall(r"\b[Rr]ows? ((?:`\w+`(?:, | and )?)+)", comments)
    return {name for names in named for name in re.findall(r"`(\w+)`", names)}


def presets_of(text: str, row: str) -> set[str]:
    """Return the presets that are played in a transcript without changing *row*."""
    played = [rules.split(",") for rules in re.findall(r"^%channel .*rules=(\S+)", text, re.M)]
    return {preset for preset, *changed in played if not any(c.startswith(row) for c in changed)}


@pytest.mark.parametrize("row", DIFFERING)
def test_every_preset_plays_the_rows_in_which_it_differs(row: str) -> None:
    about = [text for text in TEXTS.values() if row in rows_of(text)]
    assert about
    assert all(re.search(r"\b(it|zh):\d", text) for text in about), "cites its document"
    assert set().union(*(presets_of(text, row) for text in about)) == {*PRESETS}


def test_the_rows_named_are_fields() -> None:
    assert set().union(*map(rows_of, TEXTS.values())) <= {*FIELDS}


#: Fault reports of public bots about UNO's rules, deck and roster, and cases that break them.
REPORTS = "01 03 05 06 07 10 12 13 15 16 18 20 21 23"
NAMED = [*(f"uno-R{n}-" for n in REPORTS.split()), *(f"uno-case-{n:02}-" for n in range(1, 27))]


@pytest.mark.parametrize("name", NAMED)
def test_every_known_fault_has_a_transcript_of_its_own(name: str) -> None:
    assert [text for stem, text in TEXTS.items() if stem.startswith(name)]
