"""What a handler, a store or a clock does wrong, and what the channel makes of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time

import pytest

from gamebot import Context, Joined, Refused, Registry, Said
from gamebot.channel.channel import RETRY_S
from gamebot.channel.handler_call import HANDLER_LIMIT_S
from gamebot.errors import StoreError
from gamebot.plugin.loading import load_plugins
from gamebot.ports import GameRow, Transaction


@pytest.fixture
def kniffel() -> Registry:
    return load_plugins().registries["kniffel"]


def helper(name: str = "helper") -> Registry:
    """A plugin whose commands go wrong in every way."""

    def counts(ctx: Context, fail: str = "") -> None:
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        ctx.say(f"n={ctx.state['n']}")
        if fail == "crash":
            raise ZeroDivisionError
        if fail == "refuse":
            raise Refused("no")

    async def slow(ctx: Context) -> None:
        ctx.state["n"] = 99
        await asyncio.sleep(60)
        ctx.say("never")

    async def own_timeout(ctx: Context) -> None:
        raise TimeoutError

    async def cancels_itself(ctx: Context) -> None:
        raise asyncio.CancelledError

    async def waits(ctx: Context) -> None:
        await asyncio.sleep(0)
        ctx.say("waited")

    registry = Registry(name)
    for command in (counts, slow, own_timeout, cancels_itself, waits):
        registry.command(command.__name__, command, words=f"!{command.__name__}")
    return registry


async def test_a_handler_that_raises_changes_nothing_and_says_so(opened, said):
    session = await opened(helper())
    assert await said(session, "anna", "!counts") == ["#k: n=1"]
    assert await said(session, "anna", "!counts crash") == [
        "#k: An error happened here; nothing changed."
    ]
    assert await said(session, "anna", "!counts refuse") == ["anna: no"]
    assert await said(session, "anna", "!counts") == ["#k: n=2"]


async def test_a_query_is_answered_in_the_query_also_after_an_error(opened, said):
    session = await opened(helper())
    session.link().join("anna", "#k")
    assert await said(session, "anna", "counts crash", query=True) == [
        "anna: An error happened here; nothing changed."
    ]


async def test_an_async_handler_over_the_limit_is_cancelled(opened, said, monkeypatch):
    monkeypatch.setattr("gamebot.channel.handler_call.HANDLER_LIMIT_S", 0.02)
    session = await opened(helper())
    assert await said(session, "anna", "!slow") == [
        "#k: That took too long and was stopped; nothing changed."
    ]
    assert await said(session, "anna", "!counts") == ["#k: n=1"]
    assert await said(session, "anna", "!waits") == ["#k: waited"]


async def stubborn(ctx: Context) -> None:
    """Go on whoever cancels it."""
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)


async def test_an_async_handler_that_swallows_its_cancellation_is_left_behind(
    opened, said, monkeypatch
):
    monkeypatch.setattr("gamebot.channel.handler_call.HANDLER_LIMIT_S", 0.02)
    monkeypatch.setattr("gamebot.channel.handler_call.HANDLER_GRACE_S", 0.02)
    registry = helper()
    registry.command("stubborn", stubborn, words="!stubborn")
    session = await opened(registry)
    assert await said(session, "anna", "!stubborn") == [
        "#k: That took too long and was stopped; nothing changed."
    ]
    assert await said(session, "anna", "!waits") == ["#k: waited"]
    assert await said(session, "anna", "!stubborn") != []


async def test_an_async_handler_may_clean_up_after_its_cancellation(opened, said, monkeypatch):
    monkeypatch.setattr("gamebot.channel.handler_call.HANDLER_LIMIT_S", 0.02)
    cleaned = []

    async def tidy(ctx: Context) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(ctx.nick)

    registry = helper()
    registry.command("tidy", tidy, words="!tidy")
    session = await opened(registry)
    assert await said(session, "anna", "!tidy") == [
        "#k: That took too long and was stopped; nothing changed."
    ]
    assert cleaned == ["anna"]


async def test_no_handler_holds_up_the_bot_s_end(opened):
    registry = helper()
    registry.command("stubborn", stubborn, words="!stubborn")
    session = await opened(registry)
    session.link().say("anna", "!stubborn", "#k")
    await asyncio.sleep(0.05)
    began = time.monotonic()
    await session.stop()
    assert time.monotonic() - began < HANDLER_LIMIT_S / 2


@pytest.mark.parametrize("command", ["own_timeout", "cancels_itself"])
async def test_a_handler_s_own_timeout_or_cancellation_is_an_error_like_any(
    opened, said, command: str
):
    session = await opened(helper())
    assert await said(session, "anna", f"!{command}") == [
        "#k: An error happened here; nothing changed."
    ]
    assert await said(session, "anna", "!counts") == ["#k: n=1"]


def leaver() -> Registry:
    """A plugin that does what would end a task or a process."""

    def leaves(ctx: Context, how: str) -> None:
        ctx.state["left"] = how
        raise LEAVING[how]

    async def leaves_later(ctx: Context, how: str) -> None:
        await asyncio.sleep(0)
        leaves(ctx, how)

    def hears(ctx: Context, event: Said) -> None:
        if event.text == "all out":
            raise SystemExit

    def reads(text: str, ctx: Context) -> None:
        if text == "out":
            raise SystemExit

    registry = Registry("leaver")
    registry.command("leaves", leaves, words="!leaves")
    registry.command("leaves_later", leaves_later, words="!later")
    registry.command("fine", lambda ctx: ctx.say(f"left={ctx.state.get('left')}"), words="!fine")
    registry.on(Said, hears)
    registry.bare(reads)
    return registry


class OwnError(BaseException):
    """What no program should raise."""


LEAVING = {
    "exit": SystemExit(3),
    "cancel": asyncio.CancelledError(),
    "close": GeneratorExit(),
    "own": OwnError(),
    "interrupt": KeyboardInterrupt(),
}


@pytest.mark.parametrize("word", ["!leaves", "!later"])
@pytest.mark.parametrize("how", ["exit", "cancel", "own", "interrupt"])
async def test_a_handler_ends_neither_the_bot_nor_the_channel(opened, said, word: str, how: str):
    session = await opened(leaver())
    assert await said(session, "anna", f"{word} {how}") == [
        "#k: An error happened here; nothing changed."
    ]
    assert await said(session, "anna", "!fine") == ["#k: left=None"]


async def test_no_listener_ends_the_bot_or_the_channel(opened, said):
    session = await opened(leaver())
    assert "#k: An error happened here; nothing changed." in await said(session, "anna", "all out")
    assert await said(session, "anna", "out") == []
    assert "#k: An error happened" in (await said(session, "anna", "!leaves close"))[0]
    assert await said(session, "anna", "!fine") == ["#k: left=None"]


async def test_no_game_ends_the_bot_or_the_channel(open_room, monkeypatch):
    """What the core asks a game behind a handler, or before one, is the plugin's code too."""
    import gamebot_kniffel
    from gamebot_kniffel.table import KniffelTable

    def interrupts(*_args: object) -> None:
        raise KeyboardInterrupt

    room = await open_room(gamebot_kniffel)
    await room.says("anna", ".addme")
    with monkeypatch.context() as patch:
        patch.setattr(KniffelTable, "seats", interrupts)
        await room.says("anna", ".start")
        assert room.lines == ["An error happened here; nothing changed."]
    await room.says("anna", ".start")
    assert room.view["turn"] == "anna"


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0, 1e18])
async def test_a_timer_that_cannot_be_is_the_plugin_s_error(opened, said, capsys, seconds: float):
    registry = Registry("clocks")
    registry.timer("later", lambda ctx, _payload: ctx.say("now"))
    registry.command("arm", lambda ctx: ctx.timer("later", seconds), words="!arm")
    registry.command("soon", lambda ctx: ctx.timer("later", 0), words="!soon")
    session = await opened(registry)
    assert await said(session, "anna", "!arm") == ["#k: An error happened here; nothing changed."]
    log = capsys.readouterr().out
    assert f"the timer 'later' cannot run for {seconds} seconds" in log
    assert "plugin=clocks" in log
    await said(session, "anna", "!soon")
    await session.pass_time(1)
    assert session.lines("#k")[-1] == "now"


