"""Cards as people say them: `red 5`, `5r`, `R-5`, `wild red`, `rote 5`, `rosso 5`.

The channel's notation comes first; what it cannot read may be a colour and a value in words, of the
channel's language or of English, in any order. Nothing here is read but a whole line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gamebot_uno.engine.cards import Color, Rank, face_of
from gamebot_uno.notation import NotationError, Spoken, fold, notation_of

_B, _V, _R, _G = Color

_COLORS: Mapping[str, Mapping[Color, str]] = {
    "en": {_B: "blue", _V: "green", _R: "red", _G: "yellow"},
    "de": {
        _B: "blau blaue blauer blaues blauen",
        _V: "grün grüne grüner grünes grünen gruen gruene",
        _R: "rot rote roter rotes roten",
        _G: "gelb gelbe gelber gelbes gelben",
    },
    "it": {_B: "blu", _V: "verde verdi", _R: "rosso rossa rossi", _G: "giallo gialla gialli"},
    "zh_Hant": {
        _B: "藍 蓝 藍色 蓝色",
        _V: "綠 绿 綠色 绿色",
        _R: "紅 红 紅色 红色",
        _G: "黃 黄 黃色 黄色",
    },
}

_NUMBERS: Mapping[str, str] = {
    "en": "zero one two three four five six seven eight nine",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun",
    "it": "zero uno due tre quattro cinque sei sette otto nove",
    "zh_Hant": "零 一 二 三 四 五 六 七 八 九",
}

_RANKS: Mapping[str, Mapping[Rank, str]] = {
    "en": {
        Rank.SKIP: "skip",
        Rank.REVERSE: "reverse",
        Rank.DRAW_TWO: "draw two,draw 2,plus two,plus 2,+2",
        Rank.WILD: "wild,joker",
        Rank.WILD_DRAW_FOUR: "wild draw four,wild draw 4,draw four,draw 4,plus four,plus 4,+4",
    },
    "de": {
        Rank.SKIP: "aussetzen,aussetzer",
        Rank.REVERSE: "umkehren,richtungswechsel,retour,umkehr",
        Rank.DRAW_TWO: "zieh zwei,zieh 2,zwei ziehen,plus zwei,plus 2",
        Rank.WILD: "farbwahl,wünscher,joker,wunschkarte",
        Rank.WILD_DRAW_FOUR: "zieh vier,zieh 4,vier ziehen,plus vier,plus 4",
    },
    "it": {
        Rank.SKIP: "salta,stop,salto",
        Rank.REVERSE: "cambio,cambia giro,inverti,inversione",
        Rank.DRAW_TWO: "pesca due,pesca 2,più due,più 2",
        Rank.WILD: "jolly,cambia colore",
        Rank.WILD_DRAW_FOUR: "jolly pesca quattro,pesca quattro,pesca 4,più quattro,più 4",
    },
    "zh_Hant": {
        Rank.SKIP: "跳過,跳过,禁止",
        Rank.REVERSE: "反轉,反转,迴轉",
        Rank.DRAW_TWO: "加二,加2",
        Rank.WILD: "換色,换色,萬能,万能",
        Rank.WILD_DRAW_FOUR: "加四,加4,王牌",
    },
}

_JOINTS = re.compile(r"[-_/ ]+")
_TOO_HIGH = re.compile(r"(\D+?) ?\d{2,}")


def _words(language: str) -> tuple[dict[str, Color], dict[str, Rank]]:
    """Return what names colours and ranks in *language* and in English, folded."""
    letters = notation_of(language)
    colors = {letter.casefold(): color for color, letter in letters.colors.items()}
    ranks = {str(number): Rank(number) for number in range(Rank.SKIP)}
    for each in dict.fromkeys(("en", language if language in _COLORS else "en")):
        colors |= {name: color for color, row in _COLORS[each].items() for name in row.split()}
        ranks |= {name: Rank(n) for n, name in enumerate(_NUMBERS[each].split())}
        ranks |= {name: rank for rank, row in _RANKS[each].items() for name in row.split(",")}
    return colors, ranks


def _card(text: str, language: str) -> tuple[Color | None, Rank] | None:
    """Read a colour and a value, in any order, glued or apart; a wild may have no colour."""
    colors, ranks = _words(language)
    if text in ranks and ranks[text] >= Rank.WILD:
        return None, ranks[text]
    for name, color in colors.items():
        for rest in (text.removeprefix(name), text.removesuffix(name)):
            rank = ranks.get(rest.strip())
            if rest != text and rank is not None:
                return color, rank
    return None


def read(text: str, language: str) -> Spoken | None:
    """Read a card in words, with "uno" behind it if it was said; None if it is none."""
    letters = notation_of(language)
    folded = fold(_JOINTS.sub(" ", text))
    said_uno = False
    for word in letters.uno_words:
        if folded.endswith(f" {word}"):
            folded, said_uno = folded.removesuffix(f" {word}"), True
    card = _card(folded, language)
    if card is None:
        return None
    color, rank = card
    if rank >= Rank.WILD:
        return Spoken((face_of(None, rank),), color, said_uno)
    assert color is not None  # noqa: S101  only a wild has none
    return Spoken((face_of(color, rank),), None, said_uno)


def is_no_card(text: str, language: str) -> bool:
    """Whether *text* looks like a card that no deck has, such as `r10`."""
    match = _TOO_HIGH.fullmatch(fold(_JOINTS.sub(" ", text)))
    return match is not None and match[1].strip() in _words(language)[0]


def parse(text: str, language: str) -> Spoken:
    """Read a play as the channel writes it, else in words.

    Raises:
        NotationError: It is neither.
    """
    try:
        return notation_of(language).parse(text)
    except NotationError:
        if (spoken := read(text, language)) is None:
            raise
        return spoken
