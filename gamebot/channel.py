"""One task per (network, channel): the only place where a channel's state changes.

Inputs come one after the other. What a handler changes and says is committed in one transaction,
and only then sent (`_commit`). If a handler raises, the table is what it was last stored as.
"""

from __future__ import annotations

import asyncio
import difflib
import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from attrs import define, evolve, frozen

from gamebot import table as tables
from gamebot.commands import Command, Invocation, Rights, When, Where, WordTable
from gamebot.context import Context, Effects, State
from gamebot.desk import Desk
from gamebot.errors import NewerVersionError, Refused, StoreError, Told, UsageError
from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Event,
    Joined,
    Left,
    LinkDown,
    NickChanged,
    Person,
    Said,
)
from gamebot.game import Fixed
from gamebot.i18n import CORE_DOMAIN, CORE_LOCALE, Translator
from gamebot.irc.formatting import strip_formatting
from gamebot.ports import GameRow, OutLine, StateRow, TimerHandle, TimerRow, Transaction
from gamebot.table import Phase, Table
from gamebot.words import normal

if TYPE_CHECKING:
    from gamebot.bot import Bot
    from gamebot.game import GameType
    from gamebot.ports import Link
    from gamebot.profile import ChannelProfile
    from gamebot.registry import EventHandler, Registry

log = structlog.get_logger()

HANDLER_LIMIT_S = 10.0
"""An async handler that takes longer is cancelled."""

RETRY_S = 5.0
"""A timer whose transaction could not be stored fires again after so long."""


@frozen
class Spoken:
    """A line said in the channel, or in a query to this channel's table."""

    person: Person
    text: str
    in_query: bool


@frozen
class Fired:
    """A timer ran out."""

    row: TimerRow


@frozen
class Rekeyed:
    """The network folds this channel's name in another way than before."""

    key: str


Input = Spoken | Fired | Rekeyed | Event


@define
class _Armed:
    row: TimerRow
    handle: TimerHandle | None


