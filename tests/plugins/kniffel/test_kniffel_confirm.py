"""Moves that newcomers regret, where the channel wants them said twice."""

from __future__ import annotations

import pytest

from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.testing.session import Session


@pytest.fixture
def game():
    sessions = []

    async def start(*, confirm=True, dice=(1, 1, 2, 3, 4, 5, 5, 5, 6, 6)):
        registries = load_plugins().registries
        session = Session(registries)
        session.add_network("net")
        settings = {"kniffel": registries["kniffel"].settings(confirm=confirm)}
        session.add_channel(
            "net", ChannelProfile(name="#k", plugins=("kniffel",), settings=settings)
        )
        sessions.append(session)
        await session.start()
        session.fix("#k", dice=dice)
        for nick, text in (("anna", ".addme"), ("anna", ".start")):
            await said(session, nick, text)
        await said(session, "anna", ".roll")
        return session

    return start


async def said(session, nick, text):
    since = len(session.heard)
    session.link().say(nick, text, "#k")
    await session.settle()
    return [line.plain for line in session.heard[since:]]


def view(session):
    return session.channel("#k").view("kniffel")


async def test_a_strike_is_said_twice_the_first_time(game):
    session = await game()
    assert await said(session, "anna", ".list KN") == [
        "anna: With 1 1 2 3 4 that strikes KN: 0 points, for good. Type .list KN again to do it."
    ]
    assert (await said(session, "anna", ".list KN"))[0].startswith("anna strikes KN")
    await said(session, "anna", ".roll")
    assert (await said(session, "anna", ".list 1"))[0].startswith("anna strikes 1")


async def test_throwing_all_again_is_said_twice_the_first_time(game):
    session = await game()
    [line] = await said(session, "anna", ".roll")
    assert line.startswith("anna: .roll throws all five dice again; .roll 1 4 throws only")
    assert (await said(session, "anna", ".roll"))[0].startswith("anna rolls [5 5 5 6 6]")


async def test_what_scores_or_keeps_dice_needs_no_second_word(game):
    session = await game()
    assert (await said(session, "anna", ".roll 1 2"))[0].startswith("anna rolls")
    assert "enters 2" in (await said(session, "anna", ".list 2"))[0]


async def test_without_the_setting_a_strike_is_done_at_once(game):
    session = await game(confirm=False)
    assert (await said(session, "anna", ".list KN"))[0].startswith("anna strikes KN")


async def test_who_was_told_once_is_not_told_after_a_restart(game):
    session = await game()
    await said(session, "anna", ".list KN")
    await session.restart()
    assert (await said(session, "anna", ".list KN"))[-1].startswith("anna strikes KN")


async def test_who_is_not_to_act_hears_that_first(game):
    session = await game()
    session.link().say("bert", "hello", "#k")
    assert "not play here" in (await said(session, "bert", ".list KN"))[0]
