"""Time behind a port: the real clock, and one that tests move by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush
from itertools import count

from attrs import define, field

from gamebot.ports import Clock, TimerHandle

#: Where a `VirtualClock` starts: Monday 2026-01-05 12:00:00 UTC.
VIRTUAL_START = 1_767_614_400.0

#: Passes of the event loop that `advance` grants after a timer when no *settle* is given.
SETTLE_PASSES = 10

Settle = Callable[[], Awaitable[object]]


class RealClock(Clock):
    """The machine's clocks; timers run in the running event loop."""

    def now(self) -> float:
        """Return the wall-clock time in seconds since the Unix epoch."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds on a clock that never jumps."""
        return time.monotonic()

    def call_at(self, when: float, callback: Callable[[], None]) -> TimerHandle:
        """Call *callback* when `monotonic()` reaches *when* (at once if it has)."""
        delay = max(0.0, when - time.monotonic())
        return asyncio.get_running_loop().call_later(delay, callback)

    async def sleep(self, seconds: float) -> None:
        """Wait *seconds*."""
        await asyncio.sleep(seconds)


@define(order=True)
class _Timer:
    """A timer of `VirtualClock`; ordered by due time, then by the order of arming."""

    when: float
    number: int
    callback: Callable[[], None] | None = field(order=False, eq=False)

    def cancel(self) -> None:
        self.callback = None


class VirtualClock(Clock):
    """A clock that stands still until `advance` moves it.

    A timer that is already due when it is armed fires by itself in the next pass of the running
    event loop, as it would on the real clock; everything else waits for `advance`.

    Args:
        start: Wall-clock time at the beginning, seconds since the Unix epoch.
    """

    def __init__(self, start: float = VIRTUAL_START) -> None:
        self._monotonic = 0.0
        self._wall_offset = start
        self._timers: list[_Timer] = []
        self._numbers = count()
        self._advancing = False

    def now(self) -> float:
        """Return the virtual wall-clock time in seconds since the Unix epoch."""
        return self._wall_offset + self._monotonic

    def monotonic(self) -> float:
        """Return the virtual seconds since this clock was made."""
        return self._monotonic

    @property
    def pending(self) -> int:
        """How many timers (sleepers included) still wait."""
        return sum(timer.callback is not None for timer in self._timers)

    @property
    def next_due(self) -> float | None:
        """The monotonic time of the next timer, None if there is none."""
        self._drop_cancelled()
        return self._timers[0].when if self._timers else None

    def call_at(self, when: float, callback: Callable[[], None]) -> TimerHandle:
        """Call *callback* when `monotonic()` reaches *when* (at once if it has)."""
        timer = _Timer(when, next(self._numbers), callback)
        heappush(self._timers, timer)
        if when <= self._monotonic and not self._advancing:
            self._fire_soon()
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait until *seconds* have passed on this clock."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self.call_at(self._monotonic + seconds, lambda: _wake(woken))
        try:
            await woken
        finally:
            timer.cancel()

    async def advance(self, seconds: float, settle: Settle | None = None) -> None:
        """Let *seconds* pass and fire every timer that falls due, each at its own time.

        Timers fire in order of time, then of arming. After each one, and at the end, *settle*
        is awaited, so that what the timer set in motion is done before the next one; timers
        armed on the way fire too if they fall due within the span.

        Args:
            seconds: How long; 0 fires what is due now.
            settle: Returns when the code under test is idle; by default the event loop makes a
                few passes.

        Raises:
            ValueError: *seconds* is negative.
            RuntimeError: Another `advance` of this clock is under way.
            Exception: Whatever a timer's callback raised; later timers stay armed.
        """
        if seconds < 0:
            raise ValueError(f"time cannot go back ({seconds} s)")
        if self._advancing:
            raise RuntimeError("this clock is already being advanced")
        self._advancing = True
        try:
            await self._advance_to(self._monotonic + seconds, settle or _passes)
        finally:
            self._advancing = False

    def jump_wall(self, seconds: float) -> None:
        """Move the wall clock alone, as an administrator or a bad NTP server would."""
        self._wall_offset += seconds

    async def _advance_to(self, target: float, settle: Settle) -> None:
        # Settle first: tasks that were just started arm their timers before any time passes.
        await settle()
        while True:
            while (timer := self._pop_due(target)) is not None:
                self._monotonic = max(self._monotonic, timer.when)
                _fire(timer)
                await settle()
            self._monotonic = target
            await settle()
            if self.next_due is None or self.next_due > target:
                return

    def _fire_soon(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # armed outside a loop: the next `advance` fires it
        loop.call_soon(self._fire_one)

    def _fire_one(self) -> None:
        if not self._advancing and (timer := self._pop_due(self._monotonic)) is not None:
            _fire(timer)

    def _pop_due(self, target: float) -> _Timer | None:
        self._drop_cancelled()
        if self._timers and self._timers[0].when <= target:
            return heappop(self._timers)
        return None

    def _drop_cancelled(self) -> None:
        while self._timers and self._timers[0].callback is None:
            heappop(self._timers)


def _fire(timer: _Timer) -> None:
    callback, timer.callback = timer.callback, None
    if callback is not None:
        callback()


def _wake(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)


async def _passes() -> None:
    for _ in range(SETTLE_PASSES):
        await asyncio.sleep(0)
