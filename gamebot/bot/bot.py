"""The bot: networks, channels, and the way from an event to the task that handles it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

import structlog
from attrs import evolve

from gamebot.bot import joined_channels
from gamebot.bot.channel_map import ChannelMap
from gamebot.bot.event_router import EventRouter
from gamebot.bot.line_router import LineRouter
from gamebot.bot.loop_watchdog import Watchdog
from gamebot.bot.stored import Stored
from gamebot.bot.wall_clock import WallClock
from gamebot.channel.casemapping_change import exact_key, first_key
from gamebot.channel.channel import Channel
from gamebot.channel.handler_call import HANDLER_GRACE_S
from gamebot.channel.inputs import Refreshed
from gamebot.config.grants import Grants
from gamebot.config.limits import Limits
from gamebot.config.profile import ChannelProfile
from gamebot.events import (
    ChannelDown,
    Event,
    Said,
)
from gamebot.people.certificate_queries import CertificateQueries
from gamebot.people.ignores import Ignores
from gamebot.people.nick_history import NickHistory
from gamebot.people.rights import RightsBook
from gamebot.plugin.registry import Registry
from gamebot.plugin.settings_book import SettingsBook, concerns, effective
from gamebot.ports import (
    Clock,
    Link,
    OutLine,
    SettingRow,
    Store,
)
from gamebot.table.table import Phase

if TYPE_CHECKING:
    from gamebot.channel.timers import Timers
    from gamebot.plugin.loading import PluginSource

log = structlog.get_logger()


class Bot:
    """Everything that one process runs.

    Args:
        store: Durable memory; opened by `start`.
        clock: Time.
        registries: The loaded plugins; a reload replaces entries.
        grants: Network -> who has rights there.
        entropy: Source of secret seeds, 32 bytes each.
        limits: Bounds on commands.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        registries: dict[str, Registry],
        grants: Mapping[str, Grants] | None = None,
        entropy: Callable[[], bytes] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.store, self.clock, self.registries = store, clock, registries
        self.rights = RightsBook(grants or {})
        self.certificate_queries = CertificateQueries()
        self._entropy = entropy or (lambda: secrets.token_bytes(32))
        self.chance = Random(self._entropy())  # noqa: S311  dice of small plugins; games have their own chance
        self.links: dict[str, Link] = {}
        self.channel_map = ChannelMap()
        self.disabled: set[str] = set()
        self.watchdog = Watchdog(self.disabled.add)
        self.queue_limit = 500
        self.on_event: Callable[[Channel, str, object], None] = lambda _c, _p, _e: None
        self.dropped = 0
        self.templates: dict[str, ChannelProfile] = {}
        self.settings = SettingsBook()
        self.ignores = Ignores()
        self.nick_history = NickHistory()
        self.sources: Mapping[str, PluginSource] = {}
        self.on_shutdown: Callable[[], None] = lambda: None
        self._profiles: list[tuple[Link, ChannelProfile]] = []
        self._lines = LineRouter(self, limits or Limits())
        self._events = EventRouter(self, self._lines)
        self.wall_clock = WallClock(clock, store, self._timers)
        self._retired: list[Registry] = []
        self._reported: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._pending = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._next_line_id = 1

    # -- assembly ---------------------------------------------------------------------------

    def add_network(
        self,
        link: Link,
        profiles: Iterable[ChannelProfile],
        template: ChannelProfile | None = None,
    ) -> None:
        """Add a network with its channels, before `start`.

        Args:
            link: Its connection.
            profiles: What is configured for its channels.
            template: What a channel gets that nobody configured.
        """
        self.links[link.name] = link
        known = [(link, profile) for profile in profiles]
        self._profiles += known
        self.templates[link.name] = template or (known[0][1] if known else ChannelProfile(name=""))

    async def start(self) -> None:
        """Open the store, take up what it holds, and begin to handle events.

        Raises:
            StoreError: The store cannot be opened.
        """
        snapshot = await self.store.open()
        self._next_line_id = snapshot.next_outbox_id
        self.settings.take(snapshot.settings)
        self.ignores.take(snapshot.settings)
        joined = joined_channels.stored(snapshot.settings, self.links)
        profiles = [*self._profiles, *joined_channels.more_profiles(self, joined)]
        stored = Stored(snapshot)
        for link, profile in profiles:
            stored.taken[link.name].add(exact_key(profile.name))
        for link, profile in profiles:
            self._add_channel(link, profile, stored)
        joined_channels.apply(self, joined)
        self._load_lines(snapshot.outgoing)
        for link in self.links.values():
            self.consoles[link.name] = Channel(
                self, link, joined_channels.console_profile(self, link), ""
            )
        self._tasks += [asyncio.create_task(channel.run()) for channel in self.every_channel()]
        self.wall_clock.begin()

    def _add_channel(self, link: Link, profile: ChannelProfile, stored: Stored) -> None:
        key = first_key(link, profile.name, stored.keys[link.name], stored.taken[link.name])
        stored.taken[link.name].add(exact_key(key))
        channel = self.channels[link.name, key] = Channel(self, link, profile, key)
        for row in stored.rows[link.name, key]:
            channel.load(row)

    def _load_lines(self, lines: Iterable[OutLine]) -> None:
        for line in lines:
            channel = self.channels.get((line.network, line.channel))
            if channel is None:
                self.store.mark_sent([line.id])
            else:
                channel.load_line(line)

    async def stop(self) -> None:
        """End every task and close the store; what was handled is durable."""
        await self._cancel_tasks()
        await self.store.close()

    async def _cancel_tasks(self) -> None:
        for _ in range(2):  # a handler that goes on after the first time is left at the second
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks, timeout=HANDLER_GRACE_S)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    # -- events -----------------------------------------------------------------------------

    def feed(self, event: Event) -> None:
        """Take an event from a connection; never blocks and never raises."""
        if isinstance(event, Said):
            self._lines.said(event)
        else:
            self._events.happened(event)

    @property
    def channels(self) -> dict[tuple[str, str], Channel]:
        """(network, folded name) -> channel."""
        return self.channel_map.channels

    @property
    def consoles(self) -> dict[str, Channel]:
        """Network -> its console."""
        return self.channel_map.consoles

    def channel(self, network: str, name: str) -> Channel | None:
        """Return the channel called *name*, None if the bot should not be there."""
        return self.channel_map.find(self.links[network], name)

    def of_network(self, network: str) -> list[Channel]:
        """List the channels of *network* where the bot should be."""
        return self.channel_map.of_network(network)

    def every_channel(self) -> list[Channel]:
        """List every channel, consoles and those that the bot was told to leave too."""
        return self.channel_map.every()

    def happened(self, channel: Channel, plugin: str, event: object) -> None:
        """Pass on a public event of a game."""
        self.on_event(channel, plugin, event)

    def configured(self, place: joined_channels.Place) -> bool:
        """Whether the configuration has a channel."""
        return any(
            link.name == place.network and link.fold(profile.name) == link.fold(place.name)
            for link, profile in self._profiles
        )

    # -- settings and plugins that change ---------------------------------------------------

    def profile_of(
        self,
        link: Link,
        base: ChannelProfile,
        *,
        settings: SettingsBook | None = None,
        registries: Mapping[str, Registry] | None = None,
        keep: str | None = None,
    ) -> ChannelProfile:
        """Lay the settings given over IRC upon a channel's configuration.

        Args:
            link: Its network.
            base: What is configured.
            settings: Other settings than the present ones, to try them.
            registries: Other plugins than the present ones, to try them.
            keep: A plugin that stays enabled whatever is set.
        """
        layers = (settings or self.settings).layers(link, base.name)
        profile, faults = effective(base, layers, registries or self.registries, keep)
        for fault in map(str, faults):
            if settings is None and fault not in self._reported:
                log.warning("stored_setting_ignored", why=fault)
                self._reported.add(fault)
        return evolve(profile, plugins=base.plugins) if not base.name else profile

    def settings_given(self, rows: Sequence[SettingRow], giver: Channel) -> None:
        """Take up stored settings; *giver* takes them over by itself."""
        self.settings.take(rows)
        self.ignores.take(rows)
        for channel in self.every_channel():
            if channel is not giver and any(
                concerns(row, channel.link, channel.name) for row in rows
            ):
                channel.put(Refreshed())

    def replace_plugin(self, name: str, registry: Registry) -> None:
        """Let every channel take over *registry* before its next input."""
        if old := self.registries.get(name):
            self._retired.append(old)
        self.registries[name] = registry
        self.disabled.discard(name)
        for channel in self.every_channel():
            channel.put(Refreshed())

    def retire(self) -> None:
        """Close replaced plugins that no channel holds any more."""
        for registry in list(self._retired):
            if not any(channel.holds(registry) for channel in self.every_channel()):
                registry.close()
                self._retired.remove(registry)

    def open_channel(self, link: Link, name: str, key: str) -> None:
        """Go into a channel and stay there."""
        folded = link.fold(name)
        channel = self.channels.get((link.name, folded))
        if channel is None:
            base = evolve(self.templates[link.name], name=name)
            channel = self.channels[link.name, folded] = Channel(self, link, base, folded)
            self._tasks.append(asyncio.create_task(channel.run()))
        channel.left = False
        link.command("JOIN", name, *([key] if key else []))

    def close_channel(self, channel: Channel, reason: str) -> None:
        """Leave a channel and stay away; what is played there waits."""
        channel.put(ChannelDown(channel.link.name, channel.name, reason))
        channel.left = True
        channel.link.command("PART", channel.name, reason)

    # -- numbers and quiet ------------------------------------------------------------------

    def entropy(self) -> bytes:
        """Return 32 secret bytes."""
        return self._entropy()

    def new_line_id(self) -> int:
        """Return the next outbox number."""
        self._next_line_id += 1
        return self._next_line_id - 1

    def new_game_id(self) -> str:
        """Return an identity for a new game."""
        return self.entropy()[:12].hex()

    def busy(self, change: int) -> None:
        """Count inputs that wait or are being handled."""
        self._pending += change
        if self._pending:
            self._idle.clear()
        else:
            self._idle.set()

    async def settle(self) -> None:
        """Wait until every input is handled."""
        await self._idle.wait()

    def _timers(self) -> list[Timers]:
        return [channel.timers for channel in self.channels.values()]

    def games_running(self) -> int:
        """Count running games, for overviews."""
        return sum(
            table.phase is Phase.PLAYING
            for channel in self.channels.values()
            for table in channel.tables.values()
        )
