"""Whom a nick belonged to when an input came, and whom it belongs to now."""

from __future__ import annotations

import pytest

from gamebot.events import ChannelDown, Joined, Left, LeftHow, LinkDown, NickChanged, Person
from gamebot.people.nick_history import REMEMBERED, NickHistory
from gamebot.testing.fakelink import FakeLink


@pytest.fixture
def link() -> FakeLink:
    return FakeLink("n", "rfc1459", lambda _event: None, lambda _line: None)


def person(nick: str) -> Person:
    return Person("n", nick, "u", "h")


@pytest.mark.parametrize(
    ("events", "now"),
    [
        ([], "Anna"),
        ([Joined(person("anna"), "#k")], "Anna"),
        ([NickChanged(person("ANNA"), "Anja")], "Anja"),
        ([NickChanged(person("anna"), "x"), NickChanged(person("bert"), "anna")], "x"),
        ([NickChanged(person("anna"), "x"), Left(person("X"), "#a", LeftHow.QUIT)], None),
        ([NickChanged(person("bert"), "anna")], None),
        ([NickChanged(person("anna"), "ANNA")], "ANNA"),
        ([NickChanged(person("anna"), "x"), NickChanged(person("bert"), "x")], None),
        ([Left(person("bert"), "#k", LeftHow.QUIT)], "Anna"),
        ([Left(person("anna"), "#a", LeftHow.QUIT)], None),
        ([Left(person("anna"), "#a", LeftHow.PART)], "Anna"),
        ([Left(person("anna"), "#K", LeftHow.PART)], None),
        ([Left(person("anna"), "#k", LeftHow.KICK)], None),
        ([ChannelDown("n", "#a")], "Anna"),
        ([ChannelDown("n", "#k")], None),
        ([LinkDown("n")], None),
    ],
)
def test_a_nick_is_followed_from_the_moment_that_an_input_came(link, events, now):
    moves = NickHistory()
    moves.note(link, NickChanged(person("anna"), "of an earlier one"))
    since = moves.now
    for event in events:
        moves.note(link, event)
    assert moves.follow(link, "Anna", "#k", since) == now
    assert moves.follow(link, "Anna", "#k", moves.now) == "Anna"


def test_networks_are_apart(link):
    moves, other = NickHistory(), FakeLink("m", "ascii", lambda _e: None, lambda _l: None)
    moves.note(other, LinkDown("m"))
    assert moves.follow(link, "anna", "#k", 0) == "anna"


def test_movements_are_bounded_and_who_waited_for_too_long_is_not_guessed(link):
    moves = NickHistory()
    for number in range(REMEMBERED + 10):
        moves.note(link, NickChanged(person(f"x{number}"), f"y{number}"))
    assert moves.follow(link, "anna", "#k", 9) is None
    assert moves.follow(link, "anna", "#k", 10) == "anna"
    assert moves.follow(link, "x10", "#k", 10) == "y10"
