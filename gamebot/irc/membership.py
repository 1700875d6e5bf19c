"""Who is where on one network, keyed by folded names; nobody is kept who shares no channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from gamebot.events import Person
from gamebot.irc.isupport import Isupport

_COLOR_STRIPPING_MODES = frozenset("cS")


@define(eq=False)
class User:
    """Somebody in a channel with the bot.

    Attributes:
        nick: Present nick, as written.
        user: User name, "" if not seen yet.
        host: Host, "" if not seen yet.
        account: Services account; "" is logged out, None is unknown.
        certificates: Fingerprints of the client certificate; None is unknown.
        channels: Folded names of the channels shared with the bot.
    """

    nick: str
    user: str = ""
    host: str = ""
    account: str | None = None
    certificates: tuple[str, ...] | None = None
    channels: tuple[str, ...] = ()

    def seen_as(self, user: str, host: str) -> None:
        """Note where a line of this nick came from.

        Another user@host than before is another connection, whose end and beginning were missed:
        it inherits neither account nor certificate. (A host that changes is told by CHGHOST or by
        a QUIT.)
        """
        if not host:
            return
        if self.host and (user, host) != (self.user, self.host):
            self.account = self.certificates = None
        self.user, self.host = user, host

    def person(self, network: str) -> Person:
        """Freeze what is known now."""
        account = self.account or None
        return Person(network, self.nick, self.user, self.host, account, self.certificates)


@define(eq=False)
class Channel:
    """A channel where the bot is.

    Attributes:
        name: Name as the network writes it.
        modes: Set modes that keep no list, each with its parameter ("" if it has none).
        statuses: Folded nick of each member, the bot too, and its status modes.
        topic: The topic, "" if none is set.
        complete: Whether the member list has ended (366).
    """

    name: str
    modes: dict[str, str] = field(factory=dict)
    statuses: dict[str, frozenset[str]] = field(factory=dict)
    topic: str = ""
    complete: bool = False


class Membership:
    """The users and channels of one connection.

    Args:
        network: Name of the network, for the persons.
        isupport: The server's properties; call `rekey` when its casemapping changed.
    """

    def __init__(self, network: str, isupport: Isupport) -> None:
        self._network = network
        self._isupport = isupport
        self._users: dict[str, User] = {}
        self._channels: dict[str, Channel] = {}

    def rekey(self) -> None:
        """Fold every key anew."""
        fold = self._isupport.fold
        for channel in self._channels.values():
            members = (self._users[key].nick for key in channel.statuses)
            channel.statuses = {
                fold(nick): status
                for nick, status in zip(members, channel.statuses.values(), strict=True)
            }
        users: dict[str, User] = {}
        for user in self._users.values():
            if twin := users.get(fold(user.nick)):  # two nicks that are one in the new mapping
                user.channels = tuple({*user.channels, *twin.channels})
            users[fold(user.nick)] = user
        self._users = users
        names = {key: fold(channel.name) for key, channel in self._channels.items()}
        self._channels = {fold(channel.name): channel for channel in self._channels.values()}
        for user in self._users.values():
            user.channels = tuple(names[key] for key in user.channels)

    def user(self, nick: str) -> User | None:
        """Look up somebody who shares a channel."""
        return self._users.get(self._isupport.fold(nick))

    def channel(self, name: str) -> Channel | None:
        """Look up a channel where the bot is."""
        return self._channels.get(self._isupport.fold(name))

    @property
    def channels(self) -> Sequence[Channel]:
        """Every channel where the bot is."""
        return tuple(self._channels.values())

    def forget_accounts(self) -> None:
        """Know nobody's account any more: logins and logouts are not told from now on."""
        for user in self._users.values():
            user.account = None

    def shared_channels(self, user: User) -> Sequence[Channel]:
        """Every channel shared with *user*, in the order in which the bot joined them."""
        return [channel for key, channel in self._channels.items() if key in user.channels]

    def people(self, channel: Channel, without: str) -> Iterator[Person]:
        """Yield the members of *channel* but *without* (the bot's nick)."""
        own = self._isupport.fold(without)
        for key in channel.statuses:
            if key != own:
                yield self._users[key].person(self._network)

    def is_op(self, channel_name: str, nick: str) -> bool:
        """Tell whether *nick* is op or higher in a channel."""
        return bool(self._statuses(channel_name, nick) & self._isupport.operator_modes)

    def has_status(self, channel_name: str, nick: str) -> bool:
        """Tell whether *nick* has voice, or a higher status, in a channel."""
        return bool(self._statuses(channel_name, nick))

    def _statuses(self, channel_name: str, nick: str) -> frozenset[str]:
        channel = self.channel(channel_name)
        none: frozenset[str] = frozenset()
        return channel.statuses.get(self._isupport.fold(nick), none) if channel else none

    def strips_colors(self, channel_name: str) -> bool:
        """Tell whether a channel's modes remove or refuse formatting."""
        channel = self.channel(channel_name)
        return bool(channel and not _COLOR_STRIPPING_MODES.isdisjoint(channel.modes))

    def enter(self, name: str) -> Channel:
        """Add a channel that the bot has joined, empty."""
        self.leave(name)
        channel = self._channels[self._isupport.fold(name)] = Channel(name)
        return channel

    def leave(self, name: str) -> None:
        """Forget a channel, and everybody who was only there."""
        key = self._isupport.fold(name)
        if channel := self._channels.pop(key, None):
            for member in channel.statuses:
                self._drop(member, key)

    def add(self, channel: Channel, nick: str, user: str = "", host: str = "") -> User:
        """Put somebody into *channel*; the status is kept if they were there."""
        key = self._isupport.fold(nick)
        member = self._users.get(key)
        if member is None:
            member = self._users[key] = User(nick)
        member.nick = nick
        member.seen_as(user, host)
        if key not in channel.statuses:
            member.channels += (self._isupport.fold(channel.name),)
            channel.statuses[key] = frozenset()
        return member

    def remove(self, channel: Channel, nick: str) -> None:
        """Take somebody out of *channel*."""
        key = self._isupport.fold(nick)
        if channel.statuses.pop(key, None) is not None:
            self._drop(key, self._isupport.fold(channel.name))

    def forget(self, nick: str) -> None:
        """Take somebody out of every channel."""
        if user := self.user(nick):
            for channel in self.shared_channels(user):
                self.remove(channel, nick)

    def rename(self, user: User, nick: str) -> None:
        """Give *user* a new nick everywhere."""
        old, new = self._isupport.fold(user.nick), self._isupport.fold(nick)
        user.nick = nick
        if new == old:
            return
        self.forget(nick)  # who had that nick is gone; its QUIT was lost
        self._users[new] = self._users.pop(old)
        for channel in self.shared_channels(user):
            channel.statuses[new] = channel.statuses.pop(old)

    def change_modes(self, channel: Channel, modes: str, params: Sequence[str]) -> None:
        """Apply a mode change; it ends where a parameter is missing."""
        waiting = list(params)
        adding = True
        for mode in modes:
            if mode in "+-":
                adding = mode == "+"
                continue
            param = ""
            if self._isupport.takes_param(mode, adding=adding):
                if not waiting:
                    return
                param = waiting.pop(0)
            self._change_mode(channel, mode, param, adding=adding)

    def _change_mode(self, channel: Channel, mode: str, param: str, *, adding: bool) -> None:
        if mode in self._isupport.prefixes.values():
            key = self._isupport.fold(param)
            if (status := channel.statuses.get(key)) is not None:
                channel.statuses[key] = status | {mode} if adding else status - {mode}
        elif mode in self._isupport.list_modes:
            return
        elif adding:
            channel.modes[mode] = param
        else:
            channel.modes.pop(mode, None)

    def _drop(self, member: str, channel: str) -> None:
        user = self._users[member]
        user.channels = tuple(one for one in user.channels if one != channel)
        if not user.channels:
            del self._users[member]
