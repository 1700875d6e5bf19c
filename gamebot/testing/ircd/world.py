"""Who is on the server and in which channel, and how lines reach them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Protocol

from attrs import Factory, define, field

from gamebot.testing.ircd.numerics import ERROR_TEXTS
from gamebot.testing.ircd.settings import STATUS_MODES, ServerSettings
from gamebot.testing.ircd.wire import NO_TAGS, Message, format_tags, matches, to_bytes

_NICK = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]*")
_CHANNEL = re.compile(r"#[^\0\a\r\n ,:]*")


class Link(Protocol):
    """Where the lines for a user go."""

    def deliver(self, data: bytes) -> None:
        """Take one line with its line end."""

    def close(self, error: str) -> None:
        """Send `ERROR :error` and end the connection."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 fingerprint of the client's certificate, "" if it has none."""


@define(eq=False)
class Handshake:
    """What a connection has said before it is registered."""

    password: str | None = None
    negotiating: bool = False
    cookie: str = ""
    mechanism: str = ""
    response: str = ""


@define(eq=False)
class User:
    """Somebody on the network.

    Attributes:
        nick: Present nick in its own spelling; "*" until one is given.
        user: User name; "" until USER.
        host: Host shown.
        realname: The text of USER or SETNAME.
        account: Services account, None if not logged in.
        fingerprint: Client certificate that others are told of; "" is that of the connection.
        away: Away message, None if here.
        modes: User modes that are set.
        caps: Capabilities negotiated.
        link: Where lines go; None for a phantom, who hears nothing.
        registered: Whether the welcome was sent.
        handshake: State of the registration.
        channels: Folded name -> channel, in order of joining.
        connected_at: Wall-clock time of the connection.
        spoke_at: Wall-clock time of the last message.
    """

    nick: str = "*"
    user: str = ""
    host: str = "127.0.0.1"
    realname: str = ""
    account: str | None = None
    fingerprint: str = ""
    away: str | None = None
    modes: set[str] = Factory(set)
    caps: frozenset[str] = frozenset()
    link: Link | None = None
    registered: bool = False
    handshake: Handshake = Factory(Handshake)
    channels: dict[str, Channel] = Factory(dict)
    connected_at: float = 0.0
    spoke_at: float = 0.0

    @property
    def mask(self) -> str:
        """`nick!user@host`."""
        return f"{self.nick}!{self.user}@{self.host}"

    def __repr__(self) -> str:
        return f"<User {self.mask}>"


@define(eq=False)
class Channel:
    """A channel.

    Attributes:
        name: Name as its first member spelled it.
        members: Each member's status modes: "", "o", "v" or "ov".
        listeners: The members that have a link.
        modes: Flags and their parameters ("" if none).
        bans: Mask -> (who set it, when).
        topic: Topic, "" if none.
        topic_by: Who set it.
        topic_at: When, in seconds since the epoch.
        invited: Who may pass +i once.
        created_at: Wall-clock time of its first join.
    """

    name: str
    members: dict[User, str] = Factory(dict)
    listeners: dict[User, None] = Factory(dict)
    modes: dict[str, str] = Factory(dict)
    bans: dict[str, tuple[str, float]] = Factory(dict)
    topic: str = ""
    topic_by: str = ""
    topic_at: float = 0.0
    invited: set[User] = Factory(set)
    created_at: float = 0.0

    def add(self, user: User, status: str = "") -> None:
        """Make *user* a member with *status* modes."""
        self.members[user] = status
        if user.link is not None:
            self.listeners[user] = None

    def remove(self, user: User) -> None:
        """Forget *user*."""
        self.members.pop(user, None)
        self.listeners.pop(user, None)
        self.invited.discard(user)

    def has_status(self, user: User, mode: str) -> bool:
        """Whether *user* has status *mode* here, or a higher one."""
        status = self.members.get(user, "")
        return mode in status or "o" in status

    def symbols(self, user: User, *, every: bool) -> str:
        """Return *user*'s prefix symbols: the highest one, or every one (multi-prefix)."""
        status = self.members.get(user, "")
        symbols = "".join(STATUS_MODES[mode] for mode in STATUS_MODES if mode in status)
        return symbols if every else symbols[:1]

    def nicks(self) -> list[str]:
        """Return the members' nicks."""
        return [user.nick for user in self.members]

    def __contains__(self, nick: object) -> bool:
        return any(user.nick == nick for user in self.members)


