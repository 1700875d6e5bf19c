"""Transcripts: a session as a text file, parsed and run (`docs/transcripts.md`)."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import asdict, define, evolve, field, has

from gamebot.channel.channel import Channel
from gamebot.config import structure_text_settings
from gamebot.config.grants import Grants, parse_trusted_mask
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.errors import ConfigError
from gamebot.events import LeftHow
from gamebot.i18n import languages
from gamebot.irc.casemapping import is_known
from gamebot.irc.fingerprints import parse_fingerprint
from gamebot.plugin.game import GameType
from gamebot.plugin.registry import Registry
from gamebot.table.table import Fixed
from gamebot.testing.fakelink import FakeLink
from gamebot.testing.records import ExpectationError, Record, TranscriptError
from gamebot.testing.session import Heard, Session

_CORE_KEYS = ("plugin", "language", "prefix")
_SPAN = re.compile(r"\+(?:\d+(?:\.\d+)?[smh])+")
_PART = re.compile(r"(\d+(?:\.\d+)?)([smh])")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
GENERATED = re.compile(r"> \S+ (?:notice )?\^.*\$")
"""What `--update` writes: a whole line of the bot."""

_WORDS = {"%op": 2, "%account": 2, "%host": 2, "%starter": 2}
"""How many words a declaration takes."""

_CHANNEL_AT = {"join": 2, "part": 2, "kick": 3}
"""Where in an event the channel stands."""

_VIEW = re.compile(r"= (\S+) (\S+) (\S+) (==|!=|<=|>=) (.+)")
_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
}


@define(eq=False)
class Run:
    """A transcript being run.

    Attributes:
        registries: The loaded plugins.
        lenient: Whether generated expectations may fail; they are about to be replaced.
        records: Everything that happened so far.
        line: Number of the line being run.
    """

    registries: dict[str, Registry]
    lenient: bool = False
    records: list[Record] = field(factory=list)
    line: int = 0
    _session: Session = field(init=False)
    _current: tuple[str, str] = ("", "")
    _since: int = 0
    _network: str = ""

    async def run(self, text: str) -> None:
        """Run *text* from beginning to end.

        Raises:
            TranscriptError: A line cannot be read.
            ExpectationError: The first expectation that does not hold.
        """
        lines = lines_of(text)
        self._session = Session(self.registries, on_heard=self._heard, on_event=self._engine_event)
        self._set_up(lines)
        async with self._session:
            for number, raw in enumerate(lines, 1):
                self.line = number
                line = raw.strip()
                if line and line != "#" and not raw.startswith("# "):
                    await self._step(line)

    # -- set-up -----------------------------------------------------------------------------

    def _set_up(self, lines: Sequence[str]) -> None:
        """Declare networks, channels and owners, which must stand before the bot starts."""
        for number, line in enumerate(lines, 1):
            self.line = number
            words = line.split()
            if not words:
                continue
            if words[0] == "%network":
                self._add_network(words[1:])
            elif words[0] == "%channel":
                self._add_channel(words[1:])
            elif words[0] == "%seed":
                if len(words) == 1:
                    raise self._error("%seed needs a text")
                self._session.seed = " ".join(words[1:])
            elif words[0] in ("%owner", "%admin"):
                self._grant(words)
        if self._current == ("", ""):
            raise TranscriptError(1, "a transcript needs a %network and a %channel")

    def _grant(self, words: Sequence[str]) -> None:
        """Give rights on every network so far to an account, a mask or a certificate."""
        if len(words) != 2:
            raise self._error(f"{words[0]} needs an account, a mask or a fingerprint")
        role = words[0].removeprefix("%")
        key, value = self._granted(role, words[1])
        for name in self._session.links:
            grants = self._session.grants.get(name, Grants())
            given = (*getattr(grants, key), value)
            self._session.grants[name] = evolve(grants, **{key: given})

    def _granted(self, role: str, text: str) -> tuple[str, object]:
        """Find the field of `Grants` that *text* belongs to, and what goes into it."""
        if "!" not in text:
            try:
                return f"{role}_certificates", parse_fingerprint(text)
            except ValueError:
                return f"{role}s", text
        try:
            return f"{role}_masks", parse_trusted_mask(text)
        except ValueError as error:
            raise self._error(f"{text}: {error}") from error

    def _add_network(self, words: Sequence[str]) -> None:
        if not words:
            raise self._error("%network needs a name")
        options = self._pairs(words[1:])
        if unknown := sorted(set(options) - {"casemapping", "accounts"}):
            raise self._error(f"unknown option of %network: {', '.join(unknown)}")
        casemapping = options.get("casemapping", "rfc1459")
        if not is_known(casemapping):
            raise self._error(f"no such casemapping: {casemapping}")
        if words[0] in self._session.links:
            raise self._error(f"there is a network {words[0]} already")
        link = self._session.add_network(words[0], casemapping)
        accounts = options.get("accounts", "on")
        if accounts not in ("on", "off"):
            raise self._error(f"accounts are on or off, not {accounts}")
        link.has_accounts = accounts == "on"
        self._network = self._network or words[0]

    def _add_channel(self, words: Sequence[str]) -> None:
        if not words or not self._session.links:
            raise self._error("%channel needs a name, and a %network before it")
        network, name = self._where(words[0])
        link = self._session.link(network)
        if not link.is_channel(name) or link.fold(name) in link.rooms:
            raise self._error(f"{name} is no channel, or is there already")
        options = self._pairs(words[1:])
        plugins = tuple(p for p in options.get("plugin", "").split(",") if p)
        unknown = [name for name in plugins if name not in self.registries]
        if unknown:
            raise self._error(f"no such plugin: {', '.join(unknown)}")
        always = [p for p in ALWAYS_ENABLED if p in self.registries and p not in plugins]
        language = options.get("language", "en")
        if language not in languages():
            raise self._error(f"no such language: {language}")
        rest = {key: value for key, value in options.items() if key not in _CORE_KEYS}
        try:
            settings = text_settings([self.registries[p] for p in plugins], rest)
        except ConfigError as error:
            raise self._error(str(error)) from error
        self._session.add_channel(
            network,
            ChannelProfile(
                name=name,
                language=language,
                prefix=options.get("prefix"),
                plugins=(*plugins, *always),
                settings=settings,
            ),
        )
        self._current = (network, name)

    def _pairs(self, words: Sequence[str]) -> dict[str, str]:
        pairs = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals or not value:
                raise self._error(f"expected key=value, got {word!r}")
            pairs[key] = value
        return pairs

    def _error(self, why: str) -> TranscriptError:
        return TranscriptError(self.line, why)

    def _where(self, text: str) -> tuple[str, str]:
        """Split `network/#name`; the first network is the default."""
        network, slash, name = text.partition("/")
        if not slash or network[:1] in ("#", "&"):
            return self._network, text
        return self._known(network), name

    def _who(self, text: str, network: str) -> tuple[str, str]:
        """Split `nick@network`."""
        nick, at, name = text.rpartition("@")
        return (self._known(name), nick) if at else (network, text)

    def _known(self, network: str) -> str:
        if network not in self._session.links:
            raise self._error(f"no such network: {network}")
        return network

    # -- steps ------------------------------------------------------------------------------

    async def _step(self, line: str) -> None:
        if line.startswith("%"):
            self._declare(line.split())
        elif line.startswith("@ "):
            self._current = self._where(line[2:].strip())
            self._channel_of(*self._current)
        elif line.startswith(("> ", "!> ")):
            self._expect_line(line)
        elif line.startswith("= "):
            self._expect_view(line)
        elif line.startswith("<"):
            await self._say(line)
        elif line.startswith("+"):
            await self._pass(line)
        elif line.startswith("* "):
            await self._happen(line[2:])
        else:
            raise self._error(f"not understood: {line}")

    def _declare(self, words: list[str]) -> None:
        kind, rest = words[0], words[1:]
        if kind in ("%network", "%channel", "%seed", "%owner", "%admin"):
            if kind == "%channel":
                self._current = self._where(rest[0])
            return
        if len(rest) > _WORDS.get(kind, len(rest)):
            raise self._error(f"{kind} takes no more than {_WORDS[kind]} words")
        try:
            match kind:
                case "%op":
                    network, channel = self._where(rest[0])
                    self._session.link(network).op(self._who(rest[1], network)[1], channel)
                case "%account":
                    network, nick = self._who(rest[0], self._network)
                    self._session.link(network).account(nick, rest[1])
                case "%certificate":
                    network, nick = self._who(rest[0], self._network)
                    link = self._session.link(network)
                    link.certificates[link.fold(nick)] = (self._fingerprint(rest[1]),)
                case "%host":
                    self._set_host(rest)
                case "%starter" | "%hand" | "%deck" | "%dice":
                    self._fix(kind, rest)
                case _:
                    raise self._error(f"unknown declaration {kind}")
        except IndexError:
            raise self._error(f"{kind} needs more words") from None

    def _fingerprint(self, text: str) -> str:
        try:
            return parse_fingerprint(text)
        except ValueError as error:
            raise self._error(f"expected {error}, got {text}") from error

    def _set_host(self, rest: Sequence[str]) -> None:
        network, nick = self._who(rest[0], self._network)
        user, at, host = rest[1].partition("@")
        if not at:
            raise self._error("%host needs user@host")
        link = self._session.link(network)
        link.change(nick, evolve(link.person(nick), user=user, host=host))

    def _fix(self, kind: str, rest: Sequence[str]) -> None:
        network, name = self._where(rest[0])
        channel = self._channel_of(network, name)
        values = tuple(rest[1:])
        if len(values) < 1 + (kind == "%hand"):
            raise self._error(f"{kind} needs values")
        if kind == "%dice":
            if not all(value in "123456" and len(value) == 1 for value in values):
                raise self._error("dice show 1 to 6")
            self._session.fix(name, network, dice=tuple(int(value) for value in values))
        elif kind == "%starter":
            self._session.fix(name, network, starter=values[0])
        elif kind == "%deck":
            self._session.fix(name, network, deck=values)
        else:
            hands = {**channel.fixed.hands, values[0]: values[1:]}
            self._session.fix(name, network, hands=hands)
        self._check_fixed(channel)

    def _check_fixed(self, channel: Channel) -> None:
        """Refuse what no game of the channel can use; of two games one may have dice, one cards."""
        kinds, fixed = _games(channel), channel.fixed
        for part in (evolve(fixed, dice=()), evolve(fixed, hands={}, deck=())):
            faults = []
            for kind in kinds:
                try:
                    kind.check_fixed(channel.profile.settings.get(kind.plugin), part)
                except ValueError as error:
                    faults.append(str(error))
            if faults and len(faults) == len(kinds):
                raise self._error("; ".join(faults))

    def _channel_of(self, network: str, name: str) -> Channel:
        try:
            return self._session.channel(name, network)
        except KeyError:
            raise self._error(f"no such channel: {name}") from None

    async def _say(self, line: str) -> None:
        match = re.fullmatch(r"<[~&@%+]?(\S+?)( -> bot)?> ?(.*)", line)
        if match is None:
            raise self._error(f"not understood: {line}")
        network, nick = self._who(match[1], self._current[0])
        channel = None if match[2] else self._current[1]
        self._input(network, nick, channel or "bot", match[3])
        self._session.link(network).say(nick, match[3], channel)
        await self._session.settle()

    async def _pass(self, line: str) -> None:
        if _SPAN.fullmatch(line) is None:
            raise self._error(f"not a span of time: {line}")
        self._input("", "", "", line)
        span = sum(float(number) * _SECONDS[unit] for number, unit in _PART.findall(line))
        await self._session.pass_time(span)

    async def _happen(self, text: str) -> None:
        words = text.split()
        if len(words) < 2:
            raise self._error(f"not understood: * {text}")
        if words[:2] == ["bot", "restart"]:
            self._input("", "", "", f"* {text}")
            await self._session.restart()
        elif words[0] in self._session.links and words[1] in ("disconnect", "connect"):
            self._input(words[0], "", "", f"* {text}")
            link = self._session.links[words[0]]
            if words[1] == "connect":
                link.connect()
            else:
                link.disconnect()
        else:
            self._person(text, words)
        await self._session.settle()

    def _person(self, text: str, words: Sequence[str]) -> None:
        network, nick = self._mover(words)
        link = self._session.link(network)
        self._input(network, nick, "", f"* {text}")
        match words[1:]:
            case ["join", channel] if nick == link.own_nick:
                link.rejoin_bot(self._where(channel)[1])
            case ["nick", new]:
                self._rename(link, nick, new)
            case ["quit", *reason]:
                link.quit(nick, " ".join(reason))
            case ["part", channel, *reason]:
                name = self._where(channel)[1]
                link.leave(nick, name, LeftHow.PART, reason=" ".join(reason))
            case ["join", channel]:
                link.join(nick, self._where(channel)[1])
            case ["kick", "bot", channel, *_]:
                link.kick_bot(self._where(channel)[1])
            case ["kick", whom, channel, *reason]:
                victim, name = self._who(whom, network)[1], self._where(channel)[1]
                link.leave(victim, name, LeftHow.KICK, by=nick, reason=" ".join(reason))
            case ["account", account]:
                link.account(nick, None if account == "*" else account)
            case _:
                raise self._error(f"not understood: * {text}")

    def _mover(self, words: Sequence[str]) -> tuple[str, str]:
        """Return whom an event is about; of the bot only what it does to others, and its return."""
        network, nick = self._who(words[0], self._network_of(words))
        if network != self._network_of(words, network):
            raise self._error(f"{nick} is on {network}")
        if nick == self._session.link(network).own_nick and words[1] not in ("join", "kick"):
            raise self._error(f"not understood: * {' '.join(words)}")
        return network, nick

    def _network_of(self, words: Sequence[str], default: str = "") -> str:
        """Return the network that an event's channel names, else the default or the current one."""
        at = _CHANNEL_AT.get(words[1], len(words))
        channel = words[at] if at < len(words) else ""
        if "/" in channel and channel[0] not in "#&":
            return self._where(channel)[0]
        return default or self._current[0]

    def _rename(self, link: FakeLink, nick: str, new: str) -> None:
        key = link.fold(new)
        taken = {link.fold(link.own_nick)}.union(*(room.members for room in link.rooms.values()))
        if key in taken - {link.fold(nick)}:
            raise self._error(f"the nick {new} is in use")
        link.nick(nick, new)

    # -- what was recorded ------------------------------------------------------------------

    def _input(self, network: str, nick: str, to: str, text: str) -> None:
        at = self._session.clock.monotonic()
        self.records.append(Record(self.line, at, network, nick, to, "input", text))
        self._since = len(self.records)

    def _heard(self, line: Heard) -> None:
        self.records.append(
            Record(self.line, line.at, line.network, "bot", line.to, line.kind, line.plain)
        )

    def _engine_event(self, channel: Channel, plugin: str, event: Any) -> None:  # noqa: ANN401  each engine's own
        known = asdict(event) if has(type(event)) else vars(event)
        fields = json.loads(json.dumps(known, default=_plain))
        self.records.append(
            Record(
                self.line,
                self._session.clock.monotonic(),
                channel.link.name,
                plugin,
                channel.name,
                "event",
                type(event).__name__,
                fields,
            )
        )

    # -- expectations -----------------------------------------------------------------------

    def _expect_line(self, line: str) -> None:
        wanted = not line.startswith("!")
        target, _, rest = line.removeprefix("!").removeprefix("> ").partition(" ")
        kind = ""
        is_channel = target == "*" or target.rpartition("/")[2][:1] in ("#", "&")
        if not is_channel:
            kind, _, rest = rest.partition(" ")
            if kind != "notice":
                raise self._error("expected: > nick notice regex")
        if not rest:
            raise self._error("expected a regular expression")
        try:
            pattern = re.compile(rest)
        except re.error as error:
            raise self._error(f"not a regular expression: {error}") from error
        network, name = self._where(target) if is_channel else self._who(target, self._current[0])
        link = self._session.link(network)
        if is_channel and target != "*" and link.fold(name) not in link.rooms:
            raise self._error(f"no such channel: {target}")
        said = [
            record
            for record in self.records[self._since :]
            if record.kind in ("privmsg", "notice")
            and (target == "*" or self._goes_to(record, network, name, kind))
        ]
        hit = any(pattern.search(record.text) for record in said)
        if hit != wanted and not (self.lenient and GENERATED.fullmatch(line)):
            got = "".join(f"\n    {record.to}: {record.text}" for record in said) or " nothing"
            verb = "expected" if wanted else "did not expect"
            raise ExpectationError(self.line, f"{verb} {rest!r} to {target}; there was:{got}")

    def _goes_to(self, record: Record, network: str, name: str, kind: str) -> bool:
        link = self._session.link(network)
        return (
            record.network == network
            and link.fold(record.to) == link.fold(name)
            and (not kind or record.kind == kind)
        )

    def _expect_view(self, line: str) -> None:
        match = _VIEW.fullmatch(line)
        if match is None:
            raise self._error("expected: = plugin #channel path == json")
        plugin, where, path, compare, text = match.groups()
        channel = self._channel_of(*self._where(where))
        if plugin not in channel.registries:
            raise self._error(f"{where} has no plugin {plugin}")
        try:
            wanted = json.loads(text)
        except json.JSONDecodeError as error:
            raise self._error(f"not JSON: {text}") from error
        value = self._value(channel, plugin, path)
        try:
            holds = _OPERATORS[compare](value, wanted)
        except TypeError:
            holds = False
        if not holds:
            shown = json.dumps(value, ensure_ascii=False)
            raise ExpectationError(
                self.line, f"{path} is {shown}, expected {compare} {text} in {where}"
            )

    def _value(self, channel: Channel, plugin: str, path: str) -> Any:  # noqa: ANN401  any JSON value
        first, _, rest = path.partition(".")
        if first == "hand":
            return self._hand(channel, plugin, rest)
        value: Any = channel.view(plugin)
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def _hand(self, channel: Channel, plugin: str, nick: str) -> Any:  # noqa: ANN401  any JSON value
        table = channel.tables.get(plugin)
        if table is None or table.game is None:
            return None
        kind = channel.registries[plugin].games[0]
        key = channel.link.fold(nick)
        for chair in table.chairs:
            if key in (channel.link.fold(chair.name), channel.link.fold(chair.nick)):
                hand = kind.hand(table.game, chair.seat)
                return None if hand is None else list(hand)
        return None


