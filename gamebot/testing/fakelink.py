"""A network without a network: membership is real, lines arrive at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, evolve, field

from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Event,
    Joined,
    Left,
    LeftHow,
    LinkDown,
    LinkUp,
    NickChanged,
    Person,
    Said,
)
from gamebot.irc.casemapping import fold
from gamebot.ports import CertificatesTold, Link, OutLine


@define
class Room:
    """Who is in one channel.

    Attributes:
        name: The channel as the network spells it.
        members: Folded nick -> person; the bot is not among them.
        ops: Folded nicks of its operators; the bot may be one.
        voiced: Folded nicks with voice.
        topic: Its topic.
        bot_inside: Whether the bot is in it.
        wanted: Whether the bot goes there when it connects.
        plain: Whether it strips formatting codes.
    """

    name: str
    members: dict[str, Person] = field(factory=dict)
    ops: set[str] = field(factory=set)
    voiced: set[str] = field(factory=set)
    topic: str = ""
    bot_inside: bool = False
    wanted: bool = True
    plain: bool = False


@define(eq=False)
class FakeLink(Link):
    """A `Link` whose other side is driven by method calls.

    Attributes:
        name: Name of the network.
        mapping: Its CASEMAPPING token.
        sink: Takes the events, usually `Bot.feed`.
        heard: Takes every line that the bot sends while connected.
        people: Folded nick -> person, whether in a channel or not.
        rooms: Folded name -> channel.
        certificates: Folded nick -> fingerprints that its server tells; nobody has others.
        tells_certificates: Whether it answers at once who has which; else `answer` does.
        questions: About whom the bot waits to be told.
    """

    name: str
    mapping: str
    sink: Callable[[Event], None]
    heard: Callable[[OutLine], None]
    own_nick: str = "bot"
    connected: bool = False
    has_accounts: bool = True
    modes_per_line: int = 3
    backlog: int = 0
    people: dict[str, Person] = field(factory=dict)
    rooms: dict[str, Room] = field(factory=dict)
    commands: list[tuple[str, ...]] = field(factory=list)
    certificates: dict[str, tuple[str, ...]] = field(factory=dict)
    tells_certificates: bool = True
    questions: list[tuple[Person, CertificatesTold]] = field(factory=list)
    _waiting: list[tuple[OutLine, Callable[[], None] | None]] = field(factory=list)

    # -- the port ---------------------------------------------------------------------------

    def fold(self, text: str) -> str:
        """Fold by the network's mapping."""
        return fold(text, self.mapping)

    def is_channel(self, target: str) -> bool:
        """Whether *target* names a channel."""
        return target[:1] in ("#", "&")

    def is_op(self, channel: str, nick: str) -> bool:
        """Whether *nick* has op in *channel*."""
        room = self.rooms.get(self.fold(channel))
        return room is not None and self.fold(nick) in room.ops

    def members(self, channel: str) -> Sequence[Person]:
        """Everybody in *channel* but the bot."""
        room = self.rooms.get(self.fold(channel))
        return list(room.members.values()) if room and room.bot_inside else []

    def has_voice(self, channel: str, nick: str) -> bool:
        """Whether *nick* has voice or op in *channel*."""
        room = self.rooms.get(self.fold(channel))
        return room is not None and self.fold(nick) in room.voiced | room.ops

    def topic(self, channel: str) -> str:
        """Return the topic of *channel*."""
        room = self.rooms.get(self.fold(channel))
        return room.topic if room else ""

    @property
    def drops_silently(self) -> bool:
        """No caller-id here."""
        return False

    def strips_colors(self, channel: str) -> bool:
        """Whether *channel* is set to plain text."""
        room = self.rooms.get(self.fold(channel))
        return room is not None and room.plain

    def ask_certificates(self, person: Person, told: CertificatesTold) -> None:
        """Note a question about *person*, and answer it if `tells_certificates`."""
        self.questions.append((person, told))
        if self.tells_certificates:
            self.answer()

    def send(self, line: OutLine, sent: Callable[[], None] | None = None) -> None:
        """Deliver *line* at once; while disconnected only lines to keep wait."""
        if not self.connected:
            if line.keep:
                self._waiting.append((line, sent))
            elif sent:
                sent()
            return
        self.heard(line)
        if sent:
            sent()

    def command(self, verb: str, *params: str) -> None:
        """Note a protocol command; JOIN and PART take the bot in and out.

        Voice and the topic change if the bot has op.
        """
        self.commands.append((verb, *params))
        if verb in ("MODE", "TOPIC") and self.is_op(params[0], self.own_nick):
            self._change(self.room(params[0]), verb, params[1:])
        if verb in ("JOIN", "PART"):
            room = self.room(params[0])
            room.wanted = verb == "JOIN"
            if self.connected and room.bot_inside != room.wanted:
                self._move_bot(room)

    def _change(self, room: Room, verb: str, params: Sequence[str]) -> None:
        if verb == "TOPIC":
            room.topic = params[0]
            return
        change = room.voiced.add if params[0].startswith("+v") else room.voiced.discard
        for nick in params[1:]:
            change(self.fold(nick))

    def _move_bot(self, room: Room) -> None:
        room.bot_inside = room.wanted
        if room.wanted:
            self.sink(ChannelUp(self.name, room.name, tuple(room.members.values())))
        else:
            self.sink(ChannelDown(self.name, room.name, "parted"))

    async def run(self) -> None:
        """Connect."""
        self.connect()

    async def close(self, reason: str) -> None:
        """Disconnect."""
        self.disconnect(reason)

    # -- the other side ---------------------------------------------------------------------

    def room(self, channel: str) -> Room:
        """Return *channel*, made if need be."""
        return self.rooms.setdefault(self.fold(channel), Room(channel))

    def person(self, nick: str) -> Person:
        """Return the person called *nick*, made if need be, with a host of their own."""
        key = self.fold(nick)
        if key not in self.people:
            self.people[key] = Person(self.name, nick, nick.lower(), f"{nick.lower()}.example")
        return self.people[key]

    def connect(self) -> None:
        """Bring the link up, and the bot into every channel."""
        self.connected = True
        self.sink(LinkUp(self.name))
        for room in [room for room in self.rooms.values() if room.wanted]:
            room.bot_inside = True
            self.sink(ChannelUp(self.name, room.name, tuple(room.members.values())))
        waiting, self._waiting = self._waiting, []
        for line, sent in waiting:
            self.send(line, sent)

    def disconnect(self, reason: str = "connection lost") -> None:
        """Drop the link."""
        self.connected = False
        for room in self.rooms.values():
            room.bot_inside = False
        self.questions.clear()
        self._lose_sight()
        self.sink(LinkDown(self.name, reason))

    def answer(self) -> None:
        """Tell the bot the certificates of everybody that it has asked about."""
        questions, self.questions = self.questions, []
        for person, told in questions:
            found = self.certificates.get(self.fold(person.nick), ())
            if self._is_seen(person.nick):
                self.change(person.nick, evolve(self.person(person.nick), certificates=found))
            told(found)

    def _is_seen(self, nick: str) -> bool:
        key = self.fold(nick)
        return any(room.bot_inside and key in room.members for room in self.rooms.values())

    def _lose_sight(self) -> None:
        """Let the bot forget the certificates of everybody who shares no channel with it."""
        for person in list(self.people.values()):
            if person.certificates is not None and not self._is_seen(person.nick):
                self.change(person.nick, evolve(person, certificates=None))

    def forget_waiting(self) -> None:
        """Drop the lines that wait for a connection, as the end of the process does."""
        self._waiting.clear()

    def say(self, nick: str, text: str, channel: str | None) -> None:
        """Let *nick* speak in *channel* (joining it first), or in a query.

        The bot does not hear itself.
        """
        if self.fold(nick) == self.fold(self.own_nick):
            return
        if channel is not None:
            self.join(nick, channel)
        self._tell(Said(self.person(nick), channel, text))

    def _tell(self, event: Event) -> None:
        if self.connected:
            self.sink(event)

    def join(self, nick: str, channel: str) -> None:
        """Let *nick* join *channel*; harmless if already there."""
        room, key = self.room(channel), self.fold(nick)
        if key not in room.members:
            room.members[key] = self.person(nick)
            self._tell(Joined(room.members[key], room.name))

    def op(self, nick: str, channel: str) -> None:
        """Give op to *nick*, who joins if need be; the bot need not be there yet."""
        if self.fold(nick) != self.fold(self.own_nick):
            self.join(nick, channel)
        self.room(channel).ops.add(self.fold(nick))

    def nick(self, old: str, new: str) -> None:
        """Let *old* take the nick *new*."""
        before, key = self.person(old), self.fold(new)
        after = evolve(before, nick=new)
        del self.people[self.fold(old)]
        self.people[key] = after
        if (fingerprints := self.certificates.pop(self.fold(old), None)) is not None:
            self.certificates[key] = fingerprints
        for room in self.rooms.values():
            if room.members.pop(self.fold(old), None):
                room.members[key] = after
            for status in (room.ops, room.voiced):
                if self.fold(old) in status:
                    status.discard(self.fold(old))
                    status.add(key)
        self._tell(NickChanged(before, new))
        stale = [one for one in self.questions if self.fold(one[0].nick) == self.fold(old)]
        self.questions = [one for one in self.questions if one not in stale]
        for _, told in stale:
            told(None)

    def leave(
        self, nick: str, channel: str, how: LeftHow, *, by: str = "", reason: str = ""
    ) -> None:
        """Let *nick* leave *channel*."""
        room, key = self.room(channel), self.fold(nick)
        person = room.members.pop(key, None)
        room.ops.discard(key)
        room.voiced.discard(key)
        self._lose_sight()
        if person:
            self._tell(Left(person, room.name, how, by, reason))

    def quit(self, nick: str, reason: str = "") -> None:
        """Let *nick* leave the network; a login to services and a certificate end with it."""
        self.certificates.pop(self.fold(nick), None)
        for room in list(self.rooms.values()):
            self.leave(nick, room.name, LeftHow.QUIT, reason=reason)
        self.people[self.fold(nick)] = evolve(self.person(nick), account=None)

    def kick_bot(self, channel: str, reason: str = "") -> None:
        """Throw the bot out of *channel*."""
        room = self.room(channel)
        room.bot_inside = False
        self._lose_sight()
        self._tell(ChannelDown(self.name, room.name, reason))

    def rejoin_bot(self, channel: str) -> None:
        """Let the bot back into *channel*."""
        room = self.room(channel)
        room.bot_inside = True
        self._tell(ChannelUp(self.name, room.name, tuple(room.members.values())))

    def account(self, nick: str, account: str | None) -> None:
        """Log *nick* in to services, or out."""
        self.change(nick, evolve(self.person(nick), account=account))
        self._tell(AccountChanged(self.person(nick)))

    def change(self, nick: str, person: Person) -> None:
        """Replace what is known about *nick*."""
        key = self.fold(nick)
        self.people[key] = person
        for room in self.rooms.values():
            if key in room.members:
                room.members[key] = person
