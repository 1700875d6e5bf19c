"""Turn protocol lines into events and keep the membership; no input or output of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Event,
    Identified,
    Joined,
    Left,
    LeftHow,
    NickChanged,
    Person,
    Said,
)
from gamebot.irc.isupport import Isupport
from gamebot.irc.membership import Channel, Membership, User
from gamebot.irc.nobody import is_nobody
from gamebot.irc.parser import Message, split_source

WHOX_TOKEN: Final = "417"  # noqa: S105  a query number, no secret
"""Tells the answers to our own WHO from others; three digits at most."""

_CTCP: Final = "\x01"
_BOT_TAGS: Final = frozenset({"bot", "draft/bot", "inspircd.org/bot"})
_LOGGED_OUT: Final = frozenset({"*", "0"})
_UNSENDABLE: Final = str.maketrans("", "", "\r\n\0")


class Tracker:
    """Follow one connection's lines.

    Args:
        network: Name of the network.
        isupport: The server's properties; this updates them.
        has_capability: Whether an IRCv3 capability was negotiated.
        emit: Called with every event, in order.
        nobody: Masks `nick!user@host` of more who are no people.

    Attributes:
        own_nick: The bot's present nick as the server confirmed it, "" before registration.
        own_source: The bot's `nick!user@host` as others see it, "" until it was seen.
        membership: Who is where.
    """

    def __init__(
        self,
        network: str,
        isupport: Isupport,
        has_capability: Callable[[str], bool],
        emit: Callable[[Event], None],
        nobody: Sequence[str] = (),
    ) -> None:
        self.own_nick = ""
        self.own_source = ""
        self.membership = Membership(network, isupport)
        self._network = network
        self._isupport = isupport
        self._has = has_capability
        self._emit = emit
        self._nobody = nobody
        self._handlers: Mapping[str, Callable[[Message], None]] = {
            "001": self._welcome,
            "376": self._welcome,
            "422": self._welcome,
            "005": self._isupport_line,
            "324": self._modes_now,
            "331": self._no_topic,
            "332": self._topic_now,
            "352": self._who,
            "353": self._names,
            "354": self._whox,
            "366": self._names_end,
            "396": self._own_host,
            "ACCOUNT": self._account,
            "CHGHOST": self._chghost,
            "JOIN": self._join,
            "KICK": self._kick,
            "MODE": self._modes,
            "NICK": self._nick,
            "PART": self._part,
            "PRIVMSG": self._privmsg,
            "QUIT": self._quit,
            "TOPIC": self._topic,
        }

    def handle(self, message: Message) -> None:
        """Take the next line; a line that makes no sense changes nothing."""
        if handler := self._handlers.get(message.command):
            handler(message)

    def is_own(self, nick: str) -> bool:
        """Tell whether *nick* is the bot's present one."""
        return bool(self.own_nick) and self._isupport.fold(nick) == self._isupport.fold(
            self.own_nick
        )

    # Chat.

    def _privmsg(self, message: Message) -> None:
        target, text = message.param(0), message.param(1)
        speaker = self._speaker(message)
        if speaker is None or not text or text.startswith(_CTCP) or self._from_bot(message):
            return
        if self._isupport.without_status(target) != target:
            return  # what is said to operators alone is not answered to everybody
        text = text.translate(_UNSENDABLE)
        if self.is_own(target):
            self._emit(Said(speaker, None, text))
        elif channel := self.membership.channel(target):
            self._emit(Said(speaker, channel.name, text))

    def _from_bot(self, message: Message) -> bool:
        return self._has("message-tags") and not _BOT_TAGS.isdisjoint(message.tags)

    def _speaker(self, message: Message) -> Person | None:
        """Say who sent *message*, and learn from it; None for servers and for the bot itself."""
        nick, user, host = split_source(message.source)
        if self.is_own(nick) or is_nobody(nick, user, host, self._nobody):
            return None
        known = self.membership.user(nick)
        if known is None:
            return Person(self._network, nick, user, host, self._tagged_account(message))
        known.seen_as(user, host)
        self._learn_account(known, self._tagged_account(message))
        return known.person(self._network)

    def _tagged_account(self, message: Message) -> str | None:
        """Read the account tag; it is trusted only when negotiated, and missing is unknown."""
        if not self._has("account-tag"):
            return None
        return message.tags.get("account") or None

    def _learn_account(self, known: User, account: str | None) -> None:
        if account is not None and account != known.account:
            changed = (account or None) != (known.account or None)
            known.account = account
            if changed and not self.is_own(known.nick):
                self._emit(AccountChanged(known.person(self._network)))

    # Coming and going.

    def _join(self, message: Message) -> None:
        nick, user, host = split_source(message.source)
        for name in message.param(0).split(","):
            if not self._isupport.is_channel(name):
                continue
            if self.is_own(nick):
                self.own_source = message.source
                self.membership.add(self.membership.enter(name), nick, user, host)
            elif nick and (channel := self.membership.channel(name)):
                member = self.membership.add(channel, nick, user, host)
                channel.statuses[self._isupport.fold(nick)] = frozenset()
                self._join_account(member, message)
                if channel.complete:
                    self._emit(Joined(member.person(self._network), channel.name))

    def _join_account(self, member: User, message: Message) -> None:
        if self._has("extended-join") and message.param(1):
            account = message.param(1)
            member.account = "" if account in _LOGGED_OUT else account
        elif tagged := self._tagged_account(message):
            member.account = tagged

    def _part(self, message: Message) -> None:
        for name in message.param(0).split(","):
            if channel := self.membership.channel(name):
                self._gone(channel, message.nick, LeftHow.PART, reason=message.param(1))

    def _kick(self, message: Message) -> None:
        names, victims = message.param(0).split(","), message.param(1).split(",")
        if len(names) == 1:
            names *= len(victims)
        for name, victim in zip(names, victims, strict=False):
            if channel := self.membership.channel(name):
                reason = message.param(2)
                self._gone(channel, victim, LeftHow.KICK, by=message.nick, reason=reason)

    def _gone(
        self, channel: Channel, nick: str, how: LeftHow, *, by: str = "", reason: str = ""
    ) -> None:
        if self.is_own(nick):
            self.membership.leave(channel.name)
            self._emit(ChannelDown(self._network, channel.name, reason))
            return
        member = self.membership.user(nick)
        if member is None or self._isupport.fold(nick) not in channel.statuses:
            return
        person = member.person(self._network)
        self.membership.remove(channel, nick)
        if channel.complete:
            self._emit(Left(person, channel.name, how, by, reason))

    def _quit(self, message: Message) -> None:
        member = self.membership.user(message.nick)
        if member is None or self.is_own(message.nick):
            return
        person = member.person(self._network)
        shared = self.membership.shared_channels(member)
        self.membership.forget(message.nick)
        for channel in shared:
            if channel.complete:
                self._emit(Left(person, channel.name, LeftHow.QUIT, reason=message.param(0)))

    # Who somebody is.

    def _welcome(self, message: Message) -> None:
        if not self.own_nick and message.param(0) != "*":
            self.own_nick = message.param(0)

    def _nick(self, message: Message) -> None:
        new = message.param(0)
        if not new:
            return
        member = self.membership.user(message.nick)
        if self.is_own(message.nick):
            self.own_nick = new
            if self.own_source:
                self.own_source = new + self.own_source[len(message.nick) :]
            if member:
                self.membership.rename(member, new)
        elif member:
            person = member.person(self._network)
            self.membership.rename(member, new)
            self._emit(NickChanged(person, new))

    def _account(self, message: Message) -> None:
        account = message.param(0)
        member = self.membership.user(message.nick)
        if member and account and self._has("account-notify"):
            self._learn_account(member, "" if account in _LOGGED_OUT else account)

    def _chghost(self, message: Message) -> None:
        user, host = message.param(0), message.param(1)
        if self.is_own(message.nick) and user and host:
            self.own_source = f"{self.own_nick}!{user}@{host}"
        if user and host and (member := self.membership.user(message.nick)):
            member.user, member.host = user, host
            self._identified(member, was_known=False)

    def _own_host(self, message: Message) -> None:
        """396: our own host was hidden; it comes as `host` or `user@host`."""
        user, _, host = message.param(1).rpartition("@")
        if self.own_source and host:
            user = user or split_source(self.own_source)[1]
            self.own_source = f"{self.own_nick}!{user}@{host}"

    # What the server tells on request.

    def _isupport_line(self, message: Message) -> None:
        if self._isupport.update(message.params[1:-1]):
            self.membership.rekey()

    def _names(self, message: Message) -> None:
        channel = self.membership.channel(message.param(2))
        if channel is None:
            return
        symbols = "".join(self._isupport.prefixes)
        for entry in message.param(3).split(" "):
            source = entry.lstrip(symbols)
            nick, user, host = split_source(source)
            if nick:
                self.membership.add(channel, nick, user, host)
                channel.statuses[self._isupport.fold(nick)] = frozenset(
                    self._isupport.prefixes[symbol] for symbol in entry[: -len(source)]
                )

    def _names_end(self, message: Message) -> None:
        channel = self.membership.channel(message.param(1))
        if channel and not channel.complete:
            channel.complete = True
            members = tuple(self.membership.people(channel, self.own_nick))
            self._emit(ChannelUp(self._network, channel.name, members))

    def _modes(self, message: Message) -> None:
        if channel := self.membership.channel(message.param(0)):
            self.membership.change_modes(channel, message.param(1), message.params[2:])

    def _modes_now(self, message: Message) -> None:
        if channel := self.membership.channel(message.param(1)):
            channel.modes.clear()
            self.membership.change_modes(channel, message.param(2), message.params[3:])

    def _topic(self, message: Message) -> None:
        if channel := self.membership.channel(message.param(0)):
            channel.topic = message.param(1)

    def _topic_now(self, message: Message) -> None:
        if channel := self.membership.channel(message.param(1)):
            channel.topic = message.param(2)

    def _no_topic(self, message: Message) -> None:
        if channel := self.membership.channel(message.param(1)):
            channel.topic = ""

    def _who(self, message: Message) -> None:
        if member := self.membership.user(message.param(5)):
            was_known = bool(member.host)
            member.seen_as(message.param(2), message.param(3))
            self._identified(member, was_known=was_known)

    def _whox(self, message: Message) -> None:
        """Take the answer to `WHO #channel %tcuhnaf,TOKEN`."""
        member = self.membership.user(message.param(5))
        if message.param(1) != WHOX_TOKEN or member is None:
            return
        account = message.param(7)
        known = None if not account else "" if account in _LOGGED_OUT else account
        was_known = bool(member.host)
        member.seen_as(message.param(3), message.param(4))
        self._learn_account(member, known)
        self._identified(member, was_known=was_known)

    def _identified(self, member: User, *, was_known: bool) -> None:
        if member.host and not was_known and not self.is_own(member.nick):
            self._emit(Identified(member.person(self._network)))
