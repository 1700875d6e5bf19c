"""Fixtures: the scripted server, and bots that talk to it."""

import pytest

from .scripted import Bot, ScriptedServer


@pytest.fixture
async def server():
    server = ScriptedServer()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
async def start(server):
    """Start bots on the scripted server; they are closed at the end."""
    bots = []

    def start(**options):
        bots.append(Bot(options.pop("port", server.port), **options))
        return bots[-1]

    yield start
    for writer in server.writers:
        writer.close()  # so that nobody waits for the answer to a QUIT
    for bot in bots:
        await bot.stop()
