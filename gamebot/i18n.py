"""Catalogs: one translator per channel, no global install.

A msgid is the English text itself, so a plugin without catalogs speaks English. Command words
carry the context `word`. A missing translation falls back to English and is counted.
"""

from __future__ import annotations

import gettext
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from attrs import define, field

from gamebot.errors import Told

CORE_DOMAIN = "gamebot"
CORE_LOCALE = Path(__file__).parent / "locale"

_AIRY = re.compile(r"(?<=[，、。：；！？）」』]) (?=\S)")

#: (domain, language, msgid) of every text that had no translation, with how often it was asked.
missing: Counter[tuple[str, str, str]] = Counter()


def languages(locale: Path = CORE_LOCALE) -> tuple[str, ...]:
    """List the languages: English, and each that has a folder in the core's *locale*."""
    return tuple(sorted({"en", *(folder.parent.name for folder in locale.glob("*/LC_MESSAGES"))}))


def translatable(msgid: str) -> str:
    """Mark a text for the catalogs that is translated elsewhere, by a variable."""
    return msgid


def tight(text: str) -> str:
    """Take away blanks behind full-width marks, which have theirs within."""
    return _AIRY.sub("", text)


class _Nothing(gettext.NullTranslations):
    """Stands behind every catalog: says that it has no translation, where gettext repeats the text.

    A translation may be the same as the text; then it is there all the same.
    """

    def gettext(self, message: str) -> str:  # noqa: ARG002  the base class's signature
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002  as above
        return ""

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002  as above
        return ""


_NOTHING = _Nothing()


@lru_cache(maxsize=64)
def _catalog(domain: str, folder: Path, language: str) -> gettext.NullTranslations:
    # Not gettext.translation: it keeps what it has read for ever, whatever the file says since.
    path = gettext.find(domain, str(folder), [language])
    if path is None:
        return _NOTHING
    with Path(path).open("rb") as file:
        catalog = gettext.GNUTranslations(file)
    catalog.add_fallback(_NOTHING)
    return catalog


def forget_catalogs() -> None:
    """Read every catalog anew when it is next asked for."""
    _catalog.cache_clear()


@define
class Translator:
    """Say a plugin's texts in one language, with the core's catalog behind the plugin's.

    Attributes:
        language: `en` or one that has catalogs.
        sources: (domain, folder) pairs, asked in order.
    """

    language: str
    sources: Sequence[tuple[str, Path]] = field(factory=list)

    @property
    def typed_in(self) -> str:
        """Language of what is typed: command words, letters, codes."""
        return self.language

    def _found(self, context: str | None, msgid: str) -> str | None:
        for domain, folder in self.sources:
            catalog = _catalog(domain, folder, self.language)
            text = catalog.pgettext(context, msgid) if context else catalog.gettext(msgid)
            if text:
                return text
        return None

    def text(self, msgid: str, **values: object) -> str:
        """Translate *msgid* and fill in its named placeholders.

        A value that is a message is translated too, and a list is written with the language's
        commas.
        """
        found = self._found(None, msgid)
        if found is None:
            self.count_missing(msgid)
            found = msgid
        return tight(found.format(**self._shown(values))) if values else found

    def _shown(self, values: Mapping[str, object]) -> dict[str, object]:
        return {name: self._value(value) for name, value in values.items()}

    def _value(self, value: object) -> object:
        if isinstance(value, Told):
            return self.text(value.msgid, **value.values)
        return self.listed(value) if isinstance(value, list | tuple) else value

    # Punctuation between texts is the language's too: Chinese has 、；： and （）.

    def listed(self, parts: Iterable[object]) -> str:
        """Write *parts* one behind the other, with commas."""
        comma = self.text("{one}, {other}", one="", other="")
        return comma.join(str(self._value(part)) for part in parts)

    @staticmethod
    def sentences(parts: Iterable[object]) -> str:
        """Write *parts*, which are whole sentences, one behind the other; empty ones are left out."""
        return tight(" ".join(filter(None, map(str, parts))))

    def clauses(self, parts: Iterable[object]) -> str:
        """Write *parts*, which may have commas in them, with semicolons between them."""
        semicolon = self.text("{one}; {other}", one="", other="")
        return semicolon.join(str(self._value(part)) for part in parts)

    def dashed(self, parts: Iterable[object]) -> str:
        """Write *parts* with dashes between them."""
        dash = self.text("{one} – {other}", one="", other="")
        return dash.join(str(self._value(part)) for part in parts)

    def headed(self, head: object, text: object) -> str:
        """Write *text* behind what it is about, with a colon."""
        return self.text("{head}: {text}", head=head, text=text)

    def aside(self, text: object, note: object) -> str:
        """Write *note* in brackets behind *text*."""
        return self.text("{text} ({note})", text=text, note=note)

    def plural(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate in the plural form that *n* asks for; `{n}` is *n*."""
        for domain, folder in self.sources:
            if text := _catalog(domain, folder, self.language).ngettext(one, many, n):
                break
        else:
            text = one if n == 1 else many
            self.count_missing(one)
        return tight(text.format(n=n, **self._shown(values)))

    def word(self, msgid: str) -> str:
        """Translate command words, a category's or a card's code (context `word`)."""
        return self._found("word", msgid) or msgid

    def count_missing(self, msgid: str) -> None:
        """Note that *msgid* has no translation that can be used."""
        if self.language != "en":
            missing[self.sources[0][0] if self.sources else "", self.language, msgid] += 1
