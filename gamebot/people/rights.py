"""Who somebody is to the bot, and why the bot thinks so.

Rights come from a services account, from a TLS client certificate or from a mask with a literal
host, never from a nick alone. An account is what the network shows now, so rights by account follow
a nick change and end with a logout, a QUIT or the last shared channel. A certificate belongs to a
connection: it follows a nick change and ends with QUIT or the last shared channel. A mask speaks of one nick and host: a nick change
ends its rights, and under the new nick only a mask that spells that nick out gives them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from gamebot.irc.masks import mask_matches
from gamebot.plugin.commands import Rights

if TYPE_CHECKING:
    from gamebot.events import NickChanged, Person
    from gamebot.ports import Link

REMEMBERED = 1024
"""Nick changes of people with rights by mask that are remembered at most."""

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

    def accounts(self) -> tuple[tuple[Rights, tuple[str, ...]], ...]:
        """Pair rights with accounts, most rights first."""
        return (Rights.OWNER, self.owners), (Rights.ADMIN, self.admins)

    def certificates(self) -> tuple[tuple[Rights, tuple[str, ...]], ...]:
        """Pair rights with fingerprints, most rights first."""
        return (Rights.OWNER, self.owner_certificates), (Rights.ADMIN, self.admin_certificates)

    def masks(self) -> tuple[tuple[Rights, tuple[Mask, ...]], ...]:
        """Pair rights with masks, most rights first."""
        return (Rights.OWNER, self.owner_masks), (Rights.ADMIN, self.admin_masks)


class Why(Enum):
    """Where somebody's rights come from."""

    ACCOUNT = "account"
    CERTIFICATE = "certificate"
    MASK = "mask"
    STATUS = "status"  # operator status in the channel
    SEAT = "seat"
    NOTHING = "nothing"


@frozen
class Standing:
    """What somebody may do, and why.

    Attributes:
        rights: The most that this person has.
        why: Where that comes from.
        by: The account, the fingerprint or the mask.
    """

    rights: Rights = Rights.ANYBODY
    why: Why = Why.NOTHING
    by: str = ""


NOBODY = Standing()


@define
class RightsBook:
    """The rights that people have on whole networks.

    Attributes:
        grants: Network -> who has rights there.
    """

    grants: Mapping[str, Grants]
    _ended: dict[tuple[str, str], None] = field(factory=dict)

    def standing(self, link: Link, person: Person) -> Standing:
        """Tell what *person* may do on the whole network."""
        grants = self.grants.get(link.name)
        if grants is None:
            return NOBODY
        found = [
            *_by_account(grants, link, person),
            *_by_certificate(grants, person),
            *self._by_mask(grants, link, person),
        ]
        return next((one for one in found if one.rights is Rights.OWNER), (found or [NOBODY])[0])

    def knows_certificates(self, network: str) -> bool:
        """Whether certificates give rights on *network* at all."""
        grants = self.grants.get(network, Grants())
        return any(fingerprints for _, fingerprints in grants.certificates())

    def unsure(self, link: Link, person: Person) -> bool:
        """Whether *person* may have rights by a certificate that nobody has asked for yet."""
        return person.certificates is None and self.knows_certificates(link.name)

    def _by_mask(self, grants: Grants, link: Link, person: Person) -> list[Standing]:
        ended = (link.name, link.fold(person.nick)) in self._ended
        return [
            Standing(rights, Why.MASK, str(mask))
            for rights, masks in grants.masks()
            for mask in masks
            if mask.matches(link, person) and (mask.spells_nick or not ended)
        ]

    def lost_by_rename(self, link: Link, person: Person) -> bool:
        """Whether *person* matches a mask that a nick change took the effect from."""
        grants = self.grants.get(link.name, Grants())
        ended = (link.name, link.fold(person.nick)) in self._ended
        masks = [mask for _, some in grants.masks() for mask in some]
        return ended and any(m.matches(link, person) and not m.spells_nick for m in masks)

    def renamed(self, link: Link, event: NickChanged) -> None:
        """End the rights by mask of somebody who changes nick."""
        grants = self.grants.get(link.name)
        key = (link.name, link.fold(event.person.nick))
        had_ended = key in self._ended
        self._ended.pop(key, None)
        if had_ended or (grants and self._by_mask(grants, link, event.person)):
            self._ended[link.name, link.fold(event.new_nick)] = None
            while len(self._ended) > REMEMBERED:
                del self._ended[next(iter(self._ended))]

    def left(self, link: Link, nick: str, channels: Iterable[str]) -> None:
        """Forget a nick change once *nick* is in none of *channels*: the next one is seen anew."""
        key = (link.name, link.fold(nick))
        if key in self._ended and not is_seen(link, nick, channels):
            del self._ended[key]

    def link_down(self, network: str) -> None:
        """Forget every nick change of *network*."""
        for key in [key for key in self._ended if key[0] == network]:
            del self._ended[key]


def is_seen(link: Link, nick: str, channels: Iterable[str]) -> bool:
    """Whether *nick* is in one of *channels*."""
    key = link.fold(nick)
    return any(
        link.fold(person.nick) == key for channel in channels for person in link.members(channel)
    )


def has_account(link: Link, person: Person, accounts: tuple[str, ...]) -> str:
    """Return the one of *accounts* to which *person* is logged in, "" if none is."""
    if not person.account:
        return ""
    key = link.fold(person.account)
    return next((account for account in accounts if link.fold(account) == key), "")


def _by_account(grants: Grants, link: Link, person: Person) -> list[Standing]:
    found = ((rights, has_account(link, person, names)) for rights, names in grants.accounts())
    return [Standing(rights, Why.ACCOUNT, account) for rights, account in found if account]


def _by_certificate(grants: Grants, person: Person) -> list[Standing]:
    return [
        Standing(rights, Why.CERTIFICATE, fingerprint)
        for rights, fingerprints in grants.certificates()
        for fingerprint in person.certificates or ()
        if fingerprint in fingerprints
    ]
