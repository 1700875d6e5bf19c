"""Lines that wait until the network has told whose client certificate their speaker has.

The network is asked only where the answer can matter: somebody whose certificate is not known gives
a command that needs rights which they lack otherwise, and certificates give rights there at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from gamebot.people.rights import is_seen

if TYPE_CHECKING:
    from gamebot.events import NickChanged, Person
    from gamebot.ports import Link

MOST_LINES = 20
"""Lines of one person that wait at most; more are dropped."""

MOST_PEOPLE = 64
"""People whose lines wait at most; those of more are handled as if they had no certificate."""

Again = Callable[["Person"], None]
"""Handles a line anew, with what is known of its speaker by then."""


_Key = tuple[str, str, str]
"""Network, folded nick and `user@host`: a nick that no channel shows may be another's next."""


@define(eq=False)
class _Held:
    """The lines of one person, in order; *nick* is the present one."""

    nick: str
    userhost: str
    lines: list[tuple[Person, Again]]


@define(eq=False)
class CertificateQueries:
    """Whom the bot is asking about, and what they said meanwhile."""

    _held: dict[_Key, _Held] = field(factory=dict)

    def behind(self, link: Link, person: Person, again: Again) -> bool:
        """Let a line wait behind an earlier one of *person*; tell whether there is one."""
        if not self._held or person.certificates is not None:
            return False
        held = self._held.get(_key(link, person.nick, person.userhost))
        if held is None:
            return False
        if len(held.lines) < MOST_LINES:
            held.lines.append((person, again))
        return True

    def ask(self, link: Link, person: Person, again: Again) -> None:
        """Ask for the certificate of *person*, and handle the line once it is known, or cannot be.

        The line is handled once: *again* gets a person whose certificates are not None.
        """
        if self.behind(link, person, again):
            return
        if len(self._held) >= MOST_PEOPLE:
            again(evolve(person, certificates=()))
            return
        held = _Held(person.nick, person.userhost, [(person, again)])
        self._held[_key(link, held.nick, held.userhost)] = held
        link.ask_certificates(person, partial(self._told, link, held))

    def _told(self, link: Link, held: _Held, certificates: tuple[str, ...] | None) -> None:
        key = _key(link, held.nick, held.userhost)
        if self._held.get(key) is not held:
            return  # out of sight meanwhile: whoever has the nick now is another one
        del self._held[key]
        for person, again in held.lines:
            again(evolve(person, nick=held.nick, certificates=certificates or ()))

    def renamed(self, link: Link, event: NickChanged) -> None:
        """Let what waits follow its person's nick."""
        held = self._held.pop(_key(link, event.person.nick, event.person.userhost), None)
        self._drop(link, event.new_nick)  # of strangers who had it, unseen
        if held is not None:
            held.nick = event.new_nick
            self._held[_key(link, held.nick, held.userhost)] = held

    def left(self, link: Link, nick: str, channels: Iterable[str]) -> None:
        """Drop what waits for *nick*, once that person is in none of *channels*."""
        who = link.name, link.fold(nick)
        if any(key[:2] == who for key in self._held) and not is_seen(link, nick, channels):
            self._drop(link, nick)

    def joined(self, link: Link, person: Person) -> None:
        """Drop what waits for strangers who had the nick of *person*, who is in a channel now."""
        self._drop(link, person.nick, but=person.userhost)

    def _drop(self, link: Link, nick: str, *, but: str = "") -> None:
        who = link.name, link.fold(nick)
        for key in [key for key in self._held if key[:2] == who and key[2] != but]:
            del self._held[key]

    def link_down(self, network: str) -> None:
        """Drop what waits on *network*."""
        for key in [key for key in self._held if key[0] == network]:
            del self._held[key]


def _key(link: Link, nick: str, userhost: str) -> _Key:
    return link.name, link.fold(nick), userhost
