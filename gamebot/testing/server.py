"""An IRC server inside the process, for tests and demonstrations, that can misbehave on demand.

It listens on the loopback interface and speaks enough of the protocol for any client:

    async with IrcServer(name="alpha", accounts={"anna": "secret"}) as server:
        anna = server.person("anna")
        anna.joins("#uno")
        ...                       # connect a client to server.port
        await server.wait_until(lambda: "bot" in server.channel("#uno"))
        anna.says("#uno", "!deal")
        server.silence("bot")     # from here on the link is dead, but TCP does not know it

Most settings may be changed while it runs (`server.whox = False`).
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from attrs import Factory, define, field, frozen

from gamebot.ports import TimerHandle
from gamebot.testing.ircd import channels, modes, registration, split
from gamebot.testing.ircd.connection import Connection
from gamebot.testing.ircd.dispatch import dispatch
from gamebot.testing.ircd.puppet import Puppet
from gamebot.testing.ircd.settings import (
    ALL_CAPS,
    INSPIRCD_FLOOD,
    NGIRCD_FLOOD,
    FloodLimit,
    LongLine,
    Sasl,
    ServerSettings,
)
from gamebot.testing.ircd.wire import Message, parse
from gamebot.testing.ircd.world import Channel, User, World
from gamebot.testing.waiting import Waiters

__all__ = [
    "ALL_CAPS",
    "INSPIRCD_FLOOD",
    "NGIRCD_FLOOD",
    "Channel",
    "FloodLimit",
    "IrcServer",
    "LongLine",
    "Puppet",
    "Received",
    "Sasl",
    "User",
]

_BACKLOG = 512
_CLOSE_TIMEOUT_S = 0.5
_REMEMBERED_LINES = 20_000


@frozen
class Received:
    """A line that a client sent; *nick* is "*" while it has none."""

    nick: str
    line: str


@define(eq=False, kw_only=True)
class IrcServer(ServerSettings):
    """An IRC server in the running event loop; see `ServerSettings` for its arguments.

    Attributes:
        received: The latest lines of all clients, in order.
        attempts: Clock's monotonic time of each TCP connection, refused ones included.
        connections: Open connections, registered or not.
        world: Users and channels; new after each start.
    """

    received: deque[Received] = field(
        init=False, factory=lambda: deque(maxlen=_REMEMBERED_LINES), repr=False
    )
    attempts: list[float] = field(init=False, factory=list, repr=False)
    connections: list[Connection] = field(init=False, factory=list, repr=False)
    world: World = field(init=False, repr=False, default=Factory(World, takes_self=True))
    _listener: asyncio.Server | None = field(init=False, default=None, repr=False)
    _waiters: Waiters = field(init=False, factory=Waiters, repr=False)
    _refusal: tuple[str, ...] | None = field(init=False, default=None, repr=False)
    _mute: bool = field(init=False, default=False, repr=False)
    _ping_timer: TimerHandle | None = field(init=False, default=None, repr=False)

    # Life

    async def start(self) -> None:
        """Listen, with no users and channels; after the first time on the same port."""
        self.world = World(self, reserved=self.world.reserved)
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
        await _closed(closing)

    async def restart(self, *, reset: bool = False) -> None:
        """Stop and start again on the same port."""
        await self.stop("Server restarting", reset=reset)
        await self.start()

    async def open_port(self) -> None:
        """Listen again after `close_port`."""
        if self._listener is not None:
            return
        self._listener = await asyncio.get_running_loop().create_server(
            lambda: Connection(self, self),
            self.host,
            self.port,
            ssl=self.ssl_context,
            backlog=_BACKLOG,
        )
        self.port = self._listener.sockets[0].getsockname()[1]

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
        return [c.user.nick for c in self.connections if c.user.registered]

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
            if self.world.fold(connection.user.nick) == key:
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

        def find() -> str | None:
            lines = (got.line for got in self.received if nick in (None, got.nick))
            return next((line for line in lines if regex.search(line)), None)

        return await self._waiters.wait(find, timeout_s, lambda: f"{pattern}; {self._describe()}")

    # People without a connection

    def person(
        self,
        nick: str,
        *,
        user: str = "",
        host: str = "",
        account: str | None = None,
        caps: Iterable[str] = (),
    ) -> Puppet:
        """Put somebody on the network who does what the test says.

        Args:
            nick: Nick, which must be free.
            user: User name; the nick in lower case by default.
            host: Host; `<nick>.example` by default.
            account: Services account.
            caps: Capabilities, for what its `lines` show.

        Raises:
            ValueError: The nick is taken or cannot be one.
        """
        if not self.world.is_nick(nick) or self.world.user(nick) is not None:
            raise ValueError(f"nick {nick!r} cannot be used")
        name = "".join(char for char in nick.lower() if char.isalnum())
        somebody = User(
            nick=nick,
            user=user or name,
            host=host or f"{name}.example",
            realname=nick,
            account=account,
            caps=frozenset(caps),
            connected_at=self.world.now(),
            spoke_at=self.world.now(),
        )
        puppet = Puppet(self.world, somebody)
        somebody.link = puppet
        self.world.enter(somebody)
        return puppet

    def add_phantoms(self, channel: str, count: int, prefix: str = "phantom") -> None:
        """Fill *channel* with *count* members who neither hear nor speak; nobody is told."""
        place = self.world.open_channel(channel)
        for number in range(count):
            name = f"{prefix}{number}"
            user = User(nick=name, user=prefix, host=f"{name}.example", realname=name)
            self.world.enter(user)
            user.channels[self.world.fold(place.name)] = place
            place.add(user)

    # What operators, services and other servers do

    def login(self, nick: str, account: str | None) -> None:
        """Log *nick* in to services, or (None) out."""
        self.world.set_account(self.user(nick), account)

    def rename(self, nick: str, new_nick: str) -> None:
        """Change somebody's nick without being asked."""
        self.world.rename(self.user(nick), new_nick)

    def change_host(self, nick: str, user: str, host: str) -> None:
        """Give *nick* another user name and host (CHGHOST)."""
        self.world.set_host(self.user(nick), user, host)

    def kick(self, channel: str, nick: str, reason: str = "", by: str | None = None) -> None:
        """Kick *nick*; *by* is a nick or a server, by default this server."""
        source = self.world.user(by) if by else None
        params = (self.channel(channel).name, self.user(nick).nick, reason)
        if source is not None:
            channels.kick(self.world, self.world.message(source, "KICK", *params))
        else:
            channels.kick(self.world, Message("KICK", params, by or self.server_name))

    def set_modes(self, channel: str, *words: str) -> None:
        """Let the server set modes: `set_modes("#x", "+ob", "anna", "*!*@evil.example")`."""
        modes.change_modes(self.world, self.channel(channel), None, words)

    def kill(self, nick: str, reason: str = "Killed") -> None:
        """Throw *nick* off the network with KILL and ERROR."""
        user = self.user(nick)
        self.world.send(user, self.world.server_message("KILL", user.nick, reason))
        registration.disconnect(self.world, user, f"Killed ({self.server_name} ({reason}))")

    def netsplit(self, nicks: Iterable[str], servers: str = "hub.example leaf.example") -> None:
        """Cut *nicks* off: each side sees the other quit with the names of two servers.

        Until `heal` nothing that those say arrives anywhere; their PING is answered.
        """
        split.cut_off(self.world, [self.user(nick) for nick in nicks], servers)

    def heal(self) -> None:
        """End every netsplit: those who were cut off rejoin and get their modes back."""
        split.rejoin(self.world)
        self._waiters.changed()

    def reserve(self, nick: str) -> None:
        """Answer 433 to everybody who wants *nick* from now on, also after a restart."""
        self.world.reserved.add(self.world.fold(nick))

    def release(self, nick: str) -> None:
        """End `reserve`."""
        self.world.reserved.discard(self.world.fold(nick))

    def add_caps(self, *caps: str) -> None:
        """Offer more capabilities; cap-notify tells the clients (CAP NEW)."""
        self.caps |= set(caps)
        values = self.cap_values()
        words = [f"{cap}={values[cap]}" if values[cap] else cap for cap in caps]
        self._announce_caps("NEW", words)

    def remove_caps(self, *caps: str) -> None:
        """Take capabilities away; cap-notify tells the clients (CAP DEL)."""
        self.caps -= set(caps)
        self._announce_caps("DEL", caps)
        for connection in self.connections:
            connection.user.caps -= set(caps)

    def drop_sasl(self) -> None:
        """Lose services: the sasl capability is withdrawn."""
        self.remove_caps("sasl")

    # Faults of the link

    def raw(self, nick: str, data: bytes) -> None:
        """Send *data* to a client as it is; put the line end in yourself."""
        self.connection(nick).deliver(data)

    def silence(self, nick: str) -> None:
        """Read and answer nothing more of this client, but keep its TCP connection open."""
        self.connection(nick).silence()

    def resume(self, nick: str) -> None:
        """End `silence`; what was held back on both sides arrives."""
        self.connection(nick).resume()

    def reset(self, nick: str) -> None:
        """End this client's connection with a TCP reset."""
        self.connection(nick).reset()

    def delay(self, nick: str, seconds: float) -> None:
        """Hold every line to this client back for *seconds* (of the clock)."""
        self.connection(nick).delay_s = seconds

    def close_link(self, nick: str, reason: str) -> None:
        """Close this client's link: `ERROR :Closing link: (user@host) [reason]`."""
        registration.disconnect(self.world, self.connection(nick).user, reason)

    def refuse(self, reason: str = "Throttled", *, numeric: str = "") -> None:
        """Answer each new connection with ERROR and close it, until `accept`.

        Args:
            reason: Why: `ERROR :Closing link: (unknown@127.0.0.1) [reason]`.
            numeric: Sent before it with the same text, such as "465" (banned).
        """
        self._refusal = (numeric, reason)

    def mute(self) -> None:
        """Take each new connection but never say or read a word, until `accept`."""
        self._mute = True

    def accept(self) -> None:
        """End `refuse` and `mute`."""
        self._refusal = None
        self._mute = False

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
        self._waiters.changed()

    def line_received(self, connection: Connection, line: str) -> None:
        """Handle one line of a client."""
        self.received.append(Received(connection.user.nick, line))
        message = parse(line)
        if message is not None:
            dispatch(self.world, connection.user, message)
        self._waiters.changed()

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
        self._waiters.changed()

    # Inside

    def _announce_caps(self, subcommand: str, words: Sequence[str]) -> None:
        for connection in self.connections:
            user = connection.user
            message = self.world.server_message("CAP", user.nick, subcommand, " ".join(words))
            self.world.broadcast((user,), message, cap="cap-notify")

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
