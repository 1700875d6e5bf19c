"""The stage of `gamebot demo`: an embedded server, a bot on it, and somebody to play with."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import define, field

from gamebot.bot.bot import Bot
from gamebot.clock import RealClock
from gamebot.config import structure_settings
from gamebot.config.limits import Limits
from gamebot.config.profile import ChannelProfile
from gamebot.irc.formatting import strip_formatting
from gamebot.irc.network import Network
from gamebot.irc.options import NetworkOptions, ServerAddress
from gamebot.plugin.loading import load_plugins
from gamebot.store.sqlite import SqliteStore
from gamebot.table.table import Phase
from gamebot.testing.client import IrcClient
from gamebot.testing.server import IrcServer

CHANNEL = "#kniffel"
GAME = "kniffel"
LOOK_S = 0.02
"""How often the channel is looked at, seconds."""

WAIT_S = 60.0
"""The longest wait for anything in a game between bot players, seconds."""


@define(kw_only=True, eq=False)
class Demo:
    """An embedded server with the bot in its channel.

    Attributes:
        seed: Decides the dice.
        language: Language of the channel.
        port: Port to listen on, 0 for a free one.
        settings: The game's settings.
    """

    seed: str
    language: str = "en"
    port: int = 0
    settings: dict[str, Any] = field(factory=lambda: {"bot_delay_s": 1.0, "confirm": True})
    server: IrcServer = field(init=False)
    bot: Bot = field(init=False)
    network: Network = field(init=False)
    _folder: Path = field(init=False)
    _link: asyncio.Task[None] = field(init=False)
    _draws: count[int] = field(factory=count)

    async def __aenter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="gamebot-demo-"))
        self.server = IrcServer(name="demo", port=self.port)
        await self.server.start()
        registries = load_plugins().registries
        self.bot = Bot(
            store=SqliteStore(self._folder / "demo.sqlite3", "NORMAL"),
            clock=RealClock(),
            registries=registries,
            entropy=self._entropy,
            limits=Limits(burst=0),
        )
        profile = ChannelProfile(
            name=CHANNEL,
            language=self.language,
            plugins=(GAME, "help"),
            settings={GAME: structure_settings(registries[GAME].settings or dict, self.settings)},
        )
        self.network = Network(self._options(), self.bot.feed, self.bot.clock)
        self.bot.add_network(self.network, [profile])
        await self.bot.start()
        self._link = asyncio.create_task(self.bot.links["demo"].run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.bot.links["demo"].close("the demonstration is over")
        self._link.cancel()
        await asyncio.gather(self._link, return_exceptions=True)
        await self.bot.stop()
        await self.server.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _options(self) -> NetworkOptions:
        """Describe the server; it is ours, so lines need not wait."""
        return NetworkOptions(
            name="demo",
            servers=(ServerAddress(host="127.0.0.1", port=self.server.port, tls=False),),
            nick="bot",
            channels=((CHANNEL, ""),),
            flood_burst=100,
            flood_rate=1000.0,
        )

    def _entropy(self) -> bytes:
        return hashlib.sha256(f"{self.seed}:{next(self._draws)}".encode()).digest()

    def client(self, nick: str) -> IrcClient:
        """Return somebody who can connect to the server."""
        return IrcClient(nick, port=self.server.port)

    async def all_sent(self) -> None:
        """Wait until the bot has handled everything and its last line has left."""
        await self.bot.settle()
        while self.network.backlog:  # noqa: ASYNC110  the outbox tells nobody when it is empty
            await asyncio.sleep(LOOK_S)

    async def bot_is_in(self) -> None:
        """Wait until the bot is in the channel."""
        await self.server.wait_until(lambda: "bot" in self.server.channel(CHANNEL))
        await self.bot.settle()


async def play_alone(stage: Demo, show: Callable[[str], None]) -> dict[str, Any]:
    """Let two bot players play one game and return its result.

    Args:
        stage: Where.
        show: Takes each line of the channel.
    """
    stage.settings = {"bot_delay_s": 0.0, "bots_alone": True}
    async with stage, stage.client("host") as host:
        await host.join(CHANNEL)
        await stage.bot_is_in()
        done = asyncio.Event()
        printing = asyncio.create_task(_show_channel(host, show, done))
        prefix = stage.bot.channels["demo", CHANNEL].prefix
        for line in ("addbot", "addbot", "start"):
            show(f"<{host.nick}> {prefix}{line}")
            host.say(CHANNEL, f"{prefix}{line}")
        await asyncio.wait_for(_game_over(stage), WAIT_S)
        await stage.all_sent()
        await host.sync()
        done.set()
        await asyncio.wait_for(printing, WAIT_S)
        view = stage.bot.channels["demo", CHANNEL].view(GAME)
    return {
        "game": GAME,
        "winner": view["winner"],
        "total": view["total"],
        "rounds": view["round"],
    }


async def _game_over(stage: Demo) -> None:
    channel = stage.bot.channels["demo", CHANNEL]
    over = asyncio.Event()
    stage.bot.on_event = lambda *_: over.set()
    while not (GAME in channel.tables and channel.tables[GAME].phase is Phase.OVER):
        await over.wait()
        over.clear()
        await stage.bot.settle()


async def _show_channel(
    client: IrcClient, show: Callable[[str], None], done: asyncio.Event
) -> None:
    """Show the channel's lines as they come, the last ones after *done*."""
    shown = 0
    while True:
        is_last = done.is_set()
        for message in client.messages[shown:]:
            shown += 1
            if message.command == "PRIVMSG":
                show(f"<{message.nick}> {strip_formatting(message.text)}")
        if is_last:
            return
        await asyncio.sleep(LOOK_S)
