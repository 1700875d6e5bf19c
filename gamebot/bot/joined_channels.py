"""Channels that the bot was told over IRC to join or to leave, kept in the store's settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import structlog
from attrs import evolve, frozen

from gamebot.config.profile import ALWAYS_ENABLED, CONSOLE_PLUGINS, ChannelProfile
from gamebot.plugin.settings import JOINED_KEY
from gamebot.ports import SettingRow

if TYPE_CHECKING:
    from gamebot.bot.bot import Bot
    from gamebot.ports import Link

log = structlog.get_logger()


@frozen
class Place:
    """One channel.

    Attributes:
        network: Network name.
        name: Channel as it was written.
        inside: Whether the bot should be in it.
        key: Its key, "" if it has none.
    """

    network: str
    name: str
    inside: bool
    key: str = ""

    def row(self, link: Link, by: str, at: float) -> SettingRow:
        """Return how it is stored."""
        value = json.dumps({"name": self.name, "inside": self.inside, "key": self.key})
        return SettingRow(self.network, "", f"{JOINED_KEY}{link.fold(self.name)}", value, by, at)


def stored(rows: Iterable[SettingRow], links: Mapping[str, Link]) -> list[Place]:
    """List the channels among *rows*, each once: the newest word counts."""
    places: dict[tuple[str, str], Place] = {}
    for row in sorted(rows, key=lambda row: row.at):
        link = links.get(row.scope)
        if row.plugin or not row.key.startswith(JOINED_KEY) or row.value is None or link is None:
            continue
        try:
            place = Place(row.scope, **json.loads(row.value))
        except (ValueError, TypeError):
            log.warning("stored_channel_not_read", network=row.scope, key=row.key)
        else:
            places[row.scope, link.fold(place.name)] = place
    return list(places.values())


def more_profiles(bot: Bot, places: Sequence[Place]) -> list[tuple[Link, ChannelProfile]]:
    """Make profiles of the channels that nobody configured."""
    return [
        (bot.links[place.network], evolve(bot.templates[place.network], name=place.name))
        for place in places
        if place.inside and not bot.configured(place)
    ]


def apply(bot: Bot, places: Iterable[Place]) -> None:
    """Tell the links, which are not connected yet, where to be and where not."""
    for place in places:
        link, channel = bot.links[place.network], bot.channel(place.network, place.name)
        if channel is None:
            continue
        log.info("channel_set_over_irc", network=link.name, channel=place.name, inside=place.inside)
        channel.left = not place.inside
        if place.inside:
            link.command("JOIN", place.name, *([place.key] if place.key else []))
        else:
            link.command("PART", place.name)


def console_profile(bot: Bot, link: Link) -> ChannelProfile:
    """Make the profile of a network's console: it has no name and answers in queries only."""
    names = [name for name in (*CONSOLE_PLUGINS, *ALWAYS_ENABLED) if name in bot.registries]
    return evolve(bot.templates[link.name], name="", plugins=tuple(names), ops=())