async def test_what_cannot_be_read_is_said_and_is_no_plugin_s_fault(opened, said, kniffel, capsys):
    session = await opened(kniffel)
    store = session.bot.store

    async def unreadable(*_args: object, **_options: object) -> None:
        raise StoreError("the file was moved")

    store.ranking = unreadable  # type: ignore[method-assign]
    assert await said(session, "anna", ".top") == [
        "#k: The stored games cannot be read now. Please try again later."
    ]
    log = capsys.readouterr().out
    assert "store_not_read" in log
    assert "Traceback" not in log


async def test_one_plugin_s_error_stops_no_other(opened, said, capsys):
    def crash(ctx: Context, event: object) -> None:
        raise ZeroDivisionError

    def hello(ctx: Context, event: Joined) -> None:
        ctx.say(f"hello {event.person.nick}")

    def crashing_reader(text: str, ctx: Context) -> None:
        raise ZeroDivisionError

    bad, good = Registry("bad"), Registry("good")
    bad.on(Joined, crash)
    bad.on(Said, crash)
    bad.bare(crashing_reader)
    good.on(Joined, hello)
    good.on(Said, lambda ctx, event: ctx.say(f"heard {event.text}"))
    session = await opened(bad, good)
    session.link().join("anna", "#k")
    await session.settle()
    assert "hello anna" in session.lines("#k")
    assert "#k: heard moin" in await said(session, "anna", "moin")
    assert capsys.readouterr().out.count("Traceback") == 3


