"""The one subclass of pydle's client.

pydle carries the connection, the registration, capability negotiation and the dispatch of
commands; what it does with chat, members, queues and lost links is replaced (the reasons are in
docs/decisions/0003-pydle-subclass.md). One client lives for one connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pydle
import structlog

from gamebot.irc import sasl
from gamebot.irc.backoff import Refusal, read_refusal
from gamebot.irc.connection import Connection
from gamebot.irc.nicks import SAFE_NICKLEN
from gamebot.irc.options import NetworkOptions, ServerAddress
from gamebot.irc.parser import LineBuffer, Message, parse_message
from gamebot.ports import Clock, TimerHandle

log = structlog.get_logger()

_LINE_BYTES: Final = 510
_CAP_LINES: Final = 64
_PASSES_BY: Final = frozenset(
    {"AUTHENTICATE", "CAP", "NICK", "PASS", "PING", "PONG", "QUIT", "USER"}
)
"""Commands that do not wait in the outbox."""

_LEAST_PARAMS: Final = {
    "001": 1,
    "410": 1,
    "AUTHENTICATE": 1,
    "CAP": 2,
    "ERROR": 0,
    "NICK": 1,
    "PING": 0,
    **dict.fromkeys(("376", "422", "432", "433", "437", "465"), 0),
    **dict.fromkeys(("902", "903", "904", "905", "906", "907", "908"), 0),
}
"""The commands that pydle's dispatch gets, and the parameters below which a line is a fault."""