@define(eq=False)
class World:
    """All users and channels of one server, and the ways to tell them something.

    Attributes:
        settings: Live settings of the server.
        users: Folded nick -> registered user.
        channels: Folded name -> channel.
        reserved: Folded nicks that nobody may take.
        split: Who is on the other side of a netsplit, with the channels and status there.
        touch: Called whenever something was told to somebody.
        fold: Folds names by the casemapping.
    """

    settings: ServerSettings
    users: dict[str, User] = Factory(dict)
    channels: dict[str, Channel] = Factory(dict)
    reserved: set[str] = Factory(set)
    split: dict[User, dict[Channel, str]] = Factory(dict)
    touch: Callable[[], None] = lambda: None
    fold: Callable[[str], str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.fold = self.settings.fold

    def now(self) -> float:
        """Return the wall-clock time."""
        return self.settings.clock.now()

    # Finding

    def user(self, nick: str) -> User | None:
        """Return the registered user *nick*, in any spelling."""
        return self.users.get(self.fold(nick))

    def channel(self, name: str) -> Channel | None:
        """Return the channel *name*, in any spelling."""
        return self.channels.get(self.fold(name))

    def is_nick(self, text: str) -> bool:
        """Whether *text* may be a nick here."""
        return len(text) <= self.settings.nick_length and _NICK.fullmatch(text) is not None

    def is_channel(self, text: str) -> bool:
        """Whether *text* may be a channel's name here."""
        return len(text) <= self.settings.channel_length and _CHANNEL.fullmatch(text) is not None

    def nick_is_free(self, nick: str, user: User) -> bool:
        """Whether *user* may take *nick*: neither reserved nor another one's."""
        key = self.fold(nick)
        return key not in self.reserved and self.users.get(key, user) is user

    def peers(self, user: User) -> dict[User, None]:
        """Return who shares a channel with *user* and can hear; *user* is left out."""
        found: dict[User, None] = {}
        for channel in user.channels.values():
            found.update(channel.listeners)
        found.pop(user, None)
        return found

    def is_banned(self, channel: Channel, user: User) -> bool:
        """Whether a ban of *channel* matches *user*."""
        mask = self.fold(user.mask)
        return any(matches(self.fold(ban), mask) for ban in channel.bans)

    # Telling

    def message(
        self, user: User, command: str, *params: str, tags: Mapping[str, str] = NO_TAGS
    ) -> Message:
        """Return a line that comes from *user*."""
        if user.account is not None:
            tags = {"account": user.account, **tags}
        return Message(command, params, user.mask, tags)

    def send(self, user: User, message: Message) -> None:
        """Give *message* to *user*, with the tags that it negotiated."""
        self.broadcast((user,), message)

    def broadcast(
        self, users: Iterable[User], message: Message, *, cap: str = "", without: str = ""
    ) -> None:
        """Give *message* to *users*.

        Args:
            users: Who; phantoms are passed over.
            message: What.
            cap: Only to those who negotiated this capability.
            without: Only to those who did not negotiate this one.
        """
        self.touch()
        line = message.line()
        written: dict[frozenset[str], bytes] = {}
        for user in users:
            if user.link is None or (cap and cap not in user.caps) or without in user.caps:
                continue
            data = written.get(user.caps)
            if data is None:
                tags = self._tags_for(user.caps, message.tags)
                data = written[user.caps] = to_bytes(tags, line)
            user.link.deliver(data)

    def reply(self, user: User, command: str, *params: str) -> None:
        """Answer *user* with a numeric, its nick put first."""
        name = self.settings.server_name
        self.send(user, Message(command, (user.nick, *params), name))

    def fail(self, user: User, numeric: str, *params: str) -> None:
        """Answer *user* with an error numeric and its text."""
        self.reply(user, numeric, *params, ERROR_TEXTS[numeric])

    def server_message(self, command: str, *params: str) -> Message:
        """Return a line that comes from the server."""
        return Message(command, params, self.settings.server_name)

    # Changing

    def enter(self, user: User) -> None:
        """Put *user* on the network."""
        user.registered = True
        self.users[self.fold(user.nick)] = user

    def rename(self, user: User, nick: str) -> None:
        """Change the nick of a registered *user* and tell everybody who sees it."""
        message = self.message(user, "NICK", nick)
        del self.users[self.fold(user.nick)]
        self.users[self.fold(nick)] = user
        user.nick = nick
        self.broadcast((user, *self.peers(user)), message)

    def open_channel(self, name: str) -> Channel:
        """Return the channel *name*, made if it is new."""
        channel = self.channels.get(self.fold(name))
        if channel is None:
            modes = dict.fromkeys(self.settings.default_modes, "")
            channel = Channel(name, modes=modes, created_at=self.now())
            self.channels[self.fold(name)] = channel
        return channel

    def put_in(self, user: User, channel: Channel) -> None:
        """Make *user* a member (the first one gets op) and tell the members, itself included."""
        channel.add(user, "" if channel.members else "o")
        user.channels[self.fold(channel.name)] = channel
        self.announce_join(user, channel, channel.listeners)

    def announce_join(self, user: User, channel: Channel, to: Iterable[User]) -> None:
        """Tell *to* that *user* is now in *channel*."""
        listeners = list(to)
        plain = self.message(user, "JOIN", channel.name)
        account = user.account or "*"
        extended = self.message(user, "JOIN", channel.name, account, user.realname)
        self.broadcast(listeners, plain, without="extended-join")
        self.broadcast(listeners, extended, cap="extended-join")
        if user.away is not None:
            others = [other for other in listeners if other is not user]
            self.broadcast(others, self.message(user, "AWAY", user.away), cap="away-notify")

    def take_out(self, user: User, channel: Channel) -> None:
        """Remove *user* from *channel* without a word; an empty channel is forgotten."""
        channel.remove(user)
        user.channels.pop(self.fold(channel.name), None)
        if not channel.members:
            self.channels.pop(self.fold(channel.name), None)

    def leave(self, user: User, reason: str) -> None:
        """Take *user* off the network and tell who shared a channel: QUIT with *reason*."""
        self.split.pop(user, None)
        if self.users.get(self.fold(user.nick)) is not user:
            return
        del self.users[self.fold(user.nick)]
        self.broadcast(self.peers(user), self.message(user, "QUIT", reason))
        for channel in list(user.channels.values()):
            self.take_out(user, channel)

    def set_account(self, user: User, account: str | None) -> None:
        """Log *user* in or out; account-notify tells itself and who shares a channel."""
        user.account = account
        message = self.message(user, "ACCOUNT", account or "*")
        self.broadcast((user, *self.peers(user)), message, cap="account-notify")

    def set_host(self, user: User, name: str, host: str) -> None:
        """Change user name and host; chghost tells itself and who shares a channel."""
        message = self.message(user, "CHGHOST", name, host)
        user.user, user.host = name, host
        self.broadcast((user, *self.peers(user)), message, cap="chghost")

    def _tags_for(self, caps: frozenset[str], tags: Mapping[str, str]) -> str:
        shown = {"time": self._timestamp()} if "server-time" in caps else {}
        for name in tags:
            if ("account-tag" if name == "account" else "message-tags") in caps:
                shown |= {name: tags[name]}
        return format_tags(shown)

    def _timestamp(self) -> str:
        now = datetime.fromtimestamp(self.now(), UTC)
        return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03}Z"

    def linked(self) -> Iterator[User]:
        """Yield the registered users that have a link."""
        return (user for user in self.users.values() if user.link is not None)
