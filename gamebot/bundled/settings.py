"""Settings over IRC: what can be set, what is set, and changing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import fields_dict

from gamebot.bot.access import bot_of, channel_of
from gamebot.bundled import house_rules
from gamebot.bundled.house_rules import HouseRule
from gamebot.bundled.scopes import NO_ACCOUNTS, need, only, read_scope, shown
from gamebot.bundled.setting_changes import give, written
from gamebot.config.profile import ALWAYS_ENABLED, CONSOLE_PLUGINS
from gamebot.errors import ConfigError, Refused, Told
from gamebot.plugin.access import Rights
from gamebot.plugin.commands import Rest
from gamebot.plugin.context import Context
from gamebot.plugin.game import GameType
from gamebot.plugin.registry import Registry, hookimpl
from gamebot.plugin.settings import (
    CORE,
    RULES,
    CoreSettings,
    Key,
    Layer,
    Scope,
    all_keys,
    find_key,
    keys_of,
)
from gamebot.plugin.settings_book import Value, core_settings, value_of
from gamebot.plugin.words import normal

SOURCES = {
    Layer.CONFIGURATION: "from the configuration file",
    Layer.CHANNEL: "set for this channel by {by} on {date}",
    Layer.NETWORK: "set for the network by {by} on {date}",
    Layer.GLOBAL: "set for all networks by {by} on {date}",
}


# -- the commands ---------------------------------------------------------------------------


def set_value(ctx: Context, setting: str = "", value: Rest | None = None) -> None:
    """Change a setting, explain one, or list what can be set."""
    first, _, rest = (value or "").partition(" ")
    scope, words = read_scope(ctx, setting, first, rest)
    name, text = (words[0] if words else ""), " ".join(words[1:]).strip()
    if not name:
        _list(ctx, scope)
    elif kind := _rules_of(ctx, scope, name):
        _set_rules(ctx, scope, kind, text) if text else _explain_rules(ctx, scope, kind)
    elif not text:
        _explain(ctx, house_rules.find(ctx, scope, name))
    else:
        need(ctx, scope)
        found = house_rules.find(ctx, scope, name)
        if isinstance(found, HouseRule):
            give(ctx, scope, [(found.key, found.changed(ctx, _switch(ctx, text)))])
        else:
            give(ctx, scope, [(found, _read(ctx, found, text))])


def unset_value(ctx: Context, setting: Rest) -> None:
    """Take a setting back to what the next layer says."""
    scope, words = read_scope(ctx, *setting.split())
    need(ctx, scope)
    name = only(words, ctx.t("setting"))
    kind = _rules_of(ctx, scope, name)
    found = None if kind else house_rules.find(ctx, scope, name)
    if isinstance(found, HouseRule):
        _unset_house_rule(ctx, scope, found)
        return
    keys = _rule_keys(ctx, kind) if kind else [found] if found else []
    rows = bot_of(ctx).settings.rows(scope, ctx.channel.link)
    given = [key for key in keys if any((r.plugin, r.key) == (key.plugin, key.name) for r in rows)]
    if not given:
        raise Refused("{name} is not set for {scope}.", name=name, scope=shown(ctx, scope))
    give(ctx, scope, [(key, None) for key in given])


def _unset_house_rule(ctx: Context, scope: Scope, rule: HouseRule) -> None:
    rules = rule.changed(ctx, None)
    if rules == getattr(rule.given, RULES):
        raise Refused("{name} is not set for {scope}.", name=rule, scope=shown(ctx, scope))
    give(ctx, scope, [(rule.key, rules)])


def show_settings(ctx: Context) -> None:
    """Show what differs from the defaults here."""
    core = core_settings(ctx.channel.profile)
    ctx.tell(
        ctx.t(
            "{channel}: language {language}, prefix {prefix}, plugins {plugins}.",
            channel=ctx.channel_name or ctx.network,
            language=core.language,
            prefix=ctx.prefix,
            plugins=core.plugins or "–",
        )
    )
    keys = [key for key in all_keys(ctx.channel.registries) if key.plugin]
    values = [(key, _value(ctx, key)) for key in keys]
    changed = [
        ctx.translator.aside(
            f"{key}={written(ctx.translator, key, value.value)}", ctx.t(value.layer.value)
        )
        for key, value in values
        if value.value != getattr(key.owner(), key.name)
    ]
    ctx.tell(ctx.translator.listed(changed) or ctx.t("Everything else is as it is by default."))
    if not ctx.channel.link.has_accounts:
        ctx.tell(ctx.t(NO_ACCOUNTS))


def enable(ctx: Context, plugin: Rest) -> None:
    """Let a plugin take part in the channel."""
    scope, name, now = _plugin_change(ctx, plugin)
    if name in now or name in ALWAYS_ENABLED:
        raise Refused("{plugin} is enabled already.", plugin=name)
    give(ctx, scope, [(_plugins_key(), (*now, name))])


def disable(ctx: Context, plugin: Rest) -> None:
    """Take a plugin out of the channel."""
    scope, name, now = _plugin_change(ctx, plugin)
    if name in ALWAYS_ENABLED:
        raise Refused("{plugin} belongs to every channel.", plugin=name)
    if name not in now:
        raise Refused("{plugin} is not enabled.", plugin=name)
    give(ctx, scope, [(_plugins_key(), tuple(each for each in now if each != name))])


def _plugin_change(ctx: Context, plugin: Rest) -> tuple[Scope, str, tuple[str, ...]]:
    scope, words = read_scope(ctx, *plugin.split())
    need(ctx, scope)
    name = only(words, ctx.t("plugin"))
    _check_plugins(ctx, (name,))
    return scope, name, core_settings(ctx.channel.profile).plugins


def _plugins_key() -> Key:
    return next(key for key in keys_of(CORE, CoreSettings) if key.name == "plugins")


# -- reading --------------------------------------------------------------------------------


def _registries(ctx: Context, scope: Scope) -> Mapping[str, Registry]:
    """Return the plugins whose settings can be meant: a channel's own, or all."""
    if scope.layer is Layer.CHANNEL:
        return ctx.channel.registries
    return bot_of(ctx).registries


