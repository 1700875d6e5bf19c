"""A plugin's code, run so that whatever it does ends neither a channel's task nor the bot.

A KeyboardInterrupt is no exception to that: asyncio handles SIGINT itself and cancels what it runs,
so that one inside of a handler is the plugin's own, or a second Ctrl-C that frees the loop for the
first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

HANDLER_LIMIT_S = 10.0
"""An async handler that takes longer is cancelled."""

HANDLER_GRACE_S = 1.0
"""What it may take to clean up then; one that goes on all the same is left behind."""

_A = TypeVar("_A")
_T = TypeVar("_T")


class TooSlowError(Exception):
    """An async handler took too long and was cancelled."""


def contained(run: Callable[[_A], _T], argument: _A) -> _T:
    """Run a plugin's code; what it raises ends neither the channel's task nor the bot."""
    try:
        return run(argument)
    except Exception:
        raise
    except BaseException as error:  # `exit()`, Ctrl-C, or a cancellation out of synchronous code
        raise RuntimeError(f"the handler raised {type(error).__name__}") from error


async def finish(awaitable: Awaitable[object]) -> None:
    """Wait for an async handler, for a limited time; it cannot cancel the channel's task."""
    limit = asyncio.timeout(HANDLER_LIMIT_S)
    last = asyncio.timeout(HANDLER_LIMIT_S + HANDLER_GRACE_S)
    try:
        async with last, limit:
            await awaitable
    except TimeoutError as error:
        if limit.expired():
            raise TooSlowError from error
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise RuntimeError("the handler was cancelled by its own doing") from error
    except (Exception, GeneratorExit):  # the latter: this coroutine is closed
        raise
    except BaseException as error:
        raise RuntimeError(f"the handler raised {type(error).__name__}") from error
