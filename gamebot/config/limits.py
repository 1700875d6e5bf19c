"""Bounds on what people may ask of the bot."""

from __future__ import annotations

from attrs import frozen

from gamebot.errors import ConfigError


@frozen(kw_only=True)
class Limits:
    """Bounds on what people may ask of the bot.

    Attributes:
        burst: Commands at once from one person; 0 switches the bound off.
        rate: Commands a second that refill the burst.
        ignore_s: Who exceeds it is told once and ignored for so long, seconds.
        people: People remembered at most.
        tell_every_s: Of all offenders of a network, one is told in so many seconds at most.
    """

    burst: int = 20
    rate: float = 1.5
    ignore_s: float = 60.0
    people: int = 4096
    tell_every_s: float = 10.0

    def __attrs_post_init__(self) -> None:
        """Refuse bounds that bound nothing.

        Raises:
            ConfigError: Every fault.
        """
        faults = [
            f"{name}: expected a number above 0, got {value}"
            for name, value in (("rate", self.rate), ("people", self.people))
            if value <= 0
        ]
        faults += [
            f"{name}: expected 0 or more, got {value}"
            for name, value in (
                ("burst", self.burst),
                ("ignore_s", self.ignore_s),
                ("tell_every_s", self.tell_every_s),
            )
            if value < 0
        ]
        if faults:
            raise ConfigError(faults)
