"""Who is no person: services, a bouncer's modules, servers without a dot in their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gamebot.irc.masks import mask_matches

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


def is_nobody(nick: str, user: str, host: str, masks: Sequence[str] = ()) -> bool:
    """Whether who is shown as `nick!user@host` can be no player.

    A service's nick alone is not enough: on networks without services anybody may have it.

    Args:
        nick: Nick as the network shows it.
        user: User name.
        host: Host.
        masks: More who are none, as the operator says.
    """
    if not nick or not user or not host or nick[0] == "*" or len(nick) > LONGEST_NICK:
        return True
    from_services = host.lower().rstrip(".").split(".")[0] == "services" or "services" in user
    if from_services or (nick.lower() in SERVICES and "serv" in host.lower()):
        return True
    return any(mask_matches(mask, f"{nick}!{user}@{host}", "rfc1459") for mask in masks)
