"""Fold nicks and channel names the way a network compares them (ISUPPORT CASEMAPPING)."""

from __future__ import annotations

import string
from typing import Final

DEFAULT_CASEMAPPING: Final = "rfc1459"

_UPPER: Final = string.ascii_uppercase
_LOWER: Final = string.ascii_lowercase
_TABLES: Final = {
    "ascii": str.maketrans(_UPPER, _LOWER),
    "rfc1459": str.maketrans(_UPPER + "[]\\^", _LOWER + "{}|~"),
    "strict-rfc1459": str.maketrans(_UPPER + "[]\\", _LOWER + "{}|"),
}
_TABLES["rfc1459-strict"] = _TABLES["strict-rfc1459"]  # both spellings are in use

UNKNOWN_CASEMAPPING: Final = "ascii"
"""What is folded where a server names a mapping that is not known here: no two people become one."""


def variants(text: str) -> list[str]:
    """List *text* as each mapping folds it, the least first."""
    return [fold(text, mapping) for mapping in ("ascii", "strict-rfc1459", "rfc1459")]


def is_known(mapping: str) -> bool:
    """Tell whether *mapping* is a CASEMAPPING token that `fold` understands."""
    return mapping in _TABLES


def fold(text: str, mapping: str = DEFAULT_CASEMAPPING) -> str:
    """Fold *text* to the form in which equal names are equal strings.

    Only ASCII letters (and the brackets of the rfc1459 mappings) fold: a server compares bytes,
    so that "É" and "é" are two names.

    Raises:
        KeyError: *mapping* is not known; ask `is_known` before.
    """
    return text.translate(_TABLES[mapping])
