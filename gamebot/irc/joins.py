"""Which channels to be in: joined in batches, again after a kick, not for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog
from attrs import define

from gamebot.irc.isupport import Isupport
from gamebot.ports import Clock, TimerHandle

log = structlog.get_logger()

_BATCH: Final = 20
_LINE_BYTES: Final = 450
_AFTER_KICK_S: Final = 5.0
_AFTER_REFUSAL_S: Final = 30.0
_GROWTH: Final = 3.0
_LONGEST_WAIT_S: Final = 1800.0
_STABLE_S: Final = 600.0
_MOST_FORWARDS: Final = 64
_SAFE_ID: Final = 5
_HOPELESS: Final = frozenset({"403", "405", "476", "479"})
"""No such channel, too many channels, not a channel name: to ask again is no use."""

REFUSALS: Final = frozenset({"437", "471", "473", "474", "475", "477", "489", "520"}) | _HOPELESS
"""Numerics that answer a JOIN with no."""


@define(eq=False)
class _Wanted:
    name: str
    key: str
    tries: int = 0
    since: float | None = None  # monotonic time of the last ChannelUp; None while not in it
    timer: TimerHandle | None = None
    given_up: bool = False

    def stop(self) -> None:
        if self.timer:
            self.timer.cancel()
            self.timer = None


def batch_joins(channels: Iterable[tuple[str, str]], most: int = _BATCH) -> list[tuple[str, ...]]:
    """Make the parameters of as few JOIN lines as fit; channels with keys come first."""
    batches: list[tuple[str, ...]] = []
    names: list[str] = []
    keys: list[str] = []
    size = 0
    for name, key in sorted(channels, key=lambda channel: not channel[1]):
        added = len(name.encode()) + len(key.encode()) + 2
        if names and (len(names) >= most or size + added > _LINE_BYTES):
            batches.append(_join_params(names, keys))
            names, keys, size = [], [], 0
        names.append(name)
        keys += [key] if key else []
        size += added
    if names:
        batches.append(_join_params(names, keys))
    return batches


def _join_params(names: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    return (",".join(names), ",".join(keys)) if keys else (",".join(names),)


class Joiner:
    """Keep the bot in the channels that it should be in.

    Args:
        network: Name of the network, for the log.
        clock: Time.
        channels: (name, key) of the channels to begin with.
        tries: Times that a channel is joined again before it is given up until the next link.
        join: Sends one JOIN with these parameters.
        give_up: Called with a channel that is given up, and "kicked" or the numeric.
    """

    def __init__(
        self,
        network: str,
        clock: Clock,
        channels: Iterable[tuple[str, str]],
        tries: int,
        join: Callable[[tuple[str, ...]], None],
        give_up: Callable[[str, str], None],
    ) -> None:
        self._network = network
        self._clock = clock
        self._tries = tries
        self._join = join
        self._give_up = give_up
        self._wanted = [_Wanted(name, key) for name, key in channels]
        self._isupport = Isupport()
        self._is_up = False
        self._forwards: dict[str, str] = {}

    def link_up(self, isupport: Isupport) -> None:
        """Join every channel; *isupport* folds the names from now on."""
        self._isupport = isupport
        self._is_up = True
        self._forwards.clear()
        for wanted in self._wanted:
            wanted.tries, wanted.since, wanted.given_up = 0, None, False
        channels = [(wanted.name, wanted.key) for wanted in self._wanted]
        for params in batch_joins(channels, min(_BATCH, isupport.max_join_targets or _BATCH)):
            self._join(params)

    def link_down(self) -> None:
        """Forget what was planned on the lost link."""
        self._is_up = False
        for wanted in self._wanted:
            wanted.stop()

    def want(self, name: str, key: str = "") -> None:
        """Be in this channel from now on, on later links too; the caller sends the first JOIN."""
        wanted = self._find(name)
        if wanted is None:
            self._wanted.append(_Wanted(name, key))
        else:
            wanted.key = key or wanted.key
            wanted.tries, wanted.given_up = 0, False

    def unwant(self, name: str) -> None:
        """Do not come back to this channel."""
        if wanted := self._find(name):
            wanted.stop()
            self._wanted.remove(wanted)

    def joined(self, name: str) -> str:
        """Note that the bot is in the channel; return the name asked for if it was another one."""
        asked = self._asked(name)
        if wanted := self._find(asked or name):
            wanted.stop()
            wanted.given_up = False
            wanted.since = self._clock.monotonic()
        return asked

    def forwarded(self, asked: str, name: str) -> None:
        """Note that the server lets the bot into *name* instead of *asked*."""
        if self._find(asked) and not self._find(name) and len(self._forwards) < _MOST_FORWARDS:
            self._forwards[self._isupport.fold(name)] = asked
            log.warning("channel_forwarded", network=self._network, asked=asked, channel=name)

    def _asked(self, name: str) -> str:
        """Return the channel that was asked for, "" if it is *name* itself or nobody knows."""
        if self._find(name):
            return ""
        if asked := self._forwards.get(self._isupport.fold(name), ""):
            return asked
        if name[:1] != "!":
            return ""
        fold, short = self._isupport.fold, name[1 + _SAFE_ID :]  # a safe channel: `!` ID NAME
        safe = (one.name for one in self._wanted if one.name[:1] == "!")
        return next((one for one in safe if fold(one[1:]) == fold(short)), "")

    def kicked(self, name: str) -> None:
        """Plan to come back after a kick; the wait grows with each."""
        if wanted := self._find(name):
            if wanted.since is not None and self._clock.monotonic() - wanted.since >= _STABLE_S:
                wanted.tries = 0
            wanted.since = None
            self._retry(wanted, _AFTER_KICK_S, "kicked")

    def refused(self, name: str, numeric: str) -> None:
        """Plan to ask again after a refusal; the wait grows with each."""
        wanted = self._find(name)
        if wanted is None or wanted.since is not None or wanted.timer or wanted.given_up:
            return
        if numeric in _HOPELESS:
            wanted.tries = self._tries
        self._retry(wanted, _AFTER_REFUSAL_S, numeric)

    def invited(self, name: str) -> None:
        """Join at once if the channel is one of ours."""
        if (wanted := self._find(name)) and wanted.since is None:
            wanted.stop()
            self._send(wanted)

    def _retry(self, wanted: _Wanted, first_s: float, why: str) -> None:
        wanted.stop()
        if wanted.tries >= self._tries:
            wanted.given_up = True
            log.error("channel_given_up", network=self._network, channel=wanted.name, why=why)
            self._give_up(wanted.name, why)
            return
        delay = min(_LONGEST_WAIT_S, first_s * _GROWTH**wanted.tries)
        wanted.tries += 1
        log.warning(
            "channel_rejoin", network=self._network, channel=wanted.name, why=why, delay_s=delay
        )
        due = self._clock.monotonic() + delay
        wanted.timer = self._clock.call_at(due, lambda: self._send(wanted))

    def _send(self, wanted: _Wanted) -> None:
        wanted.timer = None
        if self._is_up:
            self._join((wanted.name, wanted.key) if wanted.key else (wanted.name,))

    def _find(self, name: str) -> _Wanted | None:
        fold = self._isupport.fold
        return next((one for one in self._wanted if fold(one.name) == fold(name)), None)
