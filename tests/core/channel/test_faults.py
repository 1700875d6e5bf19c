"""What a handler, a store or a clock does wrong, and what the channel makes of it."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from fault_registries import helper

from gamebot import Context, Joined, Registry, Said
from gamebot.channel.handler_call import HANDLER_LIMIT_S
from gamebot.errors import StoreError


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
