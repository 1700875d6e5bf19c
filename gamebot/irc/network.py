"""One network's connection, kept alive: the `Link` that the core talks to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import cycle, zip_longest
from random import Random, SystemRandom
from typing import Final

import structlog
from attrs import evolve

from gamebot.events import (
    ChannelDown,
    ChannelGivenUp,
    ChannelUp,
    Event,
    LinkDown,
    LinkUp,
    Person,
    Undelivered,
)
from gamebot.irc import formatting
from gamebot.irc.backoff import Backoff
from gamebot.irc.channel_questions import questions
from gamebot.irc.client import Client
from gamebot.irc.ctcp import CtcpReplies
from gamebot.irc.history import History
from gamebot.irc.isupport import Isupport
from gamebot.irc.joins import Joiner
from gamebot.irc.nicks import NickKeeper, nick_candidates
from gamebot.irc.options import NetworkOptions, ServerAddress
from gamebot.irc.outbox import Command, Outbox
from gamebot.irc.parser import Message, format_message
from gamebot.irc.reactions import ACCOUNT_CAPABILITIES, Reactions
from gamebot.irc.refusals import Refusals
from gamebot.irc.rendering import longest_source, render
from gamebot.irc.tracker import Tracker
from gamebot.irc.watchdog import Watchdog
from gamebot.irc.whois import Whois
from gamebot.ports import CertificatesTold, Clock, EventSink, Link, OutLine

log = structlog.get_logger()

_STABLE_S: Final = 60.0
_QUIT_TIMEOUT_S: Final = 2.0
_DOUBLE_COST: Final = frozenset({"JOIN", "WHO", "WHOIS", "NAMES", "LIST"})


class Network(Link):
    """Connect to a network and stay connected.

    Args:
        options: The network.
        sink: Called with every event, in order, from the event loop; it must not block.
        clock: Time.
        rng: Draws the jitter.
    """

    def __init__(
        self,
        options: NetworkOptions,
        sink: EventSink,
        clock: Clock,
        rng: Random | None = None,
    ) -> None:
        self._options = options
        self._sink = sink
        self._clock = clock
        self._backoff = Backoff(clock, rng or SystemRandom())
        self._servers = cycle(options.servers)
        self._isupport = Isupport(options.name)
        self._client: Client | None = None
        self._tracker = self._new_tracker()
        self._whois = self._new_whois()
        self._outbox = Outbox.of(options, clock)
        self._joiner = Joiner(
            options.name,
            clock,
            options.channels,
            options.rejoin_tries,
            self._send_join,
            lambda channel, why: self._emit(ChannelGivenUp(options.name, channel, why)),
        )
        self._nick_keeper = NickKeeper(
            clock,
            options.nick,
            ask=lambda: self._put_command("ISON", options.nick),
            take=lambda: self._put_command("NICK", options.nick),
        )
        self._history = History()
        self._refusals = Refusals(
            clock,
            self.fold,
            again=self.send,
            undelivered=lambda *what: self._emit(Undelivered(options.name, *what)),
        )
        self._supervisor: asyncio.Task[None] | None = None
        self._up_at: float | None = None
        self._is_closing = False
        self._reactions = Reactions(
            options=options,
            tracker=lambda: self._tracker,
            isupport=lambda: self._isupport,
            joiner=self._joiner,
            nick_keeper=self._nick_keeper,
            outbox=self._outbox,
            ctcp=CtcpReplies(clock, options.version),
            refusals=self._refusals,
            ask_about=self._ask_about,
        )

    # What the core asks.

    @property
    def name(self) -> str:
        """Name of the network in the configuration."""
        return self._options.name

    @property
    def own_nick(self) -> str:
        """The bot's present nick; the configured one while there is no link."""
        return self._tracker.own_nick or self._options.nick

    @property
    def connected(self) -> bool:
        """Whether registration is done and the link is believed to be alive."""
        return self._up_at is not None

    @property
    def has_accounts(self) -> bool:
        """Whether this server tells services accounts."""
        return self._isupport.whox or any(map(self._has_capability, ACCOUNT_CAPABILITIES))

    @property
    def backlog(self) -> int:
        """Lines that wait in the outbox."""
        return self._outbox.depth

    @property
    def dropped_lines(self) -> int:
        """Lines dropped since the start because the backlog was full."""
        return self._outbox.dropped

    @property
    def bad_lines(self) -> int:
        """Lines of the present link that made no sense."""
        return self._client.bad_lines if self._client else 0

    def fold(self, text: str) -> str:
        """Fold a nick or channel by the network's CASEMAPPING."""
        return self._isupport.fold(text)

    def is_channel(self, target: str) -> bool:
        """Whether *target* names a channel by the network's CHANTYPES."""
        return self._isupport.is_channel(target)

    def is_op(self, channel: str, nick: str) -> bool:
        """Whether *nick* has operator status (or higher) in *channel* now."""
        return self._tracker.membership.is_op(channel, nick)

    def members(self, channel: str) -> Sequence[Person]:
        """Everybody known to be in *channel* but the bot; empty if the bot is not there."""
        membership = self._tracker.membership
        found = membership.channel(channel)
        return list(membership.people(found, self.own_nick)) if found else ()

    def has_voice(self, channel: str, nick: str) -> bool:
        """Whether *nick* has voice (or a higher status) in *channel* now."""
        return self._tracker.membership.has_status(channel, nick)

    def topic(self, channel: str) -> str:
        """Return the topic of *channel*, "" if it has none or the bot is not there."""
        found = self._tracker.membership.channel(channel)
        return found.topic if found else ""

    @property
    def modes_per_line(self) -> int:
        """How many changes with a parameter one MODE line may carry."""
        return self._isupport.modes_per_line

    @property
    def drops_silently(self) -> bool:
        """Whether the server may drop a private line without a word (caller-id)."""
        return self._isupport.callerid

    def strips_colors(self, channel: str) -> bool:
        """Whether the channel removes or forbids formatting codes (modes +c, +S)."""
        return self._tracker.membership.strips_colors(channel)

    def ask_certificates(self, person: Person, told: CertificatesTold) -> None:
        """Ask the server for the client certificates of *person*; see the port."""
        if self.connected:
            self._whois.question(person, told)
        else:
            told(None)

    def send(self, line: OutLine, sent: Callable[[], None] | None = None) -> None:
        """Queue *line*; call *sent* once its last piece was handed to the socket.

        *sent* may be called before this returns. It is called at once for a line that nobody
        can get: a target that is none, or, unless the line is to be kept, no link or a channel
        where the bot is not.
        """
        target = formatting.clean_target(line.target)
        channel = self._isupport.channel_of(target)
        if not target:
            log.warning("target_refused", network=self.name, target=line.target[:80])
        if not target or not (line.keep or self._can_reach(channel)):
            if sent:
                sent()
            return
        self._outbox.put(
            line, sent, channel=line.channel or self.fold(channel), person=self.fold(target)
        )

    def command(self, verb: str, *params: str) -> None:
        """Queue a protocol command behind chat (MODE, TOPIC, KICK, JOIN, PART).

        A JOIN or PART also changes the channels that later links join.
        """
        names, keys = (param.split(",") for param in (*params, "", "")[:2])
        if verb.upper() == "JOIN":
            for name, key in zip_longest(filter(None, names), keys, fillvalue=""):
                self._joiner.want(name, key)
        elif verb.upper() == "PART":
            for name in names:
                self._joiner.unwant(name)
        self._put_command(verb, *params)

    # Connecting, again and again.

    async def run(self) -> None:
        """Connect and stay connected until `close`."""
        if self._is_closing:
            return
        self._supervisor = asyncio.create_task(self._supervise())
        try:
            await asyncio.wait({self._supervisor})
        finally:  # a cancelled `run` takes the connection with it
            if not self._supervisor.done():
                self._supervisor.cancel()
                await asyncio.wait({self._supervisor})

    async def close(self, reason: str) -> None:
        """Send QUIT with *reason*, end the connection and `run`."""
        self._is_closing = True
        client = self._client
        if client and self.connected:
            client.write(format_message("QUIT", [formatting.clean_text(reason)]))
            # The server closes the link once it has read everything; a link that is closed with
            # unread lines on it sends some servers into a spin.
            await asyncio.wait({client.lost}, timeout=_QUIT_TIMEOUT_S)
            client.lose("closed")
        elif self._supervisor:
            self._supervisor.cancel()
        if self._supervisor:
            await asyncio.wait({self._supervisor})

    async def _supervise(self) -> None:
        while not self._is_closing:
            await self._clock.sleep(self._backoff.next_delay())
            server = next(self._servers)
            try:
                await self._session(server)
            except Exception:  # one of the two places that catch everything: the supervisor
                log.exception("session_failed", network=self.name, server=str(server))

    async def _session(self, server: ServerAddress) -> None:
        """Live through one connection, from its beginning to its end."""
        log.info("connecting", network=self.name, server=str(server))
        nicklen = self._isupport.nicklen
        self._isupport = Isupport(self.name, self._isupport.casemapping)
        self._tracker = self._new_tracker()
        self._whois = self._new_whois()
        self._history = History()
        client = self._client = self._new_client(server, nicklen)
        late = self._clock.call_at(
            self._clock.monotonic() + self._options.registration_timeout_s,
            lambda: self._registration_late(client),
        )
        watchdog = self._new_watchdog(client)
        reason = "closed"
        try:
            await client.open()
            watchdog.start()
            reason = await client.lost
        except OSError as error:
            reason = str(error) or type(error).__name__
        finally:
            late.cancel()
            watchdog.stop()
            self._link_down(client, reason)
            await client.close()

    def _registration_late(self, client: Client) -> None:
        client.be_ready()  # a server may forget to end its MOTD
        if not self.connected:
            client.lose("registration timed out")

    def _link_up(self) -> None:
        self._up_at = self._clock.monotonic()
        log.info("link_up", network=self.name, nick=self.own_nick)
        if self._client:
            self._outbox.open(self._client.write, self._render, self._is_ready, self._refusals.sent)
        self._joiner.link_up(self._isupport)
        self._nick_keeper.check(self.own_nick, self._isupport)
        self._emit(LinkUp(self.name))

    def _link_down(self, client: Client, reason: str) -> None:
        report = log.info if self._is_closing else log.warning
        report("link_down", network=self.name, reason=reason[:300])
        self._backoff.refused(client.refusal)
        self._client = None
        was_up_at, self._up_at = self._up_at, None
        self._joiner.link_down()
        self._nick_keeper.stop()
        self._refusals.close()
        self._whois.close()
        self._tracker = self._new_tracker()
        self._whois = self._new_whois()
        if was_up_at is None:
            return
        if self._clock.monotonic() - was_up_at >= _STABLE_S:
            self._backoff.reset()
        self._outbox.close()
        self._emit(LinkDown(self.name, reason))

    # Parts of a session.

    def _new_tracker(self) -> Tracker:
        return Tracker(
            self.name, self._isupport, self._has_capability, self._emit, self._options.nobody
        )

    def _new_whois(self) -> Whois:
        return Whois(
            self.name,
            self._isupport,
            self._tracker.membership,
            self._clock,
            ask=lambda nick: self._put_command("WHOIS", nick),
        )

    def _new_client(self, server: ServerAddress, nicklen: int) -> Client:
        options = self._options
        return Client(
            options,
            server,
            clock=self._clock,
            nicks=nick_candidates(options.nick, options.alternatives, nicklen),
            observe=self._observe,
            ready=self._link_up,
            queue=lambda line: self._outbox.put_command(Command(line)),
            say=lambda verb, target, text: self.send(OutLine(self.name, target, text, verb)),
        )

    def _new_watchdog(self, client: Client) -> Watchdog:
        return Watchdog(
            self._clock,
            self._options.ping_interval_s,
            self._options.ping_timeout_s,
            heard_at=lambda: client.heard_at,
            ask=lambda token: client.write(format_message("PING", [token])),
            dead=lambda: client.lose("the link is silent"),
        )

    def _has_capability(self, name: str) -> bool:
        return self._client is not None and self._client.has_capability(name)

    # Sending.

    def _can_reach(self, channel: str) -> bool:
        return self.connected and (not channel or self._is_in(channel))

    def _is_in(self, channel: str) -> bool:
        return self._tracker.membership.channel(channel) is not None

    def _is_ready(self, line: OutLine) -> bool:
        channel = self._isupport.channel_of(line.target)
        return not channel or self._is_in(channel)

    def _render(self, line: OutLine) -> Sequence[str]:
        channel = self._isupport.channel_of(line.target)
        plain = bool(channel) and self.strips_colors(channel)
        source = self._tracker.own_source or longest_source(self.own_nick, self._options.username)
        return render(line, source, self._isupport.line_limit_bytes, plain=plain)

    def _put_command(self, verb: str, *params: str, reserve: float = 0.0) -> None:
        text = format_message(verb, [formatting.clean_text(param) for param in params])
        cost = 2.0 if verb.upper() in _DOUBLE_COST else 1.0
        self._outbox.put_command(Command(text, cost, reserve))

    def _send_join(self, params: tuple[str, ...]) -> None:
        self._put_command("JOIN", *params)

    # Reacting.

    def _observe(self, message: Message) -> None:
        if message.command == "001":
            self._history.begins(message)
        if self._history.is_past(message):
            return
        self._reactions.before(message)
        self._tracker.handle(message)
        self._whois.handle(message)
        self._reactions.after(message)

    def _emit(self, event: Event) -> None:
        if isinstance(event, ChannelUp):
            event = evolve(event, asked=self._joiner.joined(event.channel))
            self._ask_about(event)
            self._outbox.wake()
        elif isinstance(event, ChannelDown):
            self._outbox.drop(lambda entry: self._is_lost(entry.line))
        self._sink(event)

    def _ask_about(self, event: ChannelUp) -> None:
        tells_accounts = any(map(self._has_capability, ACCOUNT_CAPABILITIES))
        for verb, *params in questions(
            event, tells_accounts=tells_accounts, whox=self._isupport.whox
        ):
            self._put_command(verb, *params, reserve=max(0.0, self._options.flood_burst / 2))

    def _is_lost(self, line: OutLine) -> bool:
        """Whether *line* cannot be sent any more, or to somebody whose nick nobody tells now."""
        if channel := self._isupport.channel_of(line.target):
            return not line.keep and not self._is_in(channel)
        told_in = line.channel and not self._is_in(line.channel)
        return bool(told_in) and self._tracker.membership.user(line.target) is None