class Channel:
    """A channel's tables, timers and state, and the task that owns them."""

    def __init__(self, bot: Bot, link: Link, profile: ChannelProfile, key: str) -> None:
        self.bot, self.link, self.profile, self.key = bot, link, profile, key
        self.name = profile.name
        self.registries = {
            name: bot.registries[name] for name in profile.plugins if name in bot.registries
        }
        self.prefix = profile.prefix or self._game_prefix()
        self._translators = {
            name: self._make_translator(registry) for name, registry in self.registries.items()
        }
        self.words = WordTable(
            [
                (command, self._translators[name].word(command.words))
                for name, registry in self.registries.items()
                for command in registry.commands
            ]
        )
        self.tables: dict[str, Table] = {}
        self.refused: set[str] = set()
        self.up = False
        self.was_away = False
        self.fixed = Fixed()
        self._stored: dict[str, str] = {}
        self._states: dict[str, dict[str, Any]] = {}
        self._stored_states: dict[tuple[str, str], str] = {}
        self._touched_states: dict[str, set[str]] = {}
        self._armed: dict[tuple[str, str], _Armed] = {}
        self._held: list[OutLine] = []
        self._total = Effects()
        self._queue: asyncio.Queue[Input] = asyncio.Queue()
        self._listening = any(
            registry.bare_readers or Said in registry.handlers
            for registry in self.registries.values()
        )

    # -- what handlers ask ------------------------------------------------------------------

    def _game_prefix(self) -> str:
        games = [kind for r in self.registries.values() for kind in r.games]
        return games[0].prefix if games else "!"

    def _make_translator(self, registry: Registry) -> Translator:
        sources = [(CORE_DOMAIN, CORE_LOCALE)]
        if registry.locale is not None:
            sources.insert(0, (registry.domain, registry.locale))
        return Translator(self.profile.language, sources)

    def translator(self, registry: Registry) -> Translator:
        """Return the texts of *registry*'s plugin in this channel's language."""
        return self._translators[registry.plugin]

    def translator_of(self, plugin: str) -> Translator:
        """Return the texts of *plugin* in this channel's language."""
        return self._translators[plugin]

    def is_op(self, person: Person) -> bool:
        """Whether *person* is an operator here, or an owner of the bot."""
        return (
            self.link.is_op(self.name, person.nick)
            or (person.account is not None and person.account in self.profile.ops)
            or self.bot.is_owner(person)
        )

    def busy_plugin(self) -> str | None:
        """Return the plugin that has a lobby or a game on, None if the channel is free."""
        for plugin, table in self.tables.items():
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
        touched = self._touched_states.setdefault(plugin, set())
        return State(self._states.setdefault(plugin, {}), touched)

    def take_fixed(self) -> Fixed:
        """Return what a transcript fixed for the next game, and forget it."""
        fixed, self.fixed = self.fixed, Fixed()
        return fixed

    def timer_row(self, plugin: str, name: str, effects: Effects) -> TimerRow | None:
        """Return the timer as *effects*, this input, or the store have it."""
        for held in (effects.timers, self._total.timers):
            if (plugin, name) in held:
                return held[plugin, name]
        armed = self._armed.get((plugin, name))
        return armed.row if armed else None

    def timer_names(self, effects: Effects) -> list[tuple[str, str]]:
        """List (plugin, name) of every timer that is armed or about to be."""
        return list({**self._armed, **self._total.timers, **effects.timers})

    def view(self, plugin: str) -> dict[str, Any]:
        """Return the public view of *plugin*'s table."""
        registry = self.registries[plugin]
        table = self.tables.get(plugin)
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
        self._queue.put_nowait(item)

    def hears(self, text: str, *, in_query: bool) -> bool:
        """Whether *text* may concern any plugin here; decided before it is queued."""
        return self._listening or self.words.find(text, self.prefix, in_query=in_query) is not None

    async def run(self) -> None:
        """Handle inputs until cancelled."""
        while True:
            item = await self._queue.get()
            try:
                await self._handle(item)
            except Exception:
                log.exception("channel_input_failed", network=self.link.name, channel=self.name)
                for registry in self.registries.values():
                    self._restore(registry)
            finally:
                self.bot.busy(-1)

    async def _handle(self, item: Input) -> None:
        self._total = Effects()
        match item:
            case Spoken():
                await self._spoken(item)
            case Fired():
                await self._fired(item.row)
            case ChannelUp():
                await self._came_up(item)
            case ChannelDown() | LinkDown():
                self._went_down()
            case Rekeyed():
                await self._rekey(item.key)
                return
            case Joined() | Left() | NickChanged() | AccountChanged():
                await self._people(item)
            case _:
                pass
        if not isinstance(item, Spoken | Fired | Rekeyed):
            await self._tell_handlers(item)
        await self._commit(item)

    # -- people and the bot's own coming and going ------------------------------------------

    async def _people(self, event: Joined | Left | NickChanged | AccountChanged) -> None:
        for registry in self._games():
            await self._guard(registry, lambda ctx: self._person_moved(ctx.desk, event))

    @staticmethod
    def _person_moved(desk: Desk, event: Event) -> None:
        match event:
            case Joined():
                desk.came(event.person)
            case Left():
                desk.gone(event)
            case NickChanged():
                desk.nick_changed(event)
            case AccountChanged():
                desk.account_changed(event.person)

    async def _came_up(self, event: ChannelUp) -> None:
        self.name, self.up = event.channel, True
        held, self._held = self._held, []
        self._total.lines += held
        for registry in self._games():
            await self._guard(registry, lambda ctx: self._resume(ctx, event.members))
        for (plugin, name), armed in list(self._armed.items()):
            if (plugin, name) not in self._total.timers and armed.handle is None:
                self._arm(armed.row)
        self.was_away = False
        if self.refused:
            await self._guard(
                next(iter(self.registries.values())),
                lambda ctx: ctx.say(
                    ctx.t("A game that a newer version stored is left untouched here.")
                ),
            )

    def _resume(self, ctx: Context, members: Sequence[Person]) -> None:
        if not self.was_away:
            return
        ctx.desk.reconcile(members)
        ctx.desk.rearm()
        ctx.desk.settle()
        ctx.desk.resume()

    def _went_down(self) -> None:
        self.up, self.was_away = False, True
        for armed in self._armed.values():
            if armed.handle:
                armed.handle.cancel()
                armed.handle = None

    def _games(self) -> list[Registry]:
        return [registry for registry in self.registries.values() if registry.games]

    # -- what was said ----------------------------------------------------------------------

    async def _spoken(self, said: Spoken) -> None:
        text = strip_formatting(said.text).strip()
        self._notice_return(said.person)
        found = self.words.find(text, self.prefix, in_query=said.in_query)
        if found is None:
            found = self._read_bare(said, text)
        if found is not None:
            registry = self.registries[found.command.plugin]
            await self._guard(
                registry, lambda ctx: self._invoke(ctx, found), said.person, in_query=said.in_query
            )
        elif said.in_query:
            await self._unknown(said, text)
        if not said.in_query:
            event = Said(said.person, self.name, text)
            await self._tell_handlers(event)

    async def _unknown(self, said: Spoken, text: str) -> None:
        """Answer a query that holds no command with the nearest one."""
        word = normal(text.partition(" ")[0]).removeprefix(normal(self.prefix))
        near = difflib.get_close_matches(word, self.words.forms(), 1, 0.6)
        registry = next(iter(self.registries.values()))
        if near:
            msgid = "I do not know “{word}”. Did you mean {near}?"
        else:
            msgid = "I do not know “{word}”."
        await self._guard(
            registry,
            lambda ctx: ctx.tell(ctx.t(msgid, word=word[:40], near=self.prefix + "".join(near))),
            said.person,
            in_query=True,
        )

    def _notice_return(self, person: Person) -> None:
        """Seat a player whose return no other event told, e.g. after a reconnect."""
        for registry in self._games():
            table = self.tables.get(registry.plugin)
            if table and table.phase is Phase.PLAYING:
                if all(chair.present and chair.verified for chair in table.humans):
                    continue
                ctx = Context(self, registry, person)
                ctx.desk.came(person)
                self._total.merge(ctx.effects)

    def _read_bare(self, said: Spoken, text: str) -> Invocation | None:
        for registry in self.registries.values():
            for reader in registry.bare_readers:
                found = reader(text, Context(self, registry, said.person, said.in_query))
                if found is not None:
                    return found
        return None

    def _invoke(self, ctx: Context, found: Invocation) -> object:
        command = found.command
        refusal = self._refusal(ctx, command)
        if refusal is not None:
            if found.bare:
                return None
            raise refusal
        if found.values is not None:
            return command.handler(ctx, *found.values)
        try:
            values = command.parse(found.arguments, ctx)
        except UsageError as error:
            if found.bare and not command.parameters:
                return None
            raise UsageError(
                "{why} Write: {usage}",
                why=ctx.t(error.msgid, **error.values),
                usage=command.usage(ctx),
            ) from error
        return command.handler(ctx, *values)

    def _refusal(self, ctx: Context, command: Command) -> Refused | None:
        here = Where.QUERY if ctx.in_query else Where.CHANNEL
        if here not in command.where:
            if here is Where.QUERY:
                return Refused("That belongs into the channel {channel}.", channel=self.name)
            return Refused("That works in a query to me only.")
        if command.rights is Rights.OPERATOR and not ctx.is_op:
            return Refused("Only an operator of the channel may do that.")
        if command.rights is Rights.OWNER and not ctx.is_owner:
            return Refused("Only an owner of the bot may do that.")
        return self._phase_refusal(ctx, command.phase(in_query=ctx.in_query))

    def _phase_refusal(self, ctx: Context, when: When) -> Refused | None:
        if when is When.ALWAYS or not ctx.registry.games:
            return None
        desk = ctx.desk
        on, playing = desk.phase in (Phase.LOBBY, Phase.PLAYING), desk.phase is Phase.PLAYING
        if when is When.NO_GAME:
            return Refused("The game is running already.") if playing else None
        if when is When.LOBBY:
            if playing:
                return Refused("The game is running already.")
            return None if on else desk.kind.nobody(ctx)
        if not (playing or (on and when is When.SEATED)):
            return desk.kind.nobody(ctx)
        chair = desk.chair_of(ctx.person)
        if when is When.GAME:
            return None
        if chair is None:
            return Refused("You do not play here.")
        if when is When.MY_TURN and desk.game.to_act != chair.seat:
            return Refused(
                "It is not your turn; {name} is to act.", name=desk.playing.name(desk.game.to_act)
            )
        return None

    async def _tell_handlers(self, event: Any) -> None:  # noqa: ANN401  one of events.py's
        person = getattr(event, "person", None)
        for registry in self.registries.values():
            for handler in registry.handlers.get(type(event), ()):
                await self._guard(registry, partial(_call, handler, event), person)

    # -- timers -----------------------------------------------------------------------------

    async def _fired(self, row: TimerRow) -> None:
        armed = self._armed.get((row.plugin, row.name))
        if armed is None or armed.row is not row:
            return
        self._total.timers[row.plugin, row.name] = None
        registry = self.registries[row.plugin]
        if row.name.startswith("table."):
            await self._guard(registry, lambda ctx: ctx.desk.fired(row))
            return
        handler = registry.timers.get(row.name.partition(":")[0])
        if handler is not None:
            await self._guard(registry, lambda ctx: handler(ctx, json.loads(row.payload)))

    def _arm(self, row: TimerRow) -> None:
        key = (row.plugin, row.name)
        self._disarm(key)
        clock = self.bot.clock
        when = clock.monotonic() + max(0.0, row.due_at - clock.now())
        handle = clock.call_at(when, lambda: self.put(Fired(row))) if self.up else None
        self._armed[key] = _Armed(row, handle)

    def _disarm(self, key: tuple[str, str]) -> None:
        armed = self._armed.pop(key, None)
        if armed and armed.handle:
            armed.handle.cancel()

    def wall_jumped(self, seconds: float) -> Sequence[TimerRow]:
        """Move the deadlines after the wall clock jumped; return the rows to store."""
        rows = []
        for armed in self._armed.values():
            if armed.handle:
                armed.row = evolve(armed.row, due_at=armed.row.due_at + seconds)
                rows.append(armed.row)
        for row in rows:
            self._arm(row)
        return rows

    # -- one guard per handler --------------------------------------------------------------

    async def _guard(
        self,
        registry: Registry,
        run: Callable[[Context], object],
        person: Person | None = None,
        *,
        in_query: bool = False,
    ) -> None:
        """Run one handler; whatever it raises stops nothing else and changes nothing."""
        ctx = Context(self, registry, person, in_query)
        if registry.plugin in self.bot.disabled:
            return
        self.bot.watchdog.enter(registry.plugin)
        try:
            result = run(ctx)
            if inspect.isawaitable(result):
                async with asyncio.timeout(HANDLER_LIMIT_S):
                    await result
            if registry.games:
                ctx.desk.settle()
        except Told as told:
            self._restore(registry)
            answer = Context(self, registry, person, in_query)
            answer.tell(answer.t(told.msgid, **told.values))
            self._total.merge(answer.effects)
        except TimeoutError:
            self._failed(registry, person, "That took too long and was stopped; nothing changed.")
        except Exception:
            log.exception("handler_failed", plugin=registry.plugin, channel=self.name)
            self._failed(registry, person, "An error happened here; nothing changed.")
        else:
            self._total.merge(ctx.effects)
        finally:
            self.bot.watchdog.leave()

    def _failed(self, registry: Registry, person: Person | None, msgid: str) -> None:
        self._restore(registry)
        answer = Context(self, registry, person)
        answer.say(answer.t(msgid))
        self._total.merge(answer.effects)

    def _restore(self, registry: Registry) -> None:
        """Put the plugin's table and state back to what was last stored."""
        plugin = registry.plugin
        if registry.games:
            self._restore_table(plugin, registry.games[0])
        for key in self._touched_states.pop(plugin, ()):
            stored = self._stored_states.get((plugin, key))
            if stored is None:
                self._states[plugin].pop(key, None)
            else:
                self._states[plugin][key] = json.loads(stored)

    def _restore_table(self, plugin: str, kind: GameType[Any]) -> None:
        stored, table = self._stored.get(plugin), self.tables.get(plugin)
        if stored is None:
            self.tables.pop(plugin, None)
        elif table is None or tables.dump(table) != stored:
            self.tables[plugin] = tables.load(stored, kind)

    # -- durability -------------------------------------------------------------------------

    async def _commit(self, item: Input) -> None:
        games = self._changed_games()
        states = self._changed_states()
        dropped = tuple(
            (self.link.name, self.key, plugin)
            for plugin in self._stored
            if plugin not in self.tables and plugin not in self.refused
        )
        timers = [row for row in self._total.timers.values() if row is not None]
        cancelled = [
            key for key, row in self._total.timers.items() if row is None and key in self._armed
        ]
        lines = self._total.lines
        if games or states or dropped or timers or cancelled or self._total.results:
            lines = [line if line.id else evolve(line, id=self.bot.new_line_id()) for line in lines]
            transaction = Transaction(
                games=tuple(games),
                dropped_games=dropped,
                timers=tuple(timers),
                cancelled_timers=tuple((self.link.name, self.key, *key) for key in cancelled),
                outgoing=tuple(lines),
                results=tuple(self._total.results),
                states=tuple(states),
            )
            try:
                await self.bot.store.commit(transaction)
            except StoreError as error:
                self._not_stored(item, error)
                return
        self._remember(games, dropped, states)
        for key in cancelled:
            self._disarm(key)
        for row in timers:
            self._arm(row)
        self._send(lines)

    def _changed_games(self) -> list[GameRow]:
        rows = []
        for plugin, table in self.tables.items():
            text = tables.dump(table)
            if text != self._stored.get(plugin):
                kind = self.registries[plugin].games[0]
                rows.append(
                    GameRow(self.link.name, self.key, plugin, table.game_id, kind.version, text)
                )
        return rows

    def _changed_states(self) -> list[StateRow]:
        rows = []
        for plugin, keys in self._touched_states.items():
            for key in sorted(keys):
                values = self._states[plugin]
                text = json.dumps(values[key]) if key in values else None
                if text != self._stored_states.get((plugin, key)):
                    rows.append(StateRow(self.link.name, self.key, plugin, key, text))
        return rows

    def _remember(
        self,
        games: Iterable[GameRow],
        dropped: Iterable[tuple[str, str, str]],
        states: Iterable[StateRow],
    ) -> None:
        self._stored |= {row.plugin: row.state for row in games}
        for _, _, plugin in dropped:
            del self._stored[plugin]
        for row in states:
            if row.value is None:
                self._stored_states.pop((row.plugin, row.key), None)
            else:
                self._stored_states[row.plugin, row.key] = row.value
        self._touched_states.clear()

    def _not_stored(self, item: Input, error: StoreError) -> None:
        log.error("transaction_not_stored", channel=self.name, error=str(error))
        self._total = Effects()
        for registry in self.registries.values():
            self._restore(registry)
        if isinstance(item, Fired):
            clock, row = self.bot.clock, item.row
            handle = clock.call_at(clock.monotonic() + RETRY_S, lambda: self.put(Fired(row)))
            self._armed[row.plugin, row.name] = _Armed(row, handle)
        elif isinstance(item, Spoken):
            answer = Context(self, next(iter(self.registries.values())), item.person)
            answer.tell(answer.t("That could not be saved, so nothing changed. Please try again."))
            self._send(answer.effects.lines)

    def _send(self, lines: Iterable[OutLine]) -> None:
        for line in lines:
            if not self.up and self.link.is_channel(line.target):
                self._hold(line)
            else:
                self.link.send(line, self._sent_callback(line.id))
        for verb, *params in self._total.protocol:
            self.link.command(verb, *params)

    def _hold(self, line: OutLine) -> None:
        if line.keep:
            self._held.append(line)
        elif line.id:
            self.bot.store.mark_sent([line.id])

    def _sent_callback(self, line_id: int) -> Callable[[], None] | None:
        if not line_id:
            return None
        return lambda: self.bot.store.mark_sent([line_id])

    # -- start and change of key ------------------------------------------------------------

    def load_game(self, row: GameRow) -> None:
        """Take over a stored game; one of a newer version is left untouched."""
        registry = self.registries.get(row.plugin)
        if registry is None or not registry.games:
            log.warning("stored_game_without_plugin", plugin=row.plugin, channel=self.name)
            return
        kind = registry.games[0]
        try:
            _check_version(row, kind.version)
            self.tables[row.plugin] = tables.load(row.state, kind)
        except Exception as error:
            self.refused.add(row.plugin)
            log.exception(
                "stored_game_refused", plugin=row.plugin, channel=self.name, error=str(error)
            )
        else:
            self._stored[row.plugin] = row.state
            self.was_away = True

    def load_state(self, row: StateRow) -> None:
        """Take over a stored value."""
        if row.value is not None:
            self._states.setdefault(row.plugin, {})[row.key] = json.loads(row.value)
            self._stored_states[row.plugin, row.key] = row.value

    def load_timer(self, row: TimerRow) -> None:
        """Take over a stored timer; it runs once the bot is in the channel."""
        if row.plugin in self.registries:
            self._armed[row.plugin, row.name] = _Armed(row, None)

    def load_line(self, line: OutLine) -> None:
        """Take over a line that was stored and perhaps never sent."""
        self._hold(line)

    async def _rekey(self, key: str) -> None:
        """Move every row to another folded name, in one transaction."""
        old, self.key = self.key, key
        where = (self.link.name, old)
        for plugin_name, armed in self._armed.items():
            armed.row = evolve(armed.row, channel=key)
            del plugin_name
        await self.bot.store.commit(
            Transaction(
                games=tuple(
                    GameRow(
                        self.link.name,
                        key,
                        plugin,
                        self.tables[plugin].game_id,
                        self.registries[plugin].games[0].version,
                        text,
                    )
                    for plugin, text in self._stored.items()
                ),
                dropped_games=tuple((*where, plugin) for plugin in self._stored),
                timers=tuple(armed.row for armed in self._armed.values()),
                cancelled_timers=tuple((*where, *name) for name in self._armed),
                states=(
                    *(StateRow(*where, plugin, name, None) for plugin, name in self._stored_states),
                    *(
                        StateRow(self.link.name, key, plugin, name, value)
                        for (plugin, name), value in self._stored_states.items()
                    ),
                ),
            )
        )
        for row in [armed.row for armed in self._armed.values()]:
            self._arm(row)


def _call(handler: EventHandler, event: Event, ctx: Context) -> object:
    return handler(ctx, event)


def _check_version(row: GameRow, known: int) -> None:
    if row.version > known:
        raise NewerVersionError(f"stored as version {row.version}, known is version {known}")
