"""Hostmasks (`nick!user@host` with `*` and `?`) and host names."""

from __future__ import annotations

import re
from typing import Final

from gamebot.irc.casemapping import DEFAULT_CASEMAPPING, fold

_LABEL: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_HOSTNAME_LIMIT: Final = 253


def mask_matches(mask: str, hostmask: str, mapping: str = DEFAULT_CASEMAPPING) -> bool:
    """Tell whether *hostmask* matches *mask*, where `*` is any text and `?` one character.

    Both are folded by *mapping*; every other character stands for itself. The time is bounded by
    the product of the lengths whatever the mask (no regular expression is built).
    """
    return _glob(fold(mask, mapping), fold(hostmask, mapping))


def _glob(pattern: str, text: str) -> bool:
    at = star = 0
    position = 0
    resume = -1
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, resume = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at += 1
            position += 1
        elif resume >= 0:
            resume += 1
            at, position = star + 1, resume
        else:
            return False
    return all(character == "*" for character in pattern[at:])


def is_valid_hostname(host: str) -> bool:
    """Tell whether *host* may be a server's or client's host name on IRC.

    It needs a dot, since IRC tells servers from nicks by it; a final dot is allowed. Only for
    names that people configure: what a server shows as a host is taken as it comes.
    """
    if "." not in host or len(host) > _HOSTNAME_LIMIT:
        return False
    labels = host.removesuffix(".").split(".")
    return all(_LABEL.fullmatch(label) for label in labels)
