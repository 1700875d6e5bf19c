"""Catalogs: one translator per channel, no global install.

A msgid is the English text itself, so a plugin without catalogs speaks English. Command words
carry the context `word`. A missing translation falls back to English and is counted.
"""

from __future__ import annotations

import gettext
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from attrs import define, field

from gamebot.errors import PluginError
from gamebot.words import parse_words

CORE_DOMAIN = "gamebot"
CORE_LOCALE = Path(__file__).parent / "locale"

#: (domain, language, msgid) of every text that had no translation, with how often it was asked.
missing: Counter[tuple[str, str, str]] = Counter()


@lru_cache(maxsize=64)
def _catalog(domain: str, folder: Path, language: str) -> gettext.NullTranslations:
    # Not gettext.translation: it keeps what it has read for ever, whatever the file says since.
    path = gettext.find(domain, str(folder), [language])
    if path is None:
        return gettext.NullTranslations()
    with Path(path).open("rb") as file:
        return gettext.GNUTranslations(file)


def forget_catalogs() -> None:
    """Read every catalog anew when it is next asked for."""
    _catalog.cache_clear()


@define
class Translator:
    """Say a plugin's texts in one language, with the core's catalog behind the plugin's.

    Attributes:
        language: `en`, `de`, `it` or `zh_Hant`.
        sources: (domain, folder) pairs, asked in order.
    """

    language: str
    sources: Sequence[tuple[str, Path]] = field(factory=list)

    def _found(self, context: str | None, msgid: str) -> str | None:
        for domain, folder in self.sources:
            catalog = _catalog(domain, folder, self.language)
            text = catalog.pgettext(context, msgid) if context else catalog.gettext(msgid)
            if text != msgid:
                return text
        return None

    def text(self, msgid: str, **values: object) -> str:
        """Translate *msgid* and fill in its named placeholders."""
        found = self._found(None, msgid)
        if found is None:
            self._count(msgid)
            found = msgid
        return found.format(**values) if values else found

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate in the plural form that *n* asks for; `{n}` is *n*."""
        fallback = one if n == 1 else many
        text = fallback
        for domain, folder in self.sources:
            text = _catalog(domain, folder, self.language).ngettext(one, many, n)
            if text not in (one, many):
                break
        else:
            text = fallback
            self._count(one)
        return text.format(n=n, **values)

    def word(self, msgid: str) -> str:
        """Translate command words, a category's or a card's code (context `word`)."""
        return self._found("word", msgid) or msgid

    def spelling(self, words: str) -> str:
        """Translate command words; a translation that cannot be read counts as missing."""
        found = self.word(words)
        try:
            parse_words(found)
        except PluginError:
            self._count(words)
            return words
        return found

    def _count(self, msgid: str) -> None:
        if self.language != "en":
            missing[self.sources[0][0] if self.sources else "", self.language, msgid] += 1
