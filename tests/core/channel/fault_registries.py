"""What several files of tests here share."""

from __future__ import annotations

import asyncio

from gamebot import Context, Refused, Registry


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
