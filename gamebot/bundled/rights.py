"""Who somebody is to the bot, and whom it does not hear."""

from __future__ import annotations

from gamebot.bot.access import bot_of
from gamebot.bundled.scopes import NO_ACCOUNTS, actor, here, need, only, read_scope
from gamebot.config.grants import Mask, parse_mask
from gamebot.errors import Refused, UnsureError, UsageError
from gamebot.events import Person
from gamebot.irc.fingerprints import shorten
from gamebot.people.ignores import MOST, Ignored, ignore_row
from gamebot.plugin.access import Rights, Standing, Why
from gamebot.plugin.commands import Rest, parse_duration
from gamebot.plugin.context import Context
from gamebot.plugin.registry import Registry, hookimpl
from gamebot.plugin.settings import Layer, Scope

DEFAULT_SPAN = "1h"
LONGEST_S = 366 * 86_400.0
SHOWN = 10

ROLES = {
    Rights.OWNER: "You are an owner of the bot: {why}.",
    Rights.ADMIN: "You are an admin of the bot on this network: {why}.",
    Rights.OPERATOR: "You are an operator of {channel}: {why}.",
    Rights.PLAYER: "You play in {channel}; you have no rights beyond that.",
    Rights.ANYBODY: "You have no rights beyond playing.",
}
REASONS = {
    Why.ACCOUNT: "your services account is {by}",
    Why.CERTIFICATE: "your client certificate is {by}",
    Why.MASK: "you match the mask {by}",
    Why.STATUS: "you have that status in the channel",
}