class Client(pydle.Client):  # type: ignore[misc]  # pydle has no types
    """One connection to one server.

    Args:
        options: The network.
        server: Where to connect.
        clock: Time.
        nicks: Nicks to try, one after the other.
        observe: Gets every message, in order.
        ready: Called once when registration has ended well.
        queue: Gets protocol lines of pydle's own code that have to wait for their turn.
        say: Gets (verb, target, text) from pydle's `message` and `notice`.

    Attributes:
        lost: Done when the connection is over; its result says why.
        refusal: Why the server refused, as far as the next try must know.
        heard_at: Monotonic time at which the server last sent anything.
        bad_lines: Lines dropped because they were no message, too long or too short.
    """

    nickname: str

    def __init__(
        self,
        options: NetworkOptions,
        server: ServerAddress,
        *,
        clock: Clock,
        nicks: Iterator[str],
        observe: Callable[[Message], None],
        ready: Callable[[], None],
        queue: Callable[[str], None],
        say: Callable[[str, str, str], None],
    ) -> None:
        super().__init__(next(nicks), username=options.username, realname=options.realname)
        self._options = options
        self._server = server
        self._clock = clock
        self._nicks = nicks
        self._observe = observe
        self._ready = ready
        self._queue = queue
        self._say = say
        self._lines = LineBuffer()
        self._reader: asyncio.Task[None] | None = None
        self._cap_lines: list[str] = []
        self._is_ready = False
        self._logged_in = False
        self._login_timer: TimerHandle | None = None
        self._last_error = ""
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.refusal = Refusal.NONE
        self.heard_at = clock.monotonic()
        self.bad_lines = 0

    def has_capability(self, name: str) -> bool:
        """Tell whether an IRCv3 capability is in force."""
        return bool(self._capabilities.get(name))

    # The life of the connection.

    async def open(self) -> None:
        """Connect and begin to register.

        Raises:
            OSError: The connection cannot be made.
        """
        server, password = self._server, self._options.password
        await self.connect(server.host, server.port, tls=server.tls, password=password or None)

    async def _connect(self, hostname: str, port: int, **_: object) -> None:
        del hostname, port  # they are the server's, which the connection knows
        self.encoding = "utf-8"
        self.connection = Connection(self._options, self._server)
        await self.connection.connect()

    def lose(self, reason: str, refusal: Refusal = Refusal.NONE) -> None:
        """Give the connection up; `close` has to follow."""
        if not self.lost.done():
            self.refusal = refusal if refusal is not Refusal.NONE else self.refusal
            self.lost.set_result(reason)

    async def close(self) -> None:
        """End the connection and its reader, and wait until they have ended."""
        self.lose("closed")
        self._stop_login_timer()
        if self._reader:
            self._reader.cancel()
            await asyncio.wait({self._reader})
        if self.connection:
            await self.connection.disconnect()

    async def handle_forever(self) -> None:
        """Read until the end, one line after the other; always tell when it has come."""
        self._reader = asyncio.current_task()
        reason = "the server closed the connection"
        try:
            while data := await self.connection.recv():
                await self.on_data(data)
                await asyncio.sleep(0)  # a server that sends without pause is not alone here
        except OSError as error:
            reason = str(error) or type(error).__name__
        finally:
            self._last_words()
            self.lose(self._last_error or reason)

    def _last_words(self) -> None:
        if self._last_error and self.refusal is Refusal.NONE:
            self.refusal = read_refusal(self._last_error)

    async def on_disconnect(self, expected: bool) -> None:  # noqa: FBT001  pydle's signature
        """Signal the end; the network connects again, not pydle."""
        self.lose("closed" if expected else "lost")

    async def on_data_error(self, exception: Exception) -> None:
        """Signal the end."""
        self.lose(str(exception))

    # Lines that come in.

    async def on_data(self, data: bytes) -> None:
        """Handle every line that *data* completes, in order."""
        self.heard_at = self._clock.monotonic()
        too_long = self._lines.dropped
        for line in self._lines.feed(data):
            message = parse_message(line)
            if message is None:
                self._count_bad_line("no command")
            else:
                await self.on_raw(message)
        for _ in range(self._lines.dropped - too_long):
            self._count_bad_line("too long")

    async def on_raw(self, message: Message) -> None:
        """Show *message* to the network and to pydle; no fault in either ends the reader."""
        command = message.command
        try:
            self._last_error = " ".join(message.params) if command == "ERROR" else ""
            self._observe(message)
            least = _LEAST_PARAMS.get(command)
            if least is not None and len(message.params) >= least:
                await getattr(self, "on_raw_" + command.lower())(message)
            elif least is not None:
                self._count_bad_line("too few parameters")
        except Exception:  # one of the two places that catch everything: the handler dispatch
            log.exception("line_failed", network=self._options.name, command=command[:20])

    def _count_bad_line(self, why: str) -> None:
        self.bad_lines += 1
        log.debug("bad_line", network=self._options.name, why=why, so_far=self.bad_lines)

    # Lines that go out.

    def _create_message(self, command: object, *params: str, **kwargs: Any) -> Message:  # noqa: ANN401  pydle's signature
        return Message(str(command), params, kwargs.get("source") or "", kwargs.get("tags") or {})

    async def _send(self, input: object) -> None:  # noqa: A002  pydle's signature
        line = input.decode(errors="replace") if isinstance(input, bytes) else str(input)
        if self.registered and line.startswith("CAP END"):
            return  # negotiation has ended; a second end is none
        if not self.registered or line.partition(" ")[0].upper() in _PASSES_BY:
            self.write(line)
        else:
            self._queue(line)

    def write(self, line: str) -> None:
        """Hand one line to the socket; it is cut where the protocol ends it."""
        data = line.replace("\r", "").replace("\n", "").replace("\0", "").encode(errors="replace")
        if len(data) > _LINE_BYTES:
            data = data[:_LINE_BYTES].decode(errors="ignore").encode()
        verb = line.partition(" ")[0][:20]
        log.debug("line_out", network=self._options.name, verb=verb, size=len(data))
        try:
            self.connection.write(data + b"\r\n")
        except OSError as error:
            self.lose(str(error))

    async def message(self, target: str, message: str) -> None:
        """Say *message* through the outbox, without pydle's echo."""
        self._say("PRIVMSG", target, message)

    async def notice(self, target: str, message: str) -> None:
        """Send *message* as a notice through the outbox, without pydle's echo."""
        self._say("NOTICE", target, message)

    # What pydle would keep or ask about people; `membership` does it.

    async def _create_user(self, nickname: str) -> None:
        """Keep nobody, and never send WHOIS."""

    async def _rename_user(self, user: str, new: str) -> None:
        """Keep nobody, and never send WHOIS."""

    async def _sync_user(self, nick: str, metadata: object) -> None:
        """Keep nobody."""

    # Registration.

    async def on_raw_001(self, message: Message) -> None:
        """Take the nick that the server gives; refuse to go on without a required login."""
        await self._registration_completed(message)
        if self._options.sasl == "required" and not self._logged_in:
            self._login_failed("the server registered the bot without a login")

    async def on_raw_376(self, message: Message) -> None:
        """Be ready, whatever came before the end of the MOTD."""
        if not self.registered and message.params:
            await self.on_raw_001(message)
        await self.on_connect()

    on_raw_422 = on_raw_376  # no MOTD

    async def on_connect(self) -> None:
        """Tell the network."""
        self.be_ready()

    def be_ready(self) -> None:
        """Tell the network, once, if the server has let the bot in."""
        if self.registered and not self._is_ready and not self.lost.done():
            self._is_ready = True
            self._ready()

    async def on_raw_nick(self, message: Message) -> None:
        """Follow the bot's own nick."""
        if self.is_same_nick(self.nickname, message.nick):
            self.nickname = message.params[0]

    async def on_raw_433(self, message: Message) -> None:
        """Try the next nick; after registration the nick that the bot has will do."""
        del message
        if self.registered:
            return
        nick = next(self._nicks, None)
        if nick is None:
            self.lose("no nick is free")
        else:
            await self.set_nickname(nick)

    on_raw_437 = on_raw_433  # not available now

    async def on_raw_432(self, message: Message) -> None:
        """Try what every server allows: the nick is too long, or holds what may not be in one."""
        if self.registered:
            return
        log.warning("nick_refused", network=self._options.name, why=" ".join(message.params)[:200])
        self._nicks = (nick for nick in self._nicks if len(nick) <= SAFE_NICKLEN)
        await self.on_raw_433(message)

    async def on_raw_465(self, message: Message) -> None:
        """Note a ban; the server closes the connection."""
        del message
        if not self.registered:
            self.refusal = Refusal.BANNED

    async def on_raw_error(self, message: Message) -> None:
        """Log why the server is going to close the connection; its end is seen by the reader."""
        log.info("server_error", network=self._options.name, reason=" ".join(message.params)[:300])

    # Capabilities.

    async def on_raw_410(self, message: Message) -> None:
        """End a negotiation that the server does not understand."""
        if not self.registered:
            await super().on_raw_410(message)

    async def on_raw_cap(self, message: Message) -> None:
        """Join the lines of a long list before pydle reads it."""
        subcommand = message.params[1].upper()
        names = message.params[-1] if len(message.params) > 2 else ""
        if subcommand == "LS":
            if len(self._cap_lines) < _CAP_LINES:
                self._cap_lines.append(names)
            if len(message.params) > 3 and message.params[2] == "*":
                return
            names, self._cap_lines = " ".join(self._cap_lines), []
        if subcommand in {"LS", "LIST", "ACK", "NAK", "NEW", "DEL"}:
            await getattr(self, "on_raw_cap_" + subcommand.lower())([names])

    async def on_raw_cap_ls(self, params: Sequence[str]) -> None:
        """Ask for what is useful; refuse to go on where a required login is not offered."""
        names = {name.partition("=")[0].lower() for name in params[0].split()}
        if self._options.sasl == "required" and not self.registered and "sasl" not in names:
            self._login_failed("the server does not offer SASL")
            return
        await super().on_raw_cap_ls(params)

    async def on_raw_cap_new(self, params: Sequence[str]) -> None:
        """Ask anew for what the server took away and offers again."""
        for name in params[0].split():
            self._capabilities.pop(self._capability_normalize(name)[0], None)
        await self.on_raw_cap_ls(params)

    async def _accept(self, value: str | None) -> bool:
        del value
        return True

    on_capability_server_time_available = _accept  # history is older than the connection
    on_capability_batch_available = _accept  # and bouncers mark it

    async def _decline(self, value: str | None) -> bool:
        del value
        return False

    on_capability_away_notify_available = _decline  # nobody's absence matters here
    on_capability_invite_notify_available = _decline  # nor other people's invitations
    on_capability_echo_message_available = _decline  # the bot knows what it says

    # Login.

    async def on_capability_sasl_available(self, value: str | None) -> bool:
        """Log in if that is configured and possible."""
        options = self._options
        if options.sasl == "off" or self.registered:
            return False
        if not sasl.is_offered(options.sasl_mechanism, value):
            self._login_failed(f"the server does not offer {options.sasl_mechanism}")
            return False
        return True

    async def on_capability_sasl_enabled(self) -> bool | None:
        """Begin the exchange; negotiation ends with it."""
        if self._options.sasl == "off" or self.registered:
            return None
        due = self._clock.monotonic() + self._options.sasl_timeout_s
        self._login_timer = self._clock.call_at(due, self._login_late)
        await self.rawmsg("AUTHENTICATE", self._options.sasl_mechanism)
        more_to_come: bool = pydle.CAPABILITY_NEGOTIATING
        return more_to_come

    async def on_raw_authenticate(self, message: Message) -> None:
        """Answer the challenge, if we asked for one."""
        if self._login_timer and message.params[0] == "+":
            for piece in sasl.responses(self._options):
                await self.rawmsg("AUTHENTICATE", piece)

    async def on_raw_903(self, message: Message) -> None:
        """Go on, logged in."""
        del message
        if self._login_timer:
            self._logged_in = True
            await self._end_login()

    async def on_raw_904(self, message: Message) -> None:
        """Go on without a login, or not at all."""
        if self._login_timer:
            self._login_failed(message.param(len(message.params) - 1))
            await self._end_login()

    on_raw_902 = on_raw_905 = on_raw_906 = on_raw_904  # locked; too long; aborted
    on_raw_907 = on_raw_903  # logged in already

    async def on_raw_908(self, message: Message) -> None:
        """Log which mechanisms there are; a 904 follows."""
        log.warning("sasl_mechanisms", network=self._options.name, offered=message.param(1)[:100])

    def _login_late(self) -> None:
        self._login_timer = None
        self._login_failed("the server does not answer")
        if not self.lost.done():
            self.write("AUTHENTICATE *")
            self._capabilities_negotiating.discard("sasl")
            self.write("CAP END")

    async def _end_login(self) -> None:
        self._stop_login_timer()
        if not self.lost.done():
            await self._capability_negotiated("sasl")

    def _stop_login_timer(self) -> None:
        if self._login_timer:
            self._login_timer.cancel()
            self._login_timer = None

    def _login_failed(self, why: str) -> None:
        required = self._options.sasl == "required"
        report = log.error if required else log.warning
        report("login_failed", network=self._options.name, why=why[:200], required=required)
        if required:
            self.lose(f"login failed: {why}", Refusal.LOGIN)
