"""What a transcript expects: lines of the bot and values of a table's public view."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from gamebot.channel.channel import Channel
from gamebot.testing.records import ExpectationError, Record
from gamebot.testing.scene import Scene

GENERATED = re.compile(r"> \S+ (?:notice )?\^.*\$")
"""What `--update` writes: a whole line of the bot."""


_VIEW = re.compile(r"= (\S+) (\S+) (\S+) (==|!=|<=|>=) (.+)")


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
}


@define(eq=False)
class Expectations(Scene):
    """Compares what happened with what should have.

    Attributes:
        lenient: Whether generated expectations may fail; they are about to be replaced.
        records: Everything that happened so far.
    """

    lenient: bool = field(default=False, kw_only=True)
    records: list[Record] = field(factory=list, kw_only=True)
    _since: int = field(default=0, init=False)

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
