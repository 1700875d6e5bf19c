"""The rules of a channel and how it writes cards, for what help and guides say of UNO."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from gamebot import Voice
from gamebot_uno.engine.cards import CODE_FACES, Color, Rank
from gamebot_uno.engine.rules import Rules
from gamebot_uno.notation import Notation, Spoken, notation_of

_WORDS = ("draw", "pass", "enter", "leave", "uno", "ok", "challenge", "hint", "top", "stats")


@frozen
class House:
    """The rules of a channel and how its cards are written.

    Attributes:
        voice: The channel's language, words and settings.
        rules: Its rules.
        letters: Its letters.
        values: Command words and cards that sentences name.
    """

    voice: Voice
    rules: Rules = field(init=False)
    letters: Notation = field(init=False)
    values: Mapping[str, str] = field(init=False)

    @rules.default
    def _rules(self) -> Rules:
        rules: Rules = self.voice.settings.parsed
        return rules

    @letters.default
    def _letters(self) -> Notation:
        return notation_of(self.voice.translator.typed_in)

    @values.default
    def _values(self) -> Mapping[str, str]:
        return {
            **{name: self.command(name) for name in _WORDS},
            "d2": self.rank(Rank.DRAW_TWO),
            "wild": self.rank(Rank.WILD),
            "wd4": self.rank(Rank.WILD_DRAW_FOUR),
            "skip": self.cards("GS"),
            "reverse": self.cards("GC"),
            "example": self.written("R8", uno=True),
        }

    def t(self, msgid: str) -> str:
        """Translate a sentence about words and cards of the channel."""
        return self.voice.t(msgid, **self.values)

    def command(self, name: str) -> str:
        """Write a command as the manuals do: its shortest form can be told from an everyday word."""
        voice = self.voice
        return voice.typed(voice.spellings(voice.registry.find(name))[0].manual(voice.prefix))

    def rank(self, rank: Rank) -> str:
        """Write a rank alone, as in `D2`."""
        return self.voice.typed(self.letters.ranks[rank])

    def cards(self, *codes: str) -> str:
        """Write cards of the canonical codes, each by itself."""
        shown = (self.letters.show(CODE_FACES[code]) for code in codes)
        return " ".join(map(self.voice.typed, shown))

    def written(self, *codes: str, color: Color | None = None, uno: bool = False) -> str:
        """Write a play: one card or two, a colour called, UNO said."""
        faces = tuple(CODE_FACES[code] for code in codes)
        return self.voice.typed(self.letters.play(Spoken(faces, color, uno)))
