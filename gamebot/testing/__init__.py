"""What plugin authors test with: a virtual clock, an IRC server in the process, an IRC client.

Everything is imported when it is first asked for, so that pytest, which loads the kit's plugin at
its start, does not load the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_HOMES = {
    "gamebot.clock": "VirtualClock",
    "gamebot.testing.client": "IrcClient POLITE Pacing",
    "gamebot.testing.server": "ALL_CAPS FloodLimit INSPIRCD_FLOOD IrcServer LongLine "
    "NGIRCD_FLOOD Puppet Sasl",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
