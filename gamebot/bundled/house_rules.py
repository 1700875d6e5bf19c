"""Single house rules of a game whose rules are one text: `cuciolo,hand_size=5`."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from gamebot.bot.access import bot_of, channel_of
from gamebot.channel.enabled_plugins import translator_for
from gamebot.errors import ConfigError, Refused, Told, plain
from gamebot.plugin.settings import RULES, Key, Layer, Scope, find_key, keys_of
from gamebot.plugin.settings_book import base_settings, effective

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gamebot.i18n import Translator
    from gamebot.plugin.context import Context
    from gamebot.plugin.game import GameType
    from gamebot.plugin.registry import Registry

LONGEST = 200
"""Characters of a plugin's reason that has no translation."""


@frozen
class HouseRule:
    """One rule inside the setting `rules` of a game.

    Attributes:
        kind: The game.
        name: The rule's name.
        key: The setting that holds it.
        given: That setting where the rule is to change.
        value: The rule's value there.
        choices: What may be typed, empty for a number.
        limits: The least and the most of a number, None if they are not known.
    """

    kind: GameType[Any]
    name: str
    key: Key
    given: Any
    value: str
    choices: tuple[str, ...]
    limits: tuple[int, int] | None

    def __str__(self) -> str:
        return f"{self.kind.plugin}.{self.name}"

    def changed(self, ctx: Context, text: str | None) -> str:
        """Write the setting with the rule set to *text*, or without a word about it.

        Raises:
            Refused: The rule cannot be that.
        """
        parts = str(getattr(self.given, RULES)).replace(",", " ").split()
        parts = [part for part in parts if part.partition("=")[0] != self.name]
        rules = ",".join(parts if text is None else [*parts, f"{self.name}={text}"])
        check(ctx, self, self.given, rules, text or rules)
        return rules


def check(ctx: Context, rule: Key | HouseRule, given: Any, rules: str, text: str) -> None:  # noqa: ANN401  a settings class
    """Make sure that *given* can have *rules*, which somebody changed by typing *text*.

    Raises:
        Refused: It cannot; with the game's own words for why.
    """
    try:
        evolve(given, **{RULES: rules})
    except ConfigError as error:
        raise unfit(ctx, rule, text, _inner(error.reasons[0], {RULES, rule.name})) from error
    except ValueError as error:
        raise unfit(ctx, rule, text, error) from error


def unfit(ctx: Context, rule: Key | HouseRule, text: str, why: object) -> Refused:
    """Say that *text* will not do, and why."""
    plugin = rule.key.plugin if isinstance(rule, HouseRule) else rule.plugin
    return Refused(
        "“{value}” will not do for {name}: {why}.",
        value=text[:60],
        name=str(rule),
        why=said_by(ctx, plugin, why),
    )


def said_by(ctx: Context, plugin: str, why: object) -> str:
    """Write a reason that *plugin* gives in the channel's language."""
    if isinstance(why, Told):
        return texts_of(ctx, plugin).text(why.msgid, **why.values)
    return str(why)[:LONGEST]


def texts_of(ctx: Context, plugin: str) -> Translator:
    """Return the texts of *plugin*, which need not be enabled here, or the core's own for ""."""
    registry = bot_of(ctx).registries.get(plugin, ctx.registry)
    return translator_for(ctx.channel.profile.language, registry)


def _inner(why: object, said: set[str]) -> object:
    """Leave out the names before a reason that are *said* anyway."""
    while isinstance(why, Told) and "why" in why.values and str(plain(why.values["name"])) in said:
        why = why.values["why"]
    return why


def find(ctx: Context, scope: Scope, text: str) -> Key | HouseRule:
    """Find the setting or the house rule called *text*.

    Raises:
        Refused: There is none, or there are several.
    """
    groups = [ctx.channel.registries]
    if scope.layer is not Layer.CHANNEL:
        groups.append(bot_of(ctx).registries)
    refusal: Refused | None = None
    for registries in groups:
        try:
            return find_key(text, registries)
        except Refused as error:
            found = _house_rules(ctx, scope, registries)
            wanted = text.casefold()
            hits = [rule for rule in found if wanted in (rule.name, str(rule))]
            if len(hits) == 1:
                return hits[0]
            refusal = _nearer(text, hits or found, several=bool(hits)) or error
    assert refusal is not None  # noqa: S101  there is at least one group
    raise refusal


def _nearer(text: str, rules: list[HouseRule], *, several: bool) -> Refused | None:
    if several:
        return Refused("Several have that: {names}.", names=rules)
    near = get_close_matches(text.casefold(), [rule.name for rule in rules], 1, 0.75)
    if not near:
        return None
    return Refused("There is no setting “{name}”. Do you mean {near}?", name=text, near=near[0])


def _house_rules(ctx: Context, scope: Scope, registries: Mapping[str, Registry]) -> list[HouseRule]:
    return [
        HouseRule(
            kind,
            name,
            key,
            given,
            value,
            tuple(kind.house_rule_choices(name)),
            kind.house_rule_range(name),
        )
        for registry in registries.values()
        for kind in registry.games
        for key in keys_of(kind.plugin, kind.settings)
        if key.name == RULES
        for given in [settings_of(ctx, scope, registry)]
        for name, value in kind.house_rules(given).items()
    ]


def settings_of(ctx: Context, scope: Scope, registry: Registry) -> Any:  # noqa: ANN401  the plugin's class
    """Return a game's settings in *scope*: the channel's, or what the wider layer says itself."""
    if scope.layer is Layer.CHANNEL:
        return ctx.channel.profile.settings[registry.plugin]
    channel, bot = channel_of(ctx), bot_of(ctx)
    layers = [(scope.layer, row) for row in bot.settings.rows(scope, channel.link)]
    base = evolve(channel.base, plugins=(registry.plugin,))
    profile, _ = effective(base, layers, bot.registries)
    return profile.settings.get(registry.plugin, base_settings(base, registry))
