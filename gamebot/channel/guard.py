"""One guard per handler: whatever a plugin raises stops nothing else and changes nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from attrs import define, field

from gamebot.channel import handler_errors
from gamebot.channel.handler_call import contained, finish
from gamebot.errors import Told, UnsureError
from gamebot.plugin.context import Context

if TYPE_CHECKING:
    from gamebot.channel.host import HandlerWatch
    from gamebot.channel.memory import Memory
    from gamebot.channel.unit_of_work import UnitOfWork
    from gamebot.desk.host import TableHost
    from gamebot.events import Person
    from gamebot.plugin.registry import Registry


@define(eq=False)
class Guard:
    """Runs a channel's handlers.

    Attributes:
        host: The channel, handed to each handler's context.
        watch: Who is told which plugin has the event loop.
        disabled: Plugins that are not run any more.
        memory: What a handler leaves is accepted there, or restored from there.
        work: What a handler asked for is added to it.
        unsure: Whether a refusal was held back, as rights that were lacking may come to be known.
    """

    host: TableHost
    watch: HandlerWatch
    disabled: Collection[str]
    memory: Memory
    work: UnitOfWork
    unsure: bool = False
    _patience: handler_errors.Patience = field(factory=handler_errors.Patience)

    async def run(
        self,
        registry: Registry,
        handler: Callable[[Context], object],
        person: Person | None = None,
        *,
        in_query: bool = False,
        asked: bool = False,
    ) -> bool:
        """Run one handler.

        Of what goes wrong where nobody *asked* for anything a channel is told now and then only.

        Returns:
            Whether it did what it had to, a refusal included.
        """
        if registry.plugin in self.disabled:
            return True
        ctx = Context(self.host, registry, person, in_query)
        self.watch.enter(registry.plugin)
        try:
            await self._run(ctx, handler)
        except Told as told:
            self.memory.restore(registry)
            self._told(ctx, told)
        except Exception as error:
            self._failed(ctx, error, asked=asked)
            return False
        else:
            self.work.effects.merge(ctx.effects)
        finally:
            self.watch.leave()
        return True

    async def _run(self, ctx: Context, handler: Callable[[Context], object]) -> None:
        plugin = ctx.registry.plugin
        result = contained(handler, ctx)
        if inspect.isawaitable(result):
            await finish(self.watch.watched(plugin, result))
        if ctx.registry.games:
            contained(lambda ctx: self.host.desk(ctx).settle(), ctx)
        self.memory.accept(plugin)

    def _told(self, ctx: Context, told: Told) -> None:
        """Answer with a refusal, unless the rights that were lacking may come to be known."""
        if isinstance(told, UnsureError) or (ctx.lacked and ctx.unsure):
            self.unsure = True
            return
        answer = Context(self.host, ctx.registry, ctx.person, ctx.in_query)
        answer.tell(answer.t(told.msgid, **told.values))
        self.work.effects.merge(answer.effects)

    def _failed(self, ctx: Context, error: Exception, *, asked: bool) -> None:
        plugin = ctx.registry.plugin
        self.memory.restore(ctx.registry)
        msgid = handler_errors.report(error, plugin, self.host.name)
        if not asked and not self._patience.allows(plugin, self.host.clock.monotonic()):
            return
        answer = Context(self.host, ctx.registry, ctx.person, ctx.in_query)
        answer.reply(answer.t(msgid))
        self.work.effects.merge(answer.effects)
