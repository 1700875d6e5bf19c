"""The bot: networks, channels, and the way from an event to the task that handles it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping
from random import Random

import structlog

from gamebot.channel import Channel, Rekeyed, Spoken
from gamebot.errors import PluginError, StoreError
from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Event,
    Joined,
    Left,
    LinkUp,
    NickChanged,
    Person,
    Said,
)
from gamebot.ports import (
    Clock,
    GameRow,
    Link,
    OutLine,
    Snapshot,
    StateRow,
    Store,
    TimerRow,
    Transaction,
)
from gamebot.profile import ChannelProfile
from gamebot.registry import Registry
from gamebot.rights import Grants, RightsBook
from gamebot.table import Phase
from gamebot.throttle import Limits, Throttle, Verdict
from gamebot.watchdog import Watchdog

log = structlog.get_logger()

WALL_CHECK_S = 15.0
"""How often the wall clock is compared with the monotonic one."""

WALL_TOLERANCE_S = 1.0


class Bot:
    """Everything that one process runs.

    Args:
        store: Durable memory; opened by `start`.
        clock: Time.
        registries: The loaded plugins.
        grants: Network -> who has rights there.
        entropy: Source of secret seeds, 32 bytes each.
        limits: Bounds on commands.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        registries: Mapping[str, Registry],
        grants: Mapping[str, Grants] | None = None,
        entropy: Callable[[], bytes] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.store, self.clock, self.registries = store, clock, registries
        self.rights = RightsBook(grants or {})
        self.entropy = entropy or (lambda: secrets.token_bytes(32))
        self.chance = Random(self.entropy())  # noqa: S311  dice of small plugins; games have their own chance
        self.links: dict[str, Link] = {}
        self.channels: dict[tuple[str, str], Channel] = {}
        self.disabled: set[str] = set()
        self.watchdog = Watchdog(self.disabled.add)
        self.queue_limit = 500
        self.on_event: Callable[[Channel, str, object], None] = lambda _c, _p, _e: None
        self.dropped = 0
        self._profiles: list[tuple[Link, ChannelProfile]] = []
        self._throttle = Throttle(limits or Limits())
        self._tasks: list[asyncio.Task[None]] = []
        self._pending = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._next_line_id = 1
        self._wall_offset = 0.0

    # -- assembly ---------------------------------------------------------------------------

    def add_network(self, link: Link, profiles: Iterable[ChannelProfile]) -> None:
        """Add a network with its channels, before `start`."""
        self.links[link.name] = link
        self._profiles += [(link, profile) for profile in profiles]

    async def start(self) -> None:
        """Open the store, take up what it holds, and begin to handle events.

        Raises:
            StoreError: The store cannot be opened.
        """
        snapshot = await self.store.open()
        self._next_line_id = snapshot.next_outbox_id
        for link, profile in self._profiles:
            self._add_channel(link, profile, snapshot)
        self._load_lines(snapshot.outgoing)
        self._tasks += [asyncio.create_task(channel.run()) for channel in self.channels.values()]
        self._wall_offset = self.clock.now() - self.clock.monotonic()

    def _add_channel(self, link: Link, profile: ChannelProfile, snapshot: Snapshot) -> None:
        folded = link.fold(profile.name)
        rows: list[GameRow | StateRow | TimerRow] = list(snapshot.games)
        rows += [*snapshot.states, *snapshot.timers]
        stored = [
            row.channel
            for row in rows
            if row.network == link.name and link.fold(row.channel) == folded
        ]
        key = stored[0] if stored else folded
        channel = self._make_channel(link, profile, key)
        for game in snapshot.games:
            if (game.network, game.channel) == (link.name, key):
                channel.load_game(game)
        for state in snapshot.states:
            if (state.network, state.channel) == (link.name, key):
                channel.memory.load_value(state)
        for timer in snapshot.timers:
            if (timer.network, timer.channel) == (link.name, key):
                channel.load_timer(timer)
        self.channels[link.name, key] = channel

    def _make_channel(self, link: Link, profile: ChannelProfile, key: str) -> Channel:
        """Make the channel; of two plugins that clash the later one is left out and named."""
        from attrs import evolve

        names: list[str] = []
        channel = Channel(self, link, evolve(profile, plugins=()), key)
        for name in profile.plugins:
            try:
                channel = Channel(self, link, evolve(profile, plugins=(*names, name)), key)
            except PluginError as error:
                log.error(  # noqa: TRY400  the message says it all
                    "plugin_clash", plugin=name, channel=profile.name, why=str(error)
                )
            else:
                names.append(name)
        return channel

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
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    # -- events -----------------------------------------------------------------------------

    def feed(self, event: Event) -> None:
        """Take an event from a connection; never blocks and never raises."""
        if isinstance(event, Said):
            self._said(event)
        elif isinstance(event, Joined | Left):
            channel = self._channel(event.person.network, event.channel)
            if channel is not None and channel.wants(event):
                channel.put(event)
            if isinstance(event, Left):
                self._lost_sight(event.person)
        elif isinstance(event, ChannelUp | ChannelDown):
            channel = self._channel(event.network, event.channel)
            if channel is not None:
                channel.put(event)
        elif isinstance(event, NickChanged | AccountChanged):
            self._person_changed(event)
        else:
            if isinstance(event, LinkUp):
                self._rekey(event.network)
            else:
                self.rights.link_down(event.network)
            self._broadcast(event.network, event)

    def _channel(self, network: str, name: str) -> Channel | None:
        return self.channels.get((network, self.links[network].fold(name)))

    def _broadcast(self, network: str, event: Event) -> None:
        for channel in self.of_network(network):
            channel.put(event)

    def of_network(self, network: str) -> list[Channel]:
        """List the channels of *network*."""
        return [channel for (name, _), channel in self.channels.items() if name == network]

    def _person_changed(self, event: NickChanged | AccountChanged) -> None:
        person = event.person
        fold = self.links[person.network].fold
        if isinstance(event, NickChanged):
            self._throttle.renamed(person.network, fold(person.nick), fold(event.new_nick))
            self.rights.renamed(self.links[person.network], event)
        for channel in self.of_network(person.network):
            if channel.wants(event):
                channel.put(event)

    def _lost_sight(self, person: Person) -> None:
        channels = [channel.name for channel in self.of_network(person.network)]
        self.rights.left(self.links[person.network], person.nick, channels)

    def _rekey(self, network: str) -> None:
        fold = self.links[network].fold
        for (name, key), channel in list(self.channels.items()):
            if name == network and fold(channel.name) != key:
                del self.channels[name, key]
                self.channels[name, fold(channel.name)] = channel
                channel.put(Rekeyed(fold(channel.name)))

    # -- talk -------------------------------------------------------------------------------

    def _said(self, event: Said) -> None:
        person = event.person
        if event.channel is not None:
            channel = self._channel(person.network, event.channel)
            text = event.text
        else:
            channel, text = self._table_of_query(person, event.text)
        if channel is None or not channel.registries:
            return
        in_query = event.channel is None
        if (in_query or channel.hears(text, in_query=in_query)) and self._allowed(channel, person):
            channel.put(Spoken(person, text, in_query))

    def _table_of_query(self, person: Person, text: str) -> tuple[Channel | None, str]:
        """Find the table that a query is for, and the text without the channel's name."""
        link = self.links[person.network]
        words = text.split(" ")
        for index in (1, 0):
            if len(words) > index and link.is_channel(words[index]):
                named = self._channel(person.network, words[index])
                if named is not None:
                    return named, " ".join(words[:index] + words[index + 1 :])
        mine = [c for c in self.of_network(person.network) if c.seats(person)]
        if not mine:
            nick = link.fold(person.nick)
            mine = [
                c
                for c in self.of_network(person.network)
                if any(link.fold(member.nick) == nick for member in link.members(c.name))
            ]
        if len(mine) > 1:
            self._ask_for_channel(person, mine)
        return (mine[0] if len(mine) == 1 else None), text

    def _ask_for_channel(self, person: Person, channels: list[Channel]) -> None:
        channel = channels[0]
        if not channel.registries or not self._allowed(channel, person):
            return
        translator = next(iter(channel.registries.values()))
        text = channel.translator(translator).text(
            "Name the channel behind the command: {channels}.",
            channels=", ".join(c.name for c in channels[:8]),
        )
        self._tell(channel, person, text)

    def _tell(self, channel: Channel, person: Person, text: str) -> None:
        channel.link.send(OutLine(person.network, person.nick, text, "NOTICE", channel=channel.key))

    def _allowed(self, channel: Channel, person: Person) -> bool:
        nick = channel.link.fold(person.nick)
        verdict = self._throttle.ask(person.network, nick, self.clock.monotonic())
        if verdict is Verdict.TELL:
            registry = next(iter(channel.registries.values()))
            self._tell(
                channel,
                person,
                channel.translator(registry).text("Too many commands; I ignore you for a minute."),
            )
        return verdict is Verdict.ALLOW

    # -- numbers and quiet ------------------------------------------------------------------

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

    # -- the wall clock ---------------------------------------------------------------------

    async def watch_wall_clock(self) -> None:
        """Move stored deadlines when the wall clock jumps; runs until cancelled."""
        while True:
            await self.clock.sleep(WALL_CHECK_S)
            await self.check_wall_clock()

    async def check_wall_clock(self) -> None:
        """Compare the clocks once and rewrite the deadlines after a jump."""
        offset = self.clock.now() - self.clock.monotonic()
        jump = offset - self._wall_offset
        if abs(jump) < WALL_TOLERANCE_S:
            return
        self._wall_offset = offset
        log.warning("wall_clock_jumped", seconds=round(jump, 1))
        rows = [row for channel in self.channels.values() for row in channel.timers.corrected()]
        if rows:
            try:
                await self.store.commit(Transaction(timers=tuple(rows)))
            except StoreError as error:
                log.error("deadlines_not_stored", error=str(error))  # noqa: TRY400  the message says it all

    def games_running(self) -> int:
        """Count running games, for overviews."""
        return sum(
            table.phase is Phase.PLAYING
            for channel in self.channels.values()
            for table in channel.tables.values()
        )
