"""A limit on how fast one client's lines are handled."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from gamebot.ports import Clock, TimerHandle
from gamebot.testing.ircd.settings import FloodLimit

#: A bucket that is short of a token by this much is not: sums of seconds are not exact.
_ROUNDING = 1e-6


class Throttle:
    """A bucket of tokens, one for each line, in front of a queue of waiting lines.

    Args:
        clock: Time by which the bucket fills.
        handle: Called with each line when its turn comes.
    """

    def __init__(self, clock: Clock, handle: Callable[[bytes], None]) -> None:
        self._clock = clock
        self._handle = handle
        self._limit: FloodLimit | None = None
        self._tokens = 0.0
        self._filled_at = 0.0
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._timer: TimerHandle | None = None
        self._paused = False

    @property
    def is_full(self) -> bool:
        """Whether more waits than the limit allows."""
        return self._limit is not None and self._waiting_bytes > self._limit.recvq_bytes

    def put(self, line: bytes, limit: FloodLimit) -> bool:
        """Handle *line* when *limit* allows; return whether too much is waiting now."""
        if self._limit is not limit:
            self._limit = limit
            self._tokens = float(limit.burst_lines)
            self._filled_at = self._clock.monotonic()
        self._waiting.append(line)
        self._waiting_bytes += len(line) + 2
        self._run()
        return self.is_full

    def pause(self) -> None:
        """Handle nothing for now."""
        self._paused = True
        self._cancel_timer()

    def resume(self) -> None:
        """End `pause`."""
        self._paused = False
        self._run()

    def stop(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._waiting_bytes = 0
        self._cancel_timer()

    def _run(self) -> None:
        if self._limit is None or self._paused:
            return
        self._fill(self._limit)
        while self._waiting and self._tokens >= 1.0 - _ROUNDING:
            self._tokens -= 1.0
            line = self._waiting.popleft()
            self._waiting_bytes -= len(line) + 2
            self._handle(line)
        if self._waiting and self._timer is None:
            wait_s = (1.0 - self._tokens) / self._limit.lines_per_s
            self._timer = self._clock.call_at(self._filled_at + wait_s, self._timer_fired)

    def _fill(self, limit: FloodLimit) -> None:
        now = self._clock.monotonic()
        gained = (now - self._filled_at) * limit.lines_per_s
        self._tokens = min(float(limit.burst_lines), self._tokens + gained)
        self._filled_at = now

    def _timer_fired(self) -> None:
        self._timer = None
        self._run()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
