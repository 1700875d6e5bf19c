"""Command words as the manuals write them: `!en(tro)`, `is(crivi)`, `!roll`.

A leading `!` means "needs the channel's prefix", whatever that prefix is. Brackets mark the part
that may be left off from the end: `is(crivi)` is `is`, `isc`, ... `iscrivi`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import frozen

from gamebot.errors import PluginError

if TYPE_CHECKING:
    from gamebot.i18n import Translator

_PATTERN = re.compile(r"(?P<mark>!?)(?P<short>[^\s()!]+)(?:\((?P<rest>[^\s()!]+)\))?")


def normal(text: str) -> str:
    """Fold a word for comparison: compatibility forms (full-width digits) and case."""
    if text.isascii():  # which has no other compatibility forms
        return text.casefold()
    return unicodedata.normalize("NFKC", text).casefold()


@frozen
class Word:
    """One spelling of a command.

    Attributes:
        short: The part that must be written.
        rest: The part that may be left off from the end, "" if none.
        prefixed: Whether the channel's prefix must stand before it.
    """

    short: str
    rest: str
    prefixed: bool

    @property
    def forms(self) -> tuple[str, ...]:
        """Every accepted form, folded, shortest first."""
        return tuple(normal(self.short + self.rest[:n]) for n in range(len(self.rest) + 1))

    def shown(self, prefix: str) -> str:
        """Write the whole word as a player types it."""
        return (prefix if self.prefixed else "") + self.short + self.rest

    def manual(self, prefix: str) -> str:
        """Write the word as the manuals do, with its brackets."""
        tail = f"({self.rest})" if self.rest else ""
        return (prefix if self.prefixed else "") + self.short + tail


@lru_cache(maxsize=4096)
def parse_words(source: str) -> tuple[Word, ...]:
    """Read alternatives separated by spaces, the first one is the one that help shows.

    Raises:
        PluginError: A word is not written as `!word`, `word` or `wo(rd)`.
    """
    words = []
    for part in source.split():
        match = _PATTERN.fullmatch(part)
        if match is None:
            raise PluginError(f"command word {part!r} must look like !word or wo(rd)")
        words.append(Word(match["short"], match["rest"] or "", match["mark"] == "!"))
    if not words:
        raise PluginError("a command needs at least one word")
    return tuple(words)


def spelling(texts: Translator, words: str) -> str:
    """Translate command words; a translation that cannot be read counts as missing."""
    found = texts.word(words)
    try:
        parse_words(found)
    except PluginError:
        texts.count_missing(words)
        return words
    return found
