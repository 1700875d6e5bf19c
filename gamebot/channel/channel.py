"""One task per (network, channel): the only place where a channel's state changes.

Inputs come one after the other. What a handler changes and says is committed in one transaction,
and only then sent (`UnitOfWork`). If a handler raises, the table is what it was last stored as
(`Guard`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from gamebot.channel.casemapping_change import moving
from gamebot.channel.delivery import Delivery
from gamebot.channel.enabled_plugins import core_translator, fit
from gamebot.channel.guard import Guard
from gamebot.channel.inputs import Fired, Fix, Input, Refreshed, Rekeyed, Spoken, Unsaved
from gamebot.channel.memory import Memory
from gamebot.channel.speech import Speech
from gamebot.channel.table_events import TableEvents
from gamebot.channel.timers import Timers
from gamebot.channel.unit_of_work import UnitOfWork
from gamebot.desk.desk import Desk
from gamebot.desk.recognition import is_certain, is_news, player_of
from gamebot.errors import StoreError
from gamebot.events import (
    AboutPeople,
    ChannelDown,
    ChannelUp,
    Event,
    Identified,
    LinkDown,
    Person,
    Undelivered,
)
from gamebot.people.rights import has_account
from gamebot.plugin.access import NOBODY, Rights, Standing, Why
from gamebot.plugin.context import Context
from gamebot.plugin.settings_book import concerns
from gamebot.ports import GameRow, StateRow, TimerRow
from gamebot.table.table import Fixed, Phase, Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from gamebot.channel.host import ChannelHost
    from gamebot.config.profile import ChannelProfile
    from gamebot.i18n import Translator
    from gamebot.plugin.effects import Effects
    from gamebot.plugin.registry import Registry
    from gamebot.plugin.state import State
    from gamebot.ports import Clock, Link, OutLine, SettingRow, Store

log = structlog.get_logger()

RETRY_S = 5.0
"""What could not be stored is tried again after so long, seconds."""


class Channel:
    """A channel's tables, timers and state, and the task that owns them.

    Attributes:
        bot: The bot, as far as a channel may see it.
        link: The network's connection.
        base: What is configured.
        key: The folded name, under which everything is stored.
        name: The name as the network spells it.
        profile: What holds here, settings given over IRC included.
        enabled: The enabled plugins with their words and texts.
        memory: Tables and values.
        timers: What is armed.
        speech: What is said here.
        up: Whether the bot is in the channel.
        left: Whether the bot was told to leave it.
        given_up: Why the bot does not try any more to come in, "" if it does.
        told_silenced: Whether the owners know that lines are refused here.
        fixed: What a transcript fixed for the next game.
    """

    def __init__(self, bot: ChannelHost, link: Link, base: ChannelProfile, key: str) -> None:
        self.bot, self.link, self.base, self.key = bot, link, base, key
        self.name = base.name
        self.profile, self.enabled = fit(bot.profile_of(link, base), bot.registries)
        self.memory = Memory(link.name, key)
        self.timers = Timers(bot.clock, lambda row: self.put(Fired(row)))
        self.work = UnitOfWork(bot, self, self.memory, self.timers)
        self.work.delivery = Delivery(
            link, lambda ids: bot.store.mark_sent(ids), self.work.follow, partial(player_of, self)
        )
        self.guard = Guard(self, bot.watchdog, bot.disabled, self.memory, self.work)
        self.table_events = TableEvents(self, self.guard, self.memory, self.timers, self.work)
        self.speech = Speech(
            self, self.guard, self.table_events, bot.certificate_queries, self.work.follow
        )
        self.up = self.left = False
        self.given_up = ""
        self.told_silenced = False
        self.fixed = Fixed()
        self._stale = False
        self._queue: asyncio.Queue[tuple[int, Input]] = asyncio.Queue()

    # -- what a context asks ----------------------------------------------------------------

    @property
    def registries(self) -> Mapping[str, Registry]:
        """The enabled plugins."""
        return self.enabled.registries

    @property
    def prefix(self) -> str:
        """The command prefix."""
        return self.enabled.prefix

    @property
    def disabled(self) -> Collection[str]:
        """Plugins that were switched off because they held the event loop."""
        return self.bot.disabled

    @property
    def clock(self) -> Clock:
        """Time."""
        return self.bot.clock

    @property
    def chance(self) -> Random:
        """Chance for everything that is no game of its own."""
        return self.bot.chance

    @property
    def store(self) -> Store:
        """Durable memory, for reading."""
        return self.bot.store

    def text(self, msgid: str, **values: object) -> str:
        """Say one of the core's texts in this channel's language."""
        return core_translator(self.profile.language).text(msgid, **values)

    def translator_of(self, plugin: str) -> Translator:
        """Return the texts of *plugin* in this channel's language."""
        return self.enabled.translators[plugin]

    def state(self, plugin: str) -> State:
        """Return the durable values of *plugin*."""
        return self.memory.state(plugin)

    def standing(self, person: Person) -> Standing:
        """Tell what *person* may do here, and why."""
        wide = self.bot.rights.standing(self.link, person)
        if wide.rights.cover(Rights.ADMIN):
            return wide
        if self._is_op(person):
            return Standing(Rights.OPERATOR, Why.STATUS)
        if account := has_account(self.link, person, self.profile.ops):
            return Standing(Rights.OPERATOR, Why.ACCOUNT, account)
        return Standing(Rights.PLAYER, Why.SEAT) if self.seats(person) else NOBODY

    def _is_op(self, person: Person) -> bool:
        """Whether *person* is an operator, and not only whoever has that nick by now."""
        nick = self.work.follow(person.nick)
        if not nick or not self.link.is_op(self.name, nick):
            return False
        key, members = self.link.fold(nick), self.link.members(self.name)
        now = next((one for one in members if self.link.fold(one.nick) == key), person)
        return not (now.user and person.user) or now.userhost == person.userhost

    def unsure(self, person: Person) -> bool:
        """Whether *person* may have more rights, by a certificate not asked for yet."""
        return self.bot.rights.unsure(self.link, person)

    def is_certain(self, nick: str, speaker: Person | None) -> bool:
        """Whether *nick* is no player's here, or certainly the player's."""
        return is_certain(self, nick, speaker)

    def plays_elsewhere(self, person: Person) -> bool:
        """Whether *person* has a seat in another channel of this network."""
        others = self.bot.of_network(self.link.name)
        return any(other is not self and other.seats(person) for other in others)

    # -- what a desk asks -------------------------------------------------------------------

    @property
    def tables(self) -> dict[str, Table]:
        """Plugin -> its table."""
        return self.memory.tables

    def desk(self, ctx: Context) -> Desk:
        """Return the table of *ctx*'s plugin."""
        return Desk(ctx, ctx.registry.games[0], self)

    def busy_plugin(self) -> str | None:
        """Return the plugin that has a lobby or a game on, None if the channel is free."""
        for plugin, table in self.memory.tables.items():
            if table.phase is not Phase.OVER:
                return plugin
        return None

    def refuses(self, plugin: str) -> bool:
        """Whether a game of *plugin* is stored that cannot be read here."""
        return plugin in self.memory.refused

    def new_game_id(self) -> str:
        """Return an identity for a new game."""
        return self.bot.new_game_id()

    def entropy(self) -> bytes:
        """Return 32 secret bytes, for the seed of a game."""
        return self.bot.entropy()

    def happened(self, plugin: str, event: object) -> None:
        """Pass on a public event of a game."""
        self.bot.happened(self, plugin, event)

    def take_fixed(self) -> Fixed:
        """Return what a transcript fixed for the next game, and forget it."""
        fixed, self.fixed = self.fixed, Fixed()
        return fixed

    def timer_row(self, plugin: str, name: str, effects: Effects) -> TimerRow | None:
        """Return the timer as *effects*, this input, or the store have it."""
        return self.work.timer_row(plugin, name, effects)

    def left_s(self, plugin: str, name: str, effects: Effects) -> float | None:
        """Return how many seconds a timer has left, None if it is not armed."""
        return self.work.left_s(plugin, name, effects)

    def timer_names(self, effects: Effects) -> list[tuple[str, str]]:
        """List (plugin, name) of every timer that is armed or about to be."""
        return self.work.timer_names(effects)

    # -- what the bot asks ------------------------------------------------------------------

    def holds(self, registry: Registry) -> bool:
        """Whether *registry* is in use here."""
        return any(registry is mine for mine in self.registries.values())

    def seats(self, person: Person) -> bool:
        """Whether *person* has a seat in a lobby or a running game here."""
        return any(
            self.desk(Context(self, registry, person)).chair_of(person)
            for registry in self.table_events.games()
        )

    def view(self, plugin: str) -> dict[str, Any]:
        """Return the public view of *plugin*'s table."""
        registry = self.registries[plugin]
        table = self.memory.tables.get(plugin)
        if table is None:
            return {"phase": "idle"}
        left = self.desk(Context(self, registry)).left_s()
        return registry.games[0].view(table, table.game, left)

    def load(self, row: GameRow | StateRow | TimerRow) -> None:
        """Take over a stored game, value or timer."""
        match row:
            case GameRow():
                if self.memory.load_game(row, self.registries.get(row.plugin)):
                    self.table_events.was_away = True
            case StateRow():
                self.memory.load_value(row)
            case TimerRow():
                self.timers.arm(row)

    def load_line(self, line: OutLine) -> None:
        """Take over a line that was stored and perhaps never sent."""
        self.work.delivery.hold(line)

    def wants(self, event: Event) -> bool:
        """Whether what happened to somebody may concern anything here."""
        if self._queue.qsize():
            return True
        if isinstance(event, Identified):
            return bool(self.work.delivery.held) or is_news(self, event.person)
        return self.busy_plugin() is not None or any(
            type(event) in registry.handlers for registry in self.registries.values()
        )

    def put(self, item: Input) -> None:
        """Queue an input; chat is dropped when too much of it waits."""
        if isinstance(item, Spoken) and self._queue.qsize() > self.bot.queue_limit:
            self.bot.dropped += 1
            return
        self.bot.busy(+1)
        self._queue.put_nowait((self.bot.nick_history.now, item))

    # -- the task ---------------------------------------------------------------------------

    async def run(self) -> None:
        """Handle inputs until cancelled."""
        while True:
            self.work.seen, item = await self._queue.get()
            try:
                await self._handle(item)
            except Exception:
                log.exception("channel_input_failed", network=self.link.name, channel=self.name)
                self.memory.roll_back(self.registries)
            finally:
                self.work.seen = self.bot.nick_history.now
                self.bot.busy(-1)

    async def _handle(self, item: Input) -> None:
        self.work.begin()
        self._stale = self._stale or isinstance(item, Refreshed)
        match item:
            case Spoken():
                await self.speech.spoken(item)
            case Fired():
                await self.table_events.fired(item.row)
            case Fix():
                registry = self.registries[item.plugin]
                await self.guard.run(registry, lambda ctx: self.desk(ctx).fix(item.fixed))
            case ChannelUp():
                self.name, self.up = item.channel, True
                await self.table_events.came_up(item.members)
            case ChannelDown() | LinkDown():
                self.up = False
                self.table_events.went_down()
            case Rekeyed():
                await self._rekey(item.key)
                return
            case _ if isinstance(item, AboutPeople | Undelivered):
                await self.table_events.moved(item)
            case _:
                pass
        if isinstance(item, Event):
            await self.speech.tell_handlers(item)
        await self._commit(item)
        if self._stale:
            await self._refresh()

    async def _commit(self, item: Input) -> None:
        """Make durable what *item* changed, then send what was said."""
        try:
            await self.work.commit(self._take_settings)
        except StoreError as error:
            log.error("transaction_not_stored", channel=self.name, error=str(error))  # noqa: TRY400  the message says it all
            self._not_stored(item)

    def _take_settings(self, rows: Sequence[SettingRow]) -> None:
        self._stale |= any(concerns(row, self.link, self.name) for row in rows)
        self.bot.settings_given(rows, self)

    def _not_stored(self, item: Input) -> None:
        """Refuse a move; try a timer again; what happened to people has happened all the same."""
        if isinstance(item, Spoken | Fired | Fix):
            self.work.undo(self.registries.values())
        else:
            self.work.keep_unsaved()
            self._later(Unsaved)
        if isinstance(item, Fired):
            self.timers.arm(item.row, after_s=RETRY_S)
        elif isinstance(item, Spoken):
            answer = Context(self, next(iter(self.registries.values())), item.person, item.in_query)
            answer.tell(answer.t("That could not be saved, so nothing changed. Please try again."))
            self.work.send(answer.effects.lines)

    def _later(self, make: Callable[[], Input]) -> None:
        self.clock.call_at(self.clock.monotonic() + RETRY_S, lambda: self.put(make()))

    # -- another profile, other plugins, another key ----------------------------------------

    async def _refresh(self) -> None:
        """Take over what changed; a plugin whose game is on stays until that has ended."""
        profile, busy = self.bot.profile_of(self.link, self.base), self.busy_plugin()
        self._stale = busy is not None and busy not in profile.plugins
        if self._stale:
            profile = self.bot.profile_of(self.link, self.base, keep=busy)
        before, given = self.registries, self.profile.settings
        self.profile, self.enabled = fit(profile, self.bot.registries)
        self.work.begin()
        for name, registry in self.registries.items():
            if registry is not before.get(name):
                await self.table_events.renewed(registry, was_there=name in before)
            elif registry.games and given.get(name) != self.profile.settings.get(name):
                await self.table_events.retimed(registry, given.get(name))
        for name in before.keys() - self.registries.keys():
            self.memory.tables.pop(name, None)  # over: a game that is on has kept its plugin
        await self._commit(Refreshed())
        self.bot.retire()

    async def _rekey(self, key: str) -> None:
        """Move every row to another folded name, in one transaction; try again if it fails."""
        old = self.key
        if key == old:
            return
        self._name_key(key)
        settings = self.bot.settings.all()
        transaction = moving(self.memory, self.timers, self.registries, settings, old)
        try:
            await self.store.commit(transaction)
        except StoreError as error:
            log.error("channel_not_rekeyed", channel=self.name, error=str(error))  # noqa: TRY400  the message says it all
            self._name_key(old)
            self._later(lambda: Rekeyed(self.link.fold(self.name)))
        else:
            self.bot.settings_given(transaction.settings, self)
            await self._refresh()

    def _name_key(self, key: str) -> None:
        self.key = key
        self.work.rekeyed(key)
