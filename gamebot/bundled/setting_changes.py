"""A change of settings: tried on every channel that it concerns, then stored, then said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from attrs import evolve, frozen

from gamebot.bot.access import bot_of, channel_of
from gamebot.bundled import house_rules
from gamebot.bundled.scopes import actor, here, shown
from gamebot.channel.channel import Channel
from gamebot.channel.enabled_plugins import EnabledPlugins
from gamebot.errors import Refused, WordClashError
from gamebot.i18n import Translator
from gamebot.plugin.context import Context
from gamebot.plugin.settings import Key, Layer, Scope, plain
from gamebot.plugin.settings_book import SettingsBook, effective, value_of
from gamebot.ports import SettingRow

Changes = Sequence[tuple[Key, Any]]
"""Pairs of a setting and its new value; None takes the value of this layer away."""


def written(texts: Translator, key: Key, value: object) -> str:
    """Write a value as people of the channel's language type it."""
    if isinstance(value, bool):
        return texts.text("on") if value else texts.text("off")
    if key.name == "prefix" and value is not None:  # a dot would pass for the end of a sentence
        return texts.text("“{text}”", text=value)
    return key.show(value)


@frozen
class Trial:
    """One channel as a change would make it."""

    channel: Channel
    enabled: EnabledPlugins


def give(ctx: Context, scope: Scope, changes: Changes) -> None:
    """Store *changes* for *scope* if every channel that they concern can live with them."""
    bot, link = bot_of(ctx), ctx.channel.link
    rows = _rows(ctx, scope, changes)
    book = bot.settings.trial(rows)
    channels = {
        Layer.CHANNEL: [channel_of(ctx)],
        Layer.NETWORK: [*bot.of_network(link.name), bot.consoles[link.name]],
        Layer.GLOBAL: bot.every_channel(),
    }[scope.layer]
    trials = [Trial(channel, _try(ctx, channel, book)) for channel in channels]
    ctx.effects.settings += rows
    _confirm(ctx, scope, changes, trials, book)


def _rows(ctx: Context, scope: Scope, changes: Changes) -> list[SettingRow]:
    link, by, at = ctx.channel.link, actor(ctx), ctx.now()
    text = scope.text(link)
    rows = []
    for key, value in changes:
        # The channel's name may have been folded in another way when an older row was stored.
        rows += [
            evolve(row, value=None)
            for row in bot_of(ctx).settings.rows(scope, link)
            if (row.plugin, row.key) == (key.plugin, key.name) and row.scope != text
        ]
        stored = None if value is None else json.dumps(plain(value), ensure_ascii=False)
        rows.append(SettingRow(text, key.plugin, key.name, stored, by, at))
    return rows


def _try(ctx: Context, channel: Channel, book: SettingsBook) -> EnabledPlugins:
    """Find out what a channel would be.

    Raises:
        Refused: It cannot be.
    """
    bot = bot_of(ctx)
    _, known = effective(
        channel.base, bot.settings.layers(channel.link, channel.name), bot.registries
    )
    layers = book.layers(channel.link, channel.name)
    _, faults = effective(channel.base, layers, bot.registries)
    before = set(map(str, known))
    if new := [fault for fault in faults if str(fault) not in before]:
        why = house_rules.said_by(ctx, new[0].plugin, new[0].why)
        fault = ctx.t("{name}: {why}", name=new[0].name, why=why)
        raise Refused("That does not fit together: {why}", why=fault)
    profile = bot.profile_of(channel.link, channel.base, settings=book)
    busy = channel.busy_plugin()
    if busy is not None and busy not in profile.plugins:
        raise Refused(
            "A game of {plugin} is on in {channel}; it must end first.",
            plugin=busy,
            channel=channel.name,
        )
    try:
        return EnabledPlugins(profile, bot.registries)
    except WordClashError as clash:
        raise Refused(
            "That cannot be in {channel}: “{word}” would be both {one} and {other}.",
            channel=channel.name,
            word=clash.word,
            one=clash.command,
            other=clash.other,
        ) from clash


def _confirm(
    ctx: Context, scope: Scope, changes: Changes, trials: list[Trial], book: SettingsBook
) -> None:
    """Say what is set now, in the language that the channel has from now on."""
    enabled = next((t.enabled for t in trials if t.channel is ctx.channel), None)
    translators = enabled.translators if enabled else {}
    texts = translators.get(ctx.registry.plugin, ctx.translator)
    t = texts.text
    layers = book.layers(ctx.channel.link, ctx.channel.name)
    parts = []
    for key, value in changes:
        now = value
        if value is None:
            now = value_of(key, channel_of(ctx).base, layers, bot_of(ctx).registries).value
        if value is None and key.name == "prefix" and enabled:
            now = enabled.prefix
        parts.append(t("{name} is {value}", name=key, value=written(texts, key, now)))
    changed = texts.listed(parts)
    if scope != here(ctx):
        changed = texts.aside(changed, shown(ctx, scope))
    said = [t("{changes}.", changes=changed)]
    if any(_waits(trial.channel, key) for trial in trials for key, _ in changes):
        said.append(t("A game is on: it keeps its rules, the next one has the new ones."))
    ctx.reply(texts.sentences(said))


def _waits(channel: Channel, key: Key) -> bool:
    """Whether a game is on that does not look at this setting any more."""
    busy = channel.busy_plugin()
    if busy is None or busy != key.plugin:
        return False
    playing = channel.tables[busy].game is not None
    return playing and key.name in channel.registries[busy].games[0].rules