def _read(ctx: Context, key: Key, text: str) -> object:
    try:
        value = key.read(_switch(ctx, text) if key.is_switch else text)
    except ConfigError as error:
        why = error.reasons[0]
        if isinstance(why, Told) and not key.says_all:
            raise house_rules.unfit(ctx, key, text, why) from None
        raise Refused(
            "“{value}” will not do for {name}; allowed: {allowed}.",
            value=text[:60],
            name=key,
            allowed=_allowed(ctx, key),
        ) from None
    if key.owner is CoreSettings and isinstance(value, tuple):
        _check_plugins(ctx, value)
        value = tuple(name for name in dict.fromkeys(value) if name not in ALWAYS_ENABLED)
    return value


def _switch(ctx: Context, text: str) -> str:
    """Put the channel's own words for on and off into those of the settings."""
    words = {normal(ctx.t("on")): "on", normal(ctx.t("off")): "off"}
    return words.get(normal(text), text)


def _allowed(ctx: Context, key: Key) -> str:
    msgid, values = key.allowed()
    return house_rules.texts_of(ctx, key.plugin).text(msgid, **values)


def _check_plugins(ctx: Context, names: Sequence[str]) -> None:
    known = [name for name in bot_of(ctx).registries if name not in CONSOLE_PLUGINS]
    for name in names:
        if name not in known:
            offered = [each for each in known if each not in ALWAYS_ENABLED]
            raise Refused(
                "There is no plugin “{name}”; there are: {names}.", name=name[:40], names=offered
            )


def _value(ctx: Context, key: Key) -> Value:
    channel, bot = channel_of(ctx), bot_of(ctx)
    layers = bot.settings.layers(channel.link, channel.name)
    return value_of(key, channel.base, layers, bot.registries)


def _list(ctx: Context, scope: Scope) -> None:
    core, headed = [key.name for key in keys_of(CORE, CoreSettings)], ctx.translator.headed
    ctx.tell(
        ctx.t("{set} NAME VALUE changes a setting, {set} NAME explains it.", set=ctx.how("set"))
    )
    ctx.tell(headed(shown(ctx, scope), core))
    for name, registry in _registries(ctx, scope).items():
        keys = keys_of(name, registry.settings) if registry.settings else []
        if keys:
            ctx.tell(headed(name, [key.name for key in keys]))


