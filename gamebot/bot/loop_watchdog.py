"""A thread that names the plugin whose synchronous code holds the event loop."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

log = structlog.get_logger()

HOLD_LIMIT_S = 1.0
"""A handler that holds the loop for longer is named with its stack."""


class Watchdog:
    """Watch the handlers of one event loop; the second offence disables a plugin.

    Without `start` it does nothing and costs nothing.

    Args:
        disable: Called with the plugin's name, in the watchdog's thread.
    """

    def __init__(self, disable: Callable[[str], None]) -> None:
        self._disable = disable
        self._current: tuple[str, float] | None = None
        self._beat = 0.0
        self._offences: dict[str, int] = {}
        self._named: tuple[str, float] | None = None
        self._loop_thread = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def enter(self, plugin: str) -> None:
        """Note that a handler of *plugin* begins."""
        self._current = (plugin, time.monotonic())

    def leave(self) -> None:
        """Note that the handler ended."""
        self._current = None

    def watched(self, plugin: str, awaitable: Awaitable[object]) -> Awaitable[object]:
        """Return *awaitable*, with *plugin* noted whenever it has the loop and only then."""
        return _Watched(self, plugin, awaitable)

    def beat(self) -> None:
        """Note that the loop runs; called by the loop itself a few times a second."""
        self._beat = time.monotonic()

    def start(self) -> None:
        """Begin to watch the calling thread."""
        self._loop_thread = threading.get_ident()
        self.beat()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopping.wait(0.2):
            self.check(time.monotonic())

    def check(self, now: float) -> None:
        """Name the handler that holds the loop at monotonic time *now*, once an offence."""
        current = self._current
        if current is None or current == self._named:
            return
        plugin, since = current
        if now - max(since, self._beat) < HOLD_LIMIT_S:
            return
        self._named = current
        frame = sys._current_frames().get(self._loop_thread)  # noqa: SLF001  the documented way to another thread's stack
        stack = "".join(traceback.format_stack(frame)) if frame else ""
        self._offences[plugin] = self._offences.get(plugin, 0) + 1
        log.error("plugin_holds_the_loop", plugin=plugin, stack=stack)
        if self._offences[plugin] > 1:
            log.error("plugin_disabled", plugin=plugin)
            self._disable(plugin)


class _Watched:
    """Steps through an awaitable; between the steps other handlers have the loop.

    A handler that goes on after a cancellation is left where it is at the next one.
    """

    def __init__(self, watchdog: Watchdog, plugin: str, awaitable: Awaitable[object]) -> None:
        self._watchdog, self._plugin, self._awaitable = watchdog, plugin, awaitable

    def __await__(self) -> Generator[Any, Any, object]:
        steps: Generator[Any, Any, object] = self._awaitable.__await__()
        step = partial(steps.send, None)
        while True:
            self._watchdog.enter(self._plugin)
            try:
                waiting_for = step()
            except StopIteration as end:
                return end.value
            finally:
                self._watchdog.leave()
            try:
                step = partial(steps.send, (yield waiting_for))
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:  # a cancellation belongs to the handler
                if isinstance(error, asyncio.CancelledError) and _is_cancelled_again():
                    with suppress(RuntimeError):  # it swallows this, too
                        steps.close()
                    raise
                step = partial(steps.throw, error)


def _is_cancelled_again() -> bool:
    """Whether the task was to end before, and the handler went on."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 1
