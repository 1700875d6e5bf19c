"""Transcripts: a session as a text file, parsed and run (`docs/transcripts.md`)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from attrs import asdict, define, has

from gamebot.channel.channel import Channel
from gamebot.events import LeftHow
from gamebot.table.table import Fixed
from gamebot.testing.expectations import Expectations
from gamebot.testing.fakelink import FakeLink
from gamebot.testing.records import ExpectationError, Record, TranscriptError
from gamebot.testing.scene import text_settings
from gamebot.testing.session import Heard, Session

_SPAN = re.compile(r"\+(?:\d+(?:\.\d+)?[smh])+")
_PART = re.compile(r"(\d+(?:\.\d+)?)([smh])")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


_CHANNEL_AT = {"join": 2, "part": 2, "kick": 3}
"""Where in an event the channel stands."""


@define(eq=False)
class Run(Expectations):
    """A transcript being run: what people do, line by line."""

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


def lines_of(text: str) -> list[str]:
    """Split a transcript; what a player typed may hold other line breaks than a line feed.

    A byte order mark and the carriage returns of another system's line ends are left out.
    """
    lines = text.removeprefix("\ufeff").removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in lines]


def _plain(value: object) -> object:
    return getattr(value, "value", str(value))


__all__ = [
    "ExpectationError",
    "Fixed",
    "Record",
    "Run",
    "TranscriptError",
    "text_settings",
]
