"""Plugins that use what they are given wrongly: told at load where possible, contained else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gamebot import Context, Joined, Registry, Said, formatting
from gamebot.channel.handler_errors import TELL_EVERY_S
from gamebot.errors import PluginError
from gamebot.logs import set_up_logs
from gamebot.plugin.context import MOST_LINES


@pytest.fixture(autouse=True)
def quiet() -> None:
    """Spend no time on tracebacks that nobody reads."""
    set_up_logs("critical")


FAILED = ["#k: An error happened here; nothing changed."]


def unstorable(ctx: Context) -> None:
    ctx.state["a"] = ctx.state.get("a", 0) + 1
    ctx.state.setdefault("list", []).append(object())


def number_as_key(ctx: Context) -> None:
    ctx.state[5] = 1  # type: ignore[index]


def number_as_text(ctx: Context) -> None:
    ctx.say(5)  # type: ignore[arg-type]


def number_as_target(ctx: Context) -> None:
    ctx.state["a"] = 1
    ctx._put(5, "hello", "NOTICE", None, keep=False)  # type: ignore[arg-type]


def number_in_command(ctx: Context) -> None:
    ctx.state["a"] = 1
    ctx.protocol("MODE", "#k", 5)  # type: ignore[arg-type]


def unknown_timer(ctx: Context) -> None:
    ctx.timer("rinng", 5)


def endless(ctx: Context) -> None:
    ctx.say("\n".join("x" * (MOST_LINES + 1)))


@pytest.mark.parametrize(
    "handler",
    [
        unstorable,
        number_as_key,
        number_as_text,
        number_as_target,
        number_in_command,
        unknown_timer,
        endless,
    ],
)
async def test_it_is_an_error_like_any_and_nothing_changes(opened, said, handler):
    registry = Registry("misuse")
    registry.command("does", handler, words="!does")
    registry.command("shows", lambda ctx: ctx.say(f"{dict(ctx.state)}"), words="!shows")
    session = await opened(registry)
    for _ in range(2):
        assert await said(session, "anna", "!does") == FAILED
        assert await said(session, "anna", "!shows") == ["#k: {}"]
    await session.restart()
    assert await said(session, "anna", "!shows") == ["#k: {}"]


async def test_text_is_cut_at_line_breaks_only_and_can_always_be_stored(opened, said):
    def speaks(ctx: Context) -> None:
        ctx.state["n"] = 1
        ctx.say(f"a{formatting.italic('b')}c\x1ed\ud800\0\r\ne\u2028f\n\n \rg")

    registry = Registry("talk")
    registry.command("speaks", speaks, words="!speaks")
    session = await opened(registry)
    assert await said(session, "anna", "!speaks") == ["#k: abcd\ufffd", "#k: e", "#k: f", "#k: g"]
    assert session.heard[0].text == "a\x1db\x1dc\x1ed\ufffd"


async def test_what_was_committed_is_not_undone_by_what_comes_behind(opened, said, monkeypatch):
    """A connection that raises when it is handed a line leaves memory and store alike."""

    def counts(ctx: Context) -> None:
        ctx.state["n"] = ctx.state.get("n", 0) + 1
        ctx.say(f"n={ctx.state['n']}")

    registry = Registry("count")
    registry.command("counts", counts, words="!counts")
    session = await opened(registry)
    with monkeypatch.context() as patch:
        patch.setattr("gamebot.channel.delivery.Delivery.send", None)
        assert await said(session, "anna", "!counts") == []
    assert await said(session, "anna", "!counts") == ["#k: n=2"]


async def test_a_listener_that_fails_at_each_line_is_told_of_now_and_then(opened, said):
    """Else two bots, of which one hears the other's complaints, would never stop."""

    def fails(ctx: Context, event: object) -> None:
        raise ZeroDivisionError

    registry, other = Registry("fails"), Registry("other")
    registry.on(Said, fails)
    registry.on(Joined, fails)
    registry.command("asked", lambda ctx: fails(ctx, None), words="!asked")
    other.on(Said, fails)
    session = await opened(registry, other)
    assert await said(session, "anna", "one") == FAILED * 2  # of each plugin once
    assert await said(session, "bert", "two") == []
    assert await said(session, "bert", "!asked") == FAILED
    await session.pass_time(TELL_EVERY_S)
    assert await said(session, "anna", "three") == FAILED * 2


@pytest.mark.parametrize("what", ["netsplit", "clock"])
async def test_a_game_that_fails_at_what_nobody_said_is_told_of_now_and_then(
    open_room, monkeypatch, what
):
    """Five hundred come back from a netsplit; a turn's clock tries again each minute."""
    import gamebot_kniffel
    from gamebot_kniffel.engine.game import Game
    from gamebot_kniffel.table import KniffelTable

    def fails(*_args: object) -> None:
        raise ZeroDivisionError

    room = await open_room(gamebot_kniffel)
    await room.says("anna", ".addme")
    await room.says("anna", ".start")
    monkeypatch.setattr(KniffelTable, "away", fails)
    monkeypatch.setattr(Game, "expire", fails)
    if what == "clock":
        await room.passes("5m")
        assert room.lines[-1:] == ["An error happened here; nothing changed."]
        await room.passes("9m")
        assert room.lines == []
        return
    for number in range(5):
        await room.quits("anna")
        await room.joins("anna")
        told = ["An error happened here; nothing changed."]
        assert room.session.lines("#room")[-1:] == told
        assert room.session.lines("#room").count(told[0]) == 1, number


def generator(ctx: Context, event: object = None) -> Iterator[int]:
    yield 1


@pytest.mark.parametrize("handler", [generator, None, "text"])
@pytest.mark.parametrize(
    "register",
    [
        lambda registry, handler: registry.command("x", handler, words="!x"),
        lambda registry, handler: registry.hidden("x", handler),
        lambda registry, handler: registry.on(Said, handler),
        lambda registry, handler: registry.timer("x", handler),
        lambda registry, handler: registry.bare(handler),
        lambda registry, handler: registry.converter(int, handler),
    ],
    ids=["command", "hidden", "on", "timer", "bare", "converter"],
)
def test_what_would_never_run_is_refused_at_load(
    register: Callable[[Registry, object], None], handler: object
):
    registry = Registry("misuse")
    with pytest.raises(PluginError):
        register(registry, handler)
    assert registry.empty


@pytest.mark.parametrize("event", [object, "Joined", Joined | Said, None])
def test_what_is_no_event_is_refused_at_load(event: object):
    with pytest.raises(PluginError, match="no event"):
        Registry("misuse").on(event, lambda ctx, event: None)  # type: ignore[arg-type]
