"""The way of what happens, other than speech, to the channels that it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from gamebot.bot import owner_notices
from gamebot.channel.inputs import Refreshed, Rekeyed
from gamebot.events import (
    AboutPeople,
    ChannelDown,
    ChannelGivenUp,
    ChannelUp,
    Joined,
    Left,
    LinkDown,
    LinkUp,
    NickChanged,
    Person,
    Undelivered,
)

if TYPE_CHECKING:
    from gamebot.bot.bot import Bot
    from gamebot.bot.line_router import LineRouter

AboutChannel = ChannelUp | ChannelDown | ChannelGivenUp
AboutLines = Undelivered
AboutLink = LinkUp | LinkDown
Happened = AboutPeople | AboutChannel | AboutLines | AboutLink


class EventRouter:
    """Decide who is told what happened.

    Args:
        bot: Its channels, and the books about people.
        lines: The bounds on what people may say follow their nicks.
    """

    def __init__(self, bot: Bot, lines: LineRouter) -> None:
        self._bot, self._lines = bot, lines

    def happened(self, event: Happened) -> None:
        """Tell every book and every channel that *event* concerns."""
        if isinstance(event, AboutPeople):
            self._bot.nick_history.note(self._bot.links[event.person.network], event)
            self._person_moved(event)
            return
        self._bot.nick_history.note(self._bot.links[event.network], event)
        if isinstance(event, AboutChannel):
            self._channel_moved(event)
        elif isinstance(event, AboutLink):
            self._link_moved(event)
        elif isinstance(event, Undelivered):
            self._undelivered(event)
        else:
            assert_never(event)

    # -- links ------------------------------------------------------------------------------

    def _link_moved(self, event: AboutLink) -> None:
        bot, network = self._bot, event.network
        if isinstance(event, LinkUp):
            for channel, new in bot.channel_map.rekey(bot.links[network]):
                channel.put(Rekeyed(new) if new else Refreshed())
            for channel in bot.of_network(network):
                channel.given_up = ""  # a new link tries again
        else:
            bot.rights.link_down(network)
            bot.certificate_queries.link_down(network)
        for channel in bot.of_network(network):
            channel.put(event)

    # -- the bot's own coming and going -----------------------------------------------------

    def _channel_moved(self, event: AboutChannel) -> None:
        if isinstance(event, ChannelUp) and event.asked:
            self._bot.channel_map.rename(self._bot.links[event.network], event.asked, event.channel)
        channel = self._bot.channel(event.network, event.channel)
        if channel is None:
            return
        if isinstance(event, ChannelGivenUp):
            channel.given_up = event.why
            owner_notices.tell_given_up(self._bot, channel)
            return
        if isinstance(event, ChannelUp):
            channel.given_up = ""
            channel.told_silenced = False
        channel.put(event)

    def _undelivered(self, event: Undelivered) -> None:
        link = self._bot.links[event.network]
        if link.is_channel(event.target):
            silent = self._bot.channel(event.network, event.target)
            told = [silent]
            if silent is not None:
                owner_notices.tell_silenced(self._bot, silent)
        elif event.channel:
            told = [self._bot.channels.get((event.network, event.channel))]
        else:
            told = list(self._bot.of_network(event.network))
        for channel in told:
            if channel is not None:
                channel.put(event)

    # -- people -----------------------------------------------------------------------------

    def _person_moved(self, event: AboutPeople) -> None:
        if isinstance(event, Joined | Left):
            self._came_or_went(event)
            return
        if isinstance(event, NickChanged):
            self._renamed(event)
        for channel in self._bot.of_network(event.person.network):
            if channel.wants(event):
                channel.put(event)

    def _came_or_went(self, event: Joined | Left) -> None:
        person = event.person
        channel = self._bot.channel(person.network, event.channel)
        if channel is not None and channel.wants(event):
            channel.put(event)
        if isinstance(event, Left):
            self._lost_sight(person)
        else:
            self._bot.certificate_queries.joined(self._bot.links[person.network], person)

    def _renamed(self, event: NickChanged) -> None:
        link = self._bot.links[event.person.network]
        self._lines.renamed(link, event)
        self._bot.rights.renamed(link, event)
        self._bot.certificate_queries.renamed(link, event)

    def _lost_sight(self, person: Person) -> None:
        link = self._bot.links[person.network]
        channels = [channel.name for channel in self._bot.of_network(person.network)]
        self._bot.rights.left(link, person.nick, channels)
        self._bot.certificate_queries.left(link, person.nick, channels)
