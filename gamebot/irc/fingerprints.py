"""Fingerprints of TLS client certificates: as people write them, and as servers tell them."""

from __future__ import annotations

import re
from typing import Final

_METHODS: Final = "(SHA-1, SHA-256 or SHA-512)"
_DIGITS: Final = (40, 64, 128)
_HEX: Final = re.compile(r"[0-9a-f]+")
_TOLD_LEAST: Final = 32  # MD5, which some servers tell; it is shown, and gives no rights
_TOLD_MOST: Final = 128
_SHOWN: Final = 16


def parse_fingerprint(text: str) -> str:
    """Read the fingerprint of somebody who shall have rights; return it in small letters.

    Colons between the digits are allowed, and so is what `openssl` writes before them.

    Raises:
        ValueError: It is none, or it is MD5; the text says what was expected.
    """
    digits = text.rpartition("=")[2].strip().replace(":", "").lower()
    if len(digits) == _TOLD_LEAST and _HEX.fullmatch(digits):
        raise ValueError(f"a fingerprint stronger than MD5 {_METHODS}")
    if len(digits) not in _DIGITS or not _HEX.fullmatch(digits):
        raise ValueError(f"a fingerprint of 40, 64 or 128 hexadecimal digits {_METHODS}")
    return digits


def read_fingerprints(text: str) -> tuple[str, ...]:
    """Find the fingerprints in what a server says of somebody, in small letters.

    The sentence around them differs between servers. A name of the method may stand before one,
    as in `SPKI:SHA2-256:1a2b...`.
    """
    return tuple(filter(None, map(_of_word, text.split())))


def shorten(fingerprint: str) -> str:
    """Write the beginning of a fingerprint, enough to know it again."""
    return f"{fingerprint[:_SHOWN]}…"


def _of_word(word: str) -> str:
    word = word.lower()
    for digits in (word.replace(":", ""), word.rpartition(":")[2]):
        fits = _TOLD_LEAST <= len(digits) <= _TOLD_MOST and len(digits) % 2 == 0
        if fits and _HEX.fullmatch(digits):
            return digits
    return ""
