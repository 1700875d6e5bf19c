"""What the input that is handled now has changed, until it is durable and on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from gamebot.plugin.effects import Effects
from gamebot.ports import Transaction

if TYPE_CHECKING:
    from gamebot.channel.delivery import Delivery
    from gamebot.channel.host import ChannelHost
    from gamebot.channel.memory import Memory
    from gamebot.channel.timers import Timers
    from gamebot.desk.host import TableHost
    from gamebot.plugin.registry import Registry
    from gamebot.ports import OutLine, SettingRow, TimerRow

UNSAVED_LINES = 50
"""Lines that wait at most until what they tell can be stored."""


@define(eq=False)
class UnitOfWork:
    """Collects effects, stores them as one transaction, then sends what was said.

    Attributes:
        bot: Its store, its line numbers, who changed nick since.
        host: The channel.
        memory: The channel's tables and values.
        timers: What is armed.
        delivery: The way of lines out.
        effects: What the handlers of this input asked for so far.
        seen: Number of the last movement of people when the input came.
    """

    bot: ChannelHost
    host: TableHost
    memory: Memory
    timers: Timers
    delivery: Delivery = field(init=False)
    effects: Effects = field(factory=Effects)
    seen: int = 0
    _unsaved: Effects = field(factory=Effects)
    _unsaved_seen: int = 0

    def begin(self) -> None:
        """Note that an input begins; what could not be stored before is tried again with it."""
        self.effects = Effects()
        self.effects.merge(self._unsaved)
        if self._unsaved.lines:
            self.seen = min(self.seen, self._unsaved_seen)
        self.memory.begin()

    def follow(self, nick: str) -> str | None:
        """Return the present nick of who had *nick* when the input came, None if out of sight."""
        link = self.host.link
        return self.bot.nick_history.follow(link, nick, link.fold(self.host.name), self.seen)

    # -- timers as this input has them ------------------------------------------------------

    def timer_row(self, plugin: str, name: str, effects: Effects) -> TimerRow | None:
        """Return a timer as *effects*, this input, or the store have it."""
        for held in (effects.timers, self.effects.timers):
            if (plugin, name) in held:
                return held[plugin, name]
        return self.timers.row(plugin, name)

    def left_s(self, plugin: str, name: str, effects: Effects) -> float | None:
        """Return how many seconds a timer has left, None if it is not armed."""
        for held in (effects.timers, self.effects.timers):
            if (plugin, name) in held:
                row = held[plugin, name]
                return None if row is None else max(0.0, row.due_at - self.host.clock.now())
        return self.timers.left_s(plugin, name)

    def timer_names(self, effects: Effects) -> list[tuple[str, str]]:
        """List (plugin, name) of every timer that is armed or about to be."""
        return list({*self.timers, *self.effects.timers, *effects.timers})

    # -- durability -------------------------------------------------------------------------

    async def commit(self, settings_given: Callable[[Sequence[SettingRow]], None]) -> None:
        """Make durable what this input changed, then send what was said.

        Args:
            settings_given: Takes up the settings that were stored, before anything is sent.

        Raises:
            StoreError: Nothing was stored, and nothing was sent.
        """
        transaction = self._transaction()
        if transaction is None:
            self.memory.remember((), (), ())
            self._unsaved = Effects()
            self.send(self.effects.lines)
            return
        await self.bot.store.commit(transaction)
        self._unsaved = Effects()
        self.memory.remember(transaction.games, transaction.dropped_games, transaction.states)
        for _, _, plugin, name in transaction.cancelled_timers:
            self.timers.disarm((plugin, name))
        for row in transaction.timers:
            self.timers.arm(row)
        stored = [line for line in self.effects.lines if line.id]
        if transaction.settings:
            settings_given(transaction.settings)
        self.send([*stored, *transaction.outgoing])

    def _transaction(self) -> Transaction | None:
        """Return what must be stored with this input's lines, None if nothing changed."""
        memory, effects = self.memory, self.effects
        where = (self.host.link.name, self.host.key)
        found = Transaction(
            games=tuple(memory.changed_games(self.host.registries)),
            dropped_games=tuple(memory.dropped_games()),
            timers=tuple(row for row in effects.timers.values() if row is not None),
            cancelled_timers=tuple(
                (*where, *name)
                for name, row in effects.timers.items()
                if row is None and name in self.timers
            ),
            results=tuple(effects.results),
            states=tuple(memory.changed_values()),
            settings=tuple(effects.settings),
        )
        if found == Transaction():
            return None
        new = (line for line in effects.lines if not line.id)
        return evolve(
            found, outgoing=tuple(evolve(line, id=self.bot.new_line_id()) for line in new)
        )

    def undo(self, registries: Iterable[Registry]) -> None:
        """Forget this input: a move that could not be stored was never made."""
        self.effects = Effects()
        self.memory.roll_back({registry.plugin: registry for registry in registries})

    def keep_unsaved(self) -> None:
        """Keep what could not be stored for the next input: it has happened all the same."""
        self._unsaved, self._unsaved_seen = self.effects, self.seen
        del self._unsaved.lines[:-UNSAVED_LINES]

    def send(self, lines: Iterable[OutLine]) -> None:
        """Send *lines* and protocol commands, then do what waited for that."""
        self.delivery.send(lines, up=self.host.up)
        for verb, *params in self.effects.protocol:
            self.host.link.command(verb, *params)
        for call in self.effects.after:
            call()

    def rekeyed(self, key: str) -> None:
        """Let everything belong to another folded channel name."""
        self.memory.channel = key
        self.timers.rekeyed(key)
        self._unsaved.rekeyed(key)