def _explain(ctx: Context, key: Key | HouseRule) -> None:
    if isinstance(key, HouseRule):
        _explain_house_rule(ctx, key)
        return
    value = _value(ctx, key)
    row = value.row
    texts = {
        "name": key,
        "value": written(ctx.translator, key, value.value),
        "default": written(ctx.translator, key, getattr(key.owner(), key.name)),
        "allowed": _allowed(ctx, key),
    }
    if value.layer is Layer.DEFAULT:
        ctx.tell(ctx.t("{name} is {value}, the default. Allowed: {allowed}.", **texts))
        return
    date = f"{datetime.fromtimestamp(row.at, UTC):%Y-%m-%d %H:%M} UTC" if row else ""
    source = ctx.t(SOURCES[value.layer], by=row.by if row else "", date=date)
    ctx.tell(
        ctx.t(
            "{name} is {value}, {source}. Default: {default}. Allowed: {allowed}.",
            source=source,
            **texts,
        )
    )


def _explain_house_rule(ctx: Context, rule: HouseRule) -> None:
    if rule.choices:
        allowed = ctx.t("one of {values}", values=rule.choices)
    elif rule.limits:
        low, high = rule.limits
        allowed = ctx.t("a whole number from {low} to {high}", low=low, high=high)
    else:
        allowed = ctx.t("a number")
    ctx.tell(
        ctx.t(
            "{name} is {value}, a part of {whole}. Allowed: {allowed}.",
            name=rule,
            value=rule.value,
            whole=rule.key,
            allowed=allowed,
        )
    )


# -- rules of a game ------------------------------------------------------------------------


def _rules_of(ctx: Context, scope: Scope, name: str) -> GameType[Any] | None:
    """Return the game whose rules are meant by `rules` or `plugin.rules`."""
    plugin, _, field = name.casefold().rpartition(".")
    if field != RULES:
        return None
    kinds = _kinds(ctx.channel.registries, plugin)
    if not kinds:
        kinds = _kinds(_registries(ctx, scope), plugin)
    if len(kinds) > 1:
        names = [f"{kind.plugin}.{RULES}" for kind in kinds]
        raise Refused("Several have that: {names}.", names=names)
    return kinds[0] if kinds else None


def _kinds(registries: Mapping[str, Registry], plugin: str) -> list[GameType[Any]]:
    kinds = [kind for registry in registries.values() for kind in registry.games if kind.rules]
    return [kind for kind in kinds if plugin in ("", kind.plugin)]


def _rule_keys(ctx: Context, kind: GameType[Any]) -> list[Key]:
    registry = bot_of(ctx).registries[kind.plugin]
    keys = keys_of(kind.plugin, registry.settings or object)
    return [key for key in keys if key.name in kind.rules]


def _explain_rules(ctx: Context, scope: Scope, kind: GameType[Any]) -> None:
    values = [
        f"{key.name}={written(ctx.translator, key, _value(ctx, key).value)}"
        for key in _rule_keys(ctx, kind)
    ]
    ctx.tell(ctx.translator.headed(f"{kind.plugin}.{RULES}", values))
    given = house_rules.settings_of(ctx, scope, bot_of(ctx).registries[kind.plugin])
    if parts := kind.house_rules(given):
        ctx.tell(ctx.translator.listed(f"{name}={value}" for name, value in parts.items()))


def _set_rules(ctx: Context, scope: Scope, kind: GameType[Any], text: str) -> None:
    need(ctx, scope)
    registries = {kind.plugin: bot_of(ctx).registries[kind.plugin]}
    owner = registries[kind.plugin].settings or object
    changes: list[tuple[Key, Any]] = []
    for name, value in kind.read_rules(text).items():
        key = find_key(f"{kind.plugin}.{name}" if name in fields_dict(owner) else name, registries)
        read = _read(ctx, key, value)
        if name == RULES:
            given = house_rules.settings_of(ctx, scope, registries[kind.plugin])
            house_rules.check(ctx, key, given, str(read), value)
        changes.append((key, read))
    give(ctx, scope, changes)


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the commands."""
    operator = Rights.OPERATOR
    registry.command("set", set_value, words="!set")
    registry.command("unset", unset_value, words="!unset", rights=operator)
    registry.command("settings", show_settings, words="!settings")
    registry.command("enable", enable, words="!enable", rights=operator)
    registry.command("disable", disable, words="!disable", rights=operator)
