"""The named timers of one channel: stored as deadlines, running only while the bot is there."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from attrs import define, evolve, field

from gamebot.ports import Clock, TimerHandle, TimerRow

Name = tuple[str, str]
"""(plugin, name)."""


DRIFT_S = 0.5
"""A stored deadline is rewritten when it is wrong by more, seconds."""


@define
class _Armed:
    row: TimerRow
    when: float  # on the monotonic clock, which no wall jump moves
    handle: TimerHandle | None


@define
class Timers:
    """What is armed in one channel.

    Attributes:
        clock: Time.
        fire: Called with the row of a timer that ran out.
        running: Whether time passes for them; while the bot is away it does not.
    """

    clock: Clock
    fire: Callable[[TimerRow], None]
    running: bool = False
    _armed: dict[Name, _Armed] = field(factory=dict)

    def __contains__(self, name: object) -> bool:
        return name in self._armed

    def __iter__(self) -> Iterator[Name]:
        return iter(self._armed)

    def rows(self) -> list[TimerRow]:
        """List what is armed."""
        return [armed.row for armed in self._armed.values()]

    def row(self, plugin: str, name: str) -> TimerRow | None:
        """Return a timer's row, None if it is not armed."""
        armed = self._armed.get((plugin, name))
        return armed.row if armed else None

    def arm(self, row: TimerRow, *, after_s: float | None = None) -> None:
        """Arm *row*, replacing one of its name; it fires after *after_s* instead if given."""
        self.disarm((row.plugin, row.name))
        wait = row.due_at - self.clock.now() if after_s is None else after_s
        armed = _Armed(row, self.clock.monotonic() + wait, None)
        self._armed[row.plugin, row.name] = armed
        self._run(armed)

    def _run(self, armed: _Armed) -> None:
        if self.running:
            when = max(armed.when, self.clock.monotonic())
            armed.handle = self.clock.call_at(when, lambda: self.fire(armed.row))

    def left_s(self, plugin: str, name: str) -> float | None:
        """Return how many seconds a timer has left, None if it is not armed."""
        armed = self._armed.get((plugin, name))
        return None if armed is None else max(0.0, armed.when - self.clock.monotonic())

    def disarm(self, name: Name) -> None:
        """Forget a timer; harmless if it is not armed."""
        armed = self._armed.pop(name, None)
        if armed and armed.handle:
            armed.handle.cancel()

    def pause(self) -> None:
        """Let no timer fire until `resume`."""
        self.running = False
        for armed in self._armed.values():
            if armed.handle:
                armed.handle.cancel()
                armed.handle = None

    def resume(self, but: Container[Name] = ()) -> None:
        """Let timers fire again; what fell due meanwhile fires at once.

        Args:
            but: Timers that are about to be replaced.
        """
        self.running = True
        for name, armed in self._armed.items():
            if armed.handle is None and name not in but:
                self._run(armed)

    def wake(self, plugin: str) -> None:
        """Arm a plugin's timers again: it was not there when some of them ran out."""
        for row in self.rows():
            if row.plugin == plugin:
                self.arm(row)

    def corrected(self) -> list[TimerRow]:
        """Correct the deadlines after the wall clock jumped; return the rows to store.

        What is left does not change, only how it is written: a deadline that was set after the
        jump is right already.
        """
        rows = []
        offset = self.clock.now() - self.clock.monotonic()
        for armed in self._armed.values():
            due_at = armed.when + offset
            if abs(due_at - armed.row.due_at) > DRIFT_S:
                self._replace(armed, evolve(armed.row, due_at=due_at))
                rows.append(armed.row)
        return rows

    def rekeyed(self, channel: str) -> None:
        """Move every timer to another folded channel name."""
        for armed in self._armed.values():
            self._replace(armed, evolve(armed.row, channel=channel))

    def _replace(self, armed: _Armed, row: TimerRow) -> None:
        """Give a timer another row; one that has fired and still waits in the queue fires anew."""
        armed.row = row
        if armed.handle:
            armed.handle.cancel()
            self._run(armed)
