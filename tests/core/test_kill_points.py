"""A short game, killed after every transaction, before and after its lines were sent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from gamebot.config.profile import ChannelProfile
from gamebot.errors import StoreError
from gamebot.plugin.loading import load_plugins
from gamebot.ports import Store, Transaction
from gamebot.testing.session import Session

#: Who says or does what; every one of them changes the table.
PLAY = (
    ("anna", ".addme Anna"),
    ("bert", ".addme"),
    ("clara", ".addme"),
    ("anna", ".start"),
    ("anna", ".roll"),
    ("anna", ".roll 1 2"),
    ("anna", ".list CH"),
    ("bert", ".roll"),
    ("bert", "NICK bertha"),
    ("bertha", ".list 3K"),
    ("clara", ".roll"),
    ("clara", "QUIT"),
    ("", "+240"),
    ("", "+60"),
    ("anna", ".roll"),
    ("anna", ".delme"),
    ("bertha", ".roll"),
    ("bertha", ".list 1"),
    ("bertha", ".stop"),
)


#: Steps whose line tells of a removal or a result: it goes out after a restart too.
KEPT = ("+60", ".delme", ".stop")


class MortalStore:
    """A store whose process dies with transaction number *dies_at*.

    Args:
        inner: The real store.
        dies_at: 1 for the first transaction.
    """

    def __init__(self, inner: Store, dies_at: int) -> None:
        self.inner, self.left = inner, dies_at
        self.on_death = lambda: None

    async def commit(self, transaction: Transaction) -> None:
        if transaction == Transaction():
            await self.inner.commit(transaction)
            return
        if self.left == 0:
            raise StoreError("the process is dead")
        await self.inner.commit(transaction)
        self.left -= 1
        if self.left == 0:
            self.on_death()

    def mark_sent(self, ids: Iterable[int]) -> None:
        if self.left:
            self.inner.mark_sent(ids)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@cache
def kniffel() -> dict[str, Any]:
    registry = load_plugins().registries["kniffel"]
    return {"kniffel": registry}


def new_session() -> Session:
    registries = kniffel()
    session = Session(dict(registries), seed="kill")
    session.add_network("n")
    settings = {"kniffel": registries["kniffel"].settings()}
    session.add_channel("n", ChannelProfile(name="#k", plugins=("kniffel",), settings=settings))
    return session


async def do(session: Session, nick: str, what: str) -> None:
    link = session.link()
    if what.startswith("NICK "):
        link.nick(nick, what.removeprefix("NICK "))
    elif what == "QUIT":
        link.quit(nick)
    elif what.startswith("+"):
        await session.pass_time(float(what))
    else:
        link.say(nick, what, "#k")
    await session.settle()


def state(session: Session) -> dict[str, Any]:
    """The public view; a deadline may grow, the rest may not change."""
    return {**session.channel("#k").view("kniffel"), "deadline": None}


_reference: list[tuple[list[dict[str, Any]], list[str]]] = []


async def reference() -> tuple[list[dict[str, Any]], list[str]]:
    """Return what `play_through` gives, played once."""
    if not _reference:
        _reference.append(await play_through())
    return _reference[0]


async def play_through() -> tuple[list[dict[str, Any]], list[str]]:
    """Play without a kill: the state after each step, and what the channel heard."""
    states = []
    async with new_session() as session:
        store = MortalStore(session.bot.store, 1000)
        session.bot.store = store
        for number, (nick, what) in enumerate(PLAY, 1):
            await do(session, nick, what)
            assert store.left == 1000 - number, f"{what} is one transaction"
            states.append(state(session))
        return states, list(session.lines("#k"))


async def test_the_play_is_what_it_seems():
    states, lines = await reference()
    assert [view["phase"] for view in states[:4]] == ["lobby"] * 3 + ["playing"]
    assert states[11]["players"] == ["Anna", "bert", "clara"]
    assert states[13]["players"] == ["Anna", "bert"]
    assert states[-1]["phase"] == "over"
    assert lines[-1] == "bertha ended the game."


@pytest.mark.parametrize("sent", [False, True], ids=["before sending", "after sending"])
@pytest.mark.parametrize("point", range(1, len(PLAY) + 1))
async def test_a_kill_loses_nothing_that_was_stored_and_halves_nothing(point: int, sent: bool):
    states, lines = await reference()
    async with new_session() as session:
        link = session.link()
        store = MortalStore(session.bot.store, point)
        session.bot.store = store
        if not sent:
            store.on_death = lambda: setattr(link, "heard", lambda _line: None)
        for number, (nick, what) in enumerate(PLAY, 1):
            await do(session, nick, what)
            if number == point:
                break
        acknowledged = list(session.lines("#k"))
        assert acknowledged == lines[: len(acknowledged)]
        link.heard = session._hear
        await session.restart()
        assert state(session) == states[point - 1]
        if PLAY[point - 1][1] in KEPT:
            (removal,) = lines_of_step(lines, point)
            assert removal in session.lines("#k")
        for nick, what in PLAY[point:]:
            await do(session, nick, what)
        assert state(session) == states[-1]
        assert [line for line in session.lines("#k") if line not in lines] == resumed(session)


def lines_of_step(lines: list[str], point: int) -> list[str]:
    """The channel line of a step: each one but the nick change and the QUIT off turn says one."""
    silent = sum(what.startswith("NICK") for _, what in PLAY[:point])
    return [lines[point - 1 - silent]]


def resumed(session: Session) -> list[str]:
    return [line for line in session.lines("#k") if line.startswith("I am back")]
