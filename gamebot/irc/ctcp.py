"""CTCP: the usual questions are answered, and not often."""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime
from typing import Final

from gamebot.irc.formatting import clean_target, clean_text
from gamebot.irc.parser import Message, format_message
from gamebot.ports import Clock

_MARK: Final = "\x01"
_A_MINUTE: Final = 3
_MINUTE_S: Final = 60.0
_LONGEST_PING: Final = 64


class CtcpReplies:
    """Answer CTCP at most three times a minute, whoever asks.

    Args:
        clock: Time.
        version: The answer to VERSION and SOURCE, "" for none.
    """

    def __init__(self, clock: Clock, version: str) -> None:
        self._clock = clock
        self._version = clean_text(version)
        self._answered_at: deque[float] = deque(maxlen=_A_MINUTE)

    def answer(self, message: Message) -> str:
        """Return the protocol line that answers *message*, "" if there is none."""
        nick, text = clean_target(message.nick), message.param(1)
        if not nick or not text.startswith(_MARK):
            return ""
        verb, _, argument = text.strip(_MARK).partition(" ")
        answer = self._say(verb.upper(), clean_text(argument)[:_LONGEST_PING])
        if not answer:
            return ""
        now = self._clock.monotonic()
        if len(self._answered_at) == _A_MINUTE and now - self._answered_at[0] < _MINUTE_S:
            return ""
        self._answered_at.append(now)
        return format_message("NOTICE", (nick, f"{_MARK}{verb.upper()} {answer}{_MARK}"))

    def _say(self, verb: str, argument: str) -> str:
        match verb:
            case "VERSION" | "SOURCE":
                return self._version
            case "PING":
                return argument
            case "TIME":
                now = datetime.fromtimestamp(self._clock.now(), UTC)
                return now.strftime("%Y-%m-%d %H:%M:%S UTC")
            case "CLIENTINFO":
                return "CLIENTINFO PING SOURCE TIME VERSION"
            case _:
                return ""
