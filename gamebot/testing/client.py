"""A small IRC client for tests and demonstrations: it talks raw lines and waits for others.

    async with IrcClient("anna", port=server.port) as anna:
        await anna.join("#uno")
        anna.say("#uno", "!deal")
        await anna.wait_for(r"PRIVMSG #uno :.*anna")

It keeps no model of channels and users; it answers PING and follows its own nick.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections import deque
from collections.abc import Callable, Iterable
from ssl import SSLContext
from types import TracebackType
from typing import Self, cast

from attrs import define, field, frozen

from gamebot.testing.ircd.wire import ENCODING, ERRORS, Message, parse
from gamebot.testing.waiting import Waiters

_SASL_CHUNK_BYTES = 400
_CLOSE_TIMEOUT_S = 1.0


@frozen
class Pacing:
    """How fast lines are sent at most.

    Attributes:
        burst_lines: Lines that may go at once.
        lines_per_s: Lines each second after that.
    """

    burst_lines: int = 4
    lines_per_s: float = 1.0


#: What a stock InspIRCd and ngircd bear.
POLITE = Pacing()

Condition = str | re.Pattern[str] | Callable[[Message], bool]


@define(eq=False)
class IrcClient:
    """One connection to a server.

    Attributes:
        nick: Nick wanted, then the present one.
        host: Server.
        port: Its port.
        user: User name; the nick by default.
        realname: Real name; the nick by default.
        password: For PASS, None for none.
        caps: Capabilities to ask for; what the server does not offer is left out.
        sasl: Account and password for SASL PLAIN, None for none.
        ssl_context: Speak TLS with these settings; a name to verify is *server_hostname*.
        server_hostname: Name in the server's certificate; *host* by default.
        pacing: Limit of what is sent, None for none.
        timeout_s: Real seconds that every wait takes at most unless it says otherwise.
        lines: Every line received, tags included, in order.
        messages: The same, parsed.
        offered: Capabilities that the server offered, with their values.
        acknowledged: Capabilities that are on.
        cursor: Number of the first line that `wait_for` has not looked past.
    """

    nick: str
    host: str = field(default="127.0.0.1", kw_only=True)
    port: int = field(default=6667, kw_only=True)
    user: str = field(default="", kw_only=True)
    realname: str = field(default="", kw_only=True)
    password: str | None = field(default=None, kw_only=True, repr=False)
    caps: Iterable[str] = field(default=(), kw_only=True)
    sasl: tuple[str, str] | None = field(default=None, kw_only=True, repr=False)
    ssl_context: SSLContext | None = field(default=None, kw_only=True, repr=False)
    server_hostname: str | None = field(default=None, kw_only=True)
    pacing: Pacing | None = field(default=None, kw_only=True)
    timeout_s: float = field(default=10.0, kw_only=True)
    lines: list[str] = field(init=False, factory=list, repr=False)
    messages: list[Message] = field(init=False, factory=list, repr=False)
    offered: dict[str, str] = field(init=False, factory=dict, repr=False)
    acknowledged: set[str] = field(init=False, factory=set, repr=False)
    cursor: int = field(init=False, default=0, repr=False)
    _line_protocol: _Lines | None = field(init=False, default=None, repr=False)
    _waiters: Waiters = field(init=False, factory=Waiters, repr=False)
    _pings: int = field(init=False, default=0, repr=False)

    # Life

    async def connect(self) -> None:
        """Open the connection, without a word."""
        hostname = (self.server_hostname or self.host) if self.ssl_context else None
        _, protocol = await asyncio.get_running_loop().create_connection(
            lambda: _Lines(self._received, self._lost, self.pacing),
            self.host,
            self.port,
            ssl=self.ssl_context,
            server_hostname=hostname,
        )
        self._line_protocol = protocol

    async def register(self) -> None:
        """Log in and wait for the end of the welcome (376 or 422).

        Raises:
            ConnectionError: The server refused the nick, the password or the SASL login, or
                closed the link.
        """
        wanted = {*self.caps, *(["sasl"] if self.sasl else [])}
        if wanted:
            self.send("CAP LS 302")
        if self.password is not None:
            self.send(f"PASS {self.password}")
        self.send(f"NICK {self.nick}")
        self.send(f"USER {self.user or self.nick} 0 * :{self.realname or self.nick}")
        if wanted:
            await self._negotiate(wanted)
        await self._answer("376", "422", refused=("432", "433", "464", "465"))

    async def __aenter__(self) -> Self:
        await self.connect()
        try:
            await self.register()
        except BaseException:
            await self.abort()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.quit()

    async def quit(self, reason: str = "bye") -> None:
        """Send QUIT (past the pacing) and wait until the server has closed the link."""
        lines = self._line_protocol
        if lines is None:
            return
        lines.write_now(f"QUIT :{reason}")
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await asyncio.shield(lines.closed)
        except TimeoutError:
            await self.abort()

    async def abort(self) -> None:
        """Close the socket without a word."""
        if self._line_protocol is not None:
            self._line_protocol.abort()
            await self._line_protocol.closed

    @property
    def connected(self) -> bool:
        """Whether the connection is open."""
        return self._line_protocol is not None and not self._line_protocol.closed.done()

    # Say

    def send(self, line: str) -> None:
        """Send one raw line, when the pacing allows.

        Raises:
            ConnectionError: The connection is closed.
        """
        if self._line_protocol is None or not self.connected:
            raise ConnectionError(f"{self.nick} is not connected")
        self._line_protocol.write(line)

    def say(self, target: str, text: str) -> None:
        """Send a PRIVMSG."""
        self.send(f"PRIVMSG {target} :{text}")

    def notice(self, target: str, text: str) -> None:
        """Send a NOTICE."""
        self.send(f"NOTICE {target} :{text}")

    async def join(self, *channels: str) -> None:
        """Join *channels* (with a key: "#x key") and wait for each one's list of names.

        Raises:
            ConnectionError: The server refused one of them.
        """
        for channel in channels:
            self.send(f"JOIN {channel}")
            await self._answer("366", refused=("403", "405", "471", "473", "474", "475", "476"))

    async def part(self, channel: str, reason: str = "") -> None:
        """Leave *channel* and wait for the echo."""
        self.send(f"PART {channel} :{reason}")
        await self.wait_for(lambda m: m.command == "PART" and m.nick == self.nick)

    async def change_nick(self, nick: str) -> None:
        """Change the nick and wait for the echo.

        Raises:
            ConnectionError: The server refused it.
        """
        self.send(f"NICK {nick}")
        old = self.nick
        await self._answer("NICK", refused=("431", "432", "433", "437"), source=old)

    # Wait

    async def wait_for(
        self, condition: Condition, timeout_s: float | None = None, *, since: int | None = None
    ) -> Message:
        """Wait for a line, and go on behind it the next time.

        Args:
            condition: A regular expression, searched in the line without tags, or a function of
                the message.
            timeout_s: Seconds of real time; `timeout_s` of the client by default.
            since: Number of the line to begin with; by default the one after the last that an
                earlier `wait_for` found. 0 looks at everything.

        Returns:
            The message.

        Raises:
            TimeoutError: There was no such line in time.
            ConnectionError: The connection was closed before.
        """
        matches = _as_function(condition)
        position = self.cursor if since is None else since

        def find() -> Message | None:
            nonlocal position
            while position < len(self.messages):
                message = self.messages[position]
                position += 1
                if matches(message):
                    self.cursor = position
                    return message
            if not self.connected:
                raise ConnectionError(f"{self._describe(condition)}: the link was closed")
            return None

        timeout = self.timeout_s if timeout_s is None else timeout_s
        return await self._waiters.wait(find, timeout, lambda: self._describe(condition))

    async def sync(self, timeout_s: float | None = None) -> None:
        """Wait until the server has handled everything sent so far (PING and PONG).

        What it answered is then in `lines`; `cursor` stays where it was.
        """
        self._pings += 1
        token = f"sync-{self._pings}"
        cursor = self.cursor
        self.send(f"PING {token}")
        await self.wait_for(lambda m: m.command == "PONG" and m.text == token, timeout_s)
        self.cursor = cursor

    async def wait_closed(self, timeout_s: float | None = None) -> None:
        """Wait until the connection is closed.

        Raises:
            TimeoutError: It stayed open.
        """
        if self._line_protocol is not None:
            async with asyncio.timeout(self.timeout_s if timeout_s is None else timeout_s):
                await asyncio.shield(self._line_protocol.closed)

    def said(self, target: str | None = None, since: int = 0) -> list[str]:
        """Return the texts of the PRIVMSGs and NOTICEs received, to *target* if it is given."""
        return [
            message.text
            for message in self.messages[since:]
            if message.command in {"PRIVMSG", "NOTICE"}
            and len(message.params) > 1
            and target in (None, message.params[0])
        ]

    # Inside

    async def _negotiate(self, wanted: set[str]) -> None:
        more = True
        while more:
            message = await self.wait_for(lambda m: _is_cap(m, "LS") or m.command == "421")
            if message.command == "421":  # a server that knows no CAP
                if self.sasl is not None:
                    raise ConnectionError("the server does not offer SASL")
                return
            more = message.params[2:3] == ("*",)
            for word in message.text.split():
                name, _, value = word.partition("=")
                self.offered[name] = value
        chosen = sorted(wanted & set(self.offered))
        if chosen:
            self.send(f"CAP REQ :{' '.join(chosen)}")
            await self.wait_for(lambda m: _is_cap(m, "ACK") or _is_cap(m, "NAK"))
        if self.sasl is not None:
            await self._login(*self.sasl)
        self.send("CAP END")

    async def _login(self, account: str, password: str) -> None:
        if "sasl" not in self.acknowledged:
            raise ConnectionError("the server does not offer SASL")
        self.send("AUTHENTICATE PLAIN")
        await self._answer("AUTHENTICATE", refused=("904", "908"))
        plain = f"{account}\0{account}\0{password}".encode()
        response = base64.b64encode(plain).decode("ascii")
        chunks = [
            response[start : start + _SASL_CHUNK_BYTES]
            for start in range(0, len(response), _SASL_CHUNK_BYTES)
        ]
        if len(response) % _SASL_CHUNK_BYTES == 0:
            chunks.append("+")
        for chunk in chunks:
            self.send(f"AUTHENTICATE {chunk}")
        await self._answer("903", refused=("902", "904", "905", "906", "907"))

    async def _answer(
        self, *commands: str, refused: Iterable[str], source: str | None = None
    ) -> Message:
        errors = {*refused, "ERROR"}
        message = await self.wait_for(
            lambda m: m.command in errors or (m.command in commands and source in (None, m.nick)),
        )
        if message.command in errors:
            raise ConnectionError(message.line())
        return message

    def _received(self, line: str) -> None:
        message = parse(line)
        if message is None:
            return
        self.lines.append(line)
        self.messages.append(message)
        if message.command == "PING" and self._line_protocol is not None:
            self._line_protocol.write_now(f"PONG :{message.text}")
        elif message.command == "NICK" and message.nick == self.nick:
            self.nick = message.text
        elif message.command == "001":
            self.nick = message.params[0]
        elif _is_cap(message, "ACK"):
            self.acknowledged |= set(message.text.split())
        self._waiters.changed()

    def _lost(self) -> None:
        self._waiters.changed()

    def _describe(self, condition: Condition) -> str:
        pattern = condition.pattern if isinstance(condition, re.Pattern) else condition
        return f"{pattern} at {self.nick}; latest lines {self.lines[-5:]}"


def _as_function(condition: Condition) -> Callable[[Message], bool]:
    if callable(condition):
        return condition
    regex = re.compile(condition)
    return lambda message: regex.search(message.line()) is not None


def _is_cap(message: Message, subcommand: str) -> bool:
    return message.command == "CAP" and message.params[1:2] == (subcommand,)


class _Lines(asyncio.Protocol):
    """Cut what arrives into lines, and send lines no faster than allowed."""

    def __init__(
        self, received: Callable[[str], None], lost: Callable[[], None], pacing: Pacing | None
    ) -> None:
        self._received = received
        self._lost = lost
        self._pacing = pacing
        self._loop = asyncio.get_running_loop()
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self._transport: asyncio.Transport | None = None
        self._in = b""
        self._waiting: deque[str] = deque()
        self._tokens = float(pacing.burst_lines) if pacing else 0.0
        self._filled_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *lines, self._in = (self._in + data).split(b"\n")
        for line in lines:
            self._received(line.rstrip(b"\r").decode(ENCODING, ERRORS))

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # however it ended, it has ended
        if self._timer is not None:
            self._timer.cancel()
        if not self.closed.done():
            self.closed.set_result(None)
        self._lost()

    def write(self, line: str) -> None:
        if self._pacing is None:
            self.write_now(line)
        else:
            self._waiting.append(line)
            self._drain(self._pacing)

    def write_now(self, line: str) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(line.encode(ENCODING, ERRORS) + b"\r\n")

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _drain(self, pacing: Pacing) -> None:
        now = self._loop.time()
        gained = (now - self._filled_at) * pacing.lines_per_s
        self._tokens = min(float(pacing.burst_lines), self._tokens + gained)
        self._filled_at = now
        while self._waiting and self._tokens >= 1.0:
            self._tokens -= 1.0
            self.write_now(self._waiting.popleft())
        if self._waiting and self._timer is None:
            wait_s = (1.0 - self._tokens) / pacing.lines_per_s
            self._timer = self._loop.call_later(wait_s, self._timer_fired, pacing)

    def _timer_fired(self, pacing: Pacing) -> None:
        self._timer = None
        self._drain(pacing)
