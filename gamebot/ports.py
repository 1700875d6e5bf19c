"""The three ports: what the core asks of a connection, a store and a clock.

Implementations: `gamebot.irc.Network` and `gamebot.testing` (connection), `gamebot.store`
(SQLite), `gamebot.clock` (real and virtual). Nothing above these ports knows which one it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Protocol

from attrs import field, frozen

from gamebot.events import Event, Person


class Urgency(IntEnum):
    """Order in which one channel's waiting lines leave: lower goes first."""

    TURN = 0
    REPLY = 1
    LISTING = 2


@frozen
class OutLine:
    """One message to send; the connection cleans it and splits it by bytes.

    Attributes:
        network: Network name.
        target: Channel or nick, one only.
        text: Text with mIRC formatting; a line break is not allowed.
        verb: "PRIVMSG" or "NOTICE".
        urgency: Turn lines pass listings.
        channel: Folded channel whose table speaks: lines are sent round-robin between these.
        keep: After a restart an unsent line is dropped unless this is set (results, removals,
            private verdicts).
        id: Number of its outbox row, 0 if it is not stored.
    """

    network: str
    target: str
    text: str
    verb: str = "PRIVMSG"
    urgency: Urgency = Urgency.REPLY
    channel: str = ""
    keep: bool = False
    id: int = 0


CertificatesTold = Callable[[tuple[str, ...] | None], None]
"""Takes the fingerprints of somebody's client certificate; None is "not found out"."""


class Link(Protocol):
    """One network's connection, as the core sees it."""

    @property
    def name(self) -> str:
        """Name of the network in the configuration."""

    @property
    def own_nick(self) -> str:
        """The bot's present nick."""

    @property
    def connected(self) -> bool:
        """Whether registration is done and the link is believed to be alive."""

    @property
    def has_accounts(self) -> bool:
        """Whether this server tells services accounts (account-tag, extended-join or WHOX)."""

    @property
    def backlog(self) -> int:
        """Lines that wait to be sent."""

    def fold(self, text: str) -> str:
        """Fold a nick or channel by the network's CASEMAPPING."""

    def is_channel(self, target: str) -> bool:
        """Whether *target* names a channel by the network's CHANTYPES."""

    def is_op(self, channel: str, nick: str) -> bool:
        """Whether *nick* has operator status (or higher) in *channel* now."""

    def members(self, channel: str) -> Sequence[Person]:
        """Everybody known to be in *channel* but the bot; empty if the bot is not there."""

    def has_voice(self, channel: str, nick: str) -> bool:
        """Whether *nick* has voice (or a higher status) in *channel* now."""

    def topic(self, channel: str) -> str:
        """Return the topic of *channel*, "" if it has none or the bot is not there."""

    @property
    def modes_per_line(self) -> int:
        """How many changes with a parameter one MODE line may carry."""

    @property
    def drops_silently(self) -> bool:
        """Whether the server may drop a private line without a word (caller-id); WHOIS tells."""

    def strips_colors(self, channel: str) -> bool:
        """Whether the channel removes or forbids formatting codes (modes +c, +S)."""

    def ask_certificates(self, person: Person, told: CertificatesTold) -> None:
        """Ask the server for the client certificates of *person*.

        *told* is called once, within seconds, perhaps before this returns: with what the server
        tells of them, or with None if nothing can be found out. What is found out about somebody
        who shares a channel stays known (`Person.certificates`). It is not called after the link
        was lost.
        """

    def send(self, line: OutLine, sent: Callable[[], None] | None = None) -> None:
        """Queue *line*; call *sent* once its last piece was handed to the socket."""

    def command(self, verb: str, *params: str) -> None:
        """Queue a protocol command behind chat (MODE, TOPIC, KICK, JOIN, PART)."""

    async def run(self) -> None:
        """Connect and stay connected until `close`."""

    async def close(self, reason: str) -> None:
        """Send QUIT with *reason*, end the connection and `run`."""


EventSink = Callable[[Event], None]


class TimerHandle(Protocol):
    """A callback that has not fired yet."""

    def cancel(self) -> None:
        """Make sure that the callback never runs; harmless when repeated."""


class Clock(Protocol):
    """Time, real or virtual."""

    def now(self) -> float:
        """Wall-clock time in seconds since the Unix epoch."""

    def monotonic(self) -> float:
        """Seconds on a clock that never jumps."""

    def call_at(self, when: float, callback: Callable[[], None]) -> TimerHandle:
        """Call *callback* when `monotonic()` reaches *when* (at once if it has)."""

    async def sleep(self, seconds: float) -> None:
        """Wait *seconds* on this clock."""


@frozen
class GameRow:
    """A table as stored: one per (network, channel, plugin).

    Attributes:
        network: Network name.
        channel: Folded channel name.
        plugin: Plugin that owns the game.
        game_id: Identity of this game, unique for ever.
        version: Schema version of *state*, set by the plugin.
        state: JSON text.
    """

    network: str
    channel: str
    plugin: str
    game_id: str
    version: int
    state: str


