"""What is said in a channel, or to its table in a query: which command it is, and who hears it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import structlog
from attrs import define, evolve

from gamebot.channel.handler_call import contained
from gamebot.channel.inputs import Spoken
from gamebot.desk.host import TableHost
from gamebot.events import Said
from gamebot.irc.formatting import strip_formatting
from gamebot.plugin import dispatch
from gamebot.plugin.context import Context

if TYPE_CHECKING:
    from gamebot.channel.enabled_plugins import EnabledPlugins
    from gamebot.channel.guard import Guard
    from gamebot.channel.table_events import TableEvents
    from gamebot.events import Event, Person
    from gamebot.people.certificate_queries import CertificateQueries
    from gamebot.plugin.commands import Invocation
    from gamebot.plugin.registry import EventHandler

log = structlog.get_logger()


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

    # -- before a line is queued ------------------------------------------------------------

    def hears(self, text: str, *, in_query: bool) -> bool:
        """Whether *text* may concern any plugin here; decided before it is queued."""
        return (
            self.host.enabled.listening or self._find(_plain(text), in_query=in_query) is not None
        )

    def is_meant(self, person: Person, text: str) -> bool:
        """Whether a line said here is a command: everyday talk costs its speaker nothing."""
        found = self._find(text, in_query=False)
        if found is None:
            found = self._read_bare(Spoken(person, text, in_query=False), text, log_fault=False)
        if found is None or not found.bare:
            return found is not None
        if found.arguments and not found.command.parameters:
            return False
        ctx = Context(self.host, self.host.registries[found.command.plugin], person)
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
            await self.tell_handlers(Said(said.person, self.host.name, _plain(said.text)))

    def _hear_again(self, said: Spoken, person: Person) -> None:
        self.host.put(evolve(said, person=person))

    def _as_now(self, person: Person) -> Person | None:
        """Return who spoke under the present nick, None if out of sight since."""
        nick = self.follow(person.nick)
        return evolve(person, nick=nick) if nick else None

    async def _answer(self, said: Spoken) -> None:
        text = _plain(said.text)
        await self.tables.spoke(said.person)
        found = self._find(text, in_query=said.in_query) or self._read_bare(said, text)
        if found is not None:
            await self.guard.run(
                self.host.registries[found.command.plugin],
                lambda ctx: dispatch.invoke(ctx, found),
                said.person,
                in_query=said.in_query,
                asked=True,
            )
        elif said.in_query:
            await self.guard.run(
                next(iter(self.host.registries.values())),
                lambda ctx: dispatch.unknown(ctx, text, self.host.enabled.words.forms()),
                said.person,
                in_query=True,
                asked=True,
            )

    def _find(self, text: str, *, in_query: bool) -> Invocation | None:
        return self.host.enabled.words.find(text, self.host.prefix, in_query=in_query)

    def _read_bare(self, said: Spoken, text: str, *, log_fault: bool = True) -> Invocation | None:
        for registry in self.host.registries.values():
            for reader in registry.bare_readers:
                ctx = Context(self.host, registry, said.person, said.in_query)
                try:
                    found = contained(partial(reader, text), ctx)
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


def _plain(text: str) -> str:
    return strip_formatting(text).strip()
