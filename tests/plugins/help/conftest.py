"""Help and Kniffel in one channel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import cache

import pytest
from attrs import define

from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.registry import Registry
from gamebot.testing.session import Session
from gamebot.testing.transcript import text_settings

CHANNEL = "#k"


@cache
def registries() -> Mapping[str, Registry]:
    return load_plugins().registries


@define(eq=False)
class Asked:
    """A channel in which people ask for help; `says` and `asks` return what they are told."""

    session: Session

    async def says(self, nick: str, *lines: str, query: bool = False) -> list[str]:
        heard = self.session.heard
        for line in lines:
            since = len(heard)
            self.session.link().say(nick, line, None if query else CHANNEL)
            await self.session.settle()
        return [line.plain for line in heard[since:] if line.to.lower() == nick.lower()]

    async def asks(self, nick: str, *lines: str) -> list[str]:
        return await self.says(nick, *lines, query=True)

    def join(self, *nicks: str) -> None:
        for nick in nicks:
            self.session.link().join(nick, CHANNEL)


Open = Callable[..., Awaitable[Asked]]


@pytest.fixture
async def open_channel() -> AsyncIterator[Open]:
    sessions: list[Session] = []

    async def open_one(
        *plugins: str, language: str = "en", prefix: str | None = None, more: str = "", **settings
    ) -> Asked:
        known = registries()
        names = (*(plugins or ("kniffel",)), *ALWAYS_ENABLED)
        session = Session(known)
        session.add_network("net")
        for name in filter(None, (CHANNEL, more)):
            session.add_channel(
                "net",
                ChannelProfile(
                    name=name,
                    language=language,
                    prefix=prefix,
                    plugins=names,
                    settings=text_settings([known[n] for n in plugins or ("kniffel",)], settings),
                ),
            )
        await session.start()
        sessions.append(session)
        return Asked(session)

    yield open_one
    for session in sessions:
        await session.stop()
