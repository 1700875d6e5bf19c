"""People for real servers: raw clients that speak no faster than the servers bear."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from attrs import define, field, frozen

from .servers import OPER, IrcServer

# mIRC formatting: colours with their numbers, RGB colours, and the single toggles.
FORMATTING = re.compile(
    r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04[0-9A-Fa-f]{0,6}|[\x02\x0f\x11\x16\x1d\x1e\x1f]"
)
BURST = 8
LINES_PER_S = 1.0
SHOWN_LINES = 40
ANSWER_S = 20.0


@frozen
class Heard:
    """A line from the server.

    Attributes:
        tags: Message tags.
        source: `nick!user@host` or the server's name.
        command: Verb or numeric.
        params: Parameters, the last one without its colon.
    """

    tags: dict[str, str]
    source: str
    command: str
    params: tuple[str, ...]

    @property
    def nick(self) -> str:
        """The source's nick."""
        return self.source.partition("!")[0]

    @property
    def target(self) -> str:
        """The first parameter, "" if there is none."""
        return self.params[0] if self.params else ""

    @property
    def text(self) -> str:
        """The last parameter without formatting codes."""
        return FORMATTING.sub("", self.params[-1]) if self.params else ""

    @property
    def spoken(self) -> bool:
        """Whether it is a PRIVMSG or NOTICE of somebody."""
        return self.command in {"PRIVMSG", "NOTICE"} and "!" in self.source

    def __str__(self) -> str:
        return FORMATTING.sub("", f":{self.source} {self.command} {' '.join(self.params)}")


Condition = Callable[[Heard], bool]


def parse(line: str) -> Heard:
    """Take a line apart."""
    tags: dict[str, str] = {}
    source = ""
    if line.startswith("@"):
        words, line = line[1:].split(" ", 1)
        tags = dict(word.partition("=")[::2] for word in words.split(";"))
    if line.startswith(":"):
        source, line = line[1:].split(" ", 1)
    head, colon, last = line.partition(" :")
    command, *params = head.split()
    return Heard(tags, source, command.upper(), (*params, last) if colon else tuple(params))


class Unheard(AssertionError):  # noqa: N818 - it is what a test failed to hear
    """A line that was waited for and did not come; shows what came instead."""


class SaslRefused(Exception):  # noqa: N818 - it is what the server did
    """The server did not accept account and password."""


