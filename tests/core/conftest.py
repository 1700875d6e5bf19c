"""A bot with everything it comes with, in a house of its own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import structlog
from house import CHANNEL, GRANTS, House

from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.testing.session import Session


@pytest.fixture(autouse=True)
def _plain_logs() -> None:
    """Forget how a command line of another test set up the logs."""
    structlog.reset_defaults()


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
