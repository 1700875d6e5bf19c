"""Lines of the past that a server or bouncer plays back: they are never commands nor events."""

from __future__ import annotations

from typing import Final

from attrs import define, field

from gamebot.irc.parser import Message

_PLAYBACK: Final = frozenset({"chathistory", "draft/chathistory", "znc.in/playback"})
_MOST_BATCHES: Final = 64


@define
class History:
    """Tells what is played back from what happens now, on one connection.

    Attributes:
        played_back: Lines of the past so far.
    """

    played_back: int = 0
    _batches: dict[str, bool] = field(factory=dict)
    _since: str = ""

    def begins(self, message: Message) -> None:
        """Take the time of *message*, which the bot itself has caused, as the beginning."""
        self._since = self._since or message.tags.get("time", "")

    def is_past(self, message: Message) -> bool:
        """Whether *message* belongs to a playback, or is older than the connection."""
        if message.command == "BATCH":
            self._batch(message)
            return False
        past = self._batches.get(message.tags.get("batch", ""), False) or self._is_older(message)
        self.played_back += past
        return past

    def _batch(self, message: Message) -> None:
        sign, reference = message.param(0)[:1], message.param(0)[1:]
        if sign == "-":
            self._batches.pop(reference, None)
        elif sign == "+":
            outer = self._batches.get(message.tags.get("batch", ""), False)
            self._batches[reference] = outer or message.param(1).lower() in _PLAYBACK
            while len(self._batches) > _MOST_BATCHES:
                del self._batches[next(iter(self._batches))]

    def _is_older(self, message: Message) -> bool:
        """Compare ISO 8601 times of one server, which sort as texts."""
        at = message.tags.get("time", "")
        return bool(at and self._since) and at < self._since and bool(message.nick)
