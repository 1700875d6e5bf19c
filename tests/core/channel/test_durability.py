"""What the store does wrong, and what is durable before it is said."""

from __future__ import annotations

import json

import pytest
from fault_registries import helper

from gamebot import Registry
from gamebot.channel.channel import RETRY_S
from gamebot.ports import GameRow, Transaction


async def test_a_move_that_cannot_be_stored_is_refused_and_changes_nothing(
    opened, said, kniffel, flaky
):
    session = await opened(kniffel, language="de")
    await said(session, "anna", ".addme")
    await said(session, "anna", ".start")
    store = flaky(session)
    before = session.channel("#k").view("kniffel")
    store.failing = True
    answer = await said(session, "anna", ".wurf")
    assert answer == [
        "anna: Das ließ sich nicht speichern, darum hat sich nichts geändert. "
        "Versuch es bitte noch einmal."
    ]
    assert session.channel("#k").view("kniffel") == before
    store.failing = False
    (rolled,) = await said(session, "anna", ".wurf")
    await session.restart()
    assert rolled.startswith("#k: anna würfelt")
    dice = session.channel("#k").view("kniffel")["dice"]
    assert str(dice).replace(",", "") in rolled


async def test_nothing_is_sent_before_it_is_durable(opened, said, kniffel, flaky):
    session = await opened(kniffel)
    store = flaky(session)
    session.on_heard = lambda _line: store.order.append("send")
    await said(session, "anna", ".addme")
    await said(session, "anna", ".start")
    await said(session, "anna", ".roll")
    await said(session, "anna", ".list CH")
    assert store.order == ["commit", "send"] * 4
    sent = [line.id for transaction in store.transactions for line in transaction.outgoing]
    assert sent == store.sent == [1, 2, 3, 4]


async def test_an_input_that_changes_nothing_is_answered_without_a_transaction(
    opened, said, kniffel, flaky
):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "anna", ".start")
    store = flaky(session)
    await said(session, "anna", ".stats")
    await said(session, "anna", ".roll 9")
    await said(session, "anna", "hello")
    session.link().join("visitor", "#k")
    await session.settle()
    assert store.order == []


async def test_a_timer_whose_transaction_fails_fires_again(opened, said, kniffel, flaky):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    store = flaky(session)
    await session.pass_time(290)
    store.failing = True
    await session.pass_time(20)
    assert session.channel("#k").view("kniffel")["turn"] == "anna"
    store.failing = False
    await session.pass_time(RETRY_S)
    assert session.channel("#k").view("kniffel")["turn"] == "bert"
    assert len([line for line in session.lines("#k") if "out of the game" in line]) == 1


@pytest.mark.parametrize("restart", [False, True])
async def test_comings_and_goings_wait_for_the_store(opened, said, kniffel, flaky, restart: bool):
    """A nick change happened, whether or not the disk had room for it."""
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    store = flaky(session)
    store.failing = True
    session.link().nick("anna", "anja")
    await session.settle()
    assert (await said(session, "anja", ".roll"))[0].startswith("anja: That could not be saved")
    store.failing = False
    await session.pass_time(RETRY_S)
    if restart:
        await session.restart()
    assert (await said(session, "anja", ".roll"))[0].startswith("#k: anna rolls")


async def test_a_return_that_cannot_be_stored_keeps_its_clocks(opened, said, kniffel, flaky):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    session.link().disconnect()
    await session.settle()
    await session.pass_time(1000)
    store = flaky(session)
    store.failing = True
    session.link().connect()
    await session.settle()
    await session.pass_time(2)
    assert session.channel("#k").view("kniffel")["turn"] == "anna"
    assert session.lines("#k")[-1].startswith("Round 1/13")
    store.failing = False
    await session.pass_time(RETRY_S)
    assert session.lines("#k")[-1].startswith("I am back and the game goes on")
    await session.pass_time(59)
    assert session.channel("#k").view("kniffel")["turn"] == "bert"


async def test_a_newer_version_is_refused_and_left_untouched(opened, said, kniffel):
    session = await opened(kniffel, helper())
    await said(session, "anna", ".addme")
    await said(session, "anna", ".start")
    kind = kniffel.games[0]
    session.registries["kniffel"] = older = Registry("kniffel")
    older.game(type("OlderTable", (type(kind),), {"version": 0}))
    older.catalogs(kniffel.domain, kniffel.locale)
    for command in kniffel.commands:
        older.commands.append(command)
    await session.restart()
    assert session.lines("#k")[-1] == "A game that a newer version stored is left untouched here."
    assert session.channel("#k").view("kniffel") == {"phase": "idle"}
    assert await said(session, "anna", ".addme") == [
        "anna: A game that a newer version stored is kept here; it must end first."
    ]
    await session.pass_time(3600)
    session.registries["kniffel"] = kniffel
    await session.restart()
    view = session.channel("#k").view("kniffel")
    assert (view["phase"], view["turn"], view["deadline"]) == ("playing", "anna", 60.0)


