"""`gamebot kniffel`: advice and values in the shell."""

import json

import pytest
from click.testing import CliRunner, Result

from gamebot.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["kniffel", *arguments])


ADVISE = ("advise", "--open", "1,2,3P,CH", "--upper", "12", "--dice", *"44264", "--rolls", "2")


def test_the_shipped_values_are_told_at_once() -> None:
    found = json.loads(run("solve", "--json").output)
    assert found == {"expected": 252.736231, "sd": 54.8342, "states": 536448}


def test_advice_as_json_has_the_best_and_the_second() -> None:
    found = json.loads(run(*ADVISE, "--kn-is-50", "--json").output)
    assert found["best"] == {"type": "keep", "what": [4, 4, 4]}
    assert found["value"] == pytest.approx(68.941021, abs=1e-6)
    assert found["second"]["what"] == [4, 4, 4, 6]
    assert found["second"]["value"] == pytest.approx(64.853392, abs=1e-6)


def test_advice_in_words_tells_three_moves() -> None:
    lines = run(*ADVISE).output.splitlines()
    assert lines[0].startswith("keep 4 4 4 6: ")
    assert [line.endswith(" less") for line in lines] == [False, True, True]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("solve", "--us", "free", "--joker"), "--us has no options"),
        ((*ADVISE, "--open", "7"), "no box: 7"),
        ((*ADVISE, "--open", "KN", "--kn-is-50"), "KN is open"),
        ((*ADVISE, "--open", "2,3,4,5,6,CH"), "cannot add up to 12"),
    ],
)
def test_what_makes_no_sense_is_told(arguments: tuple[str, ...], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert told in result.output
