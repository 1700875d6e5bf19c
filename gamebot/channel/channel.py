"""One task per (network, channel): the only place where a channel's state changes.

Inputs come one after the other. What a handler changes and says is committed in one transaction,
and only then sent (`_commit`). If a handler raises, the table is what it was last stored as.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from attrs import evolve

from gamebot.channel import handler_errors
from gamebot.channel.casemapping_change import moving
from gamebot.channel.delivery import Delivery
from gamebot.channel.enabled_plugins import core_translator, fit
from gamebot.channel.handler_call import contained, finish
from gamebot.channel.inputs import Fired, Fix, Input, Refreshed, Rekeyed, Spoken, Unsaved
from gamebot.channel.memory import Memory
from gamebot.channel.timers import Timers
from gamebot.channel.transactions import transaction_of
from gamebot.desk import voice_and_topic
from gamebot.desk.desk import Desk
from gamebot.desk.presence import Presence
from gamebot.desk.recognition import is_news, player_of, reaches
from gamebot.errors import StoreError, Told, UnsureError
from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Event,
    Identified,
    Joined,
    Left,
    LinkDown,
    NickChanged,
    Person,
    Said,
)
from gamebot.irc.formatting import strip_formatting
from gamebot.people.rights import NOBODY, Standing, Why, has_account
from gamebot.plugin import dispatch
from gamebot.plugin.commands import Invocation, Rights, WordTable
from gamebot.plugin.context import Context, Effects, State
from gamebot.plugin.game import Fixed
from gamebot.plugin.settings import concerns
from gamebot.ports import GameRow, OutLine, TimerRow
from gamebot.table.table import Phase, Table

if TYPE_CHECKING:
    from gamebot.bot.bot import Bot
    from gamebot.config.profile import ChannelProfile
    from gamebot.i18n import Translator
    from gamebot.plugin.registry import EventHandler, Registry
    from gamebot.ports import Link

log = structlog.get_logger()

AGAIN_S = 60.0
"""A table's timer whose handler failed fires again after so long: no turn lasts for ever."""

RETRY_S = 5.0
"""A timer whose transaction could not be stored fires again after so long."""


UNSAVED_LINES = 50
"""Lines that wait at most until what they tell can be stored."""