def lines_of(text: str) -> list[str]:
    """Split a transcript; what a player typed may hold other line breaks than a line feed.

    A byte order mark and the carriage returns of another system's line ends are left out.
    """
    lines = text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in lines]


def _plain(value: object) -> object:
    return getattr(value, "value", str(value))


def _games(channel: Channel) -> list[GameType[Any]]:
    return [kind for registry in channel.registries.values() for kind in registry.games]


def text_settings(registries: Sequence[Registry], pairs: Mapping[str, str]) -> dict[str, Any]:
    """Build each plugin's settings from `key=value` pairs.

    A pair goes to every plugin that has such a setting; `rules` is read by the game itself.

    Raises:
        ConfigError: A key belongs to no plugin, or a value cannot be read.
    """
    from attrs import fields

    settings: dict[str, Any] = {}
    used: set[str] = set()
    for registry in registries:
        if registry.settings is None:
            continue
        mine = dict(pairs)
        if "rules" in mine and registry.games:
            mine = {**mine, **registry.games[0].read_rules(mine.pop("rules"))}
            used.add("rules")
        names = {a.name for a in fields(registry.settings)}
        picked = {key: value for key, value in mine.items() if key in names}
        strange = set(mine) - names - set(pairs)
        if strange:
            raise ConfigError([f"rules: no such field: {', '.join(sorted(strange))}"])
        used |= set(picked)
        settings[registry.plugin] = structure_text_settings(registry.settings, picked)
    if set(pairs) - used:
        unknown = ", ".join(sorted(set(pairs) - used))
        raise ConfigError([f"no enabled plugin has a setting {unknown}"])
    return settings


__all__ = [
    "ExpectationError",
    "Fixed",
    "Record",
    "Run",
    "TranscriptError",
    "text_settings",
]
