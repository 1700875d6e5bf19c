"""A bot with everything it comes with, in a house of its own, or with plugins made on the spot."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from house import CHANNEL, GRANTS, House

from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.errors import StoreError
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.registry import Registry
from gamebot.ports import Store, Transaction
from gamebot.testing.session import Session

OpenHouse = Callable[..., Awaitable[House]]


@pytest.fixture
async def open_house(tmp_path) -> AsyncIterator[OpenHouse]:
    """Give a function that starts a bot with Kniffel in `#dice`."""
    opened: list[Session] = []

    async def open_one(
        *,
        plugins=("kniffel",),
        channels=(CHANNEL,),
        accounts: bool = True,
        folders=(),
        grants=GRANTS,
        **profile,
    ) -> House:
        loaded = load_plugins(folders)
        session = Session(loaded.registries, sources=loaded.sources, grants={"net": grants})
        session.add_network("net").has_accounts = accounts
        always = [name for name in ALWAYS_ENABLED if name in loaded.registries]
        for name in channels:
            session.add_channel(
                "net", ChannelProfile(name=name, plugins=(*plugins, *always), **profile)
            )
        opened.append(session)
        await session.start()
        return House(session)

    modules = {name: module for name, module in sys.modules.items() if _is_plugin(name)}
    yield open_one
    for session in opened:
        await session.stop()
    # A reload leaves new modules behind, and other tests have imported from the old ones.
    for name in [name for name in sys.modules if _is_plugin(name)]:
        del sys.modules[name]
    sys.modules.update(modules)


def _is_plugin(name: str) -> bool:
    return name.startswith(("gamebot_", "gamebot.bundled"))


@pytest.fixture
async def house(open_house) -> House:
    """A bot with Kniffel in `#dice`."""
    return await open_house()


@pytest.fixture
async def ops(house: House) -> House:
    house.link.op("oskar", CHANNEL)
    house.link.account("olga", "olga_account")
    house.link.account("adam", "adam_account")
    return house


# -- a bot with plugins made on the spot, and a store that can be told to fail --------------

Opened = Callable[..., Awaitable[Session]]


@pytest.fixture
async def opened() -> AsyncIterator[Opened]:
    """Start a session in which the given plugins are on in one channel, `#k` on network `n`."""
    async with AsyncExitStack() as stack:

        async def start(*registries: Registry, settings: Any = None, **profile: Any) -> Session:
            plugins = tuple(registry.plugin for registry in registries)
            session = Session({registry.plugin: registry for registry in registries})
            session.add_network("n")
            chosen = {r.plugin: r.settings() for r in registries if r.settings is not None}
            profile = {"name": "#k", "plugins": plugins, **profile}
            session.add_channel(
                "n", ChannelProfile(settings={**chosen, **(settings or {})}, **profile)
            )
            await stack.enter_async_context(session)
            return session

        yield start


class FlakyStore:
    """A store in front of the real one.

    Attributes:
        failing: Whether every transaction is refused.
        order: "commit" for each transaction; whoever uses it may add to it.
    """

    def __init__(self, inner: Store) -> None:
        self.inner, self.failing = inner, False
        self.order: list[str] = []
        self.transactions: list[Transaction] = []
        self.sent: list[int] = []

    async def commit(self, transaction: Transaction) -> None:
        if self.failing:
            raise StoreError("the disk is full")
        await self.inner.commit(transaction)
        if transaction != Transaction():
            self.transactions.append(transaction)
            self.order.append("commit")

    def mark_sent(self, ids: Iterable[int]) -> None:
        ids = list(ids)
        self.sent += ids
        self.inner.mark_sent(ids)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@pytest.fixture
def flaky() -> Callable[[Session], FlakyStore]:
    """Put a `FlakyStore` in front of a session's store."""

    def put(session: Session) -> FlakyStore:
        store = FlakyStore(session.bot.store)
        session.bot.store = store
        return store

    return put


@pytest.fixture
def said() -> Callable[..., Awaitable[list[str]]]:
    """Let somebody speak and return what the bot said since, in the channel or privately."""

    async def speak(session: Session, nick: str, text: str, *, query: bool = False) -> list[str]:
        before = len(session.heard)
        session.link().say(nick, text, None if query else "#k")
        await session.settle()
        return [f"{line.to}: {line.plain}" for line in session.heard[before:]]

    return speak


@pytest.fixture
def kniffel() -> Registry:
    return load_plugins().registries["kniffel"]
