from __future__ import annotations

import asyncio
import time

import pytest

from gamebot import Context, Registry
from gamebot.bot.loop_watchdog import HOLD_LIMIT_S, Watchdog


@pytest.fixture
def disabled() -> list[str]:
    return []


@pytest.fixture
def watchdog(disabled: list[str]) -> Watchdog:
    return Watchdog(disabled.append)


def soon() -> float:
    return time.monotonic() + HOLD_LIMIT_S + 0.1


def test_a_handler_that_holds_the_loop_is_named_once(watchdog, disabled, capsys):
    watchdog.enter("slow")
    watchdog.check(time.monotonic())
    assert "slow" not in capsys.readouterr().out
    watchdog.check(soon())
    watchdog.check(soon())
    assert capsys.readouterr().out.count("plugin_holds_the_loop") == 1
    assert disabled == []


def test_the_second_offence_disables_the_plugin(watchdog, disabled):
    for _ in range(2):
        watchdog.enter("slow")
        watchdog.check(soon())
        watchdog.leave()
    assert disabled == ["slow"]


def test_who_has_left_or_lets_the_loop_run_is_not_named(watchdog, disabled, capsys):
    watchdog.enter("quick")
    watchdog.leave()
    watchdog.check(soon())
    watchdog.enter("patient")
    watchdog._beat = soon()
    watchdog.check(soon())
    assert "plugin_holds" not in capsys.readouterr().out


def test_the_thread_begins_and_ends(watchdog):
    watchdog.start()
    watchdog.stop()
    assert not watchdog._thread.is_alive()


async def test_an_async_handler_is_watched_whenever_it_has_the_loop_and_only_then(watchdog):
    seen: list[object] = []

    async def handler() -> str:
        seen.append(watchdog._current[0])
        await asyncio.sleep(0)
        seen.append(watchdog._current[0])
        try:
            await asyncio.wait_for(asyncio.Event().wait(), 0.01)
        except TimeoutError:
            seen.append("timeout")
        return "done"

    async def look() -> None:
        seen.append(watchdog._current)

    task = asyncio.ensure_future(watchdog.watched("p", handler()))
    await asyncio.sleep(0)
    await look()
    assert await task == "done"
    assert seen == ["p", None, "p", "timeout"]
    assert watchdog._current is None


async def test_errors_and_cancellations_pass_through_it(watchdog):
    async def fails() -> None:
        raise ZeroDivisionError

    async def cleans_up() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    cleaned = asyncio.Event()
    with pytest.raises(ZeroDivisionError):
        await watchdog.watched("p", fails())
    task = asyncio.ensure_future(watchdog.watched("p", cleans_up()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned.is_set()


async def test_a_disabled_plugin_is_silent_and_keeps_its_timers(opened, said):
    def tick(ctx: Context) -> None:
        ctx.timer("ring", 60)
        ctx.say("ticking")

    registry = Registry("clock")
    registry.command("tick", tick, words="!tick")
    registry.timer("ring", lambda ctx, _payload: ctx.say("ring"))
    session = await opened(registry)
    assert await said(session, "anna", "!tick") == ["#k: ticking"]
    session.bot.disabled.add("clock")
    assert await said(session, "anna", "!tick") == []
    await session.pass_time(100)
    assert session.lines("#k") == ["ticking"]
    session.bot.disabled.clear()
    await session.restart()
    await session.pass_time(0)
    assert session.lines("#k") == ["ticking", "ring"]
