"""The life of the server: its port, its connections, its pings, and who waits for something."""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from itertools import islice
from types import TracebackType
from typing import Self

from attrs import Factory, define, field, frozen

from gamebot.ports import TimerHandle
from gamebot.testing.ircd import registration
from gamebot.testing.ircd.connection import Connection
from gamebot.testing.ircd.dispatch import dispatch
from gamebot.testing.ircd.settings import ServerSettings
from gamebot.testing.ircd.wire import Message, parse
from gamebot.testing.ircd.world import Channel, User, World
from gamebot.testing.waiting import Waiters

_BACKLOG = 512
#: Free ports are taken from below the range that the system gives to clients: while the server is
#: down, a client that tries again can then neither take its port nor be connected with itself.
_PORTS = range(20_000, 32_000)
_PORTS_TRIED = 50
_CLOSE_TIMEOUT_S = 0.5
_REMEMBERED_LINES = 20_000


@frozen
class Received:
    """A line that a client sent; *nick* is "*" while it has none."""

    nick: str
    line: str


def _new_world(host: Host) -> World:
    return World(host, touch=host.touch)


@define(eq=False, kw_only=True)
class Host(ServerSettings):
    """What `IrcServer` is built on: it listens, and keeps the connections.

    Attributes:
        received: The latest lines of all clients, in order.
        received_count: How many there were in all.
        attempts: Clock's monotonic time of each TCP connection, refused ones included.
        connections: Open connections, registered or not.
        world: Users and channels; new after each start.
    """

    received_count: int = field(init=False, default=0)
    received: deque[Received] = field(
        init=False, factory=lambda: deque(maxlen=_REMEMBERED_LINES), repr=False
    )
    attempts: list[float] = field(init=False, factory=list, repr=False)
    connections: list[Connection] = field(init=False, factory=list, repr=False)
    world: World = field(init=False, repr=False, default=Factory(_new_world, takes_self=True))
    _listener: asyncio.Server | None = field(init=False, default=None, repr=False)
    _waiters: Waiters = field(init=False, factory=Waiters, repr=False)
    _refusal: tuple[str, ...] | None = field(init=False, default=None, repr=False)
    _touched: bool = field(init=False, default=False, repr=False)
    _mute: bool = field(init=False, default=False, repr=False)
    _ping_timer: TimerHandle | None = field(init=False, default=None, repr=False)

    # Life

    async def start(self) -> None:
        """Listen, with no users and channels; after the first time on the same port."""
        self.world = World(self, reserved=self.world.reserved, touch=self.touch)
        await self.open_port()
        self._plan_pings()

    async def stop(self, error: str = "Server shutting down", *, reset: bool = False) -> None:
        """Close the port and every connection.

        Args:
            error: Text of the ERROR that the clients get.
            reset: Close with a TCP reset and no ERROR, as if the machine had crashed.
        """
        await self.close_port()
        if self._ping_timer is not None:
            self._ping_timer.cancel()
        closing = list(self.connections)
        for connection in closing:
            if reset:
                connection.reset()
            else:
                connection.close(f"Closing link: {error}")
        for user in list(self.world.linked()):
            if user.link is not None:
                user.link.close(f"Closing link: {error}")  # puppets
        await _closed(closing)

    async def restart(self, *, reset: bool = False) -> None:
        """Stop and start again on the same port."""
        await self.stop("Server restarting", reset=reset)
        await self.start()

    async def open_port(self) -> None:
        """Listen again after `close_port`."""
        if self._listener is not None:
            return
        ports = [self.port] if self.port else random.sample(_PORTS, _PORTS_TRIED)
        while self._listener is None:
            port = ports.pop()
            with suppress(OSError) if ports else nullcontext():
                await self._listen(port)

    async def close_port(self) -> None:
        """Take no new connections (they are refused by TCP); those that are open stay."""
        if self._listener is not None:
            self._listener.close()
            # Not wait_closed(): from Python 3.12 on it waits for the open connections too.
            self._listener = None
            await asyncio.sleep(0)

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

    # Look

    @property
    def clients(self) -> list[str]:
        """Nicks of the registered users that are connected by TCP."""
        return [c.user.nick for c in self.connections if c.user.registered and not c.is_closing]

    def user(self, nick: str) -> User:
        """Return the user *nick*, in any spelling.

        Raises:
            LookupError: There is none.
        """
        found = self.world.user(nick)
        if found is None:
            raise LookupError(f"nobody is called {nick} on {self.name}")
        return found

    def channel(self, name: str) -> Channel:
        """Return the channel *name*, in any spelling; an empty one if nobody is there."""
        return self.world.channel(name) or Channel(name)

    def connection(self, nick: str) -> Connection:
        """Return the connection of *nick*, registered or not.

        Raises:
            LookupError: There is none.
        """
        key = self.world.fold(nick)
        for connection in self.connections:
            if self.world.fold(connection.user.nick) == key and not connection.is_closing:
                return connection
        raise LookupError(f"{nick} is not connected to {self.name}")

    async def wait_until(self, condition: Callable[[], object], timeout_s: float = 10.0) -> None:
        """Wait until *condition* is true; it is looked at after each line and connection.

        Raises:
            TimeoutError: It did not become true in time (real seconds).
        """
        await self._waiters.wait(lambda: True if condition() else None, timeout_s, self._describe)

    async def wait_line(
        self, pattern: str, nick: str | None = None, timeout_s: float = 10.0
    ) -> str:
        """Wait until a client has sent a line, and return it; earlier lines count too.

        Args:
            pattern: Regular expression, searched in the line.
            nick: Only lines of this client.
            timeout_s: Seconds of real time.

        Raises:
            TimeoutError: There was none in time; clear `received` to forget earlier ones.
        """
        regex = re.compile(pattern)
        seen = self.received_count - len(self.received)

        def find() -> str | None:
            nonlocal seen
            unseen = islice(reversed(self.received), self.received_count - seen)
            lines = [got.line for got in unseen if nick in (None, got.nick)]
            seen = self.received_count
            return next((line for line in reversed(lines) if regex.search(line)), None)

        return await self._waiters.wait(find, timeout_s, lambda: f"{pattern}; {self._describe()}")

    # ircd.connection.Owner

    def connection_opened(self, connection: Connection) -> None:
        """Greet, refuse or ignore a new connection."""
        self.connections.append(connection)
        self.attempts.append(self.clock.monotonic())
        if self._listener is None:  # was waiting in the backlog when the port was closed
            connection.abort()
        elif self._refusal is not None:
            numeric, reason = self._refusal
            if numeric:
                self.world.send(connection.user, self.world.server_message(numeric, "*", reason))
            connection.close(f"Closing link: (unknown@{connection.user.host}) [{reason}]")
        elif self._mute:
            connection.silence()
        else:
            registration.start(self.world, connection.user)
        self.touch()

    def line_received(self, connection: Connection, line: str) -> None:
        """Handle one line of a client."""
        self.received.append(Received(connection.user.nick, line))
        self.received_count += 1
        message = parse(line)
        if message is not None:
            dispatch(self.world, connection.user, message)
        self.touch()

    def line_refused(self, connection: Connection, reason: str) -> None:
        """Answer 417, or close the link if there is a reason to."""
        if reason:
            registration.disconnect(self.world, connection.user, reason)
        else:
            self.world.fail(connection.user, "417")

    def connection_closed(self, connection: Connection, error: Exception | None) -> None:
        """Let the user quit."""
        self.connections.remove(connection)
        reason = "Remote host closed the connection"
        if error is not None:
            reason = "Read error: Connection reset by peer"
        self.world.leave(connection.user, connection.close_reason or reason)
        self.touch()

    # Inside

    def touch(self) -> None:
        """Look at what somebody waits for in the next pass of the event loop."""
        if self._waiters and not self._touched:
            self._touched = True
            asyncio.get_running_loop().call_soon(self._look)

    async def _listen(self, port: int) -> None:
        self._listener = await asyncio.get_running_loop().create_server(
            lambda: Connection(self, self),
            self.host,
            port,
            ssl=self.ssl_context,
            backlog=_BACKLOG,
        )
        self.port = port

    def _look(self) -> None:
        self._touched = False
        self._waiters.changed()

    def _plan_pings(self) -> None:
        interval = self.ping_interval_s
        if interval is not None:
            when = self.clock.monotonic() + interval / 2
            self._ping_timer = self.clock.call_at(when, self._ping_everybody)

    def _ping_everybody(self) -> None:
        interval = self.ping_interval_s
        if interval is None:
            return
        now = self.clock.monotonic()
        for connection in list(self.connections):
            quiet = now - connection.heard_at
            if quiet >= 2 * interval:
                reason = f"Ping timeout: {quiet:.0f} seconds"
                registration.disconnect(self.world, connection.user, reason)
            elif quiet >= interval:
                self.world.send(connection.user, Message("PING", (self.server_name,)))
        self._plan_pings()

    def _describe(self) -> str:
        latest = [f"{got.nick}: {got.line}" for got in list(self.received)[-5:]]
        return f"a condition on {self.name}; clients {self.clients}, latest lines {latest}"


async def _closed(connections: Sequence[Connection]) -> None:
    """Wait until the sockets are closed; whoever does not read is cut off."""
    if not connections:
        return
    _, open_still = await asyncio.wait([c.closed for c in connections], timeout=_CLOSE_TIMEOUT_S)
    if open_still:
        for connection in connections:
            connection.abort()
        await asyncio.wait(open_still)
    # The transports close their sockets in the next pass.
    await asyncio.sleep(0)
