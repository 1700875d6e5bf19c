"""What those who look after the bot are told unasked, if they are there to hear it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gamebot.channel.enabled_plugins import core_translator
from gamebot.i18n import translatable
from gamebot.plugin.access import Rights
from gamebot.ports import OutLine

if TYPE_CHECKING:
    from gamebot.bot.bot import Bot
    from gamebot.channel.channel import Channel
    from gamebot.events import Person
    from gamebot.ports import Link

MOST = 3
"""People who are told at most."""

_WHY = {
    "kicked": translatable("kicked out"),
    "471": translatable("the channel is full"),
    "473": translatable("only who is invited may join"),
    "474": translatable("banned"),
    "475": translatable("the key is wrong"),
}


def given_up(channel: Channel, console: Channel) -> str:
    """Name a channel that the bot has given up, with the reason, in the language of *console*."""
    why = _WHY.get(channel.given_up)
    reason = console.text(why) if why else channel.given_up
    return console.text("{channel} ({why})", channel=channel.name, why=reason)


def tell_given_up(bot: Bot, channel: Channel) -> None:
    """Tell the owners who share a channel with the bot, else the network's admins."""
    for console, link, person in _told(bot, channel):
        text = console.text(
            "{network}: I have given up {channels}.",
            network=channel.link.name,
            channels=given_up(channel, console),
        )
        link.send(OutLine(link.name, person.nick, text, "NOTICE"))


def tell_silenced(bot: Bot, channel: Channel) -> None:
    """Tell them, once until the channel is joined anew, that the bot's lines are refused there."""
    if channel.told_silenced:
        return
    channel.told_silenced = True
    for console, link, person in _told(bot, channel):
        text = console.text(
            "I cannot speak in {channel} now: an operator has to give me voice.",
            channel=channel.name,
        )
        text = core_translator(console.profile.language).headed(channel.link.name, text)
        link.send(OutLine(link.name, person.nick, text, "NOTICE"))


def _told(bot: Bot, channel: Channel) -> Iterator[tuple[Channel, Link, Person]]:
    """Go through whom to tell of *channel*, and the console that has the words."""
    told = list(_present(bot, bot.links.values(), Rights.OWNER))
    for link, person in (told or list(_present(bot, [channel.link], Rights.ADMIN)))[:MOST]:
        yield bot.consoles[link.name], link, person


def _present(bot: Bot, links: Iterable[Link], rights: Rights) -> Iterator[tuple[Link, Person]]:
    for link in links:
        people = {
            link.fold(person.nick): person
            for channel in bot.of_network(link.name)
            for person in link.members(channel.name)
        }
        for person in people.values():
            if bot.rights.standing(link, person).rights.cover(rights):
                yield link, person
