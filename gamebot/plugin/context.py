"""What a handler gets: the line's speaker, the channel, and ways to answer.

Nothing that a handler says leaves at once: lines, timers, state and the table's new state are
collected in `Effects`, made durable in one transaction, and only then sent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from gamebot.events import Person
from gamebot.irc.formatting import text_lines
from gamebot.plugin import dispatch, private_lines
from gamebot.plugin.access import NOBODY, Rights, Standing
from gamebot.plugin.commands import Command
from gamebot.plugin.effects import Effects
from gamebot.plugin.voice import Voice
from gamebot.plugin.words import parse_words, spelling
from gamebot.ports import OutLine, RankingRow, ResultRow, SettingRow, TimerRow, Urgency

if TYPE_CHECKING:
    from random import Random

    from gamebot.errors import Refused
    from gamebot.i18n import Translator
    from gamebot.plugin.game_desk import GameDesk
    from gamebot.plugin.host import Host
    from gamebot.plugin.registry import Registry
    from gamebot.plugin.state import State
    from gamebot.table.table import Chair


MOST_LINES = 200
"""What one handler may say; more is a mistake in it."""

LONGEST_S = 100 * 365 * 86_400.0
"""The longest time of a timer, far beyond what any game needs."""


def identity_of(account: str | None, nick: str) -> str:
    """Return the key of somebody's results: the services account, else the folded nick."""
    return f"a:{account}" if account else f"n:{nick}"


