"""Fixtures for plugin authors; found by pytest through the entry point group `pytest11`.

Nothing of gamebot is imported before a fixture is used.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from gamebot.testing.room import Room

OpenRoom = Callable[..., Awaitable["Room"]]


@pytest_asyncio.fixture
async def open_room(request: pytest.FixtureRequest) -> AsyncIterator[OpenRoom]:
    """Give a function that opens channels with a plugin in them.

    Use it as `room = await open_room("tea.py")`.

    A relative path starts from the folder of the test. Every room is closed after the test; the
    arguments are those of `gamebot.testing.room.open_room`.
    """
    from gamebot.testing import room as rooms

    opened: list[Room] = []

    async def open_one(plugin: Any, **options: Any) -> Room:  # noqa: ANN401  as open_room's
        if isinstance(plugin, str | Path):
            plugin = request.path.parent / plugin
        opened.append(await rooms.open_room(plugin, **options))
        return opened[-1]

    yield open_one
    for room in opened:
        await room.session.stop()


@pytest.fixture
def run_transcript() -> Callable[..., Awaitable[Any]]:
    """Run a transcript's text with the installed plugins, or with a drop-in folder's too.

    `run = await run_transcript(text, folders=[...])`; the first expectation that fails raises
    `ExpectationError`, an `AssertionError`. `run.records` is what happened.
    """
    from gamebot.plugin.loading import load_plugins
    from gamebot.testing.transcript import Run

    async def run_one(text: str, folders: Any = ()) -> Run:  # noqa: ANN401  any sequence of paths
        run = Run(load_plugins(folders).registries)
        await run.run(text)
        return run

    return run_one
