"""People for real servers: clients of the test kit that speak no faster than the servers bear."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress

from attrs import define, field

from gamebot.irc.formatting import strip_formatting
from gamebot.testing.client import Condition, IrcClient, Pacing
from gamebot.testing.ircd.wire import Message

from .servers import OPER, IrcServer

# A stock InspIRCd takes 9 lines at once and then one a second; ngircd queues what comes faster.
PACE = Pacing(burst_lines=7, lines_per_s=1.0)
ANSWER_S = 20.0
SHOWN_LINES = 40


@define(eq=False)
class Player(IrcClient):
    """One person on one server, through as many connections as they make.

    Attributes:
        server: Where they connect.
        tls: Over TLS, verified with the server's private CA.
    """

    server: IrcServer = field(kw_only=True)
    tls: bool = field(default=False, kw_only=True)

    async def __aenter__(self) -> Player:
        """Connect and register; again, if need be."""
        return await self.come()

    async def come(self, *, within_s: float = 0.0) -> Player:
        """Connect and register, trying for *within_s* seconds while the server refuses."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + within_s
        self.pass_all()
        while True:
            try:
                await self.connect()
                break
            except ConnectionRefusedError:
                if loop.time() >= give_up:
                    raise
                await asyncio.sleep(0.5)
        try:
            await self.register()
        except BaseException:
            await self.abort()
            raise
        return self

    async def quit(self, reason: str = "bye") -> None:
        """Leave the server once it has handled everything that was said before.

        ngircd can spin for seconds when a client with a backlog just closes.
        """
        if self.connected:
            with suppress(ConnectionError, TimeoutError):
                await self.sync()
        await super().quit(reason)

    async def oper(self) -> None:
        """Become an IRC operator."""
        self.send(f"OPER {OPER[0]} {OPER[1]}")
        await self.wait_for(lambda m: m.command == "381")

    async def register_account(self, password: str, email: str) -> None:
        """Register the present nick with services; that logs in, too."""
        self.say("NickServ", f"REGISTER {password} {email}")
        await self.hear("registered", source="NickServ")

    async def kick(self, channel: str, nick: str, reason: str = "out") -> None:
        """Kick *nick* (the first to join a channel is its operator) and see it happen."""
        self.send(f"KICK {channel} {nick} :{reason}")
        await self.answer(lambda m: m.command == "KICK" and m.params[:2] == (channel, nick))

    async def answer(
        self, condition: Condition, timeout_s: float | None = None, *, since: int | None = None
    ) -> Message:
        """Wait for a line that comes from now on, or after *since*; `cursor` stays where it is."""
        cursor = self.cursor
        start = len(self.messages) if since is None else since
        try:
            return await self.wait_for(condition, timeout_s, since=start)
        finally:
            self.cursor = cursor

    async def members(self, channel: str) -> set[str]:
        """Ask who is in *channel*; nicks without the signs of their status."""
        since = len(self.messages)
        self.send(f"NAMES {channel}")
        await self.answer(lambda m: m.command == "366")
        replies = [message for message in self.messages[since:] if message.command == "353"]
        names = (name for message in replies for name in message.text.split())
        return {name.lstrip("~&@%+").partition("!")[0] for name in names}

    async def until_member(self, channel: str, nick: str, *, timeout_s: float = 30.0) -> None:
        """Wait until *nick* is in *channel*."""
        since = len(self.messages)
        if nick not in await self.members(channel):
            await self.answer(rf"^:{nick}!\S+ JOIN :?{channel}\b", timeout_s, since=since)

    async def until_gone(self, channel: str, nick: str, *, timeout_s: float = 30.0) -> None:
        """Wait until *nick* is not in *channel*: a server may notice a dead process late."""
        since = len(self.messages)
        if nick in await self.members(channel):
            await self.answer(rf"^:{nick}!\S+ (QUIT|PART)\b", timeout_s, since=since)

    async def hear(
        self,
        pattern: str | re.Pattern[str],
        *,
        source: str | None = None,
        target: str | None = None,
        timeout_s: float | None = None,
    ) -> re.Match[str]:
        """Wait for a PRIVMSG or NOTICE whose plain text *pattern* finds, and go on behind it.

        Args:
            pattern: Regular expression.
            source: Nick of the speaker, None for anybody.
            target: Channel or nick that is spoken to, None for any.
            timeout_s: Seconds to wait.
        """
        regex = re.compile(pattern)

        def condition(message: Message) -> bool:
            return (
                spoken(message)
                and source in (None, message.nick)
                and target in (None, message.params[0])
                and regex.search(plain(message)) is not None
            )

        message = await self.wait_for(condition, timeout_s)
        match = regex.search(plain(message))
        assert match is not None
        return match

    async def next_line(self, source: str, target: str, timeout_s: float | None = None) -> str:
        """Wait for the next PRIVMSG or NOTICE of *source* to *target*; return its plain text."""

        def condition(message: Message) -> bool:
            return spoken(message) and (message.nick, message.params[0]) == (source, target)

        return plain(await self.wait_for(condition, timeout_s))

    def pass_all(self) -> None:
        """Move `cursor` behind everything that has come so far."""
        self.cursor = len(self.messages)

    def recent(self, lines: int = SHOWN_LINES) -> str:
        """Return the last lines that the server sent, for a failure's message."""
        shown = [f"  {strip_formatting(line)}" for line in self.lines[-lines:]]
        return "\n".join([f"last lines that {self.nick} saw on {self.server.name}:", *shown])

    def _describe(self, condition: Condition) -> str:
        pattern = condition.pattern if isinstance(condition, re.Pattern) else condition
        return f"{pattern}; {self.recent()}"


def spoken(message: Message) -> bool:
    """Whether *message* is a PRIVMSG or NOTICE of somebody, not of a server."""
    return message.command in {"PRIVMSG", "NOTICE"} and "!" in message.source


def plain(message: Message) -> str:
    """Return a message's text without formatting codes."""
    return strip_formatting(message.text)


def player(
    server: IrcServer,
    nick: str,
    *,
    tls: bool = False,
    caps: Iterable[str] = (),
    sasl: tuple[str, str] | None = None,
    certified: bool = False,
) -> Player:
    """Make a person who is not connected yet; the user name is the first nick in lower case.

    Who is certified shows the client certificate of this run, over TLS.
    """
    tls = tls or certified
    return Player(
        nick,
        server=server,
        host=server.host,
        port=server.tls_port if tls else server.port,
        user=nick.lower(),
        tls=tls,
        ssl_context=server.authority.client_context(certified=certified) if tls else None,
        server_hostname="localhost" if tls else None,
        caps=tuple(caps),
        sasl=sasl,
        pacing=PACE,
        timeout_s=ANSWER_S,
    )


@asynccontextmanager
async def people(server: IrcServer, *nicks: str, tls: bool = False) -> AsyncIterator[list[Player]]:
    """Connect several people one after the other; all leave at the end."""
    crowd = [player(server, nick, tls=tls) for nick in nicks]
    try:
        for each in crowd:
            await each.come()
        yield crowd
    finally:
        await asyncio.gather(*(each.quit() for each in crowd))
