"""How somebody wants lines for them alone: as notices, or as messages in a window of their own.

Clients show notices where they like, many in a window that nobody looks at. What somebody chose
holds in one channel, for every plugin's lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from gamebot.events import Person
    from gamebot.plugin.context import Context

Way = Literal["notice", "msg"]

KEPT_AS: Final = "private_lines"
"""What the choices are stored under, beside the plugins' own values."""

MOST: Final = 200
"""People whose choice a channel remembers; the oldest are forgotten."""

_VERBS: Final = {"notice": "NOTICE", "msg": "PRIVMSG"}


def verb_for(ctx: Context, nick: str, person: Person | None = None) -> str:
    """Return how to tell *nick* something: NOTICE, or PRIVMSG if that was chosen.

    Args:
        ctx: The channel.
        nick: Whom to tell.
        person: The same, if it is known who that is.
    """
    ways: dict[str, str] = ctx.channel.state(KEPT_AS).get("ways", {})
    if not ways:
        return "NOTICE"
    if person is None:
        key = ctx.fold(nick)
        person = next((one for one in ctx.members if ctx.fold(one.nick) == key), None)
    return _VERBS[ways.get(ctx.identity(person), "notice")] if person else "NOTICE"


def prefer(ctx: Context, person: Person, way: Way) -> None:
    """Tell *person* things that way from now on."""
    ways: dict[str, str] = ctx.channel.state(KEPT_AS).get("ways", {})
    who = ctx.identity(person)
    ways.pop(who, None)
    ctx.channel.state(KEPT_AS)["ways"] = dict([*ways.items(), (who, way)][-MOST:])


def is_new(ctx: Context, who: str) -> bool:
    """Whether *who* (an identity) was never told how private lines can be had; once."""
    told: list[str] = ctx.channel.state(KEPT_AS).get("told", [])
    if who in told:
        return False
    ctx.channel.state(KEPT_AS)["told"] = [*told, who][-MOST:]
    return True
