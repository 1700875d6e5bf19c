"""From a line to a handler: which command it is, and whether it may be given now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from gamebot.errors import Refused, UsageError
from gamebot.plugin.access import Rights, When, Where
from gamebot.plugin.commands import Command, Invocation
from gamebot.plugin.words import normal
from gamebot.table.table import Phase

if TYPE_CHECKING:
    from gamebot.plugin.context import Context
    from gamebot.plugin.near_words import Elsewhere

log = structlog.get_logger()

HELP = "help"
"""The plugin that explains, and its command."""

WHO_MAY = {
    Rights.PLAYER: "Only who plays here may do that.",
    Rights.OPERATOR: "Only an operator of the channel may do that.",
    Rights.ADMIN: "Only an admin of the bot may do that.",
    Rights.OWNER: "Only an owner of the bot may do that.",
}


def invoke(ctx: Context, found: Invocation) -> object:
    """Run the command of a line, or say why it cannot be given.

    A bare word is an everyday word: where it cannot be given it is met with silence.

    Raises:
        Refused: Wrong place, phase, turn or person.
        UsageError: The arguments cannot be read; its text shows the usage.
    """
    command = found.command
    ctx.bare, ctx.word = found.bare, found.word
    refusal = refusal_of(ctx, command)
    if refusal is not None:
        _log_attempt(ctx, command)
        if found.bare:
            return None
        raise refusal
    if found.values is not None:
        return command.handler(ctx, *found.values)
    try:
        values = command.parse(found.arguments, ctx)
    except UsageError as error:
        if found.bare and not command.parameters:
            return None
        raise UsageError(
            "{why} Write: {usage}",
            why=ctx.t(error.msgid, **error.values),
            usage=command.usage(ctx),
        ) from error
    return command.handler(ctx, *values)


def _log_attempt(ctx: Context, command: Command) -> None:
    """Log that somebody without the rights reached for the bot itself."""
    if ctx.person is None or ctx.unsure:
        return  # the line comes again once it is known who this is
    if command.rights.cover(Rights.ADMIN) and not ctx.may(command.rights):
        log.warning(
            "command_refused",
            command=f"{command.plugin}.{command.name}",
            network=ctx.network,
            actor=f"{ctx.nick}!{ctx.person.userhost}",
            account=ctx.person.account,
        )


def refusal_of(ctx: Context, command: Command) -> Refused | None:
    """Return why *command* cannot be given here and now by this person, None if it can."""
    here = Where.QUERY if ctx.in_query else Where.CHANNEL
    if here not in command.where:
        if here is Where.QUERY:
            return Refused("That belongs into the channel {channel}.", channel=ctx.channel_name)
        return Refused("That works in a query to me only.")
    if not ctx.may(command.rights):
        return Refused(WHO_MAY[command.rights])
    return _phase_refusal(ctx, command.phase(in_query=ctx.in_query, bare=ctx.bare))


def _phase_refusal(ctx: Context, when: When) -> Refused | None:
    if when is When.ALWAYS or not ctx.registry.games:
        return None
    phase = ctx.desk.phase
    if when in (When.NO_GAME, When.LOBBY):
        if phase is Phase.PLAYING:
            return Refused("The game is running already.")
        if ctx.channel.busy_plugin() not in (None, ctx.registry.plugin):
            return Refused("Another game is on in this channel.")
        needs_lobby = when is When.LOBBY and phase is not Phase.LOBBY
        return ctx.desk.kind.nobody(ctx) if needs_lobby else None
    if phase is not Phase.PLAYING and not (phase is Phase.LOBBY and when is When.SEATED):
        return ctx.desk.kind.nobody(ctx)
    return None if when is When.GAME else _seat_refusal(ctx, when)


def _seat_refusal(ctx: Context, when: When) -> Refused | None:
    desk = ctx.desk
    chair = desk.chair_of(ctx.person)
    if chair is None:
        return Refused("You do not play here.")
    if when is When.MY_TURN and desk.game.to_act != chair.seat:
        return Refused(
            "It is not your turn; {name} is to act.", name=desk.playing.name(desk.game.to_act)
        )
    return None


def unknown(ctx: Context, text: str, near: Command | Elsewhere | None) -> None:
    """Answer a line that holds no command, to its speaker alone, with what it may have meant.

    Args:
        ctx: Who spoke, and where.
        text: What was typed, without prefix.
        near: What `NearWords` found.
    """
    word = normal(text.partition(" ")[0])[:40]
    if isinstance(near, Command):
        meant = ctx.of(near.plugin).how_typed(near)
        ctx.tell(ctx.t("I do not know “{word}”. Did you mean {near}?", word=word, near=meant))
    else:
        ctx.tell(_pointing_to_help(ctx, ctx.t("I do not know “{word}”.", word=word)))


def _pointing_to_help(ctx: Context, text: str) -> str:
    """Add where to read what there is, if the channel has help."""
    if HELP not in ctx.plugins:
        return text
    how = ctx.of(HELP).how(HELP)
    return ctx.translator.sentences((text, ctx.t("“{help}” shows what there is.", help=how)))
