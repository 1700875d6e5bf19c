"""What can be typed here, from the commands' own declarations."""

from __future__ import annotations

from attrs import evolve

from gamebot.commands import Command
from gamebot.context import Context
from gamebot.errors import Refused
from gamebot.registry import Registry, hookimpl


async def show_commands(ctx: Context, command: str = "") -> None:
    """List the commands of this channel, or explain one."""
    if command:
        ctx.tell(_explain(ctx, _find(ctx, command)))
        return
    for registry in ctx.channel.registries.values():
        words = [ctx.how_typed(c) for c in registry.commands if _may(ctx, c)]
        if words:
            ctx.tell(f"{registry.plugin}: {' '.join(words)}")


def _may(ctx: Context, command: Command) -> bool:
    return ctx.may(command.rights)


def _find(ctx: Context, word: str) -> Command:
    channel = ctx.channel
    found = channel.words.find(word, channel.prefix, in_query=True)
    if found is None:
        raise Refused("I do not know “{word}”.", word=word)
    return found.command


def _explain(ctx: Context, command: Command) -> str:
    owner = evolve(ctx, registry=ctx.channel.registries[command.plugin])
    return f"{command.usage(owner)} – {owner.t(command.help)}"


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the commands."""
    registry.command("commands", show_commands, words="!commands !help")