class Channel:
    """A channel's tables, timers and state, and the task that owns them."""

    def __init__(self, bot: Bot, link: Link, base: ChannelProfile, key: str) -> None:
        self.bot, self.link, self.base, self.key = bot, link, base, key
        self.name = base.name
        self.profile, self.repertoire = fit(bot.profile_of(link, base), bot.registries)
        self.memory = Memory(link.name, key)
        self.timers = Timers(bot.clock, lambda row: self.put(Fired(row)))
        self.up = False
        self.was_away = False
        self.left = False
        self.given_up = ""  # why the bot does not try any more to come in
        self.fixed = Fixed()
        self._stale = False
        self._unsure = False
        self._unclaimed: dict[str, GameRow] = {}
        self._delivery = Delivery(
            link, lambda ids: bot.store.mark_sent(ids), self._follow, partial(player_of, self)
        )
        self._seen = self._unsaved_seen = 0
        self._total = Effects()
        self._unsaved = Effects()
        self._patience = handler_errors.Patience()
        self._queue: asyncio.Queue[tuple[int, Input]] = asyncio.Queue()

    # -- what handlers ask ------------------------------------------------------------------

    @property
    def registries(self) -> Mapping[str, Registry]:
        """The enabled plugins."""
        return self.repertoire.registries

    @property
    def prefix(self) -> str:
        """The command prefix."""
        return self.repertoire.prefix

    def text(self, msgid: str, **values: object) -> str:
        """Say one of the core's texts in this channel's language."""
        return core_translator(self.profile.language).text(msgid, **values)

    def holds(self, registry: Registry) -> bool:
        """Whether *registry* is in use here."""
        return any(registry is mine for mine in self.registries.values())

    @property
    def words(self) -> WordTable:
        """Every command word, in the channel's language."""
        return self.repertoire.words

    def translator(self, registry: Registry) -> Translator:
        """Return the texts of *registry*'s plugin in this channel's language."""
        return self.repertoire.translators[registry.plugin]

    def translator_of(self, plugin: str) -> Translator:
        """Return the texts of *plugin* in this channel's language."""
        return self.repertoire.translators[plugin]

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
        nick = self._follow(person.nick)
        if not nick or not self.link.is_op(self.name, nick):
            return False
        key, members = self.link.fold(nick), self.link.members(self.name)
        now = next((one for one in members if self.link.fold(one.nick) == key), person)
        return not (now.user and person.user) or now.userhost == person.userhost

    @property
    def tables(self) -> dict[str, Table]:
        """Plugin -> its table."""
        return self.memory.tables

    def busy_plugin(self) -> str | None:
        """Return the plugin that has a lobby or a game on, None if the channel is free."""
        for plugin, table in self.memory.tables.items():
            if table.phase is not Phase.OVER:
                return plugin
        return None

    def desk(self, ctx: Context) -> Desk:
        """Return the table of *ctx*'s plugin."""
        return Desk(ctx, ctx.registry.games[0])

    def seats(self, person: Person) -> bool:
        """Whether *person* has a seat in a lobby or a running game here."""
        return any(
            Desk(Context(self, registry, person), registry.games[0]).chair_of(person)
            for registry in self._games()
        )

    def state(self, plugin: str) -> State:
        """Return the durable values of *plugin*."""
        return self.memory.state(plugin)

    def take_fixed(self) -> Fixed:
        """Return what a transcript fixed for the next game, and forget it."""
        fixed, self.fixed = self.fixed, Fixed()
        return fixed

    def timer_row(self, plugin: str, name: str, effects: Effects) -> TimerRow | None:
        """Return the timer as *effects*, this input, or the store have it."""
        for held in (effects.timers, self._total.timers):
            if (plugin, name) in held:
                return held[plugin, name]
        return self.timers.row(plugin, name)

    def left_s(self, plugin: str, name: str, effects: Effects) -> float | None:
        """Return how many seconds a timer has left, None if it is not armed."""
        for held in (effects.timers, self._total.timers):
            if (plugin, name) in held:
                row = held[plugin, name]
                return None if row is None else max(0.0, row.due_at - self.bot.clock.now())
        return self.timers.left_s(plugin, name)

    def timer_names(self, effects: Effects) -> list[tuple[str, str]]:
        """List (plugin, name) of every timer that is armed or about to be."""
        return list({*self.timers, *self._total.timers, *effects.timers})

    def view(self, plugin: str) -> dict[str, Any]:
        """Return the public view of *plugin*'s table."""
        registry = self.registries[plugin]
        table = self.memory.tables.get(plugin)
        if table is None:
            return {"phase": "idle"}
        left = Desk(Context(self, registry), registry.games[0]).left_s()
        return registry.games[0].view(table, table.game, left)

    # -- the task ---------------------------------------------------------------------------

    def put(self, item: Input) -> None:
        """Queue an input; chat is dropped when too much of it waits."""
        if isinstance(item, Spoken) and self._queue.qsize() > self.bot.queue_limit:
            self.bot.dropped += 1
            return
        self.bot.busy(+1)
        self._queue.put_nowait((self.bot.movements.now, item))

    def wants(self, event: Event) -> bool:
        """Whether what happened to somebody may concern anything here."""
        if self._queue.qsize():
            return True
        if isinstance(event, Identified):
            return bool(self._delivery.held) or is_news(self, event.person)
        return self.busy_plugin() is not None or any(
            type(event) in registry.handlers for registry in self.registries.values()
        )

    def hears(self, text: str, *, in_query: bool) -> bool:
        """Whether *text* may concern any plugin here; decided before it is queued."""
        found = self.words.find(_plain(text), self.prefix, in_query=in_query)
        return self.repertoire.listening or found is not None

    def is_meant(self, person: Person, text: str) -> bool:
        """Whether a line said here is a command: everyday talk costs its speaker nothing."""
        found = self.words.find(text, self.prefix, in_query=False)
        if found is None:
            found = self._read_bare(Spoken(person, text, in_query=False), text, log_fault=False)
        if found is None or not found.bare:
            return found is not None
        if found.arguments and not found.command.parameters:
            return False
        ctx = Context(self, self.registries[found.command.plugin], person)
        refusal = contained(lambda ctx: dispatch.refusal_of(ctx, found.command), ctx)
        return refusal is None

    async def run(self) -> None:
        """Handle inputs until cancelled."""
        while True:
            self._seen, item = await self._queue.get()
            try:
                await self._handle(item)
            except Exception:
                log.exception("channel_input_failed", network=self.link.name, channel=self.name)
                self.memory.roll_back(self.registries)
            finally:
                self._seen = self.bot.movements.now
                self.bot.busy(-1)

    async def _handle(self, item: Input) -> None:
        self._begin()
        self._stale = self._stale or isinstance(item, Refreshed)
        match item:
            case Spoken():
                await self._spoken(item)
            case Fired():
                await self._fired(item.row)
            case Fix():
                await self._guard(
                    self.registries[item.plugin], lambda ctx: ctx.desk.fix(item.fixed)
                )
            case ChannelUp():
                await self._came_up(item)
            case ChannelDown() | LinkDown():
                self._went_down()
            case Rekeyed():
                await self._rekey(item.key)
                return
            case Joined() | Left() | NickChanged() | AccountChanged() | Identified():
                await self._people(item)
            case _:
                pass
        if isinstance(item, Event):
            await self._tell_handlers(item)
        await self._commit(item)
        if self._stale:
            await self._refresh()

    def _begin(self) -> None:
        self._total = Effects()
        self._total.merge(self._unsaved)
        if self._unsaved.lines:
            self._seen = min(self._seen, self._unsaved_seen)
        self.memory.begin()

    # -- people and the bot's own coming and going ------------------------------------------

    async def _people(self, event: Event) -> None:
        for registry in self._games():
            await self._guard(registry, lambda ctx: Presence(ctx.desk).moved(event))
        if self.up and self._delivery.held:
            self._total.lines += self._delivery.release(partial(reaches, self))

    async def _came_up(self, event: ChannelUp) -> None:
        self.name, self.up = event.channel, True
        self._total.lines += self._delivery.release(partial(reaches, self))
        for registry in self._games():
            await self._guard(registry, lambda ctx: self._resume(ctx, event.members))
        self.timers.resume(but=self._total.timers)
        self.was_away = False
        if self.memory.refused:
            await self._guard(
                next(iter(self.registries.values())),
                lambda ctx: ctx.say(
                    ctx.t("A game that a newer version stored is left untouched here.")
                ),
            )

    def _resume(self, ctx: Context, members: Sequence[Person]) -> None:
        if not self.was_away or ctx.registry.plugin in self.memory.refused:
            return
        Presence(ctx.desk).reconcile(members)
        if ctx.desk.table is not None:
            voice_and_topic.recheck(ctx.desk, ctx.desk.table)
        ctx.desk.rearm()
        ctx.desk.settle()
        ctx.desk.resume()

    def _went_down(self) -> None:
        self.up, self.was_away = False, True
        self.timers.pause()

    def _games(self) -> list[Registry]:
        return [registry for registry in self.registries.values() if registry.games]

    # -- what was said ----------------------------------------------------------------------

    async def _spoken(self, said: Spoken) -> None:
        again = partial(self._hear_again, said)
        now = self._as_now(said.person)
        if now and self.bot.inquiries.behind(self.link, now, again):
            return
        self._unsure = False
        await self._answer(said)
        if self._unsure and (now := self._as_now(said.person)):
            self.bot.inquiries.ask(self.link, now, again)  # who is out of sight stays refused
        elif not said.in_query:
            await self._tell_handlers(Said(said.person, self.name, _plain(said.text)))

    def _hear_again(self, said: Spoken, person: Person) -> None:
        self.put(evolve(said, person=person))

    def _as_now(self, person: Person) -> Person | None:
        """Return who spoke under the present nick, None if out of sight since."""
        nick = self._follow(person.nick)
        return evolve(person, nick=nick) if nick else None

    async def _answer(self, said: Spoken) -> None:
        text = _plain(said.text)
        await self._notice_return(said.person)
        found = self.words.find(text, self.prefix, in_query=said.in_query)
        if found is None:
            found = self._read_bare(said, text)
        if found is not None:
            registry = self.registries[found.command.plugin]
            await self._guard(
                registry,
                lambda ctx: dispatch.invoke(ctx, found),
                said.person,
                in_query=said.in_query,
                asked=True,
            )
        elif said.in_query:
            await self._guard(
                next(iter(self.registries.values())),
                lambda ctx: dispatch.unknown(ctx, text, self.words.forms()),
                said.person,
                in_query=True,
                asked=True,
            )

    async def _notice_return(self, person: Person) -> None:
        """Seat a player whose return no other event told, e.g. after a reconnect."""
        for registry in self._games():
            table = self.memory.tables.get(registry.plugin)
            if table and table.phase is Phase.PLAYING:
                known = all(chair.present and chair.verified for chair in table.humans)
                if known and not is_news(self, person):
                    continue
                await self._guard(
                    registry, lambda ctx: Presence(ctx.desk).came(person, speaking=True), person
                )

    def _read_bare(self, said: Spoken, text: str, *, log_fault: bool = True) -> Invocation | None:
        for registry in self.registries.values():
            for reader in registry.bare_readers:
                ctx = Context(self, registry, said.person, said.in_query)
                try:
                    found = contained(partial(reader, text), ctx)
                except Exception:
                    if log_fault:
                        log.exception("reader_failed", plugin=registry.plugin, channel=self.name)
                    continue
                if found is not None:
                    return found
        return None

    async def _tell_handlers(self, event: Any) -> None:  # noqa: ANN401  one of events.py's
        person = getattr(event, "person", None)
        for registry in self.registries.values():
            for handler in registry.handlers.get(type(event), ()):
                await self._guard(registry, partial(_call, handler, event), person)

    # -- timers -----------------------------------------------------------------------------

    async def _fired(self, row: TimerRow) -> None:
        if self.timers.row(row.plugin, row.name) is not row:
            return
        registry = self.registries.get(row.plugin)
        if registry is None or row.plugin in self.bot.disabled | self.memory.refused:
            return  # it waits until the plugin is there again, or the version that stored it
        self._total.timers[row.plugin, row.name] = None
        if row.name.startswith("table."):
            if not await self._guard(registry, lambda ctx: ctx.desk.fired(row)):
                again = evolve(row, due_at=self.bot.clock.now() + AGAIN_S)
                self._total.timers[row.plugin, row.name] = again
            return
        handler = registry.timers.get(row.name.partition(":")[0])
        if handler is not None:
            await self._guard(registry, lambda ctx: handler(ctx, json.loads(row.payload)))

    # -- one guard per handler --------------------------------------------------------------

    async def _guard(
        self,
        registry: Registry,
        run: Callable[[Context], object],
        person: Person | None = None,
        *,
        in_query: bool = False,
        asked: bool = False,
    ) -> bool:
        """Run one handler; whatever it raises stops nothing else and changes nothing.

        Of what goes wrong where nobody *asked* for anything a channel is told now and then only.

        Returns:
            Whether it did what it had to, a refusal included.
        """
        ctx = Context(self, registry, person, in_query)
        if registry.plugin in self.bot.disabled:
            return True
        self.bot.watchdog.enter(registry.plugin)
        try:
            result = contained(run, ctx)
            if inspect.isawaitable(result):
                await finish(self.bot.watchdog.watched(registry.plugin, result))
            if registry.games:
                contained(lambda ctx: ctx.desk.settle(), ctx)
            self.memory.accept(registry.plugin)
        except Told as told:
            self.memory.restore(registry)
            self._told(ctx, told)
        except Exception as error:
            self._failed(ctx, error, asked=asked)
            return False
        else:
            self._total.merge(ctx.effects)
        finally:
            self.bot.watchdog.leave()
        return True

    def _told(self, ctx: Context, told: Told) -> None:
        """Answer with a refusal, unless the rights that were lacking may come to be known."""
        if isinstance(told, UnsureError) or (ctx.lacked and ctx.unsure):
            self._unsure = True
            return
        answer = Context(self, ctx.registry, ctx.person, ctx.in_query)
        answer.tell(answer.t(told.msgid, **told.values))
        self._total.merge(answer.effects)

    def _failed(self, ctx: Context, error: Exception, *, asked: bool) -> None:
        plugin = ctx.registry.plugin
        self.memory.restore(ctx.registry)
        msgid = handler_errors.report(error, plugin, self.name)
        if not asked and not self._patience.allows(plugin, self.bot.clock.monotonic()):
            return
        answer = Context(self, ctx.registry, ctx.person, ctx.in_query)
        answer.reply(answer.t(msgid))
        self._total.merge(answer.effects)

    # -- another profile, other plugins -----------------------------------------------------

    async def _refresh(self) -> None:
        """Take over what changed; a plugin whose game is on stays until that has ended."""
        profile, busy = self.bot.profile_of(self.link, self.base), self.busy_plugin()
        self._stale = busy is not None and busy not in profile.plugins
        if busy is not None and self._stale:
            profile = self.bot.profile_of(self.link, self.base, keep=busy)
        before, old = self.repertoire, self.profile
        self.profile, self.repertoire = fit(profile, self.bot.registries)
        self._begin()
        for name, registry in self.registries.items():
            if registry is not before.registries.get(name):
                await self._arrived(registry, was_there=name in before.registries)
            elif registry.games and old.settings.get(name) != self.profile.settings.get(name):
                given = old.settings.get(name)
                await self._guard(registry, lambda ctx, given=given: ctx.desk.retime(given))  # type: ignore[misc]  # a default in a lambda has no type
        for name in before.registries.keys() - self.registries.keys():
            self.memory.tables.pop(name, None)  # over: a game that is on has kept its plugin
        await self._commit(Refreshed())
        self.bot.retire()

    async def _arrived(self, registry: Registry, *, was_there: bool) -> None:
        """Give a plugin, or a newer version of it, what is kept for it here."""
        plugin = registry.plugin
        if registry.games and was_there:
            self.memory.reload(plugin, registry.games[0])
        if (row := self._unclaimed.pop(plugin, None)) is not None:
            self.load_game(row)
        self.timers.wake(plugin)
        if registry.games and not was_there and self.up:
            members = self.link.members(self.name)
            self.was_away = True
            await self._guard(registry, lambda ctx: self._resume(ctx, members))
            self.was_away = False

    # -- durability -------------------------------------------------------------------------

    async def _commit(self, item: Input) -> None:
        """Make durable what this input changed, then send what was said."""
        lines = self._total.lines
        transaction = transaction_of(self, self._total)
        if transaction is None:
            self.memory.remember((), (), ())
            self._unsaved = Effects()
            self._send(lines)
            return
        try:
            await self.bot.store.commit(transaction)
        except StoreError as error:
            self._not_stored(item, error)
            return
        self._unsaved = Effects()
        self.memory.remember(transaction.games, transaction.dropped_games, transaction.states)
        for _, _, plugin, name in transaction.cancelled_timers:
            self.timers.disarm((plugin, name))
        for row in transaction.timers:
            self.timers.arm(row)
        if transaction.settings:
            self._stale |= any(concerns(row, self) for row in transaction.settings)
            self.bot.settings_given(transaction.settings, self)
        self._send([*(line for line in lines if line.id), *transaction.outgoing])

    def _not_stored(self, item: Input, error: StoreError) -> None:
        """Refuse a move; try a timer again; what happened to people has happened all the same."""
        log.error("transaction_not_stored", channel=self.name, error=str(error))
        if isinstance(item, Spoken | Fired | Fix):
            self._total = Effects()
            self.memory.roll_back(self.registries)
        else:
            self._unsaved, self._unsaved_seen = self._total, self._seen
            del self._unsaved.lines[:-UNSAVED_LINES]
            self._later(Unsaved)
        if isinstance(item, Fired):
            self.timers.arm(item.row, after_s=RETRY_S)
        elif isinstance(item, Spoken):
            answer = Context(self, next(iter(self.registries.values())), item.person, item.in_query)
            answer.tell(answer.t("That could not be saved, so nothing changed. Please try again."))
            self._send(answer.effects.lines)

    def _later(self, make: Callable[[], Input]) -> None:
        clock = self.bot.clock
        clock.call_at(clock.monotonic() + RETRY_S, lambda: self.put(make()))

    def _follow(self, nick: str) -> str | None:
        return self.bot.movements.follow(self.link, nick, self.link.fold(self.name), self._seen)

    def _send(self, lines: Iterable[OutLine]) -> None:
        self._delivery.send(lines, up=self.up)
        for verb, *params in self._total.protocol:
            self.link.command(verb, *params)
        for call in self._total.after:
            call()

    # -- start and change of key ------------------------------------------------------------

    def load_game(self, row: GameRow) -> None:
        """Take over a stored game; one of a newer version is left untouched."""
        registry = self.registries.get(row.plugin)
        if registry is None or not registry.games:
            log.warning("stored_game_without_plugin", plugin=row.plugin, channel=self.name)
            self._unclaimed[row.plugin] = row
        elif self.memory.load_game(row, registry.games[0]):
            self.was_away = True
        else:
            self._unclaimed[row.plugin] = row

    def load_timer(self, row: TimerRow) -> None:
        """Take over a stored timer; it runs once the bot is in the channel."""
        self.timers.arm(row)

    def load_line(self, line: OutLine) -> None:
        """Take over a line that was stored and perhaps never sent."""
        self._delivery.hold(line)

    async def _rekey(self, key: str) -> None:
        """Move every row to another folded name, in one transaction; try again if it fails."""
        old = self.key
        if key == old:
            return
        self._name_key(key)
        transaction = moving(self, old)
        try:
            await self.bot.store.commit(transaction)
        except StoreError as error:
            log.error("channel_not_rekeyed", channel=self.name, error=str(error))  # noqa: TRY400  the message says it all
            self._name_key(old)
            self._later(lambda: Rekeyed(self.link.fold(self.name)))
        else:
            self.bot.settings_given(transaction.settings, self)
            await self._refresh()

    def _name_key(self, key: str) -> None:
        self.key = self.memory.channel = key
        self.timers.rekeyed(key)
        self._unsaved.rekeyed(key)


def _call(handler: EventHandler, event: Event, ctx: Context) -> object:
    return handler(ctx, event)


def _plain(text: str) -> str:
    return strip_formatting(text).strip()