async def test_a_stored_game_that_cannot_be_read_is_left_untouched(opened, said, kniffel, capsys):
    session = await opened(kniffel)
    row = GameRow("n", "#k", "kniffel", "id", 1, json.dumps({"nonsense": 1}))
    await session.bot.store.commit(Transaction(games=(row,)))
    await session.restart()
    assert session.channel("#k").memory.refused == {"kniffel"}
    assert "stored_game_refused" in capsys.readouterr().out
    (answer,) = await said(session, "anna", ".addme")
    assert answer.startswith("anna: A game that a newer version stored is kept here")


async def test_a_wall_jump_moves_no_clock(opened, said, kniffel):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    for jump in (3600, -7200):
        session.clock.jump_wall(jump)
        (answer,) = await said(session, "bert", "dice", query=True)
        assert "5:00 left" in answer
        await said(session, "anna", ".roll")  # armed between the jump and its discovery
        await session.pass_time(5)
        await session.bot.wall_clock.check()
        assert session.channel("#k").view("kniffel")["deadline"] == pytest.approx(295, abs=2)
        await session.restart()
        assert session.channel("#k").view("kniffel")["deadline"] == pytest.approx(295, abs=2)
        await said(session, "anna", ".list")
        await said(session, "anna", ".roll")
    await session.pass_time(session.channel("#k").view("kniffel")["deadline"] - 1)
    assert session.channel("#k").view("kniffel")["turn"] == "anna"
    await session.pass_time(2)
    assert session.channel("#k").view("kniffel")["turn"] == "bert"


async def test_after_a_restart_only_lines_to_keep_go_out_again(opened, said, kniffel, flaky):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    store = flaky(session)
    link, deaf = session.link(), []
    link.heard = deaf.append  # the process dies between storing and sending
    store.mark_sent = lambda ids: None
    await said(session, "anna", ".roll")
    await said(session, "anna", ".delme")
    link.heard = session._hear
    before = len(session.heard)
    await session.restart()
    after = [line.plain for line in session.heard[before:]]
    assert after == [
        "anna leaves the game. Round 1/13: bert is to act, .roll.",
        "I am back and the game goes on: Round 1/13: bert is to act, .roll. 5:00 left.",
    ]
    await session.restart()
    assert [line.plain for line in session.heard[before + 2 :]] == [after[1]]


async def test_another_casemapping_moves_the_game_to_its_new_key(opened, said, kniffel):
    session = await opened(kniffel, name="#K[]", plugins=("kniffel",))
    link = session.link()
    link.say("anna", ".addme", "#k{}")
    link.say("anna", ".start", "#K[]")
    await session.settle()
    assert list(session.bot.channels) == [("n", "#k{}")]
    link.disconnect()
    link.mapping = "ascii"
    link.rooms = {link.fold(room.name): room for room in link.rooms.values()}
    link.connect()
    await session.settle()
    assert list(session.bot.channels) == [("n", "#k[]")]
    link.say("anna", ".roll", "#K[]")
    await session.settle()
    dice = session.channel("#k[]").view("kniffel")["dice"]
    assert dice
    await session.restart()
    assert session.channel("#k[]").view("kniffel")["dice"] == dice
    await session.pass_time(301)
    assert session.channel("#k[]").view("kniffel")["phase"] == "over"


async def test_rekeying_that_cannot_be_stored_is_tried_again(opened, kniffel, flaky):
    session = await opened(kniffel, name="#K[]", plugins=("kniffel",))
    link = session.link()
    link.say("anna", ".addme", "#K[]")
    await session.settle()
    store = flaky(session)
    store.failing = True
    link.disconnect()
    link.mapping = "ascii"
    link.rooms = {link.fold(room.name): room for room in link.rooms.values()}
    link.connect()
    await session.settle()
    assert session.channel("#k[]").key == "#k{}"
    store.failing = False
    await session.pass_time(RETRY_S)
    assert session.channel("#k[]").key == "#k[]"
    await session.restart()
    assert session.channel("#k[]").view("kniffel")["players"] == ["anna"]
