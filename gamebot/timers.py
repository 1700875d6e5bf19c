"""The named timers of one channel: stored as deadlines, running only while the bot is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, evolve, field

from gamebot.ports import Clock, TimerHandle, TimerRow

Name = tuple[str, str]
"""(plugin, name)."""


@define
class _Armed:
    row: TimerRow
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
        handle = None
        if self.running:
            wait = max(0.0, row.due_at - self.clock.now()) if after_s is None else after_s
            handle = self.clock.call_at(self.clock.monotonic() + wait, lambda: self.fire(row))
        self._armed[row.plugin, row.name] = _Armed(row, handle)

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

    def resume(self) -> None:
        """Let timers fire again; what fell due meanwhile fires at once."""
        self.running = True
        for armed in list(self._armed.values()):
            if armed.handle is None:
                self.arm(armed.row)

    def moved(self, seconds: float) -> list[TimerRow]:
        """Move the deadlines after the wall clock jumped; return the rows to store."""
        rows = [
            evolve(armed.row, due_at=armed.row.due_at + seconds)
            for armed in self._armed.values()
            if armed.handle
        ]
        for row in rows:
            self.arm(row)
        return rows

    def rekeyed(self, channel: str) -> None:
        """Move every timer to another folded channel name."""
        for row in self.rows():
            self.arm(evolve(row, channel=channel))
