"""`gamebot simulate`, with both games."""

from __future__ import annotations

import json
from math import isclose

import pytest
from click.testing import CliRunner, Result

from gamebot.cli import main, simulate, simulation
from gamebot.cli.simulation import CHUNK, Match, Tally, interval


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *arguments])


def figures(*arguments: str) -> dict[str, object]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_json_has_the_shape_that_is_promised() -> None:
    found = figures("uno", "--rules", "cuciolo", "--players", "strong,greedy", "--games", "20")
    assert found["games"] == 20
    assert list(found["players"]) == ["strong", "greedy"]
    for player in found["players"].values():
        low, high = player["interval"]
        assert 0 <= low <= player["share"] <= high <= 1
        assert isclose(player["share"], player["wins"] / 20)
        assert player["points"] >= 0
    assert sum(player["wins"] for player in found["players"].values()) == 20
    assert 0 < found["turns"]["mean"] <= found["turns"]["longest"]


def test_the_same_seed_gives_the_same_figures_whatever_the_number_of_processes() -> None:
    asked = ("uno", "--players", "greedy,random", "--games", str(2 * CHUNK + 1), "--seed", "4")
    alone = figures(*asked, "--jobs", "1")
    assert figures(*asked, "--jobs", "2") == alone
    assert figures(*asked[:-1], "5", "--jobs", "1") != alone


def test_players_of_one_kind_are_told_apart() -> None:
    asked = ("uno", "--players", "greedy,easy,greedy,greedy", "--games", "8", "--jobs", "1")
    assert list(figures(*asked)["players"]) == ["greedy", "easy", "greedy2", "greedy3"]


def test_everybody_sits_everywhere_on_the_same_deals() -> None:
    """Equal players that leave nothing to chance win as often in each seat as the cards say."""
    found = figures("uno", "--players", "greedy,greedy", "--games", "40", "--jobs", "1")
    assert [player["wins"] for player in found["players"].values()] == [20, 20]


def test_rules_are_those_of_a_channel() -> None:
    long = figures("uno", "--players", "easy,easy", "--games", "4", "--rules", "mattel")
    short = figures("uno", "--players", "easy,easy", "--games", "4", "--rules", "hand_size=2")
    assert long["turns"]["mean"] > short["turns"]["mean"] * 4


def test_kniffel_plays_too() -> None:
    found = figures("kniffel", "--players", "strong,easy", "--games", "2", "--rules", "joker")
    assert found["turns"] == {"mean": 26, "longest": 26}


def test_it_prints_a_table() -> None:
    result = run("uno", "--players", "strong easy", "--games", "6", "--rules", "cuciolo")
    head, columns, strong, easy = result.output.splitlines()
    assert head.startswith("uno cuciolo, seed 1: 6 games, ")
    assert columns.split() == ["player", "wins", "share", "95", "%", "interval", "points"]
    assert (strong.split()[0], easy.split()[0]) == ("strong", "easy")


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("chess", "--players", "a,b"), 1, "'chess' is no game: the games are kniffel, uno"),
        (("help", "--players", "a,b"), 1, "'help' is no game"),
        (("uno", "--players", "easy,best"), 1, "uno has no player 'best', only random"),
        (("uno", "--players", "easy"), 1, "uno is for 2-"),
        (("uno", "--players", "easy,easy", "--rules", "hand=3"), 2, "no such field"),
        (("uno",), 2, "--players"),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], status: int, says: str) -> None:
    result = run(*arguments)
    assert result.exit_code == status
    assert says in result.output


@pytest.mark.parametrize("bar", ["rich", "click"])
def test_who_looks_sees_a_bar(bar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate.sys.stderr, "isatty", lambda: True)
    if bar == "click":
        monkeypatch.setitem(simulate.sys.modules, "rich.progress", None)
    with simulate.progress(3) as advance:
        advance(1)
        advance(2)


def test_wilsons_interval() -> None:
    """Figures of the textbook case: 8 of 10."""
    low, high = interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert interval(0, 5)[0] == 0.0
    assert interval(5, 5)[1] == 1.0


def test_tallies_add_up() -> None:
    total = Tally()
    total.add(Tally(1, [1, 0], [30, 0], 20, 20))
    total.add(Tally(1, [0, 1], [0, 10], 40, 40))
    assert total == Tally(2, [1, 1], [30, 10], 60, 40)


def test_a_process_of_the_pool_plays_its_part() -> None:
    match = Match(game="uno", rules="", players=("easy", "easy"), seed=3)
    simulation._begin(match)
    assert simulation._play(0, 4) == simulation.Simulator.of(match).play(0, 4)
