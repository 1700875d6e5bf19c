"""Looking after the bot: channels, networks, games, plugins and its end. Every use is logged."""

from __future__ import annotations

import structlog

from gamebot.bot.access import bot_of, channel_of
from gamebot.bot.joined_channels import Place
from gamebot.bot.owner_notices import given_up
from gamebot.bot.reload import reload_plugin
from gamebot.bundled.scopes import actor
from gamebot.channel.channel import Channel
from gamebot.desk.turn_clock import TURN
from gamebot.errors import PluginError, Refused
from gamebot.plugin.access import Rights
from gamebot.plugin.commands import Rest
from gamebot.plugin.context import Context
from gamebot.plugin.registry import Registry, hookimpl
from gamebot.ports import Link, OutLine
from gamebot.table.table import Phase

log = structlog.get_logger()

MOST_CHANNELS = 200
SHOWN = 10


def _log(ctx: Context, command: str, **what: object) -> None:
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    standing = ctx.standing
    log.info(
        "admin_command",
        command=command,
        network=ctx.network,
        actor=f"{ctx.nick}!{ctx.person.userhost}",
        account=ctx.person.account,
        rights=standing.rights.value,
        by=standing.by,
        **what,
    )


# -- channels -------------------------------------------------------------------------------


def join(ctx: Context, channel: str, key: str = "") -> None:
    """Go into a channel, and come back there after a restart."""
    bot, link = bot_of(ctx), ctx.channel.link
    _log(ctx, "join", channel=channel)
    if not link.is_channel(channel) or any(c in channel for c in ",\a") or "," in key:
        raise Refused("“{text}” is no channel.", text=channel)
    found = bot.channel(link.name, channel)
    if found is not None and not found.given_up:
        raise Refused("I am in {channel} already.", channel=channel)
    if found is None and len(bot.of_network(link.name)) >= MOST_CHANNELS:
        raise Refused("I am in {n} channels; that is enough.", n=MOST_CHANNELS)
    place = Place(link.name, channel, inside=True, key=key)
    ctx.effects.settings.append(place.row(link, actor(ctx), ctx.now()))
    ctx.effects.after.append(lambda: bot.open_channel(link, channel, key))
    ctx.tell(ctx.t("I go to {channel}.", channel=channel))


def part(ctx: Context, channel: str, reason: Rest | None = None) -> None:
    """Leave a channel and stay away, after a restart too."""
    bot, link = bot_of(ctx), ctx.channel.link
    _log(ctx, "part", channel=channel)
    found = _channel(ctx, channel)
    place = Place(link.name, found.name, inside=False)
    ctx.effects.settings.append(place.row(link, actor(ctx), ctx.now()))
    ctx.effects.after.append(lambda: bot.close_channel(found, reason or ctx.nick))
    parts = [ctx.t("I leave {channel}.", channel=found.name)]
    if found.busy_plugin() is not None:
        parts.append(ctx.t("The game there is kept and goes on when I return."))
    ctx.tell(ctx.translator.sentences(parts))


def say(ctx: Context, channel: str, text: Rest) -> None:
    """Say something in a channel."""
    _log(ctx, "say", channel=channel, text=text)
    found = _channel(ctx, channel)
    if not found.up:
        raise Refused("I am not in {channel}.", channel=channel)
    line = OutLine(found.link.name, found.name, text, channel=found.key)
    ctx.effects.after.append(lambda: found.link.send(line))


def _channel(ctx: Context, name: str) -> Channel:
    found = bot_of(ctx).channel(ctx.network, name)
    if found is None:
        raise Refused("I am not in {channel}.", channel=name)
    return found


# -- what goes on ---------------------------------------------------------------------------


def _links(ctx: Context) -> list[Link]:
    """List the networks that are the speaker's concern: an admin's own one, an owner's all."""
    return list(bot_of(ctx).links.values()) if ctx.is_owner else [ctx.channel.link]


def show_networks(ctx: Context) -> None:
    """Show the state of each network."""
    _log(ctx, "networks")
    bot = bot_of(ctx)
    for link in _links(ctx):
        channels = bot.of_network(link.name)
        state = ctx.t("connected as {nick}", nick=link.own_nick)
        ctx.tell(
            ctx.t(
                "{network}: {state}, in {inside} of {n} channels, {backlog} lines wait, {accounts}",
                network=link.name,
                state=state if link.connected else ctx.t("not connected"),
                inside=sum(channel.up for channel in channels),
                n=len(channels),
                backlog=link.backlog,
                accounts=ctx.t("accounts known" if link.has_accounts else "no accounts"),
            )
        )
        if lost := [given_up(channel, channel_of(ctx)) for channel in channels if channel.given_up]:
            ctx.tell(
                ctx.t(
                    "{network}: I have given up {channels}.",
                    network=link.name,
                    channels=", ".join(lost[:SHOWN]),
                )
            )


def show_sessions(ctx: Context) -> None:
    """Show the games that are on."""
    _log(ctx, "sessions")
    names = {link.name for link in _links(ctx)}
    lines = [
        _session(ctx, channel)
        for channel in bot_of(ctx).channels.values()
        if channel.link.name in names and channel.busy_plugin()
    ]
    if not lines:
        raise Refused("No game is running.")
    for line in lines[:SHOWN]:
        ctx.tell(line)
    if len(lines) > SHOWN:
        ctx.tell(ctx.t("{n} more", n=len(lines) - SHOWN))


def _session(ctx: Context, channel: Channel) -> str:
    plugin = channel.busy_plugin() or ""
    table = channel.tables[plugin]
    left_s = channel.timers.left_s(plugin, TURN)
    playing = table.phase is Phase.PLAYING
    parts = [
        ctx.translator.headed(f"{channel.link.name}/{channel.name}", plugin),
        ctx.t("game" if playing else "lobby"),
        " ".join(chair.name for chair in table.chairs),
        "" if left_s is None else ctx.t("{n} s left", n=round(left_s)),
    ]
    return ctx.translator.listed(filter(None, parts))


# -- plugins and the end --------------------------------------------------------------------


def reload(ctx: Context, plugin: str) -> None:
    """Load a plugin anew; its games go on."""
    _log(ctx, "reload", plugin=plugin)
    known = bot_of(ctx).sources
    if plugin not in known:
        raise Refused(
            "There is no plugin “{name}”; there are: {names}.", name=plugin[:40], names=list(known)
        )
    try:
        reload_plugin(bot_of(ctx), plugin)
    except PluginError as error:
        raise Refused(
            "{plugin} stays as it was: {why}", plugin=plugin, why=str(error)[:200]
        ) from error
    ctx.tell(ctx.t("{plugin} is loaded anew.", plugin=plugin))


def shutdown(ctx: Context) -> None:
    """End the bot; games go on when it is started again."""
    _log(ctx, "shutdown")
    ctx.tell(ctx.t("I end now; games go on when I am started again."))
    ctx.effects.after.append(bot_of(ctx).on_shutdown)


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the commands."""
    admin, owner = Rights.ADMIN, Rights.OWNER
    registry.command("join", join, words="!join", rights=admin)
    registry.command("part", part, words="!part", rights=admin)
    registry.command("say", say, words="!say", rights=admin)
    registry.command("networks", show_networks, words="!networks", rights=admin)
    registry.command("sessions", show_sessions, words="!sessions", rights=admin)
    registry.command("reload", reload, words="!reload", rights=owner)
    registry.command("shutdown", shutdown, words="!shutdown", rights=owner)
