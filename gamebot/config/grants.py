"""Who has rights on a network: services accounts, hostmasks, client certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from gamebot.irc.masks import mask_matches

if TYPE_CHECKING:
    from gamebot.events import Person
    from gamebot.ports import Link

_WILD = frozenset("*?")


@frozen
class Mask:
    """A hostmask; `*` is any text and `?` one character.

    Attributes:
        nick: Nick.
        user: User name.
        host: Host.
    """

    nick: str
    user: str
    host: str

    def __str__(self) -> str:
        return f"{self.nick}!{self.user}@{self.host}"

    @property
    def spells_nick(self) -> bool:
        """Whether the nick stands there in full."""
        return _WILD.isdisjoint(self.nick)

    @property
    def spells_host(self) -> bool:
        """Whether the host stands there in full."""
        return _WILD.isdisjoint(self.host)

    def matches(self, link: Link, person: Person) -> bool:
        """Whether *person*, as the network shows them now, is meant; an unknown host never is."""
        if not person.host:
            return False
        parts = (self.host, person.host), (self.nick, person.nick), (self.user, person.user)
        # Part by part, so that no nick or user name can stand in for a piece of the host.
        return all(mask_matches(link.fold(a), link.fold(b), "ascii") for a, b in parts)


def parse_mask(text: str) -> Mask:
    """Read `nick!user@host`.

    Raises:
        ValueError: It is not of that form.
    """
    nick, mark, rest = text.partition("!")
    user, at, host = rest.rpartition("@")
    if not (mark and at and nick and user and host) or any(c in user for c in "!@"):
        raise ValueError("no mask nick!user@host")
    if any(c.isspace() or not c.isprintable() for c in text):
        raise ValueError("no mask nick!user@host")
    return Mask(nick, user, host)


def parse_trusted_mask(text: str) -> Mask:
    """Read a mask that may give rights: its host has no wildcards.

    Raises:
        ValueError: It is no mask, or its host is not literal.
    """
    mask = parse_mask(text)
    if not mask.spells_host:
        raise ValueError("the host has wildcards")
    return mask


@frozen(kw_only=True)
class Grants:
    """Who has rights on one network.

    Attributes:
        owners: Services accounts that own the bot.
        admins: Services accounts that look after the bot on this network.
        owner_masks: Masks that own the bot.
        admin_masks: Masks that look after it.
        owner_certificates: Fingerprints of client certificates that own the bot, hexadecimal in
            small letters.
        admin_certificates: Fingerprints that look after it.
    """

    owners: tuple[str, ...] = ()
    admins: tuple[str, ...] = ()
    owner_masks: tuple[Mask, ...] = ()
    admin_masks: tuple[Mask, ...] = ()
    owner_certificates: tuple[str, ...] = ()
    admin_certificates: tuple[str, ...] = ()
