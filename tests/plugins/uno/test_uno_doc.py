from __future__ import annotations

import re
from pathlib import Path

import pytest
from gamebot_uno.engine.cards import Color
from gamebot_uno.engine.game import Reason
from gamebot_uno.engine.rules import _CONTRADICTIONS, LIMITS, PRESETS
from gamebot_uno.notation import NOTATIONS
from gamebot_uno.players import PLAYERS
from gamebot_uno.rules_text import FIELDS, render_value, values_of

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/rules/uno.md").read_text(encoding="utf-8")
TABLE = {
    cells[0].strip("`"): cells[1:]
    for row in re.findall(r"^\| (`\w+` \|.+) \|$", DOCUMENT, re.MULTILINE)
    if len(cells := row.split(" | ")) == 6
}
#: Last line and blank lines of each document.
SOURCES = {
    "it": (67, {2, 16, 18, 20, 22, 25, 27, 29, 32, 51}),
    "zh": (
        119,
        {2, 4, 16, 19, 21, 23, 25, 28, 31, 34, 42, 44, 46, 48, 57, 59, 61, 65, 69, 74, 78, 82, 87}
        | {93, 107, 112},
    ),
}


def rows(source: str) -> list[int]:
    return [int(line) for line in re.findall(rf"^\| {source}:(\d+) \|", DOCUMENT, re.MULTILINE)]


@pytest.mark.parametrize("source", SOURCES)
def test_every_line_of_both_documents_has_its_row(source: str) -> None:
    last, blank = SOURCES[source]
    assert rows(source) == sorted({*range(1, last + 1)} - blank)


@pytest.mark.parametrize("source", SOURCES)
def test_every_line_cited_in_code_and_tests_has_a_row(source: str) -> None:
    files = [*(ROOT / "plugins/uno").rglob("*.py"), *Path(__file__).parent.glob("*.py")]
    text = DOCUMENT + "\n".join(file.read_text(encoding="utf-8") for file in files)
    cited = {
        int(n) for pair in re.findall(rf"\b{source}:(\d+)(?:-(\d+))?", text) for n in pair if n
    }
    assert cited
    assert cited <= {*rows(source)}


def test_every_row_leads_somewhere() -> None:
    for source in SOURCES:
        for row in re.findall(rf"^\| {source}:\d+ \| .+ \| (.+) \|$", DOCUMENT, re.MULTILINE):
            assert (
                "`" in row or "not applicable, because" in row or re.search(r"it:\d|how com", row)
            )


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_stands_with_its_values_and_presets(name: str) -> None:
    values, *presets = TABLE[name]
    expected = [f"`{value}`" for value in values_of(name)] or ["{}-{}".format(*LIMITS[name])]
    assert values.split(", ") == expected
    assert presets == [render_value(rules, name) for rules in PRESETS.values()]


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_is_traced_or_is_ours(name: str) -> None:
    ours = {"jump_in", "seven_zero", "false_call_penalty", "target"}
    traced = re.search(rf"^\| (it|zh):\d+ \|.*`{name}`", DOCUMENT, re.MULTILINE)
    assert bool(traced) != (name in ours)


def test_every_contradiction_is_listed() -> None:
    for names, _, _ in _CONTRADICTIONS:
        assert "| {} |".format(", ".join(f"`{name}`" for name in names)) in DOCUMENT


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_is_named(reason: Reason) -> None:
    assert f"`Reason.{reason.name}`" in DOCUMENT


@pytest.mark.parametrize("language", NOTATIONS)
def test_every_alphabet_is_written_down(language: str) -> None:
    notation = NOTATIONS[language]
    row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| `{language}` |"))
    for letters in (*map(notation.letter, Color), *notation.ranks.values()):
        assert f"`{letters}`" in row


@pytest.mark.parametrize("player", ["random", "easy", "greedy"])
def test_the_players_are_described(player: str) -> None:
    assert player in PLAYERS
    assert f"| `{player}` |" in DOCUMENT
