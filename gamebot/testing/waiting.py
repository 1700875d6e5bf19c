"""Wait until something holds, without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Waiters:
    """Conditions that are looked at again each time `changed` is called."""

    def __init__(self) -> None:
        self._checks: dict[asyncio.Future[None], Callable[[], bool]] = {}

    def __bool__(self) -> bool:
        return bool(self._checks)

    async def wait(
        self, find: Callable[[], T | None], timeout_s: float, describe: Callable[[], str]
    ) -> T:
        """Return the first value of *find* that is not None.

        Args:
            find: Called now and after each change.
            timeout_s: Seconds of real time after which to give up.
            describe: Says what was waited for, and what there is instead.

        Raises:
            TimeoutError: With the description.
        """
        found = find()
        if found is not None:
            return found
        values: list[T] = []

        def check() -> bool:
            value = find()
            if value is not None:
                values.append(value)
            return value is not None

        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._checks[woken] = check
        try:
            async with asyncio.timeout(timeout_s):
                await woken
        except TimeoutError:
            raise TimeoutError(f"waited {timeout_s:g} s for {describe()}") from None
        finally:
            del self._checks[woken]
        return values[0]

    def changed(self) -> None:
        """Look at every condition again."""
        for woken, check in list(self._checks.items()):
            if woken.done():
                continue
            try:
                holds = check()
            except Exception as error:  # belongs to whoever waits, not to the caller
                woken.set_exception(error)
            else:
                if holds:
                    woken.set_result(None)
