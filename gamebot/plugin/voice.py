"""What a plugin says in one channel, whoever asks: its texts, its words, its settings.

Help and the players' guides are written with it; there is nobody who speaks and no game that runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from gamebot.plugin import manual
from gamebot.plugin.words import Word, normal, parse_words, spelling

if TYPE_CHECKING:
    from gamebot.i18n import Translator
    from gamebot.plugin.commands import Command
    from gamebot.plugin.registry import Registry

MARK = "\x11"
"""Stands before and behind what is typed; IRC's code for monospaced text."""


_TYPED = re.compile(f"{MARK}([^{MARK}]{{1,30}}){MARK}")
_WIDE = r"\u2e80-\u9fff\uff00-\uffef"
_CLOSING = "[、。，：；！？）」』]*"
_PIECE = re.compile(rf"[（「『]*(?:[{_WIDE}]|[^\s{_WIDE}]+){_CLOSING}\s*")
_HELD = "\x00"
"""Holds the place of what is typed; no line of IRC has it."""


def pieces(text: str) -> list[str]:
    """Cut *text* where a line may end: behind blanks, and between Chinese characters.

    What is typed stays whole unless it is long; its marks are gone.
    """
    typed = iter(_TYPED.findall(text))
    held = unmarked(_TYPED.sub(_HELD, text.replace(_HELD, "")))
    return [re.sub(_HELD, lambda _: next(typed), piece) for piece in _PIECE.findall(held)]


def unmarked(text: str) -> str:
    """Return *text* without the marks of what is typed."""
    return text.replace(MARK, "")


@frozen
class Rows:
    """A table of a guide or a help text.

    Attributes:
        head: Heads of the columns.
        rows: Rows with as many cells; the first cell names what the row is about.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = str | Rows
"""A short paragraph, or a table."""


@frozen
class Voice:
    """One plugin in one channel: its language, words and settings.

    Attributes:
        registry: The plugin.
        translator: Its texts in the channel's language.
        prefix: The channel's command prefix.
        settings: Its settings in the channel, None if it has none.
    """

    registry: Registry
    translator: Translator
    prefix: str
    settings: Any = None

    # -- texts ------------------------------------------------------------------------------

    def t(self, msgid: str, **values: object) -> str:
        """Translate *msgid* and fill in its named placeholders."""
        return self.translator.text(msgid, **values)

    def n(self, one: str, many: str, n: int, **values: object) -> str:
        """Translate in the plural form that *n* asks for."""
        return self.translator.plural(one, many, n, **values)

    def span(self, seconds: float) -> str:
        """Write a span of time: in hours or minutes if it is whole ones, else in seconds."""
        whole = round(seconds)
        if whole and whole % 3600 == 0:
            return self.n("{n} hour", "{n} hours", whole // 3600)
        if whole and whole % 60 == 0:
            return self.n("{n} minute", "{n} minutes", whole // 60)
        return self.n("{n} second", "{n} seconds", whole)

    def switch(self, *, on: bool) -> str:
        """Write the state of an option."""
        return self.t("on") if on else self.t("off")

    # -- what is typed ----------------------------------------------------------------------

    @staticmethod
    def typed(text: str) -> str:
        """Mark *text* as something that is typed."""
        return f"{MARK}{text}{MARK}"

    def spellings(self, command: Command) -> tuple[Word, ...]:
        """Return the words of *command*, the one that help shows first."""
        return parse_words(spelling(self.translator, command.words))

    def how(self, name: str, arguments: str = "") -> str:
        """Write how command *name* of this plugin is typed here, marked."""
        word = self.spellings(self.registry.find(name))[0].shown(self.prefix)
        return self.typed(f"{word} {arguments}".rstrip())

    def line(self, name: str, arguments: str = "") -> str:
        """Write a line of a sample as it is typed here; without a *name* the arguments alone."""
        words = [self.spellings(self.registry.find(name))[0].shown(self.prefix)] if name else []
        return " ".join([*words, *([self.translator.word(arguments)] if arguments else [])])

    def usage(self, command: Command) -> str:
        """Write *command* as the manuals do, with brackets and arguments."""
        word = self.spellings(command)[0].manual(self.prefix)
        return " ".join([word, *(part.usage(self.translator) for part in command.parameters)])

    def example(self, command: Command) -> str:
        """Write the example of *command* as it is typed here, "" if it has none."""
        if not command.example:
            return ""
        word = self.spellings(command)[0].shown(self.prefix)
        return f"{word} {self.translator.word(command.example)}"

    # -- what a manual says -----------------------------------------------------------------

    def place(self, command: Command) -> str:
        """Write where and when *command* works, and for whom."""
        return manual.place(self, command)

    def topics(self) -> dict[str, list[Block]]:
        """Return what the plugin has to explain: topic -> its paragraphs and tables."""
        return manual.topics(self)

    def topic_words(self, topic: str) -> list[str]:
        """Return what may be typed for *topic*, the word that help shows first."""
        return manual.topic_words(self, topic)

    def title(self, topic: str) -> str:
        """Write the heading of *topic*."""
        return manual.title(self, topic)

    def heard(self, text: str) -> str:
        """Fold what somebody typed for comparison with words, its prefix taken off."""
        return normal(text).removeprefix(normal(self.prefix))
