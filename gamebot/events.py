"""What happens on a network, as frozen values.

A connection (`gamebot.irc`), the console and the transcript runner all produce these; nothing
else enters the core. Names and nicks are kept as the network shows them (for display); whoever
needs a key folds them with the link's `fold`.
"""

from __future__ import annotations

from enum import Enum

from attrs import frozen


@frozen
class Person:
    """Who spoke, as the network shows it now.

    Attributes:
        network: Name of the network in the configuration.
        nick: Present nick, in its own spelling.
        user: User name (ident), "" if unknown.
        host: Host name or cloak, "" if unknown.
        account: Services account; None is "unknown", which is not "logged out".
        certificates: Fingerprints of the TLS client certificate, hexadecimal in small letters, one
            for each method that the server uses; none if it tells none; None is "not asked yet".
    """

    network: str
    nick: str
    user: str = ""
    host: str = ""
    account: str | None = None
    certificates: tuple[str, ...] | None = None

    @property
    def userhost(self) -> str:
        """`user@host`, what stays the same when the nick changes."""
        return f"{self.user}@{self.host}"


class LeftHow(Enum):
    """The way somebody left a channel."""

    PART = "part"
    QUIT = "quit"
    KICK = "kick"


@frozen
class Said:
    """A PRIVMSG from another person (never a NOTICE, an echo, or a CTCP).

    Attributes:
        person: The speaker.
        channel: Channel as the network spells it; None in a query.
        text: Message with formatting codes as sent.
    """

    person: Person
    channel: str | None
    text: str


@frozen
class Joined:
    """Somebody else joined a channel where the bot is."""

    person: Person
    channel: str


@frozen
class Left:
    """Somebody else left a channel; a QUIT is one event for each shared channel.

    Attributes:
        person: Who left.
        channel: The channel that was left.
        how: PART, QUIT or KICK.
        by: Nick of the kicker, "" otherwise.
        reason: The reason given, "" if none.
    """

    person: Person
    channel: str
    how: LeftHow
    by: str = ""
    reason: str = ""


@frozen
class NickChanged:
    """Somebody else changed nick; *person* still carries the old one."""

    person: Person
    new_nick: str


@frozen
class AccountChanged:
    """Somebody logged in or out; *person* carries the new account, None after a logout."""

    person: Person


@frozen
class Identified:
    """The network told user and host of somebody whom a member list named by nick only, or new ones."""

    person: Person


@frozen
class ChannelUp:
    """The bot is in *channel* and its member list is complete.

    Attributes:
        network: Network name.
        channel: Channel as the network spells it.
        members: Everybody in the channel but the bot.
        asked: The channel that the bot asked for, where the server gave it another name; else "".
    """

    network: str
    channel: str
    members: tuple[Person, ...]
    asked: str = ""


@frozen
class ChannelDown:
    """The bot is no longer in *channel* (kicked, parted); a lost link is `LinkDown` alone."""

    network: str
    channel: str
    reason: str = ""


@frozen
class Undelivered:
    """The server would not pass a line of the bot on, and will not later.

    Attributes:
        network: Network name.
        target: Nick or channel that it was for.
        channel: Folded channel whose table spoke, "" if it is not known.
        numeric: The server's answer.
    """

    network: str
    target: str
    channel: str
    numeric: str


@frozen
class ChannelGivenUp:
    """The bot does not try any more to come into *channel*, on this link.

    Attributes:
        network: Network name.
        channel: Channel as the network spells it.
        why: "kicked", or the numeric of the last refusal.
    """

    network: str
    channel: str
    why: str


@frozen
class LinkUp:
    """Registration with a server has ended well; channels follow as `ChannelUp`."""

    network: str


@frozen
class LinkDown:
    """The connection is lost; the bot is in no channel of this network until `ChannelUp`."""

    network: str
    reason: str = ""


Event = (
    Said
    | Joined
    | Left
    | NickChanged
    | AccountChanged
    | Identified
    | ChannelUp
    | ChannelDown
    | ChannelGivenUp
    | Undelivered
    | LinkUp
    | LinkDown
)

AboutPeople = Joined | Left | NickChanged | AccountChanged | Identified
"""What happens to other people."""
