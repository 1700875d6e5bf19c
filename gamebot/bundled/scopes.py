"""What a command holds for: this channel, or with a first word the network or all networks."""

from __future__ import annotations

from gamebot.errors import Refused, UsageError
from gamebot.plugin.access import Rights
from gamebot.plugin.context import Context
from gamebot.plugin.dispatch import WHO_MAY
from gamebot.plugin.settings import Layer, Scope
from gamebot.plugin.words import normal

NEEDED = {
    Layer.CHANNEL: Rights.OPERATOR,
    Layer.NETWORK: Rights.ADMIN,
    Layer.GLOBAL: Rights.OWNER,
}

NO_ACCOUNTS = (
    "This network tells me no services accounts: account features are off here, rights come from "
    "hostmasks, client certificates and operator status."
)


def read_scope(ctx: Context, *words: str) -> tuple[Scope, list[str]]:
    """Take `network` or `global`, in English or the channel's language, off the first word."""
    first = normal(words[0]) if words else ""
    rest = [word for word in words[1:] if word]
    if first in (Layer.NETWORK.value, normal(ctx.translator.word("network"))):
        return Scope(Layer.NETWORK, ctx.network), rest
    if first in (Layer.GLOBAL.value, normal(ctx.translator.word("global"))):
        return Scope(Layer.GLOBAL), rest
    return here(ctx), [word for word in words if word]


def only(words: list[str], name: str) -> str:
    """Return the one word that is left.

    Args:
        words: What was typed behind the scope.
        name: What it should be, translated.

    Raises:
        UsageError: It is missing, or there are more.
    """
    if not words:
        raise UsageError("Something is missing: {name}.", name=name)
    if len(words) > 1:
        raise UsageError("“{text}” is too much.", text=" ".join(words[1:])[:60])
    return words[0]


def here(ctx: Context) -> Scope:
    """Return the scope of the channel; in the console that of the network."""
    if not ctx.channel_name:
        return Scope(Layer.NETWORK, ctx.network)
    return Scope(Layer.CHANNEL, ctx.network, ctx.channel_name)


def need(ctx: Context, scope: Scope) -> None:
    """Make sure that the speaker may change something of *scope*.

    Raises:
        Refused: The speaker may not.
    """
    if not ctx.may(NEEDED[scope.layer]):
        raise Refused(WHO_MAY[NEEDED[scope.layer]])


def shown(ctx: Context, scope: Scope) -> str:
    """Name *scope* in a sentence."""
    match scope.layer:
        case Layer.CHANNEL:
            return scope.channel
        case Layer.NETWORK:
            return ctx.t("the network {network}", network=scope.network)
        case _:
            return ctx.t("all networks")


def actor(ctx: Context) -> str:
    """Name the speaker in what is stored."""
    account = ctx.person.account if ctx.person else None
    return f"{ctx.nick} ({account})" if account else ctx.nick
