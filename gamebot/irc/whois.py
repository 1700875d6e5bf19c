"""Ask a server for somebody's client certificate, and know whom the answer is about.

What a server sends comes in the order in which it did things. So an answer about a nick is about
whoever has that nick when it arrives, and for people in our channels we see who that is. Of others
we see neither QUIT nor NICK: their answer is good for one line only, and only if it shows the
user name and host that the line came from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import structlog
from attrs import define, field, frozen

from gamebot.events import Person
from gamebot.irc.fingerprints import read_fingerprints
from gamebot.irc.isupport import Isupport
from gamebot.irc.membership import Membership, User
from gamebot.irc.parser import Message
from gamebot.ports import CertificatesTold, Clock, TimerHandle

log = structlog.get_logger()

TIMEOUT_S: Final = 10.0
"""Who asks is told nothing after so long."""

MOST_OPEN: Final = 16
"""Questions without an answer at most."""

MOST_FINGERPRINTS: Final = 8
"""Fingerprints that are read of one person at most; servers tell one, or one for each method."""


@define
class _Budget:
    """A bound on questions, so that strangers cannot make the bot say nothing else."""

    burst: float
    rate: float
    tokens: float = field(init=False)
    at: float = field(default=0.0, init=False)

    def __attrs_post_init__(self) -> None:
        self.tokens = self.burst

    def take(self, now: float) -> bool:
        """Take one question at monotonic time *now*, if one is left."""
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1.0:
            return False
        self.tokens -= 1.0
        return True


@frozen(eq=False)
class _Waiting:
    """Somebody who wants to know about *person*; *member* is their place in our channels."""

    person: Person
    member: User | None
    told: CertificatesTold


@define(eq=False)
class _Question:
    """A WHOIS whose end has not come yet."""

    timer: TimerHandle
    waiting: list[_Waiting] = field(factory=list)


@define(eq=False)
class _Answer:
    """What has come of one answer; *member* had the nick when it began."""

    key: str
    member: User | None
    userhost: str = ""
    fingerprints: dict[str, None] = field(factory=dict)


class Whois:
    """The questions of one connection.

    Args:
        network: Name of the network, for the log.
        isupport: The server's properties.
        membership: Who is where; what is learnt of members is kept there.
        clock: Time.
        ask: Sends WHOIS for a nick.
    """

    def __init__(
        self,
        network: str,
        isupport: Isupport,
        membership: Membership,
        clock: Clock,
        ask: Callable[[str], None],
    ) -> None:
        self._network = network
        self._isupport = isupport
        self._membership = membership
        self._clock = clock
        self._ask = ask
        self._questions: dict[str, _Question] = {}
        self._answer: _Answer | None = None
        # A member is asked about once; of others nothing can be kept, so less is asked.
        self._budgets = {True: _Budget(5.0, 0.3), False: _Budget(3.0, 0.1)}
        self._handlers: Mapping[str, Callable[[Message], None]] = {
            "276": self._certificate,
            "311": self._user,
            "318": self._end,
            "401": self._end,
        }

    def question(self, person: Person, told: CertificatesTold) -> None:
        """Find out the certificates of *person*; *told* may be called before this returns."""
        key = self._isupport.fold(person.nick)
        member = self._membership.user(person.nick)
        if member is not None and member.host and not _is_same(member, person):
            told(None)  # another one by now
            return
        if member is not None and member.certificates is not None:
            told(member.certificates)
            return
        question = self._questions.get(key) or self._open(key, person, known=member is not None)
        if question is None:
            told(None)
        else:
            question.waiting.append(_Waiting(person, member, told))

    def _open(self, key: str, person: Person, *, known: bool) -> _Question | None:
        now = self._clock.monotonic()
        if len(self._questions) >= MOST_OPEN or not self._budgets[known].take(now):
            log.warning("certificate_not_asked", network=self._network, nick=person.nick)
            return None
        if self._answer is not None and self._answer.key == key:
            self._answer = None  # the rest of it never came
        timer = self._clock.call_at(now + TIMEOUT_S, lambda: self._late(key))
        question = self._questions[key] = _Question(timer)
        self._ask(person.nick)
        return question

    def handle(self, message: Message) -> None:
        """Take the next line, after the membership has."""
        if message.command == "NICK":
            self._renamed(message.nick)
        elif (handler := self._handlers.get(message.command)) and self._from_server(message):
            handler(message)

    def close(self) -> None:
        """Forget every question: the link is lost, and nobody is told any more."""
        for question in self._questions.values():
            question.timer.cancel()
        self._questions.clear()

    def _from_server(self, message: Message) -> bool:
        """Whether no user can have sent *message*."""
        return "!" not in message.source and self._membership.user(message.source) is None

    # The answer, line by line.

    def _part(self, message: Message) -> _Answer | None:
        """Return the answer that *message* belongs to, None if it was not asked for."""
        key = self._isupport.fold(message.param(1))
        if key not in self._questions:
            return None
        if self._answer is None or self._answer.key != key:
            self._answer = _Answer(key, self._membership.user(message.param(1)))
        return self._answer

    def _user(self, message: Message) -> None:
        if answer := self._part(message):
            answer.userhost = f"{message.param(2)}@{message.param(3)}"

    def _certificate(self, message: Message) -> None:
        if answer := self._part(message):
            for one in read_fingerprints(" ".join(message.params[2:])):
                if len(answer.fingerprints) < MOST_FINGERPRINTS:
                    answer.fingerprints[one] = None

    def _end(self, message: Message) -> None:
        key = self._isupport.fold(message.param(1))
        question = self._questions.pop(key, None)
        if question is None:
            return
        question.timer.cancel()
        answer, self._answer = self._answer, None
        member = self._membership.user(message.param(1))
        if answer is None or answer.key != key or answer.member is not member:
            _tell(question, lambda _: None)  # nobody, or another one than when it began
            return
        fingerprints = tuple(answer.fingerprints)
        if member is not None:
            member.certificates = fingerprints
        _tell(question, lambda waiting: fingerprints if _is_about(answer, waiting) else None)

    # What makes an answer worthless.

    def _renamed(self, old: str) -> None:
        """Tell nothing of who gave up the nick *old*: the answer will be about another one."""
        question = self._questions.get(self._isupport.fold(old))
        if question is None:
            return
        now = self._membership.user(old)
        gone = [one for one in question.waiting if one.member is not None and one.member is not now]
        question.waiting = [one for one in question.waiting if one not in gone]
        for one in gone:
            one.told(None)

    def _late(self, key: str) -> None:
        question = self._questions.pop(key)
        log.warning("certificate_not_told", network=self._network, nick=key)
        _tell(question, lambda _: None)


def _is_same(member: User, person: Person) -> bool:
    return (member.user, member.host) == (person.user, person.host)


def _is_about(answer: _Answer, waiting: _Waiting) -> bool:
    if waiting.member is not None:
        return waiting.member is answer.member
    return answer.userhost == waiting.person.userhost


def _tell(question: _Question, find: Callable[[_Waiting], tuple[str, ...] | None]) -> None:
    for waiting in question.waiting:
        waiting.told(find(waiting))
