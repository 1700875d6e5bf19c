"""Waiting lines of a network, fair between channels, by urgency within one."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator

from attrs import define, field

from gamebot.ports import OutLine, Urgency


@define(eq=False)
class Entry:
    """A line that waits.

    Attributes:
        line: The line.
        sent: Called once it is done.
        channel: Folded channel whose turn it takes, "" for a private line of no table.
        person: Folded nick whose turn within the private lines it takes.
        serial: Grows with each entry.
        size: Bytes that it counts for in the backlog.
        pieces: Protocol lines still to send; None until the first one leaves.
    """

    line: OutLine
    sent: Callable[[], None]
    channel: str
    person: str
    serial: int
    size: int
    pieces: deque[str] | None = None


@define(eq=False)
class Lane:
    """Entries that share a turn: the most urgent first, a started one before all."""

    queues: tuple[deque[Entry], ...] = field(factory=lambda: tuple(deque() for _ in Urgency))

    def head(self) -> Entry | None:
        """Return what is next."""
        heads = [queue[0] for queue in self.queues if queue]
        started = (entry for entry in heads if entry.pieces)
        return next(started, heads[0] if heads else None)


class Lanes:
    """Round-robin over channels.

    A channel's lines and the private lines of its table share a turn. Private lines of no table
    share one turn too, and take it person by person: a hundred people who ask the bot in private
    delay a channel by one line, not by a hundred.

    Attributes:
        lines: Entries waiting.
        size: Their bytes.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[str, OrderedDict[str, Lane]] = OrderedDict()
        self.lines = 0
        self.size = 0

    def put(self, entry: Entry) -> None:
        """Add *entry* behind its equals."""
        lanes = self._groups.setdefault(entry.channel, OrderedDict())
        lanes.setdefault(entry.person, Lane()).queues[entry.line.urgency].append(entry)
        self.lines += 1
        self.size += entry.size

    def next(self, is_ready: Callable[[OutLine], bool]) -> Entry | None:
        """Return the entry whose turn it is if one is ready; nothing moves."""
        return next(
            (
                entry
                for lanes in self._groups.values()
                for lane in lanes.values()
                if (entry := lane.head()) and is_ready(entry.line)
            ),
            None,
        )

    def pass_turn(self, entry: Entry) -> None:
        """Let the lane of *entry* be the last in the round."""
        self._groups[entry.channel].move_to_end(entry.person)
        self._groups.move_to_end(entry.channel)

    def remove(self, entry: Entry) -> None:
        """Take *entry* out, and its lane if that is empty."""
        lanes = self._groups[entry.channel]
        lane = lanes[entry.person]
        lane.queues[entry.line.urgency].remove(entry)
        self.lines -= 1
        self.size -= entry.size
        if lane.head() is None:
            del lanes[entry.person]
        if not lanes:
            del self._groups[entry.channel]

    def oldest(self, urgency: Urgency, *, keep: bool) -> Entry | None:
        """Find the oldest entry of this urgency that has not started; *keep* allows kept ones."""
        candidates = (
            next((one for one in queue if one.pieces is None and (keep or not one.line.keep)), None)
            for lanes in self._groups.values()
            for lane in lanes.values()
            if (queue := lane.queues[urgency])
        )
        return min(filter(None, candidates), key=lambda one: one.serial, default=None)

    def __iter__(self) -> Iterator[Entry]:
        return iter(
            [
                entry
                for lanes in self._groups.values()
                for lane in lanes.values()
                for queue in lane.queues
                for entry in queue
            ]
        )
