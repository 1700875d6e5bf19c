"""The wall clock beside the monotonic one: stored deadlines follow its jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import structlog
from attrs import define

from gamebot.errors import StoreError
from gamebot.ports import Transaction

if TYPE_CHECKING:
    from gamebot.channel.timers import Timers
    from gamebot.ports import Clock, Store

log = structlog.get_logger()

CHECK_S = 15.0
"""How often the two clocks are compared."""

TOLERANCE_S = 1.0


@define
class WallClock:
    """Rewrites the stored deadlines after a jump.

    Attributes:
        clock: Time.
        store: Where the deadlines are.
        timers: Returns the timers of every channel.
    """

    clock: Clock
    store: Store
    timers: Callable[[], Iterable[Timers]]
    _offset: float = 0.0

    def begin(self) -> None:
        """Take the present difference of the clocks as right."""
        self._offset = self.clock.now() - self.clock.monotonic()

    async def watch(self) -> None:
        """Check now and then; runs until cancelled."""
        while True:
            await self.clock.sleep(CHECK_S)
            await self.check()

    async def check(self) -> None:
        """Compare the clocks once and rewrite the deadlines after a jump."""
        offset = self.clock.now() - self.clock.monotonic()
        jump = offset - self._offset
        if abs(jump) < TOLERANCE_S:
            return
        self._offset = offset
        log.warning("wall_clock_jumped", seconds=round(jump, 1))
        rows = [row for timers in self.timers() for row in timers.corrected()]
        if rows:
            try:
                await self.store.commit(Transaction(timers=tuple(rows)))
            except StoreError as error:
                log.error("deadlines_not_stored", error=str(error))  # noqa: TRY400  the message says it all
