"""Who is no person: services, a bouncer's modules, servers without a dot in their names."""

from __future__ import annotations

from typing import Final

SERVICES: Final = frozenset(
    {
        "chanserv", "nickserv", "memoserv", "botserv", "operserv", "hostserv", "infoserv",
        "saslserv", "global", "statserv", "helpserv", "groupserv", "alis", "authserv", "q", "l", "x",
        "c", "euworld", "lagserv", "py-ctcp", "frigg", "syn",
    }
)  # fmt: skip
"""Nicks that networks give their services, folded."""

LONGEST_NICK: Final = 64
"""No network allows longer nicks; a longer one cannot be answered within a line."""


def is_nobody(nick: str, user: str, host: str) -> bool:
    """Whether who is shown as `nick!user@host` can be no player.

    A service's nick alone is not enough: on networks without services anybody may have it.
    """
    if not nick or not user or not host or nick[0] == "*" or len(nick) > LONGEST_NICK:
        return True
    from_services = host.lower().rstrip(".").split(".")[0] == "services" or "services" in user
    return from_services or (nick.lower() in SERVICES and "serv" in host.lower())
