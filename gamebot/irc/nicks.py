"""The bot's nick: what to take when it is taken, and how to get it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gamebot.irc.isupport import Isupport
from gamebot.ports import Clock, TimerHandle

SAFE_NICKLEN: Final = 9
"""What every server allows (RFC 1459)."""

_SUFFIXES: Final = ("_", *map(str, range(1, 10)), "_0", "_1", "_2")

_FIRST_ASK_S: Final = 30.0
_LONGEST_ASK_S: Final = 600.0


def nick_candidates(nick: str, alternatives: Sequence[str], nicklen: int = 0) -> Iterator[str]:
    """Yield the nicks to try: the wanted one, the alternatives, then variations.

    Args:
        nick: The nick that is wanted.
        alternatives: What to try next.
        nicklen: Longest nick if it is known; else the variations are as long as the wanted nick
            allows, and at last no longer than what every server takes.
    """
    limit = nicklen or max(SAFE_NICKLEN, len(nick))
    yield from (one[:limit] for one in (nick, *alternatives))
    yield from _variations(nick, limit)
    if limit > SAFE_NICKLEN:
        yield nick[:SAFE_NICKLEN]
        yield from _variations(nick, SAFE_NICKLEN)


def _variations(nick: str, limit: int) -> Iterator[str]:
    return (nick[: limit - len(suffix)] + suffix for suffix in _SUFFIXES)


class NickKeeper:
    """Get the wanted nick back once its holder is gone.

    The holder's QUIT or NICK is seen in a shared channel; else ISON asks, at growing intervals.

    Args:
        clock: Time.
        wanted: The nick.
        ask: Sends ISON for it.
        take: Sends NICK for it.
    """

    def __init__(
        self, clock: Clock, wanted: str, ask: Callable[[], None], take: Callable[[], None]
    ) -> None:
        self._clock = clock
        self._wanted = wanted
        self._ask = ask
        self._take = take
        self._timer: TimerHandle | None = None
        self._interval_s = _FIRST_ASK_S

    def check(self, own_nick: str, isupport: Isupport) -> None:
        """Begin or end asking, as the present nick demands."""
        limit = isupport.nicklen or len(self._wanted)
        if isupport.fold(own_nick) == isupport.fold(self._wanted[:limit]):
            self.stop()
        elif self._timer is None:
            self._plan()

    def freed(self) -> None:
        """Take the nick: its holder has left it."""
        if self._timer:
            self._take()

    def answered(self, online: str, isupport: Isupport) -> None:
        """Read the answer to ISON."""
        taken = isupport.fold(self._wanted) in {isupport.fold(nick) for nick in online.split()}
        if not taken:
            self.freed()

    def stop(self) -> None:
        """End asking."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        self._interval_s = _FIRST_ASK_S

    def _plan(self) -> None:
        due = self._clock.monotonic() + self._interval_s
        self._timer = self._clock.call_at(due, self._ask_again)

    def _ask_again(self) -> None:
        self._interval_s = min(_LONGEST_ASK_S, self._interval_s * 2)
        self._plan()
        self._ask()
