"""The one way out of a network: a token bucket, so that no server kills the bot for flooding."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

import structlog
from attrs import evolve, frozen

from gamebot.irc.lanes import Entry, Lanes
from gamebot.irc.options import NetworkOptions
from gamebot.ports import Clock, OutLine, TimerHandle, Urgency

log = structlog.get_logger()

_ROUNDING: Final = 1e-6
_CHAT_BEFORE_COMMAND: Final = 10
_COMMAND_LIMIT: Final = 500
_HARD_LIMIT_FACTOR: Final = 4
_DROP_LOG_INTERVAL_S: Final = 10.0

Sent = Callable[[], None]
Render = Callable[[OutLine], Sequence[str]]


def _nothing_more(_line: OutLine) -> None:
    """Do nothing."""


@frozen
class Command:
    """A protocol command that waits behind chat.

    Attributes:
        text: The line without its ending.
        cost: Tokens that it takes; a server counts some commands double.
        reserve: Tokens that must be left for chat after it; a command with a reserve is a mere
            question, and waits behind the other commands too.
    """

    text: str
    cost: float = 1.0
    reserve: float = 0.0


class Outbox:
    """Queue what the bot says on one network and let it out at a pace that servers accept.

    Lines leave round-robin between channels, within a channel by urgency; commands leave when no
    chat waits, and after every tenth chat line at the latest; questions when nothing else waits.
    Above the bound the oldest listings
    are dropped, then the oldest replies; turn lines and kept lines only at four times the bound,
    with an error in the log. *sent* of a dropped line is called: nothing waits for it any more.

    Args:
        network: Name of the network, for the log.
        clock: Time.
        burst: Lines that may leave at once.
        rate: Lines a second after that.
        max_lines: Bound of the backlog in lines.
        max_bytes: Bound of the backlog in bytes.

    Attributes:
        dropped: Lines dropped because the backlog was full.
    """

    def __init__(
        self,
        network: str,
        clock: Clock,
        *,
        burst: int = 5,
        rate: float = 1.0,
        max_lines: int = 200,
        max_bytes: int = 32_768,
    ) -> None:
        self._network = network
        self._clock = clock
        self._burst = float(burst)
        self._rate = rate
        self._max_lines = max_lines
        self._max_bytes = max_bytes
        self._lanes = Lanes()
        self._commands: deque[Command] = deque()
        self._questions: deque[Command] = deque()
        self._serials = count()
        self._tokens = self._burst
        self._refilled_at = clock.monotonic()
        self._timer: TimerHandle | None = None
        self._write: Callable[[str], None] | None = None
        self._render: Render = _nothing
        self._is_ready: Callable[[OutLine], bool] = _always
        self._gone: Callable[[OutLine], None] = _nothing_more
        self._pumping = False
        self._chat_in_a_row = 0
        self._drop_logged_at = float("-inf")
        self.dropped = 0

    @classmethod
    def of(cls, options: NetworkOptions, clock: Clock) -> Outbox:
        """Make the outbox of a network."""
        return cls(
            options.name,
            clock,
            burst=options.flood_burst,
            rate=options.flood_rate,
            max_lines=options.backlog_lines,
            max_bytes=options.backlog_bytes,
        )

    @property
    def depth(self) -> int:
        """Lines and commands that wait."""
        return self._lanes.lines + len(self._commands) + len(self._questions)

    @property
    def depth_bytes(self) -> int:
        """Bytes of text that wait."""
        return self._lanes.size

    def open(
        self,
        write: Callable[[str], None],
        render: Render,
        is_ready: Callable[[OutLine], bool],
        gone: Callable[[OutLine], None] = _nothing_more,
    ) -> None:
        """Begin to send on a link that is registered.

        Args:
            write: Hands one protocol line to the socket.
            render: Makes protocol lines of a line; none if nothing is left of it.
            is_ready: Whether a line can be sent now (is the bot in its channel?).
            gone: Told of each line that was handed to the socket whole.
        """
        self._write, self._render, self._is_ready = write, render, is_ready
        self._gone = gone
        self._refill()
        self._pump()

    def close(self) -> None:
        """Stop sending: the link is lost. Kept lines of channels stay, and begin anew on the next.

        A nick may be another's on the next link, so no private line waits for it.
        """
        self._write = None
        self._commands.clear()
        self._questions.clear()
        self._cancel_timer()
        self.drop(lambda entry: not entry.line.keep or _is_nick(entry.line.target))
        for entry in self._lanes:
            entry.pieces = None

    def put(self, line: OutLine, sent: Sent | None, *, channel: str, person: str) -> None:
        """Queue *line*; it may leave before this returns.

        Args:
            line: The line.
            sent: Called once the last piece was handed to the socket, or the line was dropped.
            channel: Folded channel whose turn it takes, "" for a private line of no table.
            person: Folded nick of a private line of no table.
        """
        size = len(line.text.encode(errors="replace"))
        person = "" if channel else person
        self._lanes.put(Entry(line, sent or _nobody, channel, person, next(self._serials), size))
        self._trim()
        self._pump()

    def put_command(self, command: Command) -> None:
        """Queue *command* behind chat; it is dropped when there is no link."""
        if self._write is None:
            return
        queue = self._questions if command.reserve else self._commands
        if len(queue) >= _COMMAND_LIMIT:
            log.warning("command_dropped", network=self._network, waiting=len(queue))
            return
        queue.append(command)
        self._pump()

    def drop(self, condition: Callable[[Entry], bool]) -> int:
        """Drop every waiting line that meets *condition*; return how many."""
        victims = [entry for entry in self._lanes if condition(entry)]
        for entry in victims:
            self._lanes.remove(entry)
        for entry in victims:
            entry.sent()
        return len(victims)

    def readdress(self, condition: Callable[[OutLine], bool], target: str) -> None:
        """Let every waiting line that meets *condition* go to *target*, from its beginning."""
        for entry in self._lanes:
            if condition(entry.line):
                entry.line, entry.pieces = evolve(entry.line, target=target), None

    def wake(self) -> None:
        """Look again at what waits: a channel became ready."""
        self._pump()

    # Sending.

    def _pump(self) -> None:
        if self._pumping:  # a *sent* callback put another line
            return
        self._pumping = True
        try:
            while self._write is not None and self._send_next(self._write):
                pass
        finally:
            self._pumping = False
        self._arm()

    def _send_next(self, write: Callable[[str], None]) -> bool:
        """Send one line if there is one and the bucket allows it."""
        self._refill()
        entry, command = self._choose()
        needed = self._needed(entry, command)
        if needed is None or self._tokens + _ROUNDING < needed:
            return False
        if command:
            self._chat_in_a_row = 0
            self._tokens -= min(command.cost, self._burst)
            (self._questions if command.reserve else self._commands).popleft()
            write(command.text)
        elif entry:
            self._send_chat(entry, write)
        return True

    def _choose(self) -> tuple[Entry | None, Command | None]:
        """Return what is next, as one of the two: chat, or a command whose time has come."""
        entry = self._lanes.next(self._is_ready)
        if self._commands and (not entry or self._chat_in_a_row >= _CHAT_BEFORE_COMMAND):
            return None, self._commands[0]
        if self._questions and not entry:
            return None, self._questions[0]
        return entry, None

    def _needed(self, entry: Entry | None, command: Command | None) -> float | None:
        if command:
            # What costs more than the bucket holds goes when the bucket is full.
            return min(command.cost + command.reserve, self._burst)
        return 1.0 if entry else None

    def _send_chat(self, entry: Entry, write: Callable[[str], None]) -> None:
        if entry.pieces is None:
            entry.pieces = self._pieces(entry.line)
            if not entry.pieces:
                self._lanes.remove(entry)
                entry.sent()
                return
        if entry.pieces:
            self._tokens -= 1.0
            self._chat_in_a_row += 1
            write(entry.pieces.popleft())
            self._lanes.pass_turn(entry)
        if not entry.pieces:
            self._lanes.remove(entry)
            self._gone(entry.line)
            entry.sent()

    def _pieces(self, line: OutLine) -> deque[str]:
        """Render *line*; one that cannot be is dropped, and holds up nobody else's."""
        try:
            return deque(self._render(line))
        except ValueError as error:
            self.dropped += 1
            log.error("line_not_rendered", network=self._network, why=str(error))  # noqa: TRY400  the message says it all
            return deque()

    def _refill(self) -> None:
        now = self._clock.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._refilled_at) * self._rate)
        self._refilled_at = now

    def _arm(self) -> None:
        self._cancel_timer()
        needed = self._needed(*self._choose())
        if self._write is None or needed is None:
            return
        missing = max(0.0, needed - self._tokens)
        due = self._clock.monotonic() + missing / self._rate
        self._timer = self._clock.call_at(due, self._pump)

    def _cancel_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    # The bound.

    def _trim(self) -> None:
        before = self.dropped
        while self._is_over(1) and (victim := self._expendable()):
            self._discard(victim)
        while self._is_over(_HARD_LIMIT_FACTOR) and (victim := self._last_resort()):
            log.error("turn_line_dropped", network=self._network, channel=victim.channel)
            self._discard(victim)
        if self.dropped > before:
            self._log_drops()

    def _is_over(self, factor: int) -> bool:
        lines, size = self._lanes.lines, self._lanes.size
        return lines > factor * self._max_lines or size > factor * self._max_bytes

    def _expendable(self) -> Entry | None:
        return self._lanes.oldest(Urgency.LISTING, keep=False) or self._lanes.oldest(
            Urgency.REPLY, keep=False
        )

    def _last_resort(self) -> Entry | None:
        urgencies = (Urgency.LISTING, Urgency.REPLY, Urgency.TURN)
        return next(filter(None, (self._lanes.oldest(one, keep=True) for one in urgencies)), None)

    def _discard(self, victim: Entry) -> None:
        self._lanes.remove(victim)
        self.dropped += 1
        victim.sent()

    def _log_drops(self) -> None:
        now = self._clock.monotonic()
        if now - self._drop_logged_at >= _DROP_LOG_INTERVAL_S:
            self._drop_logged_at = now
            log.warning("backlog_full", network=self._network, dropped_so_far=self.dropped)


def _nothing(_: OutLine) -> Sequence[str]:
    return ()


def _always(_: OutLine) -> bool:
    return True


def _is_nick(target: str) -> bool:
    """Whether *target* is a nick: none begins like a channel or a status before one."""
    return target[:1] not in frozenset("#&+!@%~.")


def _nobody() -> None:
    """Stand in for a *sent* that nobody waits for."""
