"""What handlers raise: how it is logged, and what of it a channel is told."""

from __future__ import annotations

import structlog
from attrs import define, field

from gamebot.channel.handler_call import TooSlowError
from gamebot.errors import StoreError
from gamebot.i18n import translatable

log = structlog.get_logger()

TELL_EVERY_S = 600.0
"""A channel is told so often at most that a plugin fails at what nobody asked it for, seconds."""


def report(error: Exception, plugin: str, channel: str) -> str:
    """Log what a handler raised; return the msgid of what is said about it."""
    match error:
        case TooSlowError():  # the traceback would be ours
            log.error("handler_too_slow", plugin=plugin, channel=channel)
            return translatable("That took too long and was stopped; nothing changed.")
        case StoreError():  # the message says it all
            log.error("store_not_read", channel=channel, error=str(error))
            return translatable("The stored games cannot be read now. Please try again later.")
        case _:
            log.error("handler_failed", plugin=plugin, channel=channel, exc_info=error)
            return translatable("An error happened here; nothing changed.")


@define
class Patience:
    """Bound how often a channel hears of faults that no command of its own has caused.

    A listener that fails at each line, or at each of a netsplit's five hundred, would fill the
    channel; and two bots of which one hears the other's complaints would never stop.
    """

    _told_at: dict[str, float] = field(factory=dict)

    def allows(self, plugin: str, now: float) -> bool:
        """Whether the channel may be told about *plugin* at monotonic time *now*."""
        if now - self._told_at.get(plugin, float("-inf")) < TELL_EVERY_S:
            return False
        self._told_at[plugin] = now
        return True
