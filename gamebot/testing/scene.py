"""The scene of a transcript: networks, channels, people and what is not left to chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, evolve, field

from gamebot.channel.channel import Channel
from gamebot.config import structure_text_settings
from gamebot.config.grants import Grants, parse_trusted_mask
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.errors import ConfigError
from gamebot.i18n import languages
from gamebot.irc.casemapping import is_known
from gamebot.irc.fingerprints import parse_fingerprint
from gamebot.plugin.game import GameType
from gamebot.plugin.registry import Registry
from gamebot.testing.records import TranscriptError
from gamebot.testing.session import Session

_CORE_KEYS = ("plugin", "language", "prefix")


_WORDS = {"%op": 2, "%account": 2, "%host": 2, "%starter": 2}
"""How many words a declaration takes."""


@define(eq=False)
class Scene:
    """Where a transcript plays.

    Attributes:
        registries: The loaded plugins.
        line: Number of the line being run.
    """

    registries: dict[str, Registry]
    line: int = field(default=0, kw_only=True)
    _session: Session = field(init=False)
    _current: tuple[str, str] = field(default=("", ""), init=False)
    _network: str = field(default="", init=False)

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
