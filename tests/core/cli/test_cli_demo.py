from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from gamebot.cli import main
from gamebot.i18n import languages


def demo(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["demo", *arguments])


@pytest.mark.parametrize("language", languages())
def test_the_same_seed_gives_the_same_totals_in_every_language(language: str):
    result = demo("--auto", "--seed", "7", "--json", "--language", language)
    assert result.exit_code == 0
    assert json.loads(result.stdout.splitlines()[-1]) == {
        "game": "kniffel",
        "winner": ["bot"],
        "total": {"bot": 318, "bot2": 262},
        "rounds": 13,
    }


@pytest.mark.parametrize("arguments", [["--json"], ["--language", "xx"], ["--port", "-1"]])
def test_what_makes_no_sense_is_a_usage_error(arguments: list[str]):
    result = demo(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