def who_am_i(ctx: Context) -> None:
    """Say who you are to the bot, and why."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    if ctx.unsure:
        raise UnsureError
    standing = ctx.standing
    ctx.tell(ctx.translator.sentences((_identity(ctx, ctx.person), _role(ctx, standing))))
    if bot_of(ctx).rights.knows_certificates(ctx.network):
        _tell_certificates(ctx, ctx.person, standing)
    if bot_of(ctx).rights.lost_by_rename(ctx.channel.link, ctx.person):
        ctx.tell(
            ctx.t(
                "Your rights by hostmask ended with the change of your nick; they come back when "
                "you leave all channels and return."
            )
        )


def _tell_certificates(ctx: Context, person: Person, standing: Standing) -> None:
    """Tell a fingerprint in full where it gives no rights: its owner may want to have it entered."""
    if standing.why is Why.CERTIFICATE:
        return
    if not person.certificates:
        ctx.tell(ctx.t("This network shows me no client certificate of yours."))
    for fingerprint in person.certificates or ():
        ctx.tell(ctx.t("Your client certificate has the fingerprint {digits}.", digits=fingerprint))


def _identity(ctx: Context, person: Person) -> str:
    who = {"nick": person.nick, "userhost": person.userhost}
    if person.account:
        return ctx.t(
            "You are {nick} ({userhost}), logged in to services as {account}.",
            account=person.account,
            **who,
        )
    if not ctx.channel.link.has_accounts:
        you = ctx.t("You are {nick} ({userhost}).", **who)
        return ctx.translator.sentences((you, ctx.t(NO_ACCOUNTS)))
    return ctx.t("You are {nick} ({userhost}), not logged in to services as far as I know.", **who)


def _role(ctx: Context, standing: Standing) -> str:
    reason = REASONS.get(standing.why)
    by = shorten(standing.by) if standing.why is Why.CERTIFICATE else standing.by
    why = ctx.t(reason, by=by) if reason else ""
    return ctx.t(ROLES[standing.rights], channel=ctx.channel_name, why=why)


# -- ignoring -------------------------------------------------------------------------------


def ignore(ctx: Context, nick_or_mask: str, duration: Rest | None = None) -> None:
    """Do not hear somebody for a while (1h if you do not say how long)."""
    scope, words = read_scope(ctx, nick_or_mask, *(duration or "").split())
    need(ctx, scope)
    seconds = parse_duration(words.pop(1) if len(words) > 1 else DEFAULT_SPAN)
    whom = only(words, ctx.t("nick or mask"))
    if not 0 < seconds <= LONGEST_S:
        raise Refused("An ignore lasts up to 366 days.")
    mask = _mask_of(ctx, whom)
    _check_room(ctx, scope, mask)
    until = ctx.now() + seconds
    ctx.effects.settings.append(
        ignore_row(scope.text(ctx.channel.link), mask, until, actor(ctx), ctx.now())
    )
    ctx.tell(ctx.t("I do not hear {mask} for {time}.", mask=mask, time=_time(ctx, seconds)))


def _mask_of(ctx: Context, text: str) -> Mask:
    if "!" in text or "@" in text:
        try:
            mask = parse_mask(text)
        except ValueError:
            raise UsageError("“{text}” is no mask nick!user@host.", text=text) from None
    else:
        mask = _mask_of_nick(ctx, text)
    if not (f"{mask.nick}{mask.user}{mask.host}").strip("*?.!@"):
        raise Refused("That would be everybody.")
    return mask


def _mask_of_nick(ctx: Context, nick: str) -> Mask:
    link, bot = ctx.channel.link, bot_of(ctx)
    for channel in bot.of_network(link.name):
        for person in link.members(channel.name):
            if link.fold(person.nick) != link.fold(nick):
                continue
            if bot.rights.standing(link, person).rights.cover(Rights.ADMIN):
                raise Refused("Who owns or looks after the bot cannot be ignored.")
            if person.host:
                return Mask("*", "*", person.host)
    if any(c in nick for c in "*?"):
        raise UsageError("“{text}” is no mask nick!user@host.", text=nick)
    return Mask(nick, "*", "*")


def _check_room(ctx: Context, scope: Scope, mask: Mask) -> None:
    """Make room by removing what has ended.

    Raises:
        Refused: The list is full.
    """
    held = bot_of(ctx).ignores.of_scope(scope, ctx.channel.link)
    over = [entry for entry in held if entry.until <= ctx.now() and entry.mask != mask]
    _remove(ctx, over)
    if len(held) - len(over) >= MOST and all(entry.mask != mask for entry in held):
        raise Refused("The list is full: {n} are ignored.", n=MOST)


def _remove(ctx: Context, entries: list[Ignored]) -> None:
    ctx.effects.settings += [
        ignore_row(entry.row.scope, entry.mask, None, actor(ctx), ctx.now()) for entry in entries
    ]


def unignore(ctx: Context, nick_or_mask: Rest) -> None:
    """Hear somebody again."""
    scope, words = read_scope(ctx, *nick_or_mask.split())
    need(ctx, scope)
    whom = only(words, ctx.t("nick or mask"))
    fold = ctx.channel.link.fold
    hosts = {
        person.host for person in ctx.members if fold(person.nick) == fold(whom) and person.host
    }
    entries = [
        entry
        for entry in bot_of(ctx).ignores.of_scope(scope, ctx.channel.link)
        if fold(whom) in (fold(str(entry.mask)), fold(entry.mask.nick))
        or (entry.mask.host in hosts and entry.mask.nick == "*")
    ]
    if not entries:
        raise Refused("{text} is not ignored.", text=whom)
    _remove(ctx, entries)
    ctx.tell(ctx.t("I hear {masks} again.", masks=[str(e.mask) for e in entries]))


def show_ignored(ctx: Context) -> None:
    """Show whom the bot does not hear, and how long."""
    scopes = [here(ctx), Scope(Layer.NETWORK, ctx.network), Scope(Layer.GLOBAL)]
    ignores, link = bot_of(ctx).ignores, ctx.channel.link
    entries = [entry for scope in dict.fromkeys(scopes) for entry in ignores.of_scope(scope, link)]
    active = [entry for entry in entries if entry.until > ctx.now()]
    if not active:
        raise Refused("Nobody is ignored.")
    shown = [
        ctx.t(
            "{mask} for {time} ({by})",
            mask=entry.mask,
            time=_time(ctx, entry.until - ctx.now()),
            by=entry.row.by,
        )
        for entry in active[:SHOWN]
    ]
    if len(active) > SHOWN:
        shown.append(ctx.t("{n} more", n=len(active) - SHOWN))
    ctx.tell(ctx.t("Ignored: {list}", list=ctx.translator.clauses(shown)))


def _time(ctx: Context, seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    if minutes < 120:
        return ctx.voice.span(minutes * 60)
    if minutes < 2880:
        return ctx.voice.span(minutes // 60 * 3600)
    return ctx.n("{n} day", "{n} days", minutes // 1440)


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the commands."""
    operator = Rights.OPERATOR
    registry.command("whoami", who_am_i, words="!whoami")
    registry.command("ignore", ignore, words="!ignore", rights=operator)
    registry.command("unignore", unignore, words="!unignore", rights=operator)
    registry.command("ignores", show_ignored, words="!ignores", rights=operator)
