"""From what one input changed to the transaction that makes it durable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from gamebot.ports import Transaction

if TYPE_CHECKING:
    from gamebot.channel.channel import Channel
    from gamebot.plugin.context import Effects


def transaction_of(channel: Channel, total: Effects) -> Transaction | None:
    """Return what must be stored with an input's lines, None if nothing changed.

    Args:
        channel: Where it happened.
        total: What its handlers asked for.
    """
    memory, armed = channel.memory, channel.timers
    where = (channel.link.name, channel.key)
    found = Transaction(
        games=tuple(memory.changed_games(channel.registries)),
        dropped_games=tuple(memory.dropped_games()),
        timers=tuple(row for row in total.timers.values() if row is not None),
        cancelled_timers=tuple(
            (*where, *name) for name, row in total.timers.items() if row is None and name in armed
        ),
        results=tuple(total.results),
        states=tuple(memory.changed_values()),
        settings=tuple(total.settings),
    )
    if found == Transaction():
        return None
    new = (line for line in total.lines if not line.id)
    return evolve(found, outgoing=tuple(evolve(line, id=channel.bot.new_line_id()) for line in new))