async def test_what_an_earlier_handler_of_the_line_did_stays_when_a_later_one_refuses(
    opened, said, kniffel
):
    """A player who is back is back, also if the first thing said is refused."""
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    session.link().quit("anna")
    await session.settle()
    session.link().room("#k").members["anna"] = session.link().person("anna")  # no JOIN was seen
    assert await said(session, "anna", ".roll 9") == [
        "#k: anna is back and to act.",
        "anna: First roll all five with .roll.",
    ]
    assert await said(session, "anna", ".roll 9") == ["anna: First roll all five with .roll."]


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


async def test_protocol_commands_follow_what_was_said(opened, said, kniffel):
    settings = {"kniffel": kniffel.settings(voice=True, topic=True, kick=True)}
    session = await opened(kniffel, settings=settings)
    session.link().op("bot", "#k")
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    assert session.link().commands == [
        ("MODE", "#k", "+vv", "anna", "bert"),
        ("TOPIC", "#k", "Kniffel: anna, bert"),
    ]
    await session.pass_time(301)
    assert session.link().commands[2:] == [
        ("KICK", "#k", "anna", "Time is up."),
        ("TOPIC", "#k", "Kniffel: bert"),
    ]
    await said(session, "bert", ".delme")
    assert ("MODE", "#k", "-v", "bert") in session.link().commands[3:]


async def test_a_table_forgets_no_line_when_the_bot_is_thrown_out_in_the_middle(
    opened, said, kniffel
):
    session = await opened(kniffel)
    await said(session, "anna", ".addme")
    await said(session, "bert", ".addme")
    await said(session, "anna", ".start")
    session.link().kick_bot("#k")
    await session.settle()
    before = len(session.heard)
    answer = await said(session, "anna", "delme", query=True)
    assert answer == ["anna: You have left the game."]
    session.link().rejoin_bot("#k")
    await session.settle()
    heard = [line.plain for line in session.heard[before + 1 :]]
    assert heard[0].startswith("anna leaves the game.")
    assert heard[1].startswith("I am back and the game goes on")
    await session.restart()
    assert [line.plain for line in session.heard].count(heard[0]) == 1


async def test_a_turn_whose_end_fails_ends_later(open_room, monkeypatch):
    """A table's timer that fails once fires again, so that no turn lasts for ever."""
    import gamebot_kniffel
    from gamebot_kniffel.engine.game import Game

    room = await open_room(gamebot_kniffel)
    await room.says("anna", ".addme")
    await room.says("anna", ".start")
    expire, tries = Game.expire, []

    def fail_once(game, clock_id):
        tries.append(clock_id)
        if len(tries) == 1:
            raise RuntimeError("broken")
        return expire(game, clock_id)

    monkeypatch.setattr(Game, "expire", fail_once)
    await room.passes("5m")
    assert room.view["turn"] == "anna"
    await room.passes("60s")
    assert room.view["phase"] == "over"