@frozen
class TimerRow:
    """A named one-shot timer.

    Attributes:
        network: Network name.
        channel: Folded channel name.
        plugin: Plugin that owns the timer.
        name: Name within (network, channel, plugin); setting it again replaces it.
        clock_id: The turn that it was armed for; 0 where none applies.
        due_at: Wall-clock deadline, seconds since the Unix epoch.
        limit_s: Its whole length in seconds, for a restart's arithmetic.
        payload: JSON text handed back when it fires.
    """

    network: str
    channel: str
    plugin: str
    name: str
    clock_id: int
    due_at: float
    limit_s: float
    payload: str = "null"


@frozen
class StateRow:
    """A value of a plugin's key-value state; *value* is JSON text, None deletes the key."""

    network: str
    channel: str
    plugin: str
    key: str
    value: str | None


@frozen
class SettingRow:
    """A setting given over IRC; *value* is JSON text, None removes it.

    Attributes:
        scope: "" (global), "network" or "network/#channel" (folded).
        plugin: Plugin of the setting, "" for the core's own.
        key: Setting's name.
        value: JSON text or None.
        by: Who set it.
        at: Seconds since the Unix epoch.
    """

    scope: str
    plugin: str
    key: str
    value: str | None
    by: str
    at: float


@frozen
class ResultRow:
    """What one player took from one ended game.

    Attributes:
        network: Network name.
        channel: Folded channel name.
        plugin: Plugin that owns the game.
        game_id: The game.
        player: Name shown.
        identity: Ranking key: "a:account" when known, else "n:folded nick".
        account: Services account or None.
        points: Points of this game.
        won: Whether this player won (a tie has several).
        forfeited: Whether this player left or was removed.
        is_bot: Whether a bot player sat there.
        with_bots: Whether a bot player took part in the game.
        ended_at: Seconds since the Unix epoch.
        details: JSON text of the plugin's own figures (records).
    """

    network: str
    channel: str
    plugin: str
    game_id: str
    player: str
    identity: str
    account: str | None
    points: int
    won: bool
    forfeited: bool
    is_bot: bool
    with_bots: bool
    ended_at: float
    details: str = "{}"


@frozen
class RankingRow:
    """One line of a ranking: sums over a player's results."""

    player: str
    identity: str
    games: int
    wins: int
    points: int
    forfeits: int
    best: int


@frozen(kw_only=True)
class Transaction:
    """Everything that one handled input changes; stored as a whole or not at all.

    Attributes:
        games: Rows to insert or replace.
        dropped_games: (network, channel, plugin) whose row goes.
        timers: Timers to set or replace.
        cancelled_timers: (network, channel, plugin, name) to delete.
        outgoing: Lines that may be sent once this is durable; their ids are set.
        results: Results to add.
        states: Key-value state to write.
        settings: Settings to write.
        moved_channels: (network, folded channel, its new name): whatever is stored for it moves,
            results and waiting lines too; a row that is there already stays.
    """

    games: tuple[GameRow, ...] = ()
    dropped_games: tuple[tuple[str, str, str], ...] = ()
    timers: tuple[TimerRow, ...] = ()
    cancelled_timers: tuple[tuple[str, str, str, str], ...] = ()
    outgoing: tuple[OutLine, ...] = ()
    results: tuple[ResultRow, ...] = ()
    states: tuple[StateRow, ...] = ()
    settings: tuple[SettingRow, ...] = ()
    moved_channels: tuple[tuple[str, str, str], ...] = ()


@frozen(kw_only=True)
class Snapshot:
    """All that a start needs: what was stored when the last process ended."""

    games: tuple[GameRow, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    outgoing: tuple[OutLine, ...] = ()
    states: tuple[StateRow, ...] = ()
    settings: tuple[SettingRow, ...] = ()
    next_outbox_id: int = 1
    refused: Mapping[str, str] = field(factory=dict)


class Store(Protocol):
    """Durable memory. Every method raises `StoreError` when it could not do its work."""

    async def open(self) -> Snapshot:
        """Open (create, migrate) and read what the core needs to go on."""

    async def commit(self, transaction: Transaction) -> None:
        """Return once *transaction* is durable; on an error nothing of it took effect."""

    def mark_sent(self, ids: Iterable[int]) -> None:
        """Delete these outbox rows with the next commit; never blocks."""

    async def ranking(
        self,
        network: str,
        channel: str,
        plugin: str,
        *,
        since: float = 0.0,
        with_bots: bool = False,
        limit: int = 10,
    ) -> Sequence[RankingRow]:
        """Rank players by wins, then points; games with bot players are counted apart."""

    async def results(
        self, network: str, channel: str, plugin: str, *, order: str = "points", limit: int = 10
    ) -> Sequence[ResultRow]:
        """Single results of humans in games that they finished: "points" best first, "ended_at" newest first."""

    async def close(self) -> None:
        """Finish what is queued, then close."""
