"""Grapheme clusters: what a reader takes for one character.

The usual cases of UAX #29 without its tables: combining marks, joined emoji, skin tones, flags,
Hangul syllables written in letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

_JOINER: Final = "\u200d"
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})


def graphemes(text: str) -> Iterator[str]:
    """Yield the clusters of *text* in order; together they are *text*."""
    if text.isascii():
        yield from text
        return
    cluster = ""
    for character in text:
        if cluster and not _joins(cluster, character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _joins(cluster: str, character: str) -> bool:
    if _extends(character):
        return True
    if cluster[-1] == _JOINER:
        return character > "\u2000"
    return len(cluster) == 1 and _is_flag_letter(cluster) and _is_flag_letter(character)


def _extends(character: str) -> bool:
    if character < "\u0300":
        return False
    return (
        unicodedata.category(character) in _MARKS
        or character in "\u200c\u200d\uff9e\uff9f"
        or "\u1160" <= character <= "\u11ff"  # Hangul vowels and finals
        or "\ud7b0" <= character <= "\ud7fb"
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= character <= "\U000e007f"  # tags of regional flags
    )


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