@define(eq=False)
class Player:
    """One person on one server, through as many connections as they make.

    Attributes:
        server: Where they connect.
        nick: Present nick.
        user: User name, the same in each of their connections.
        heard: Every line from the server but PING.
        cursor: Number of lines that `wait_for` and `unseen` have passed.
    """

    server: IrcServer
    nick: str
    user: str = field(init=False)
    heard: list[Heard] = field(factory=list, init=False)
    cursor: int = field(default=0, init=False)
    _tokens: float = field(default=BURST, init=False)
    _token_time: float = field(default=0.0, init=False)
    _changed: asyncio.Event = field(factory=asyncio.Event, init=False)
    _writer: asyncio.StreamWriter | None = field(default=None, init=False)
    _reading: asyncio.Task[None] | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.user = self.nick.lower()

    # --- coming and going

    @property
    def connected(self) -> bool:
        """Whether the server still holds the connection."""
        return self._reading is not None and not self._reading.done()

    async def connect(
        self,
        *,
        tls: bool = False,
        caps: Iterable[str] = (),
        sasl: tuple[str, str] | None = None,
        timeout_s: float = ANSWER_S,
    ) -> Player:
        """Connect and register.

        Args:
            tls: Over TLS, verified with the server's private CA.
            caps: Capabilities to ask for.
            sasl: Account and password for SASL PLAIN.
            timeout_s: How long to go on trying while the server refuses connections.
        """
        start = len(self.heard)
        await self._open(tls=tls, timeout_s=timeout_s)
        wanted = [*caps, *(["sasl"] if sasl else [])]
        if wanted:
            await self.raw(f"CAP REQ :{' '.join(wanted)}")
        await self.raw(f"NICK {self.nick}")
        await self.raw(f"USER {self.user} 0 * :{self.nick}")
        if wanted:
            await self.until(lambda heard: heard.command == "CAP" and "ACK" in heard.params, start)
            if sasl:
                await self._authenticate(*sasl)
            await self.raw("CAP END")
        await self.numeric("001", since=start)
        await self.numeric("376", "422", since=start)
        return self

    async def quit(self, reason: str = "bye") -> None:
        """Leave the server once it has handled everything that was said before.

        ngircd can spin for seconds when a client with a backlog just closes.
        """
        if self._reading is None:
            return
        if self.connected:
            with suppress(Unheard, OSError):
                await self.raw(f"QUIT :{reason}")
        await asyncio.wait([self._reading], timeout=ANSWER_S)
        await self.drop()

    async def drop(self) -> None:
        """Close the connection without a word."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
            self._reading = None

    # --- speaking

    async def raw(self, line: str) -> None:
        """Send *line*, once the server's patience allows it."""
        await self._patience()
        if self._writer is None or not self.connected:
            msg = f"{self.nick} is not connected and cannot send {line!r}\n{self.recent()}"
            raise Unheard(msg)
        self._writer.write(line.encode() + b"\r\n")
        await self._writer.drain()

    async def say(self, target: str, text: str) -> None:
        """Send a PRIVMSG."""
        await self.raw(f"PRIVMSG {target} :{text}")

    async def join(self, channel: str) -> None:
        """Join and wait until the member list is complete."""
        since = len(self.heard)
        await self.raw(f"JOIN {channel}")
        await self.numeric("366", since=since)

    async def change_nick(self, nick: str) -> None:
        """Take another nick and wait until the server has agreed."""
        since, old = len(self.heard), self.nick
        await self.raw(f"NICK {nick}")
        await self.until(
            lambda heard: heard.command == "NICK" and (heard.nick, heard.text) == (old, nick), since
        )
        self.nick = nick

    async def oper(self) -> None:
        """Become an IRC operator."""
        since = len(self.heard)
        await self.raw(f"OPER {OPER[0]} {OPER[1]}")
        await self.numeric("381", since=since)

    async def register_account(self, password: str, email: str) -> None:
        """Register the present nick with services; that logs in, too."""
        self.pass_all()
        await self.say("NickServ", f"REGISTER {password} {email}")
        await self.wait_for("registered", source="NickServ")

    async def kick(self, channel: str, nick: str, reason: str = "out") -> None:
        """Kick *nick* (the first to join a channel is its operator) and see it happen."""
        since = len(self.heard)
        await self.raw(f"KICK {channel} {nick} :{reason}")
        await self.until(
            lambda heard: heard.command == "KICK" and heard.params[:2] == (channel, nick), since
        )

    async def members(self, channel: str) -> set[str]:
        """Ask who is in *channel*; nicks without the signs of their status."""
        since = len(self.heard)
        await self.raw(f"NAMES {channel}")
        await self.numeric("366", since=since)
        replies = [heard for heard in self.heard[since:] if heard.command == "353"]
        names = (name for heard in replies for name in heard.text.split())
        return {name.lstrip("~&@%+").partition("!")[0] for name in names}

    # --- listening

    async def until(
        self,
        condition: Condition,
        since: int | None = None,
        *,
        timeout_s: float = ANSWER_S,
        wanted: str = "the awaited line",
    ) -> Heard:
        """Wait for a line that *condition* accepts; `cursor` stays where it is.

        Args:
            condition: Says whether a line is the one.
            since: Index in `heard` of the first line to look at; `cursor` if not given.
            timeout_s: Seconds to wait.
            wanted: What to call it in the failure's message.

        Raises:
            Unheard: No such line came; the message shows the last lines that did.
        """
        at = self.cursor if since is None else since
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while True:
                    while at < len(self.heard):
                        if condition(self.heard[at]):
                            return self.heard[at]
                        at += 1
                    if not self.connected:
                        break
                    self._changed.clear()
                    await self._changed.wait()
        why = f"within {timeout_s:g} s" if self.connected else "before the connection ended"
        raise Unheard(f"{self.nick} did not see {wanted} {why}\n{self.recent()}")

    async def numeric(
        self, *numerics: str, since: int | None = None, timeout_s: float = ANSWER_S
    ) -> Heard:
        """Wait for one of *numerics*."""
        return await self.until(
            lambda heard: heard.command in numerics,
            since,
            timeout_s=timeout_s,
            wanted=" or ".join(numerics),
        )

    async def wait_for(
        self,
        pattern: str | re.Pattern[str],
        *,
        source: str | None = None,
        target: str | None = None,
        timeout_s: float = ANSWER_S,
    ) -> re.Match[str]:
        """Wait for a PRIVMSG or NOTICE whose plain text *pattern* finds; lines before it are passed.

        Args:
            pattern: Regular expression.
            source: Nick of the speaker.
            target: Channel or nick that was spoken to.
            timeout_s: Seconds to wait.
        """
        regex = re.compile(pattern)

        def condition(heard: Heard) -> bool:
            return (
                heard.spoken
                and source in {None, heard.nick}
                and target in {None, heard.target}
                and regex.search(heard.text) is not None
            )

        found = await self.until(condition, timeout_s=timeout_s, wanted=repr(regex.pattern))
        self.cursor = self.heard.index(found, self.cursor) + 1
        match = regex.search(found.text)
        assert match is not None
        return match

    async def next_spoken(self, source: str, target: str, *, timeout_s: float = ANSWER_S) -> Heard:
        """Wait for the next PRIVMSG or NOTICE of *source* to *target*, and pass it."""
        found = await self.until(
            lambda heard: heard.spoken and (heard.nick, heard.target) == (source, target),
            timeout_s=timeout_s,
            wanted=f"a line of {source} to {target}",
        )
        self.cursor = self.heard.index(found, self.cursor) + 1
        return found

    async def until_member(self, channel: str, nick: str, *, timeout_s: float = 30.0) -> None:
        """Wait until *nick* is in *channel*, asking every two seconds."""
        try:
            async with asyncio.timeout(timeout_s):
                while nick not in await self.members(channel):  # noqa: ASYNC110 - a server is asked
                    await asyncio.sleep(2)
        except TimeoutError:
            msg = f"{nick} was not in {channel} within {timeout_s:g} s\n{self.recent()}"
            raise Unheard(msg) from None

    def pass_all(self) -> None:
        """Move `cursor` behind everything that has come so far."""
        self.cursor = len(self.heard)

    def unseen(self) -> Iterator[Heard]:
        """Go through the lines behind `cursor`, moving it on with each."""
        while self.cursor < len(self.heard):
            self.cursor += 1
            yield self.heard[self.cursor - 1]

    def recent(self, lines: int = SHOWN_LINES) -> str:
        """Return the last lines that the server sent, for a failure's message."""
        shown = [f"  {heard}" for heard in self.heard[-lines:]]
        return "\n".join([f"last lines that {self.nick} saw on {self.server.name}:", *shown])

    # --- the connection

    async def _open(self, *, tls: bool, timeout_s: float) -> None:
        assert not self.connected
        loop = asyncio.get_running_loop()
        give_up = loop.time() + timeout_s
        context = self.server.authority.client_context() if tls else None
        port = self.server.tls_port if tls else self.server.port
        while True:
            try:
                reader, self._writer = await asyncio.open_connection(
                    self.server.host,
                    port,
                    ssl=context,
                    server_hostname="localhost" if context else None,
                )
                break
            except ConnectionRefusedError:
                if loop.time() > give_up:
                    raise
                await asyncio.sleep(0.5)
        self._reading = asyncio.create_task(self._read(reader, self._writer))

    async def _authenticate(self, account: str, password: str) -> None:
        since = len(self.heard)
        await self.raw("AUTHENTICATE PLAIN")
        await self.until(lambda heard: heard.command == "AUTHENTICATE", since)
        secret = base64.b64encode(f"\0{account}\0{password}".encode()).decode()
        await self.raw(f"AUTHENTICATE {secret}")
        verdict = await self.numeric("903", "904", since=since)
        if verdict.command == "904":
            raise SaslRefused(verdict.text)

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                heard = parse(line.decode(errors="replace").rstrip("\r\n"))
                if heard.command == "PING":
                    writer.write(f"PONG :{heard.text}\r\n".encode())
                    continue
                self.heard.append(heard)
                self._changed.set()
        except OSError as error:
            self.heard.append(Heard({}, "", "ERROR", (f"connection lost: {error}",)))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _patience(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            self._tokens = min(BURST, self._tokens + (now - self._token_time) * LINES_PER_S)
            self._token_time = now
            if self._tokens >= 1:
                self._tokens -= 1
                return
            await asyncio.sleep((1 - self._tokens) / LINES_PER_S)
