"""What happens to a channel's tables besides commands: people, timers, the bot's own absence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import structlog
from attrs import define, evolve

from gamebot.desk import turn_clock, voice_and_topic
from gamebot.desk.presence import Presence, second_nick
from gamebot.desk.reach import unreachable
from gamebot.desk.recognition import is_news, reaches
from gamebot.events import Undelivered
from gamebot.table.table import Phase

if TYPE_CHECKING:
    from gamebot.channel.guard import Guard
    from gamebot.channel.memory import Memory
    from gamebot.channel.timers import Timers
    from gamebot.channel.unit_of_work import UnitOfWork
    from gamebot.desk.host import TableHost
    from gamebot.events import Event, Person
    from gamebot.plugin.context import Context
    from gamebot.plugin.registry import Registry
    from gamebot.ports import TimerRow

log = structlog.get_logger()

AGAIN_S = 60.0
"""A table's timer whose handler failed fires again after so long: no turn lasts for ever."""


@define(eq=False)
class TableEvents:
    """Lets the tables of one channel follow what happens.

    Attributes:
        host: The channel.
        guard: Runs every handler.
        memory: The tables.
        timers: What is armed.
        work: What this input changes.
        was_away: Whether the bot was out of the channel, or not running, since the tables last
            followed people.
        last_speaker: Who gave the last command here, None once told that the bot is silenced.
        silenced: Whether the channel refused the bot's last line: until the next command nobody can
            follow a game here, so the clocks stand still.
    """

    host: TableHost
    guard: Guard
    memory: Memory
    timers: Timers
    work: UnitOfWork
    was_away: bool = False
    last_speaker: Person | None = None
    silenced: bool = False

    def games(self) -> Iterator[Registry]:
        """Go through the enabled plugins that have a game."""
        return (registry for registry in self.host.registries.values() if registry.games)

    # -- people -----------------------------------------------------------------------------

    async def moved(self, event: Event) -> None:
        """Let seats follow what happened to somebody, or to a line for somebody."""
        if isinstance(event, Undelivered):
            await self._undelivered(event)
            return
        for registry in list(self.games()):
            await self.guard.run(registry, lambda ctx: self._presence(ctx).moved(event))
        if self.host.up and self.work.delivery.held:
            self.release()

    async def spoke(self, person: Person, *, commanding: bool) -> None:
        """Seat a player whose return no other event told, e.g. after a reconnect.

        Args:
            person: Who spoke.
            commanding: Whether it was a command: a seat then goes to the nick of its services
                account that speaks.
        """
        if commanding:
            self.last_speaker = person
            await self._try_again()
        if commanding and person.account:
            await self._follow_account(person)
        for registry in list(self.games()):
            table = self.memory.tables.get(registry.plugin)
            if table and table.phase is Phase.PLAYING:
                known = all(chair.present and chair.verified for chair in table.humans)
                if known and not is_news(self.host, person):
                    continue
                await self.guard.run(
                    registry,
                    lambda ctx: self._presence(ctx).came(person, speaking=True),
                    person,
                )

    async def _follow_account(self, person: Person) -> None:
        for registry in list(self.games()):
            table = self.memory.tables.get(registry.plugin)
            if table and second_nick(table, person, self.host.link.fold):
                await self.guard.run(
                    registry, lambda ctx: self._presence(ctx).second_nick(person), person
                )

    async def _undelivered(self, event: Undelivered) -> None:
        """Tell the table who does not get private lines, or somebody that the channel is closed."""
        log.warning(
            "line_refused", network=event.network, channel=self.host.name, numeric=event.numeric
        )
        if self.host.link.is_channel(event.target):
            await self._silenced()
            return
        for registry in list(self.games()):
            if registry.plugin in self.memory.tables:
                await self.guard.run(
                    registry, lambda ctx: unreachable(self.host.desk(ctx), event.target)
                )

    async def _silenced(self) -> None:
        """Stop the clocks, and tell whoever spoke last that the bot cannot speak in the channel."""
        if not self.silenced and self.host.up:
            self.silenced = True
            self.timers.pause()
        person, registry = self.last_speaker, next(iter(self.host.registries.values()), None)
        if person is None or registry is None:
            return
        self.last_speaker = None
        await self.guard.run(
            registry,
            lambda ctx: ctx.tell(
                ctx.t(
                    "I cannot speak in {channel} now: an operator has to give me voice.",
                    channel=ctx.channel_name,
                )
            ),
            person,
        )

    async def _try_again(self) -> None:
        """Let the clocks run again: the answer to this command shows whether it is heard."""
        if not self.silenced:
            return
        self.silenced = False
        for registry in list(self.games()):
            await self.guard.run(registry, lambda ctx: turn_clock.rearm(self.host.desk(ctx)))
        if self.host.up:
            self.timers.resume(but=self.work.effects.timers)

    def _presence(self, ctx: Context) -> Presence:
        return Presence(self.host.desk(ctx))

    # -- the bot's own coming and going -----------------------------------------------------

    async def came_up(self, members: Sequence[Person]) -> None:
        """Go on with what was played: the bot is in the channel, among *members*."""
        self.release()
        for registry in list(self.games()):
            await self.guard.run(registry, lambda ctx: self._resume(ctx, members))
        self.timers.resume(but=self.work.effects.timers)
        self.was_away = self.silenced = False
        if self.memory.refused:
            await self.guard.run(
                next(iter(self.host.registries.values())),
                lambda ctx: ctx.say(
                    ctx.t("A game that a newer version stored is left untouched here.")
                ),
            )

    def release(self) -> None:
        """Let the lines go that waited for the bot, or for certainty about a nick."""
        self.work.effects.lines += self.work.delivery.release(partial(reaches, self.host))

    def went_down(self) -> None:
        """Stop every clock."""
        self.was_away = True
        self.timers.pause()

    def _resume(self, ctx: Context, members: Sequence[Person]) -> None:
        if not self.was_away or ctx.registry.plugin in self.memory.refused:
            return
        desk = self.host.desk(ctx)
        Presence(desk).reconcile(members)
        if desk.table is not None:
            voice_and_topic.recheck(desk, desk.table)
        turn_clock.rearm(desk)
        desk.settle()
        desk.resume()

    # -- timers -----------------------------------------------------------------------------

    async def fired(self, row: TimerRow) -> None:
        """Do what a timer was armed for; one that was replaced since does nothing."""
        if self.timers.row(row.plugin, row.name) is not row:
            return
        registry = self.host.registries.get(row.plugin)
        if registry is None or row.plugin in {*self.host.disabled, *self.memory.refused}:
            return  # it waits until the plugin is there again, or the version that stored it
        self.work.effects.timers[row.plugin, row.name] = None
        if row.name.startswith("table."):
            if not await self.guard.run(registry, lambda ctx: self.host.desk(ctx).fired(row)):
                again = evolve(row, due_at=self.host.clock.now() + AGAIN_S)
                self.work.effects.timers[row.plugin, row.name] = again
            return
        handler = registry.timers.get(row.name.partition(":")[0])
        if handler is not None:
            await self.guard.run(registry, lambda ctx: handler(ctx, json.loads(row.payload)))

    # -- plugins that are new here, or newer ------------------------------------------------

    async def renewed(self, registry: Registry, *, was_there: bool) -> None:
        """Give a plugin, or a newer version of it, what is kept for it here."""
        plugin = registry.plugin
        if registry.games and was_there:
            self.memory.reload(plugin, registry.games[0])
        if self.memory.claim(registry):
            self.was_away = True
        self.timers.wake(plugin)
        if registry.games and not was_there and self.host.up:
            members = self.host.link.members(self.host.name)
            self.was_away = True
            await self.guard.run(registry, lambda ctx: self._resume(ctx, members))
            self.was_away = False

    async def retimed(self, registry: Registry, before: object) -> None:
        """Let running clocks follow settings that were *before*."""
        await self.guard.run(registry, lambda ctx: turn_clock.retime(self.host.desk(ctx), before))
