"""A bound on how many commands one person may give."""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum

from attrs import define, field

from gamebot.config.limits import Limits


class Verdict(Enum):
    """What becomes of a command."""

    ALLOW = "allow"
    TELL = "tell"
    IGNORE = "ignore"


@define
class _Bucket:
    tokens: float
    at: float
    ignored_until: float = 0.0


@define
class Throttle:
    """One token bucket a person, in bounded memory."""

    limits: Limits
    _buckets: OrderedDict[tuple[str, str], _Bucket] = field(factory=OrderedDict)
    _told_at: dict[str, float] = field(factory=dict)

    def ask(self, network: str, nick: str, now: float, *, free: bool = False) -> Verdict:
        """Take one token of (*network*, folded *nick*) at monotonic time *now*.

        What is *free* takes none; who is ignored is not heard with it either.
        """
        if not self.limits.burst:
            return Verdict.ALLOW
        key = (network, nick)
        if free:
            known = self._buckets.get(key)
            ignored = known is not None and now < known.ignored_until
            return Verdict.IGNORE if ignored else Verdict.ALLOW
        bucket = self._buckets.pop(key, None) or _Bucket(float(self.limits.burst), now)
        self._buckets[key] = bucket
        if len(self._buckets) > self.limits.people:
            self._buckets.popitem(last=False)
        if now < bucket.ignored_until:
            return Verdict.IGNORE
        full = float(self.limits.burst)
        bucket.tokens = min(full, bucket.tokens + (now - bucket.at) * self.limits.rate)
        bucket.at = now
        if bucket.tokens >= 1.0:
            bucket.tokens -= 1.0
            return Verdict.ALLOW
        bucket.ignored_until = now + self.limits.ignore_s
        return self._tell(network, now)

    def _tell(self, network: str, now: float) -> Verdict:
        if now - self._told_at.get(network, -1e9) < self.limits.tell_every_s:
            return Verdict.IGNORE
        self._told_at[network] = now
        return Verdict.TELL

    def renamed(self, network: str, old: str, new: str) -> None:
        """Let a bucket follow its person's nick."""
        bucket = self._buckets.pop((network, old), None)
        if bucket:
            self._buckets[network, new] = bucket
