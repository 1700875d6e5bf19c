"""Notice a link that has fallen silent while TCP still takes it for alive."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from gamebot.ports import Clock, TimerHandle


class Watchdog:
    """Ask at intervals whether the server is there; anything that it sends is an answer.

    A server that answers late because it makes the bot's own lines wait is not dead: only
    silence is. A dead link is noticed within the interval and the timeout together.

    Args:
        clock: Time.
        interval_s: Seconds between two questions.
        timeout_s: Seconds that the server has to send anything.
        heard_at: Monotonic time at which the server was last heard.
        ask: Sends PING with this token.
        dead: Called once if nothing came.
    """

    def __init__(
        self,
        clock: Clock,
        interval_s: float,
        timeout_s: float,
        *,
        heard_at: Callable[[], float],
        ask: Callable[[str], None],
        dead: Callable[[], None],
    ) -> None:
        self._clock = clock
        self._interval_s = interval_s
        self._timeout_s = timeout_s
        self._heard_at = heard_at
        self._ask_server = ask
        self._dead = dead
        self._tokens = count(1)
        self._timers: list[TimerHandle] = []

    def start(self) -> None:
        """Begin to watch."""
        self.stop()
        self._after(self._interval_s, self._ask)

    def stop(self) -> None:
        """Stop watching."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _ask(self) -> None:
        asked_at = self._clock.monotonic()
        self._timers.clear()
        self._after(self._timeout_s, lambda: self._judge(asked_at))
        self._ask_server(f"gamebot-{next(self._tokens)}")

    def _judge(self, asked_at: float) -> None:
        self._timers.clear()
        if self._heard_at() < asked_at:
            self._dead()
        else:
            self._after(max(0.0, self._interval_s - self._timeout_s), self._ask)

    def _after(self, seconds: float, callback: Callable[[], None]) -> None:
        self._timers.append(self._clock.call_at(self._clock.monotonic() + seconds, callback))
