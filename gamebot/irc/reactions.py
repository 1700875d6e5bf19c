"""What a network does of itself about lines of the server, beside keeping track of people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import define, field

from gamebot.events import ChannelUp
from gamebot.irc.ctcp import CtcpReplies
from gamebot.irc.isupport import Isupport
from gamebot.irc.joins import REFUSALS, Joiner
from gamebot.irc.nicks import NickKeeper
from gamebot.irc.options import NetworkOptions
from gamebot.irc.outbox import Command, Outbox
from gamebot.irc.parser import Message
from gamebot.irc.refusals import FOR_GOOD, TOO_FAST, Refusals
from gamebot.irc.tracker import Tracker

ACCOUNT_CAPABILITIES: Final = ("account-tag", "extended-join", "account-notify")
"""Capabilities by which a server tells services accounts."""


@define(eq=False, kw_only=True)
class Reactions:
    """Rejoins, regains the nick, answers CTCP, lets waiting lines follow people.

    Attributes:
        options: The network.
        tracker: Returns who is where on the present connection.
        isupport: Returns what the server says about itself.
        joiner: Keeps the bot in its channels.
        nick_keeper: Keeps its nick.
        outbox: What waits to be sent.
        ctcp: Answers to CTCP.
        refusals: Finds the line that a refusal is about.
        ask_about: Asks the server about a channel's members.
    """

    options: NetworkOptions
    tracker: Callable[[], Tracker]
    isupport: Callable[[], Isupport]
    joiner: Joiner
    nick_keeper: NickKeeper
    outbox: Outbox
    ctcp: CtcpReplies
    refusals: Refusals
    ask_about: Callable[[ChannelUp], None]
    _reactions: Mapping[str, Callable[[Message], None]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reactions = {
            "303": self._on_ison,
            "470": self._on_forward,
            "CAP": self._on_capabilities,
            "INVITE": self._on_invite,
            "KICK": self._on_kick,
            "NICK": self._on_nick,
            "PRIVMSG": self._on_privmsg,
            "QUIT": self._on_quit,
            **dict.fromkeys(REFUSALS, self._on_join_refused),
            **dict.fromkeys(FOR_GOOD | TOO_FAST, self._on_refused),
        }

    def before(self, message: Message) -> None:
        """React while everybody is still where they were."""
        if reaction := self._reactions.get(message.command):
            reaction(message)

    def after(self, message: Message) -> None:
        """React once it is known who is where."""
        if message.command not in {"KICK", "PART"}:
            return
        victims = message.param(1).split(",") if message.command == "KICK" else [message.nick]
        for nick in victims:
            if self.tracker().membership.user(nick) is None:
                self._lost_sight(nick)  # whoever has this nick from now on may be another

    def _is_in(self, channel: str) -> bool:
        return self.tracker().membership.channel(channel) is not None

    def _on_refused(self, message: Message) -> None:
        """Tell a refused line from a refused JOIN: some numerics are both."""
        self.refusals.handle(message)
        if message.command in REFUSALS:
            self._on_join_refused(message)

    def _on_kick(self, message: Message) -> None:
        if any(self.tracker().is_own(victim) for victim in message.param(1).split(",")):
            for channel in message.param(0).split(","):
                if self._is_in(channel):
                    self.joiner.kicked(channel)

    def _on_join_refused(self, message: Message) -> None:
        if not self._is_in(message.param(1)):
            self.joiner.refused(message.param(1), message.command)

    def _on_forward(self, message: Message) -> None:
        self.joiner.forwarded(message.param(1), message.param(2))

    def _on_capabilities(self, message: Message) -> None:
        """Forget accounts that nobody tells any more; read members anew when they are told again."""
        listed = message.params[-1] if message.params else ""
        names = {name.partition("=")[0] for name in listed.split()}
        if names.isdisjoint(ACCOUNT_CAPABILITIES) or not self.tracker().own_nick:
            return
        if message.param(1) == "DEL" and "account-notify" in names:
            self.tracker().membership.forget_accounts()
        elif message.param(1) == "ACK":
            for channel in self.tracker().membership.channels:
                members = tuple(self.tracker().membership.people(channel, self.tracker().own_nick))
                self.ask_about(ChannelUp(self.options.name, channel.name, members))

    def _on_invite(self, message: Message) -> None:
        if self.tracker().is_own(message.param(0)) and not self._is_in(message.param(1)):
            self.joiner.invited(message.param(1))

    def _on_nick(self, message: Message) -> None:
        if self.tracker().is_own(message.nick):
            self.nick_keeper.check(message.param(0), self.isupport())
        elif message.param(0):
            self._nick_given_up(message.nick)
            key = self.isupport().fold(message.nick)
            self.outbox.readdress(
                lambda line: self.isupport().fold(line.target) == key, message.param(0)
            )

    def _on_quit(self, message: Message) -> None:
        self._nick_given_up(message.nick)
        self._lost_sight(message.nick)

    def _nick_given_up(self, nick: str) -> None:
        if self.isupport().fold(nick) == self.isupport().fold(self.options.nick):
            self.nick_keeper.freed()

    def _lost_sight(self, nick: str) -> None:
        """Drop what waits for somebody: it must not reach the next one of that nick."""
        key = self.isupport().fold(nick)
        self.outbox.drop(lambda entry: self.isupport().fold(entry.line.target) == key)

    def _on_ison(self, message: Message) -> None:
        self.nick_keeper.answered(message.param(1), self.isupport())

    def _on_privmsg(self, message: Message) -> None:
        """Answer the usual questions of CTCP, now and then; DCC is ignored."""
        if not self.tracker().is_own(message.nick) and self.tracker().is_own(message.param(0)):
            answer = self.ctcp.answer(message)
            if answer:
                self.outbox.put_command(Command(answer))
