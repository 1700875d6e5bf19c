"""What a plugin registers at load: data, no behaviour of its own.

pluggy is called once, for `gamebot_register`; every later dispatch is our own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import pluggy
from attrs import define, field

from gamebot import events
from gamebot.errors import PluginError
from gamebot.plugin.access import Rights, When, Where
from gamebot.plugin.commands import (
    Command,
    Converter,
    Handler,
    Invocation,
    check_handler,
    read_parameters,
)

if TYPE_CHECKING:
    from gamebot.events import Event
    from gamebot.plugin.context import Context
    from gamebot.plugin.game import GameType

PROJECT = "gamebot"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

E = TypeVar("E", bound="Event")
EventHandler = Callable[["Context", Any], Awaitable[None] | None]
TimerHandler = Callable[["Context", Any], Awaitable[None] | None]
BareReader = Callable[[str, "Context"], Invocation | None]


class Hooks:
    """The only hook; synchronous, called when the plugin is loaded."""

    @hookspec
    def gamebot_register(self, registry: Registry) -> None:
        """Push commands, games, handlers, converters and timers into *registry*."""


@define
class Registry:
    """One plugin's registrations.

    Attributes:
        plugin: The plugin's name.
        commands: Commands in the order of registration.
        hidden_commands: Commands without a word.
        games: Kinds of game; a plugin has one at most.
        handlers: Event type -> handlers.
        timers: Timer name -> handler.
        bare_readers: Readers of whole messages, asked after all words failed.
        settings: The plugin's settings class, None if it has none.
        domain: gettext domain of its catalogs.
        locale: Folder of its catalogs, None if it has none.
    """

    plugin: str
    commands: list[Command] = field(factory=list)
    hidden_commands: list[Command] = field(factory=list)
    games: list[GameType[Any]] = field(factory=list)
    handlers: dict[type, list[EventHandler]] = field(factory=dict)
    timers: dict[str, TimerHandler] = field(factory=dict)
    bare_readers: list[BareReader] = field(factory=list)
    settings: type | None = None
    domain: str = ""
    locale: Path | None = None
    _converters: dict[object, tuple[Converter, bool]] = field(factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing was registered."""
        return not (
            self.commands or self.games or self.handlers or self.timers or self.bare_readers
        )

    def command(
        self,
        name: str,
        handler: Handler,
        *,
        words: str,
        also: str = "",
        where: Where = Where.ANY,
        when: When = When.ALWAYS,
        when_in_channel: When | None = None,
        when_bare: When | None = None,
        shouted: bool = False,
        rights: Rights = Rights.ANYBODY,
        help: str = "",  # noqa: A002  the field's term
        example: str = "",
        example_means: str = "",
    ) -> Command:
        """Declare a command; the handler's signature parses its arguments.

        Args:
            name: Stable English name, unique in the plugin.
            handler: Function `(ctx, *arguments)`, plain or async.
            words: English words in the manuals' notation, e.g. `!roll` or `is(crivi)`.
            also: Further words, as other games and bots have them; another command's own win.
            where: Channel, query or both.
            when: Phase in which it exists.
            when_in_channel: Phase in a channel, if another one than in a query.
            when_bare: Phase for a word without prefix, if another one than with it.
            shouted: Whether `word!` or `word.` counts as the bare word.
            rights: Who may give it.
            help: One sentence; by default the first line of the handler's docstring.
            example: Arguments of an example, as they are typed in English: `1 4`.
            example_means: What the example does, where it does not speak for itself.

        Raises:
            PluginError: The name is taken, a word or a parameter cannot be read.
        """
        if any(known.name == name for known in self.commands):
            raise PluginError(f"{self.plugin}: command {name!r} is registered twice")
        doc = (handler.__doc__ or "").strip()
        command = Command(
            plugin=self.plugin,
            name=name,
            handler=handler,
            words=words,
            also=also,
            parameters=read_parameters(handler, self._converters),
            where=where,
            when=when,
            when_in_channel=when_in_channel,
            when_bare=when_bare,
            shouted=shouted,
            rights=rights,
            help=help or doc.partition("\n")[0],
            example=example,
            example_means=example_means,
        )
        self.commands.append(command)
        return command

    def hidden(self, name: str, handler: Handler, *, when: When = When.ALWAYS) -> Command:
        """Declare a command without a word; only a `bare` reader finds it.

        Args:
            name: Stable English name, unique in the plugin.
            handler: Function `(ctx, *values)`; the reader has read the values.
            when: Phase in which it exists.

        Raises:
            PluginError: *handler* is none.
        """
        check_handler(handler)
        command = Command(
            plugin=self.plugin,
            name=name,
            handler=handler,
            words="",
            parameters=(),
            where=Where.CHANNEL,
            when=when,
        )
        self.hidden_commands.append(command)
        return command

    def game(self, kind: type[GameType[Any]]) -> None:
        """Add a kind of game; lobby, seats, turn clock and restart come with it.

        Raises:
            PluginError: The plugin has a game already.
        """
        if self.games:
            raise PluginError(f"{self.plugin}: a plugin has one game at most")
        game = kind()
        game.plugin = self.plugin
        self.games.append(game)
        self.settings = kind.settings

    def on(self, event: type[E], handler: Callable[[Context, E], Awaitable[None] | None]) -> None:
        """Call *handler* for each *event* of a channel where the plugin is enabled.

        Raises:
            PluginError: There is no such event, or *handler* is none.
        """
        if event not in get_args(events.Event):
            raise PluginError(f"{self.plugin}: {event!r} is no event")
        check_handler(handler)
        self.handlers.setdefault(event, []).append(handler)

    def timer(self, name: str, handler: TimerHandler) -> None:
        """Name the handler of the timers that `ctx.timer(name, ...)` arms.

        Raises:
            PluginError: The name is taken, or *handler* is none.
        """
        check_handler(handler)
        if name in self.timers or name.startswith("table."):
            raise PluginError(f"{self.plugin}: timer {name!r} is taken")
        self.timers[name] = handler

    def converter(self, annotation: object, convert: Converter, *, rest: bool = False) -> None:
        """Read arguments annotated with *annotation* by `convert(text, ctx)`.

        Args:
            annotation: The annotation that handlers use.
            convert: Returns the value or raises `UsageError`.
            rest: Whether it takes the rest of the line.

        Raises:
            PluginError: *convert* cannot be called.
        """
        check_handler(convert)
        self._converters[annotation] = (convert, rest)

    def bare(self, reader: BareReader) -> None:
        """Let *reader* look at whole messages that no word matched.

        Raises:
            PluginError: It cannot be called.
        """
        check_handler(reader)
        self.bare_readers.append(reader)

    def configure(self, settings: type) -> None:
        """Declare the plugin's settings: a frozen attrs class in which every field has a default."""
        self.settings = settings

    def catalogs(self, domain: str, locale: Path) -> None:
        """Name the plugin's gettext domain and the folder of its catalogs."""
        self.domain, self.locale = domain, locale

    def find(self, name: str) -> Command:
        """Return the command *name*.

        Raises:
            KeyError: There is none.
        """
        return next(c for c in (*self.commands, *self.hidden_commands) if c.name == name)

    def close(self) -> None:
        """Drop every registration; nothing of the plugin stays behind."""
        for held in (self.commands, self.hidden_commands, self.games, self.bare_readers):
            held.clear()
        for table in (self.handlers, self.timers, self._converters):
            table.clear()


def options(registry: Registry) -> Mapping[str, object]:
    """Return the default settings of a plugin as a mapping, for overviews."""
    from attrs import asdict

    return asdict(registry.settings()) if registry.settings else {}
