"""A server that says what a test tells it to say, and a network that talks to it."""

import asyncio
from random import Random

from gamebot.clock import RealClock
from gamebot.irc import Network, NetworkOptions, ServerAddress

PATIENCE_S = 5.0


class Session:
    """One connection of the bot, as the server sees it."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    def send(self, *lines):
        for line in lines:
            self.writer.write((line.encode() if isinstance(line, str) else line) + b"\r\n")

    async def line(self):
        async with asyncio.timeout(PATIENCE_S):
            return (await self.reader.readline()).decode().rstrip("\r\n")

    async def expect(self, start):
        """Read up to the first line that begins with *start*."""
        while True:
            line = await self.line()
            assert line, f"the bot left before it said {start}"
            if line.startswith(start):
                return line

    async def ended(self):
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.read()

    async def register(self, *, caps="", isupport="CASEMAPPING=rfc1459", nick=""):
        """Let the bot in."""
        await self.expect("CAP LS")
        self.send(f":srv CAP * LS :{caps}")
        if caps:
            asked = await self.expect("CAP REQ")
            self.send(f":srv CAP * ACK :{asked.partition(':')[2] or asked.split(' ')[2]}")
        await self.expect("CAP END")
        nick = nick or "bot"
        self.send(
            f":srv 001 {nick} :Welcome",
            f":srv 005 {nick} {isupport} :are supported by this server",
            f":srv 422 {nick} :No MOTD",
        )

    async def answer_joins(self, nick="bot", names=""):
        """Answer one JOIN line."""
        channels = (await self.expect("JOIN")).split(" ")[1].split(",")
        for channel in channels:
            self.send(
                f":{nick}!gamebot@bot.host JOIN {channel}",
                f":srv 353 {nick} = {channel} :@{nick} {names}",
                f":srv 366 {nick} {channel} :End of /NAMES list.",
            )
        return channels

    def close(self):
        self.writer.close()


class ScriptedServer:
    """Listens on the loopback address; each connection waits to be taken by the test."""

    def __init__(self):
        self.sessions = asyncio.Queue()
        self.writers = []

    async def start(self, **options):
        self.server = await asyncio.start_server(self._accept, "127.0.0.1", 0, **options)
        self.port = self.server.sockets[0].getsockname()[1]

    def _accept(self, reader, writer):
        self.writers.append(writer)
        self.sessions.put_nowait(Session(reader, writer))

    async def session(self):
        async with asyncio.timeout(PATIENCE_S):
            return await self.sessions.get()

    async def stop(self):
        self.server.close()
        for writer in self.writers:
            writer.close()
        await asyncio.gather(
            *(writer.wait_closed() for writer in self.writers), return_exceptions=True
        )


class Bot:
    """A network and its events."""

    def __init__(self, port, clock=None, **options):
        settings = {
            "name": "net",
            "nick": "bot",
            "servers": (ServerAddress(host="127.0.0.1", port=port, tls=False),),
            "channels": (("#uno", ""),),
            **options,
        }
        self.queue = asyncio.Queue()
        self.network = Network(
            NetworkOptions(**settings), self.queue.put_nowait, clock or RealClock(), Random(1)
        )
        self.task = asyncio.create_task(self.network.run())

    async def event(self, kind):
        """Wait for the next event and check its type."""
        async with asyncio.timeout(PATIENCE_S):
            event = await self.queue.get()
        assert isinstance(event, kind), event
        return event

    async def stop(self):
        await self.network.close("end of test")
        await asyncio.wait_for(self.task, PATIENCE_S)
