"""CTCP: of all its questions only VERSION is answered, and not often."""

from __future__ import annotations

from collections import deque
from typing import Final

from gamebot.irc.formatting import clean_target, clean_text
from gamebot.irc.parser import Message, format_message
from gamebot.ports import Clock

_MARK: Final = "\x01"
_A_MINUTE: Final = 3
_MINUTE_S: Final = 60.0


class VersionReply:
    """Answer CTCP VERSION at most three times a minute, whoever asks.

    Args:
        clock: Time.
        version: The answer, "" for none.
    """

    def __init__(self, clock: Clock, version: str) -> None:
        self._clock = clock
        self._version = clean_text(version)
        self._answered_at: deque[float] = deque(maxlen=_A_MINUTE)

    def answer(self, message: Message) -> str:
        """Return the protocol line that answers *message*, "" if there is none."""
        nick = clean_target(message.nick)
        question = message.param(1).strip(_MARK).partition(" ")[0].upper()
        is_ctcp = message.param(1).startswith(_MARK)
        if not self._version or not nick or not is_ctcp or question != "VERSION":
            return ""
        now = self._clock.monotonic()
        if len(self._answered_at) == _A_MINUTE and now - self._answered_at[0] < _MINUTE_S:
            return ""
        self._answered_at.append(now)
        return format_message("NOTICE", (nick, f"{_MARK}VERSION {self._version}{_MARK}"))
