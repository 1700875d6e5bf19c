"""The way of a line to the task that answers it: which channel, or the network's console."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from gamebot.channel.inputs import Spoken
from gamebot.config.limits import Limits
from gamebot.errors import UnsureError
from gamebot.people.throttle import Throttle, Verdict
from gamebot.plugin.access import Rights
from gamebot.plugin.settings import Layer, Scope
from gamebot.plugin.typed import visible
from gamebot.ports import OutLine

if TYPE_CHECKING:
    from gamebot.bot.bot import Bot
    from gamebot.channel.channel import Channel
    from gamebot.events import NickChanged, Person, Said
    from gamebot.plugin.commands import Command
    from gamebot.ports import Link


class LineRouter:
    """Decide who hears a line.

    Args:
        bot: Its channels and consoles.
        limits: Bounds on commands.
    """

    def __init__(self, bot: Bot, limits: Limits) -> None:
        self._bot = bot
        self._throttle = Throttle(limits)

    def renamed(self, link: Link, event: NickChanged) -> None:
        """Let a bound follow its person's nick."""
        nicks = link.fold(event.person.nick), link.fold(event.new_nick)
        self._throttle.renamed(link.name, *nicks)

    def said(self, event: Said) -> None:
        """Give a line to whom it concerns, if to anybody."""
        link, queries = self._bot.links[event.person.network], self._bot.certificate_queries
        again = partial(self._said_again, event)
        if queries.behind(link, event.person, again):
            return
        try:
            self._route(link, event)
        except UnsureError:
            queries.ask(link, event.person, again)

    def _said_again(self, event: Said, person: Person) -> None:
        self.said(evolve(event, person=person))

    def _route(self, link: Link, event: Said) -> None:
        """Find out whom a line concerns.

        Raises:
            UnsureError: That depends on a certificate of the speaker that is not known yet.
        """
        person = event.person
        text = visible(event.text)
        if event.channel is None:
            self._query(link, person, text)
        else:
            self._in_channel(link, person, event.channel, text)

    def _ignored(self, link: Link, person: Person, channel: str) -> bool:
        scopes = [Scope(Layer.GLOBAL), Scope(Layer.NETWORK, link.name)]
        if channel:
            scopes.append(Scope(Layer.CHANNEL, link.name, channel))
        bot = self._bot
        return bot.ignores.hold(scopes, link, person, bot.rights, bot.clock.now())

    def _in_channel(self, link: Link, person: Person, name: str, text: str) -> None:
        channel = self._bot.channel(link.name, name)
        if channel is None or not channel.registries:
            return
        word = channel.speech.find(text, in_query=False)
        if word is None and text.startswith(channel.prefix):
            # Words of the console exist in a channel only for those who may use them.
            command = self._console_command(link, text)
            if command and _for_the_bot(command) and self._may(link, person, command):
                self._give_console(link, person, text)
                return
        if channel.speech.hears(text, word):
            talk = not channel.speech.is_meant(person, text, word)
            self._give(channel, person, text, in_query=False, free=talk)

    # -- queries ----------------------------------------------------------------------------

    def _query(self, link: Link, person: Person, text: str) -> None:
        command = self._console_command(link, text)
        if command and _for_the_bot(command) and self._may(link, person, command):
            self._give_console(link, person, text)
            return
        channels, rest = self._tables(link, person, text)
        known = any(c.speech.find(rest, in_query=True) for c in channels)
        if command and not known:
            self._give_console(link, person, text)
        elif len(channels) == 1:
            self._give(channels[0], person, rest, in_query=True)
        elif channels:
            self._ask_for_channel(person, channels)

    def _tables(self, link: Link, person: Person, text: str) -> tuple[list[Channel], str]:
        """Find the tables that a query may be for, and the text without the channel's name."""
        words = text.split(maxsplit=2)
        for index in (1, 0):
            if len(words) > index and link.is_channel(words[index]):
                named = self._bot.channel(link.name, words[index])
                if named is not None and self._may_ask(named, person):
                    return [named], " ".join(words[:index] + words[index + 1 :])
        channels = [c for c in self._bot.of_network(link.name) if c.registries]
        mine = [channel for channel in channels if channel.seats(person)]
        if not mine:
            nick = link.fold(person.nick)
            mine = [
                channel
                for channel in channels
                if any(link.fold(member.nick) == nick for member in link.members(channel.name))
            ]
        return mine, text

    def _may_ask(self, channel: Channel, person: Person) -> bool:
        """Whether *person* is in the channel, plays there, or looks after the bot."""
        nick = channel.link.fold(person.nick)
        members = channel.link.members(channel.name)
        if any(channel.link.fold(member.nick) == nick for member in members):
            return True
        wide = self._bot.rights.standing(channel.link, person).rights
        if wide.cover(Rights.ADMIN) or channel.seats(person):
            return True
        self._be_sure(channel.link, person)
        return False

    def _ask_for_channel(self, person: Person, channels: list[Channel]) -> None:
        channel = channels[0]
        if not self._ignored(channel.link, person, "") and self._allowed(channel, person):
            msgid = "Name the channel behind the command: {channels}."
            names = [each.name for each in channels[:8]]
            self._tell(channel, person, channel.text(msgid, channels=names))

    # -- the console ------------------------------------------------------------------------

    def _console_command(self, link: Link, text: str) -> Command | None:
        console = self._bot.consoles.get(link.name)
        if console is None:
            return None
        bare = self._without_prefix(link, text)
        found = console.enabled.words.find(bare, console.prefix, in_query=True)
        return found.command if found else None

    def _without_prefix(self, link: Link, text: str) -> str:
        """Cut off the prefix of any channel: whoever types to the console is in none."""
        for channel in (*self._bot.of_network(link.name), self._bot.consoles[link.name]):
            if text.startswith(channel.prefix):
                return text.removeprefix(channel.prefix)
        return text

    def _may(self, link: Link, person: Person, command: Command) -> bool:
        if self._bot.rights.standing(link, person).rights.cover(command.rights):
            return True
        self._be_sure(link, person)
        return False

    def _be_sure(self, link: Link, person: Person) -> None:
        if self._bot.rights.unsure(link, person):
            raise UnsureError

    def _give_console(self, link: Link, person: Person, text: str) -> None:
        console = self._bot.consoles[link.name]
        self._give(console, person, self._without_prefix(link, text), in_query=True)

    # -- handing over -----------------------------------------------------------------------

    def _give(
        self, channel: Channel, person: Person, text: str, *, in_query: bool, free: bool = False
    ) -> None:
        if self._ignored(channel.link, person, channel.name):
            if not free:
                self._be_sure(channel.link, person)  # who looks after the bot is always heard
            return
        if channel.registries and self._allowed(channel, person, free=free):
            channel.put(Spoken(person, text, in_query))

    def _tell(self, channel: Channel, person: Person, text: str) -> None:
        channel.link.send(OutLine(person.network, person.nick, text, "NOTICE", channel=channel.key))

    def _allowed(self, channel: Channel, person: Person, *, free: bool = False) -> bool:
        nick = channel.link.fold(person.nick)
        now = self._bot.clock.monotonic()
        verdict = self._throttle.ask(person.network, nick, now, free=free)
        if verdict is Verdict.TELL:
            text = channel.text("Too many commands; I ignore you for a minute.")
            self._tell(channel, person, text)
        return verdict is Verdict.ALLOW


def _for_the_bot(command: Command) -> bool:
    """Whether a command is about the bot as a whole, whatever channel it was given in."""
    return command.rights.cover(Rights.ADMIN)
