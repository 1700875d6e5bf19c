"""What plugin authors test with: a virtual clock, an IRC server in the process, an IRC client."""

from __future__ import annotations

from gamebot.clock import VirtualClock
from gamebot.testing.client import POLITE, IrcClient, Pacing
from gamebot.testing.server import (
    ALL_CAPS,
    INSPIRCD_FLOOD,
    NGIRCD_FLOOD,
    FloodLimit,
    IrcServer,
    LongLine,
    Puppet,
    Sasl,
)

__all__ = [
    "ALL_CAPS",
    "INSPIRCD_FLOOD",
    "NGIRCD_FLOOD",
    "POLITE",
    "FloodLimit",
    "IrcClient",
    "IrcServer",
    "LongLine",
    "Pacing",
    "Puppet",
    "Sasl",
    "VirtualClock",
]
