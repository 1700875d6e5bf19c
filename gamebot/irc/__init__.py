"""IRC: the only package that imports pydle.

Importing this package, or its pure modules, stays cheap: `Network` (and with it pydle) is loaded
when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamebot.irc.network import Network
    from gamebot.irc.options import NetworkOptions, ServerAddress

__all__ = ["Network", "NetworkOptions", "ServerAddress"]


def __getattr__(name: str) -> object:
    if name == "Network":
        from gamebot.irc.network import Network  # late, so that pure modules never load pydle

        return Network
    if name in {"NetworkOptions", "ServerAddress"}:
        from gamebot.irc import options

        return getattr(options, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
