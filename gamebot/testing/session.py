"""A bot with everything real but the network: dispatcher, plugins, store; time is virtual."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import define, evolve, field, frozen

from gamebot.bot.bot import Bot
from gamebot.channel.channel import Channel
from gamebot.channel.inputs import Fix
from gamebot.clock import VirtualClock
from gamebot.config.grants import Grants
from gamebot.config.limits import Limits
from gamebot.config.profile import ChannelProfile
from gamebot.irc.formatting import strip_formatting
from gamebot.plugin.loading import PluginSource
from gamebot.plugin.registry import Registry
from gamebot.ports import OutLine, Transaction
from gamebot.store.sqlite import SqliteStore
from gamebot.table.table import Fixed, Phase
from gamebot.testing.fakelink import FakeLink


@frozen
class Heard:
    """A line of the bot.

    Attributes:
        at: Virtual seconds since the session began.
        network: Network name.
        to: Channel or nick.
        kind: "privmsg" or "notice".
        text: As sent, formatting codes included.
    """

    at: float
    network: str
    to: str
    kind: str
    text: str

    @property
    def plain(self) -> str:
        """The text without formatting codes."""
        return strip_formatting(self.text)


EventListener = Callable[[Channel, str, object], None]


@define(eq=False)
class Session:
    """Networks, channels and people in one process, with a bot among them.

    Attributes:
        registries: The loaded plugins.
        seed: Decides every deal and every die that is not fixed.
        grants: Network -> who has rights there; given before `start`.
        sources: Where reloaded plugins come from.
        template: What channels get that nobody configured; as the first one if not given.
        on_heard: Called for each line of the bot.
        on_event: Called with (channel, plugin, event) for each public event of an engine.
    """

    registries: dict[str, Registry]
    seed: str = "0"
    on_heard: Callable[[Heard], None] = lambda _line: None
    on_event: EventListener = lambda _channel, _plugin, _event: None
    grants: dict[str, Grants] = field(factory=dict)
    sources: Mapping[str, PluginSource] = field(factory=dict)
    template: ChannelProfile | None = None
    clock: VirtualClock = field(factory=VirtualClock)
    heard: list[Heard] = field(factory=list)
    links: dict[str, FakeLink] = field(factory=dict)
    _profiles: list[tuple[str, ChannelProfile]] = field(factory=list)
    _folder: Path = field(init=False)
    _bot: Bot | None = None
    _draws: count[int] = field(factory=count)
    _runs: count[int] = field(factory=count)

    # -- set-up -----------------------------------------------------------------------------

    def add_network(self, name: str, casemapping: str = "rfc1459") -> FakeLink:
        """Add a network, before `start`."""
        link = FakeLink(name, casemapping, self._feed, self._hear)
        self.links[name] = link
        return link

    def add_channel(self, network: str, profile: ChannelProfile) -> None:
        """Add a channel, before `start`."""
        self._profiles.append((network, profile))
        self.links[network].room(profile.name)

    async def start(self) -> None:
        """Start the bot and let it join its channels."""
        self._folder = Path(tempfile.mkdtemp(prefix="gamebot-"))
        await self._start_bot(self._folder / f"{next(self._runs)}.sqlite3")

    async def _start_bot(self, database: Path) -> None:
        bot = Bot(
            store=SqliteStore(database, synchronous="NORMAL"),
            clock=self.clock,
            registries=self.registries,
            grants=self.grants,
            entropy=self._entropy,
            limits=Limits(burst=0),
        )
        bot.on_event = self.on_event
        bot.sources = self.sources
        for link in self.links.values():
            profiles = [p for network, p in self._profiles if network == link.name]
            bot.add_network(link, profiles, self.template)
        await bot.start()
        self._bot = bot
        for link in self.links.values():
            link.connect()
        await self.settle()

    async def stop(self) -> None:
        """Stop the bot and remove its database."""
        if self._bot is not None:
            await self._bot.stop()
            self._bot = None
        shutil.rmtree(self._folder, ignore_errors=True)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    @property
    def bot(self) -> Bot:
        """The running bot."""
        assert self._bot is not None, "the session is not started"  # noqa: S101  a misuse of the test kit
        return self._bot

    def _entropy(self) -> bytes:
        return hashlib.sha256(f"{self.seed}:{next(self._draws)}".encode()).digest()

    def _feed(self, event: Any) -> None:  # noqa: ANN401  one of events.py's
        if self._bot is not None:
            self._bot.feed(event)

    def _hear(self, line: OutLine) -> None:
        heard = Heard(
            self.clock.monotonic(), line.network, line.target, line.verb.lower(), line.text
        )
        self.heard.append(heard)
        self.on_heard(heard)

    # -- what happens -----------------------------------------------------------------------

    def link(self, network: str = "") -> FakeLink:
        """Return a network, the first one by default."""
        return self.links[network] if network else next(iter(self.links.values()))

    async def settle(self) -> None:
        """Wait until the bot has handled everything."""
        await self.bot.settle()

    async def pass_time(self, seconds: float) -> None:
        """Let virtual time pass; timers fire in order."""
        await self.clock.advance(seconds, self.settle)

    async def restart(self) -> None:
        """Kill the bot as `kill -9` does and start it on the same database file.

        The file is copied before the old bot can close it, so nothing that a clean end would
        still write is there.
        """
        killed, self._bot = self.bot, None
        number = next(self._runs)
        await killed.store.commit(Transaction())  # what was sent is known to be sent
        old = self._folder / f"{number - 1}.sqlite3"
        new = self._folder / f"{number}.sqlite3"
        _copy_database(old, new)
        await killed.stop()
        for link in self.links.values():
            link.forget_waiting()
            link.connected = False
            for room in link.rooms.values():
                room.bot_inside = False
        await self._start_bot(new)
        for name, channel in killed.channels.items():
            if name in self.bot.channels:  # what a transcript fixed is not the bot's to forget
                self.bot.channels[name].fixed = channel.fixed

    # -- what there is ----------------------------------------------------------------------

    def channel(self, name: str, network: str = "") -> Channel:
        """Return the bot's side of a channel.

        Raises:
            KeyError: It has none of that name.
        """
        link = self.link(network)
        return self.bot.channels[link.name, link.fold(name)]

    def fix(self, name: str, network: str = "", **what: Any) -> None:  # noqa: ANN401  fields of Fixed
        """Fix starter, dice, hands or deck of the channel's next game.

        Dice given while a game runs are thrown next in it.
        """
        channel = self.channel(name, network)
        running = [p for p, table in channel.tables.items() if table.phase is Phase.PLAYING]
        if running and set(what) == {"dice"}:
            channel.put(Fix(running[0], Fixed(**what)))
            return
        channel.fixed = evolve(channel.fixed, **what)

    def fixed(self, name: str, network: str = "") -> Fixed:
        """Return what is fixed for the channel's next game."""
        return self.channel(name, network).fixed

    def lines(self, to: str, network: str = "") -> Sequence[str]:
        """Return every line that went to *to*, without formatting codes."""
        link = self.link(network)
        key = link.fold(to)
        return [h.plain for h in self.heard if h.network == link.name and link.fold(h.to) == key]


def _copy_database(old: Path, new: Path) -> None:
    for suffix in ("", "-wal"):
        source = Path(f"{old}{suffix}")
        if source.exists():
            shutil.copyfile(source, f"{new}{suffix}")