@define(eq=False)
class Context:
    """One input, seen by one plugin in one channel.

    Attributes:
        channel: The channel (the core's own; plugins use the methods below).
        registry: The plugin whose handler runs.
        person: Who spoke; None for timers and the bot's own coming and going.
        in_query: Whether it was said in a query.
        bare: Whether it was an everyday word said in the channel, a command without prefix.
        word: The command word as it was typed, folded.
        lacked: Whether the command asked for rights of an operator or more, and the speaker has
            them not.
        effects: What the handler asked for so far.
    """

    channel: Host
    registry: Registry
    person: Person | None = None
    in_query: bool = False
    bare: bool = False
    word: str = ""
    lacked: bool = False
    effects: Effects = field(factory=Effects)

    # -- who and where ----------------------------------------------------------------------

    @property
    def nick(self) -> str:
        """The speaker's nick, "" if nobody spoke."""
        return self.person.nick if self.person else ""

    @property
    def network(self) -> str:
        """Name of the network."""
        return self.channel.link.name

    @property
    def channel_name(self) -> str:
        """The channel as the network spells it."""
        return self.channel.name

    @property
    def own_nick(self) -> str:
        """The bot's present nick."""
        return self.channel.link.own_nick

    @property
    def members(self) -> Sequence[Person]:
        """Everybody in the channel but the bot."""
        return self.channel.link.members(self.channel.name)

    @property
    def standing(self) -> Standing:
        """What the speaker may do here, and why."""
        return self.channel.standing(self.person) if self.person else NOBODY

    def may(self, needed: Rights) -> bool:
        """Whether the speaker has the rights *needed*."""
        allowed = needed is Rights.ANYBODY or self.standing.rights.cover(needed)
        if self.word and not allowed and needed.cover(Rights.OPERATOR):
            self.lacked = True
        return allowed

    @property
    def unsure(self) -> bool:
        """Whether the speaker may have more rights, by a certificate not asked for yet."""
        return self.person is not None and self.channel.unsure(self.person)

    @property
    def is_op(self) -> bool:
        """Whether the speaker is an operator of the channel, or has more rights."""
        return self.may(Rights.OPERATOR)

    @property
    def is_owner(self) -> bool:
        """Whether the speaker is an owner of the bot."""
        return self.may(Rights.OWNER)

    @property
    def strips_colors(self) -> bool:
        """Whether the channel removes or forbids formatting codes."""
        return self.channel.link.strips_colors(self.channel.name)

    def is_seated_elsewhere(self, chair: Chair) -> bool:
        """Whether the player on *chair* also has a seat in another channel of this network."""
        user, _, host = chair.userhost.partition("@")
        player = Person(self.network, chair.nick, user, host, chair.account)
        return self.channel.plays_elsewhere(player)

    def identity(self, who: Chair | Person) -> str:
        """Return what somebody's results and preferences go by: the account, else the nick."""
        return identity_of(who.account, self.fold(who.nick))

    # -- language ---------------------------------------------------------------------------

    @property
    def translator(self) -> Translator:
        """Texts of this plugin in the channel's language."""
        return self.channel.translator_of(self.registry.plugin)

    def t(self, msgid: str, **values: object) -> str:
        """Translate *msgid* and fill in its named placeholders."""
        return self.translator.text(msgid, **values)

    def n(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate in the plural form that *n* asks for."""
        return self.translator.plural(one, many, n, **values)

    @property
    def prefix(self) -> str:
        """The channel's command prefix."""
        return self.channel.prefix

    def how(self, name: str) -> str:
        """Write how command *name* of this plugin is typed in this channel."""
        return self.how_typed(self.registry.find(name))

    def how_typed(self, command: Command) -> str:
        """Write how *command* is typed in this channel, without arguments."""
        words = spelling(self.channel.translator_of(command.plugin), command.words)
        return parse_words(words)[0].shown(self.prefix)

    # -- the other plugins of the channel ---------------------------------------------------

    @property
    def plugins(self) -> Sequence[str]:
        """Names of the channel's plugins, in its order."""
        return [name for name in self.channel.registries if name not in self.channel.disabled]

    def of(self, plugin: str, *, in_query: bool | None = None) -> Context:
        """Return the same line as another plugin sees it, or as if said in the other place."""
        return evolve(
            self,
            registry=self.channel.registries[plugin],
            in_query=self.in_query if in_query is None else in_query,
        )

    def refusal(self, command: Command) -> Refused | None:
        """Return why the speaker cannot give *command* here and now, None if it is possible."""
        return dispatch.refusal_of(self.of(command.plugin), command)

    @property
    def voice(self) -> Voice:
        """What this plugin says here, whoever asks."""
        settings = self.channel.profile.settings.get(self.registry.plugin)
        if settings is None and self.registry.settings is not None:
            settings = self.registry.settings()
        return Voice(self.registry, self.translator, self.prefix, settings)

    def fold(self, name: str) -> str:
        """Fold a nick or a channel's name by the network's casemapping, for comparison."""
        return self.channel.link.fold(name)

    # -- answering --------------------------------------------------------------------------

    def say(self, text: str, *, urgency: Urgency = Urgency.REPLY, keep: bool = False) -> None:
        """Say *text* in the channel; each line of it is one message."""
        self._put(self.channel.name, text, "PRIVMSG", urgency, keep=keep)

    def notice(
        self, nick: str, text: str, *, urgency: Urgency = Urgency.REPLY, keep: bool = False
    ) -> None:
        """Tell *nick* privately, by NOTICE or as that person chose.

        Nothing goes to a player's nick while it is not certain who has it: after a reconnect until
        the network tells the hosts, and while the bot is not in the channel.
        """
        if self.channel.is_certain(nick, self.person):
            verb = private_lines.verb_for(self, nick)
            self._put(nick, text, verb, urgency, keep=keep)

    def tell(self, text: str, *, urgency: Urgency = Urgency.REPLY) -> None:
        """Tell the speaker privately, as they chose; who plays elsewhere too is told for where."""
        if self.person is None:
            return
        if self.channel_name and self.channel.plays_elsewhere(self.person):
            text = self.translator.headed(self.channel_name, text)
        verb = private_lines.verb_for(self, self.person.nick, self.person)
        self._put(self.person.nick, text, verb, urgency, keep=False)

    def reply(self, text: str, *, urgency: Urgency = Urgency.REPLY) -> None:
        """Answer where the line was said: in the channel, or to a query by NOTICE."""
        if self.in_query:
            self.tell(text, urgency=urgency)
        else:
            self.say(text, urgency=urgency)

    def _put(self, target: str, text: str, verb: str, urgency: Urgency, *, keep: bool) -> None:
        if not isinstance(target, str):
            raise TypeError(f"a target is a nick or a channel, not {target!r}")
        lines = [line for line in text_lines(text) if line.strip()]
        if len(self.effects.lines) + len(lines) > MOST_LINES:
            raise ValueError(f"a handler says {MOST_LINES} lines at most")
        self.effects.lines += [
            OutLine(
                network=self.network,
                target=target,
                text=line,
                verb=verb,
                urgency=urgency,
                channel=self.channel.key,
                keep=keep,
            )
            for line in lines
        ]

    def protocol(self, verb: str, *params: str) -> None:
        """Send a protocol command (MODE, TOPIC, KICK) behind chat.

        Raises:
            TypeError: Something of it is no text.
        """
        if not all(isinstance(word, str) for word in (verb, *params)):
            raise TypeError(f"a protocol command consists of texts, not {(verb, *params)!r}")
        self.effects.protocol.append((verb, *params))

    # -- state, time, chance ----------------------------------------------------------------

    @property
    def state(self) -> State:
        """This plugin's durable values in this channel."""
        return self.channel.state(self.registry.plugin)

    @property
    def settings(self) -> Any:  # noqa: ANN401  the plugin's own settings class
        """This plugin's settings in this channel."""
        return self.channel.profile.settings[self.registry.plugin]

    def change_setting(self, name: str, value: Any) -> None:  # noqa: ANN401  any setting's value
        """Set one of this plugin's settings for this channel; it holds from the next input on.

        Raises:
            ConfigError: The value cannot be used.
        """
        evolve(self.settings, **{name: value})
        row = SettingRow(
            scope=f"{self.network}/{self.channel.key}",
            plugin=self.registry.plugin,
            key=name,
            value=json.dumps(value),
            by=self.nick,
            at=self.now(),
        )
        self.effects.settings.append(row)

    def timer(self, name: str, seconds: float, payload: object = None, *, key: str = "") -> None:
        """Arm a one-shot timer that survives a restart; arming it again replaces it.

        Args:
            name: A name registered with `registry.timer`.
            seconds: From now.
            payload: JSON value handed to the timer's handler.
            key: Tells several timers of one name apart.

        Raises:
            ValueError: *seconds* is negative, over a hundred years, or no number; or there is no
                such timer.
        """
        if name not in self.registry.timers:
            raise ValueError(f"no timer {name!r} is registered")
        self.arm(f"{name}:{key}" if key else name, seconds, payload=payload)

    def arm(self, name: str, seconds: float, *, clock_id: int = 0, payload: object = None) -> None:
        """Arm a timer for the turn *clock_id*.

        Raises:
            ValueError: *seconds* is negative, over a hundred years, or no number.
        """
        if not 0 <= seconds <= LONGEST_S:
            raise ValueError(f"the timer {name!r} cannot run for {seconds} seconds")
        self.effects.timers[self.registry.plugin, name] = TimerRow(
            network=self.network,
            channel=self.channel.key,
            plugin=self.registry.plugin,
            name=name,
            clock_id=clock_id,
            due_at=self.now() + seconds,
            limit_s=seconds,
            payload=json.dumps(payload),
        )

    def cancel(self, name: str, *, key: str = "") -> None:
        """Cancel a timer; harmless if it is not armed."""
        self.effects.timers[self.registry.plugin, f"{name}:{key}" if key else name] = None

    def now(self) -> float:
        """Wall-clock time, seconds since the Unix epoch."""
        return self.channel.clock.now()

    @property
    def chance(self) -> Random:
        """Chance for everything that is no game of its own."""
        return self.channel.chance

    # -- games ------------------------------------------------------------------------------

    @property
    def desk(self) -> GameDesk:
        """The table of this plugin's game in this channel."""
        return self.channel.desk(self)

    async def ranking(
        self, *, since: float = 0.0, with_bots: bool = False, limit: int = 10
    ) -> Sequence[RankingRow]:
        """Rank this channel's players of this game."""
        return await self.channel.store.ranking(
            self.network,
            self.channel.key,
            self.registry.plugin,
            since=since,
            with_bots=with_bots,
            limit=limit,
        )

    async def results(self, *, order: str = "points", limit: int = 10) -> Sequence[ResultRow]:
        """Return single results of this channel's players of this game, best first."""
        return await self.channel.store.results(
            self.network, self.channel.key, self.registry.plugin, order=order, limit=limit
        )
