"""When to try a server again: full jitter, few tries, patience after a ban; never giving up."""

from __future__ import annotations

import re
from collections import deque
from enum import Enum
from random import Random
from typing import Final

from gamebot.ports import Clock

_BASE_S: Final = 4.0
_CAP_S: Final = 120.0
_WINDOW_S: Final = 601.0
_TRIES_IN_WINDOW: Final = 10
_PENALTY_CAP_S: Final = 3600.0

_THROTTLED: Final = re.compile(
    r"throttl|too fast|too many|try(?:ing)? (?:to )?(?:again|(?:re)?connect)|connection limit", re.I
)
_BANNED: Final = re.compile(r"\bbanned\b|\b(?:[kgzdx]|auto|perm)[-: ]?lined?\b|not welcome", re.I)


class Refusal(Enum):
    """Why a server ended the connection, as far as it matters for the next try."""

    NONE = "none"
    THROTTLED = "throttled"
    BANNED = "banned"
    LOGIN = "login"


_PENALTY_S: Final = {Refusal.THROTTLED: 60.0, Refusal.BANNED: 300.0, Refusal.LOGIN: 60.0}


def read_refusal(text: str) -> Refusal:
    """Read the reason of an ERROR line or of a ban numeric."""
    if _THROTTLED.search(text):
        return Refusal.THROTTLED
    return Refusal.BANNED if _BANNED.search(text) else Refusal.NONE


class Backoff:
    """Say how long to wait before the next connection.

    The wait is drawn between 0 and a bound that doubles from 4 s to 120 s; a refusal adds at
    least a minute (throttled, login failed) or five (banned), doubling up to an hour. Whatever
    else, no more than ten tries fall into ten minutes.
    """

    def __init__(self, clock: Clock, rng: Random) -> None:
        self._clock = clock
        self._rng = rng
        self._failures = 0
        self._refusals = 0
        self._refusal = Refusal.NONE
        self._tries: deque[float] = deque(maxlen=_TRIES_IN_WINDOW)

    def next_delay(self) -> float:
        """Return the seconds to wait now, and count the try that follows."""
        delay = self._jittered() + self._penalty()
        now = self._clock.monotonic()
        if len(self._tries) == _TRIES_IN_WINDOW:
            delay = max(delay, self._tries[0] + _WINDOW_S - now)
        self._tries.append(now + delay)
        self._failures += 1
        self._refusal = Refusal.NONE
        return delay

    def refused(self, refusal: Refusal) -> None:
        """Note why the server refused; it lengthens the next wait."""
        if refusal is not Refusal.NONE:
            self._refusal = refusal
            self._refusals += 1

    def reset(self) -> None:
        """Start anew: the link was stable. The count of tries in ten minutes goes on."""
        self._failures = 1
        self._refusals = 0

    def _jittered(self) -> float:
        if not self._failures:
            return 0.0
        bound = min(_CAP_S, _BASE_S * 2.0 ** min(self._failures - 1, 16))
        return self._rng.uniform(0.0, bound)

    def _penalty(self) -> float:
        least = _PENALTY_S.get(self._refusal)
        if least is None:
            return 0.0
        least = min(_PENALTY_CAP_S, least * 2.0 ** min(self._refusals - 1, 16))
        return least * self._rng.uniform(1.0, 1.5)
