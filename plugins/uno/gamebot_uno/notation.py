"""Cards as players write them: one table of letters per language.

A channel has one alphabet: `G5` is yellow in Italian and green in English. Everything is read
without regard to case, and full-width letters and digits count as the narrow ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import Enum

from attrs import field, frozen

from gamebot_uno.engine.cards import FACE_COLORS, FACE_RANKS, Color, Face, Rank, face_of


class Fault(Enum):
    """Why a text is no play."""

    EMPTY = "empty"
    NO_CARD = "no_card"
    NO_COLOR = "no_color"
    DIFFERENT_CARDS = "different_cards"
    COLOR_OF_COLORED = "color_of_colored"


class NotationError(ValueError):
    """Refuse a text that cannot be read.

    Attributes:
        fault: What is wrong.
        text: The text, as it was read.
    """

    def __init__(self, fault: Fault, text: str) -> None:
        self.fault, self.text = fault, text
        super().__init__(f"{fault.value}: {text}")


@frozen
class Spoken:
    """A play as somebody wrote it.

    Attributes:
        faces: One face, or twice the same.
        color: Colour called for a wild, None if none was.
        said_uno: Whether "uno" was said with it.
    """

    faces: tuple[Face, ...]
    color: Color | None = None
    said_uno: bool = False


_MARKS = re.compile(r"[.!?…。]+(?=\s|$)")
"""What people put behind what they say."""


def _alternatives(words: Mapping[str, object]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def fold(text: str) -> str:
    """Return *text* narrow, in small letters, with single blanks."""
    narrow = unicodedata.normalize("NFKC", text).casefold().replace(",", " ")
    return " ".join(_MARKS.sub("", narrow).split())


@frozen(kw_only=True)
class Notation:
    """The alphabet of one language.

    Attributes:
        colors: How each colour is written.
        ranks: How each rank is written; the numbers are the same everywhere.
        color_names: Names that may be used to call a colour.
        other_colors: Further spellings of colours on cards.
        other_ranks: Further spellings of ranks.
        uno_words: What a player says with the last card but one.
    """

    colors: Mapping[Color, str]
    ranks: Mapping[Rank, str]
    color_names: Mapping[str, Color] = field(factory=dict)
    other_colors: Mapping[str, Color] = field(factory=dict)
    other_ranks: Mapping[str, Rank] = field(factory=dict)
    uno_words: Sequence[str] = ("uno",)
    _colors: Mapping[str, Color] = field(init=False, eq=False, repr=False)
    _faces: Mapping[str, Face] = field(init=False, eq=False, repr=False)
    _play: re.Pattern[str] = field(init=False, eq=False, repr=False)
    _call: re.Pattern[str] = field(init=False, eq=False, repr=False)
    _uno: re.Pattern[str] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        on_cards = {letter.casefold(): color for color, letter in self.colors.items()}
        on_cards.update(self.other_colors)
        ranks = {str(number): Rank(number) for number in range(Rank.SKIP)}
        ranks.update({letter.casefold(): rank for rank, letter in self.ranks.items()})
        ranks.update(self.other_ranks)
        wild = {word: face_of(None, rank) for word, rank in ranks.items() if rank >= Rank.WILD}
        values = {word: rank for word, rank in ranks.items() if rank < Rank.WILD}
        coloured = {
            on_card + word: face_of(color, rank)
            for word, rank in values.items()
            for on_card, color in on_cards.items()
        }
        called, faces = {**on_cards, **self.color_names}, {**coloured, **wild}
        color = _alternatives(called)
        card = f"(?:{_alternatives(on_cards)}) ?(?:{_alternatives(values)})|{_alternatives(wild)}"
        play = f"({card})(?: ?({color}))?(?: ?({card})(?: ?({color}))?)?"
        call = f"(?:(?:{_alternatives(wild)}) ?)?({color})"
        uno = f" (?:{'|'.join(map(re.escape, self.uno_words))})$"
        for name, derived in (
            ("_colors", called),
            ("_faces", faces),
            ("_play", re.compile(play)),
            ("_call", re.compile(call)),
            ("_uno", re.compile(uno)),
        ):
            object.__setattr__(self, name, derived)  # frozen, and these follow from its fields

    def parse(self, text: str) -> Spoken:
        """Read a card, or two; a wild's colour; and "uno" at the end.

        Colour and value of a card, a wild and its colour, and two cards may be glued or stand apart.

        Raises:
            NotationError: EMPTY, NO_CARD, DIFFERENT_CARDS or COLOR_OF_COLORED.
        """
        folded = fold(text)
        if not folded:
            raise NotationError(Fault.EMPTY, folded)
        play, said_uno = self._uno.subn("", folded)
        match = self._play.fullmatch(play)
        if match is None:
            raise NotationError(Fault.NO_CARD, folded)
        first, color, second, again = match.groups()
        faces = tuple(self._faces[word.replace(" ", "")] for word in (first, second) if word)
        colors = {self._colors[word] for word in (color, again) if word}
        if len(set(faces)) > 1 or len(colors) > 1:
            raise NotationError(Fault.DIFFERENT_CARDS, folded)
        if colors and FACE_COLORS[faces[0]] is not None:
            raise NotationError(Fault.COLOR_OF_COLORED, folded)
        return Spoken(faces, colors.pop() if colors else None, bool(said_uno))

    def parse_color(self, text: str) -> tuple[Color, bool]:
        """Read a colour, alone or behind a wild, and whether "uno" is said at the end.

        Raises:
            NotationError: EMPTY or NO_COLOR.
        """
        folded = fold(text)
        call, said_uno = self._uno.subn("", folded)
        match = self._call.fullmatch(call)
        if match is None:
            raise NotationError(Fault.NO_COLOR if folded else Fault.EMPTY, folded)
        return self._colors[match[1]], bool(said_uno)

    def show(self, face: Face) -> str:
        """Write a face."""
        color, rank = FACE_COLORS[face], FACE_RANKS[face]
        shown = self.ranks.get(rank, str(int(rank)))
        return shown if color is None else self.colors[color] + shown

    def letter(self, color: Color) -> str:
        """Write a colour."""
        return self.colors[color]

    def play(self, spoken: Spoken) -> str:
        """Write a play so that `parse` reads it."""
        words = ["".join(self.show(face) for face in spoken.faces)]
        if spoken.color is not None:
            words.append(self.colors[spoken.color])
        if spoken.said_uno:
            words.append(self.uno_words[0])
        return " ".join(words)


_B, _V, _R, _G = Color
_SIGNS = {"+2": Rank.DRAW_TWO, "+4": Rank.WILD_DRAW_FOUR}

ITALIAN = Notation(
    colors={_B: "B", _V: "V", _R: "R", _G: "G"},
    ranks={
        Rank.SKIP: "S",
        Rank.REVERSE: "C",
        Rank.DRAW_TWO: "D2",
        Rank.WILD: "J",
        Rank.WILD_DRAW_FOUR: "JD4",
    },
    color_names={
        "blu": _B,
        "verde": _V,
        "rosso": _R,
        "giallo": _G,
    },
    other_ranks={"d": Rank.DRAW_TWO, **_SIGNS},
)

_ENGLISH_COLORS = {_B: "B", _V: "G", _R: "R", _G: "Y"}
_ENGLISH_RANKS = {
    Rank.SKIP: "S",
    Rank.REVERSE: "R",
    Rank.DRAW_TWO: "D2",
    Rank.WILD: "W",
    Rank.WILD_DRAW_FOUR: "WD4",
}
_ENGLISH_NAMES = {"blue": _B, "green": _V, "red": _R, "yellow": _G}
_ENGLISH_OTHERS = {"d": Rank.DRAW_TWO, "w4": Rank.WILD_DRAW_FOUR, **_SIGNS}

ENGLISH = Notation(
    colors=_ENGLISH_COLORS,
    ranks=_ENGLISH_RANKS,
    color_names=_ENGLISH_NAMES,
    other_ranks=_ENGLISH_OTHERS,
)

#: Grün and Gelb share their first letter, so both are written with two.
GERMAN = Notation(
    colors={_B: "B", _V: "GR", _R: "R", _G: "GE"},
    ranks={
        Rank.SKIP: "A",
        Rank.REVERSE: "U",
        Rank.DRAW_TWO: "Z2",
        Rank.WILD: "W",
        Rank.WILD_DRAW_FOUR: "W4",
    },
    color_names={
        "blau": _B,
        "grün": _V,
        "gruen": _V,
        "rot": _R,
        "gelb": _G,
    },
    other_ranks={"z": Rank.DRAW_TWO, "wz4": Rank.WILD_DRAW_FOUR, **_SIGNS},
)

CHINESE = Notation(
    colors=_ENGLISH_COLORS,
    ranks=_ENGLISH_RANKS,
    color_names=_ENGLISH_NAMES,
    other_colors={
        **dict.fromkeys(("藍", "蓝", "藍色", "蓝色"), _B),
        **dict.fromkeys(("綠", "绿", "綠色", "绿色"), _V),
        **dict.fromkeys(("紅", "红", "紅色", "红色"), _R),
        **dict.fromkeys(("黃", "黄", "黃色", "黄色"), _G),
    },
    other_ranks={
        **_ENGLISH_OTHERS,
        **dict.fromkeys(("跳過", "跳过", "暫停", "暂停", "阻止"), Rank.SKIP),
        **dict.fromkeys(("反轉", "反转", "轉向", "转向"), Rank.REVERSE),
        **dict.fromkeys(("換色", "换色", "變色", "变色", "萬能", "万能"), Rank.WILD),
        "王牌": Rank.WILD_DRAW_FOUR,
    },
    uno_words=("uno", "烏諾", "乌诺"),
)

#: Alphabet of each language; a language without one writes as English does.
NOTATIONS: Mapping[str, Notation] = {
    "it": ITALIAN,
    "en": ENGLISH,
    "de": GERMAN,
    "zh_Hant": CHINESE,
}


def notation_of(language: str) -> Notation:
    """Return the alphabet of *language*."""
    return NOTATIONS.get(language, ENGLISH)
