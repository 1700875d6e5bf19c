"""What the bot's German Kniffel lines mean: the one place that knows their wording."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

PREFIX = "."
JOIN, START, ROLL, ENTER = ".addme", ".start", ".wurf", ".liste"
ALL_CARDS = ".allstats"
LANGUAGE = "de"

Dice = tuple[int, ...]


@frozen
class Turn:
    """Somebody is to act.

    Attributes:
        name: Name at the table.
        nick: Nick, if the line shows one.
        round: 1-13.
        dice: Dice that lie on the table, None before the first roll.
        rolls_left: Rolls left, 3 before the first.
        resumed: Whether the bot was away before.
    """

    name: str
    nick: str | None
    round: int
    dice: Dice | None
    rolls_left: int
    resumed: bool


@frozen
class Rolled:
    """*name* threw; *dice* are all five by position."""

    name: str
    dice: Dice
    rolls_left: int


@frozen
class Entered:
    """*name* filled a box; *total* are the points with all bonuses."""

    name: str
    box: str
    points: int
    total: int


@frozen
class Over:
    """The game has ended."""

    totals: dict[str, int]
    winners: tuple[str, ...]


Talk = Turn | Rolled | Entered | Over

_DICE = r"\[(?P<dice>[1-6](?: [1-6]){4})\]"
_PATTERNS = {
    Entered: re.compile(
        r"(?P<name>[^ ,.]+) (?:trägt (?P<box>\w+) ein: (?P<points>\d+) Punkte?"
        r"|streicht (?P<struck>\w+)) \(gesamt (?P<total>\d+)\)"
    ),
    Rolled: re.compile(
        rf"(?P<name>[^ ,.]+) würfelt {_DICE}(?:, noch (?P<left>\d) W|\. Jetzt eintragen)"
    ),
    Turn: re.compile(
        r"(?P<resumed>Ich bin wieder da.*)?Runde (?P<round>\d+)/13:"
        r" (?P<name>[^ ,.]+)(?: \((?P<nick>[^)]+)\))? ist dran"
        rf"(?:, hat {_DICE} und noch (?P<left>\d) W)?"
    ),
    Over: re.compile(
        r"Das Spiel ist zu Ende: (?P<table>[^.]+)\."
        r"(?: (?P<winners>[^.!]+) (?:gewinnt|gewinnen gemeinsam)!)?"
    ),
}


def read(text: str) -> Iterator[Talk]:
    """Find everything that one line of the bot tells, in the order in which it happened."""
    for kind, pattern in _PATTERNS.items():
        match = pattern.search(text)
        if match is not None:
            yield _MAKERS[kind](match)


def _dice(match: re.Match[str]) -> Dice | None:
    return tuple(map(int, match["dice"].split())) if match["dice"] else None


def _turn(match: re.Match[str]) -> Turn:
    dice = _dice(match)
    return Turn(
        name=match["name"],
        nick=match["nick"],
        round=int(match["round"]),
        dice=dice,
        rolls_left=int(match["left"]) if dice else 3,
        resumed=match["resumed"] is not None,
    )


def _rolled(match: re.Match[str]) -> Rolled:
    dice = _dice(match)
    assert dice is not None
    return Rolled(match["name"], dice, int(match["left"] or 0))


def _entered(match: re.Match[str]) -> Entered:
    return Entered(
        name=match["name"],
        box=match["box"] or match["struck"],
        points=int(match["points"] or 0),
        total=int(match["total"]),
    )


def _over(match: re.Match[str]) -> Over:
    rows = [row.rpartition(" ") for row in match["table"].split(", ")]
    winners = match["winners"].split(", ") if match["winners"] else [rows[0][0]]
    return Over({name: int(points) for name, _, points in rows}, tuple(winners))


_MAKERS = {Turn: _turn, Rolled: _rolled, Entered: _entered, Over: _over}
