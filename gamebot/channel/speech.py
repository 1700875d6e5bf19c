"""What is said in a channel, or to its table in a query: which command it is, and who hears it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import structlog
from attrs import define, evolve, field

from gamebot.channel.handler_call import contained
from gamebot.channel.inputs import Spoken
from gamebot.desk.host import TableHost
from gamebot.events import Said
from gamebot.plugin import dispatch
from gamebot.plugin.context import Context
from gamebot.plugin.typed import addressed, unshouted
from gamebot.plugin.words import normal

if TYPE_CHECKING:
    from gamebot.channel.enabled_plugins import EnabledPlugins
    from gamebot.channel.guard import Guard
    from gamebot.channel.table_events import TableEvents
    from gamebot.events import Event, Person
    from gamebot.people.certificate_queries import CertificateQueries
    from gamebot.plugin.commands import Command, Invocation
    from gamebot.plugin.near_words import Elsewhere
    from gamebot.plugin.registry import EventHandler

log = structlog.get_logger()

HINT_EVERY_S = 60.0
"""Somebody whose words nobody has is told so in a channel so often at most, seconds."""

MOST_HINTED = 256
"""People of whom a channel remembers that they were told."""


class SpeechHost(TableHost, Protocol):
    """A channel with its words and its queue."""

    @property
    def enabled(self) -> EnabledPlugins:
        """The enabled plugins with their words."""

    def put(self, item: Spoken) -> None:
        """Queue a line."""


@define(eq=False)
class Speech:
    """Finds the command of a line and lets it run.

    Attributes:
        host: The channel.
        guard: Runs every handler.
        tables: Is told who speaks.
        queries: Lines that wait for a certificate of their speaker.
        follow: Returns the present nick of who had a nick when the input came, None if the
            person is out of sight.
    """

    host: SpeechHost
    guard: Guard
    tables: TableEvents
    queries: CertificateQueries
    follow: Callable[[str], str | None]
    _hinted: dict[str, float] = field(factory=dict)

    # -- before a line is queued ------------------------------------------------------------

    def hears(self, text: str, found: Invocation | None) -> bool:
        """Whether *text*, said in the channel, may concern any plugin here.

        Args:
            text: The line.
            found: The command whose word begins it.
        """
        known = found is not None or self.host.enabled.listening
        return known or self.meant_by(text) is not None

    def is_meant(self, person: Person, text: str, found: Invocation | None) -> bool:
        """Whether a line said here is a command: everyday talk costs its speaker nothing."""
        if found is None:
            said = Spoken(person, text, in_query=False)
            found = self._read_bare(said, text, log_fault=False)
        if found is None:
            return self.meant_by(text) is not None
        if not found.bare:
            return True
        if found.arguments and not found.command.parameters:
            return False
        ctx = Context(self.host, self.host.registries[found.command.plugin], person, bare=True)
        refusal = contained(lambda ctx: dispatch.refusal_of(ctx, found.command), ctx)
        return refusal is None

    # -- when its turn has come -------------------------------------------------------------

    async def spoken(self, said: Spoken) -> None:
        """Carry a line out, or let it wait until it is known what its speaker may do."""
        again = partial(self._hear_again, said)
        now = self._as_now(said.person)
        if now and self.queries.behind(self.host.link, now, again):
            return
        self.guard.unsure = False
        await self._answer(said)
        if self.guard.unsure and (now := self._as_now(said.person)):
            self.queries.ask(self.host.link, now, again)  # who is out of sight stays refused
        elif not said.in_query:
            await self.tell_handlers(Said(said.person, self.host.name, said.text))

    def _hear_again(self, said: Spoken, person: Person) -> None:
        self.host.put(evolve(said, person=person))

    def _as_now(self, person: Person) -> Person | None:
        """Return who spoke under the present nick, None if out of sight since."""
        nick = self.follow(person.nick)
        return evolve(person, nick=nick) if nick else None

    async def _answer(self, said: Spoken) -> None:
        found = self.find(said.text, in_query=said.in_query)
        await self.tables.spoke(said.person, commanding=found is not None)
        found = found or self._read_bare(said, said.text)
        if found is not None:
            await self.guard.run(
                self.host.registries[found.command.plugin],
                lambda ctx: dispatch.invoke(ctx, found),
                said.person,
                in_query=said.in_query,
                asked=True,
            )
        elif said.in_query or self._may_hint(said):
            near = self.meant_by(said.text, in_query=said.in_query)
            await self.guard.run(
                next(iter(self.host.registries.values())),
                lambda ctx: dispatch.unknown(ctx, self._command_of(said.text), near),
                said.person,
                in_query=said.in_query,
                asked=True,
            )

    # -- which command it is ----------------------------------------------------------------

    def find(self, text: str, *, in_query: bool) -> Invocation | None:
        """Find the command whose word begins *text*, with the prefix, bare, or behind our nick."""
        link = self.host.link
        to_me = addressed(text, link.own_nick, link.fold)
        return self.host.enabled.words.find(
            text if to_me is None else to_me,
            self.host.prefix,
            in_query=in_query,
            addressed=to_me is not None,
            busy=self.host.busy_plugin(),
        )

    def _command_of(self, text: str) -> str:
        """Return *text* without the bot's nick or the prefix, "" if neither stands before it."""
        link, prefix = self.host.link, self.host.prefix
        to_me = addressed(text, link.own_nick, link.fold)
        rest = text if to_me is None else to_me
        if prefix and rest.startswith(prefix):
            return rest.removeprefix(prefix)
        return "" if to_me is None else rest

    def meant_by(self, text: str, *, in_query: bool = False) -> Command | Elsewhere | None:
        """Return what a word that nobody has may mean, None if it is like nothing known."""
        command = self._command_of(text) or (text if in_query else "")
        word = command.partition(" ")[0]
        if not word or word != unshouted(word) or normal(word) in self.host.enabled.other_words:
            return None
        return self.host.enabled.near.find(word)

    def _may_hint(self, said: Spoken) -> bool:
        """Whether a mistyped word in the channel is worth a notice: now and then to each person."""
        if self.meant_by(said.text) is None:
            return False
        key, now = self.host.link.fold(said.person.nick), self.host.clock.monotonic()
        if now - self._hinted.get(key, float("-inf")) < HINT_EVERY_S:
            return False
        self._hinted.pop(key, None)
        self._hinted[key] = now
        if len(self._hinted) > MOST_HINTED:
            del self._hinted[next(iter(self._hinted))]
        return True

    def _read_bare(self, said: Spoken, text: str, *, log_fault: bool = True) -> Invocation | None:
        for registry in self.host.registries.values():
            for reader in registry.bare_readers:
                ctx = Context(self.host, registry, said.person, said.in_query)
                try:
                    found = contained(partial(reader, self._command_of(text) or text), ctx)
                except Exception:
                    if log_fault:
                        log.exception(
                            "reader_failed", plugin=registry.plugin, channel=self.host.name
                        )
                    continue
                if found is not None:
                    return found
        return None

    async def tell_handlers(self, event: Any) -> None:  # noqa: ANN401  one of events.py's
        """Let every handler that was registered for events like *event* run."""
        person = getattr(event, "person", None)
        for registry in self.host.registries.values():
            for handler in registry.handlers.get(type(event), ()):
                await self.guard.run(registry, partial(_call, handler, event), person)


def _call(handler: EventHandler, event: Event, ctx: Context) -> object:
    return handler(ctx, event)
