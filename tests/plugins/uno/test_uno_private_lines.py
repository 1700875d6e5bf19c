"""How a hand reaches its player: a notice or a message, as each one chose, and one tip."""

from __future__ import annotations

import pytest

from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.private_lines import MOST
from gamebot.testing.session import Session


@pytest.fixture
async def session():
    async with Session(load_plugins().registries) as session:
        session.add_network("net")
        session.add_channel("net", ChannelProfile(name="#u", plugins=("uno",), language="en"))
        await session.start()
        for nick in ("anna", "bert"):
            session.link().say(nick, "hello", "#u")
        yield session


async def said(session, nick, text, channel="#u"):
    since = len(session.heard)
    session.link().say(nick, text, channel)
    await session.settle()
    return session.heard[since:]


async def begin(session):
    heard = []
    for nick, text in (("anna", "!unoon"), ("anna", "join"), ("bert", "join"), ("anna", "!unoon")):
        heard += await said(session, nick, text)
    return heard


def hands(heard, nick):
    return [line.kind for line in heard if line.to == nick and "Your cards" in line.plain]


def tips(heard, nick):
    return [line for line in heard if line.to == nick and "/query bot" in line.plain]


async def test_hands_come_as_each_player_chose_also_after_a_restart(session):
    await said(session, "anna", "!unohand msg")
    heard = await begin(session)
    assert set(hands(heard, "anna")) == {"privmsg"}
    assert set(hands(heard, "bert")) == {"notice"}
    await session.restart()
    assert hands(await said(session, "anna", "cards"), "anna") == ["privmsg"]
    assert hands(await said(session, "anna", "!unohand notice"), "anna") == ["notice"]


async def test_refusals_for_one_alone_come_that_way_too(session):
    await said(session, "anna", "!unohand msg", None)
    await begin(session)
    assert {line.kind for line in await said(session, "anna", "!play r5 r6", None)} == {"privmsg"}


async def test_the_tip_comes_once_a_person(session):
    heard = await begin(session)
    assert len(tips(heard, "anna")) == len(tips(heard, "bert")) == 1
    await said(session, "anna", "!unooff")
    assert not tips(await begin(session), "anna")


async def test_the_choice_follows_the_account_not_the_nick(session):
    session.link().account("anna", "anna_account")
    await said(session, "anna", "!unohand msg")
    session.link().nick("anna", "anja")
    await session.settle()
    session.link().say("anja", "hello", "#u")
    assert {line.kind for line in await said(session, "anja", "!unohand what", None)} == {"privmsg"}


async def test_the_list_of_choices_is_bounded(session):
    for number in range(MOST + 1):
        await said(session, f"p{number}", "!unohand msg")
    ways = session.channel("#u").state("private_lines")["ways"]
    assert len(ways) == MOST
    assert "n:p0" not in ways
