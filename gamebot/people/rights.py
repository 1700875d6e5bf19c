"""Who somebody is to the bot, and why the bot thinks so.

Rights come from a services account, from a TLS client certificate or from a mask with a literal
host, never from a nick alone. An account is what the network shows now, so rights by account follow
a nick change and end with a logout, a QUIT or the last shared channel. A certificate belongs to a
connection: it follows a nick change and ends with QUIT or the last shared channel. A mask speaks of one nick and host: a nick change
ends its rights, and under the new nick only a mask that spells that nick out gives them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import define, field

from gamebot.config.grants import Grants, Mask
from gamebot.plugin.access import NOBODY, Rights, Standing, Why

if TYPE_CHECKING:
    from gamebot.events import NickChanged, Person
    from gamebot.ports import Link

REMEMBERED = 1024
"""Nick changes of people with rights by mask that are remembered at most."""


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
        return any(fingerprints for _, fingerprints in _certificates(grants))

    def unsure(self, link: Link, person: Person) -> bool:
        """Whether *person* may have rights by a certificate that nobody has asked for yet."""
        return person.certificates is None and self.knows_certificates(link.name)

    def _by_mask(self, grants: Grants, link: Link, person: Person) -> list[Standing]:
        ended = (link.name, link.fold(person.nick)) in self._ended
        return [
            Standing(rights, Why.MASK, str(mask))
            for rights, masks in _masks(grants)
            for mask in masks
            if mask.matches(link, person) and (mask.spells_nick or not ended)
        ]

    def lost_by_rename(self, link: Link, person: Person) -> bool:
        """Whether *person* matches a mask that a nick change took the effect from."""
        grants = self.grants.get(link.name, Grants())
        ended = (link.name, link.fold(person.nick)) in self._ended
        masks = [mask for _, some in _masks(grants) for mask in some]
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
    found = ((rights, has_account(link, person, names)) for rights, names in _accounts(grants))
    return [Standing(rights, Why.ACCOUNT, account) for rights, account in found if account]


def _by_certificate(grants: Grants, person: Person) -> list[Standing]:
    return [
        Standing(rights, Why.CERTIFICATE, fingerprint)
        for rights, fingerprints in _certificates(grants)
        for fingerprint in person.certificates or ()
        if fingerprint in fingerprints
    ]


def _accounts(grants: Grants) -> tuple[tuple[Rights, tuple[str, ...]], ...]:
    """Pair rights with accounts, most rights first."""
    return (Rights.OWNER, grants.owners), (Rights.ADMIN, grants.admins)


def _certificates(grants: Grants) -> tuple[tuple[Rights, tuple[str, ...]], ...]:
    """Pair rights with fingerprints, most rights first."""
    return (Rights.OWNER, grants.owner_certificates), (Rights.ADMIN, grants.admin_certificates)


def _masks(grants: Grants) -> tuple[tuple[Rights, tuple[Mask, ...]], ...]:
    """Pair rights with masks, most rights first."""
    return (Rights.OWNER, grants.owner_masks), (Rights.ADMIN, grants.admin_masks)
