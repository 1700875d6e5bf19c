"""Boxes as people say them: names and common short forms in each language.

Everything is read without regard to case; blanks, hyphens and accents do not matter. English names
and the codes of the German source are understood everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from gamebot_kniffel.engine.scoring import Category

_UPPER = (
    Category.ONES,
    Category.TWOS,
    Category.THREES,
    Category.FOURS,
    Category.FIVES,
    Category.SIXES,
)

_NAMES: Mapping[str, Mapping[Category, str]] = {
    "en": {
        Category.ONES: "ones,one,aces,ace",
        Category.TWOS: "twos,two,deuces",
        Category.THREES: "threes,three,treys",
        Category.FOURS: "fours,four",
        Category.FIVES: "fives,five",
        Category.SIXES: "sixes,six",
        Category.THREE_OF_A_KIND: "3k,three of a kind,3 of a kind,three kind,3 kind,triple,tok",
        Category.FOUR_OF_A_KIND: "4k,four of a kind,4 of a kind,four kind,4 kind,quad,fok",
        Category.FULL_HOUSE: "fh,full house,full,house",
        Category.SMALL_STRAIGHT: "ss,small straight,small,sm straight,little straight",
        Category.LARGE_STRAIGHT: "ls,large straight,large,big straight,lg straight",
        Category.YAHTZEE: "yahtzee,yatzy,five of a kind,5 of a kind,5k,kniffel",
        Category.CHANCE: "chance,ch,c",
    },
    "de": {
        Category.ONES: "einser,einsen,eins,einer",
        Category.TWOS: "zweier,zweien,zwei",
        Category.THREES: "dreier,dreien,drei",
        Category.FOURS: "vierer,vieren,vier",
        Category.FIVES: "fünfer,fuenfer,fünfen,fünf",
        Category.SIXES: "sechser,sechsen,sechs",
        Category.THREE_OF_A_KIND: "dreierpasch,3er pasch,drei gleiche,pasch 3,3 gleiche",
        Category.FOUR_OF_A_KIND: "viererpasch,4er pasch,vier gleiche,pasch 4,4 gleiche",
        Category.FULL_HOUSE: "full house,volles haus,full",
        Category.SMALL_STRAIGHT: "kleine straße,kleine strasse,kl straße,klein,kleine",
        Category.LARGE_STRAIGHT: "große straße,grosse strasse,gr straße,gross,grosse,groß,große",
        Category.YAHTZEE: "kniffel,fünf gleiche,5 gleiche,yahtzee",
        Category.CHANCE: "chance",
    },
    "it": {
        Category.ONES: "uno,uni,assi",
        Category.TWOS: "due",
        Category.THREES: "tre",
        Category.FOURS: "quattro",
        Category.FIVES: "cinque",
        Category.SIXES: "sei",
        Category.THREE_OF_A_KIND: "tris,tre uguali,3 uguali",
        Category.FOUR_OF_A_KIND: "poker,quattro uguali,4 uguali,quadris",
        Category.FULL_HOUSE: "full,full house,casa piena",
        Category.SMALL_STRAIGHT: "scala piccola,scala minore,piccola",
        Category.LARGE_STRAIGHT: "scala grande,scala maggiore,grande",
        Category.YAHTZEE: "kniffel,yahtzee,cinque uguali,5 uguali",
        Category.CHANCE: "chance,caso,somma",
    },
    "zh_Hant": {
        Category.ONES: "一點,一点,一",
        Category.TWOS: "二點,二点,兩點,二",
        Category.THREES: "三點,三点,三",
        Category.FOURS: "四點,四点,四",
        Category.FIVES: "五點,五点,五",
        Category.SIXES: "六點,六点,六",
        Category.THREE_OF_A_KIND: "三條,三条,三同,三個相同,三张相同",
        Category.FOUR_OF_A_KIND: "四條,四条,四同,四個相同,鐵支",
        Category.FULL_HOUSE: "葫蘆,葫芦,滿堂紅,满堂红",
        Category.SMALL_STRAIGHT: "小順,小顺,小順子,小顺子",
        Category.LARGE_STRAIGHT: "大順,大顺,大順子,大顺子",
        Category.YAHTZEE: "快艇,五同,五條,五个相同,五個相同",
        Category.CHANCE: "機會,机会,全選,全选",
    },
}


def fold(text: str) -> str:
    """Return *text* without case, accents, blanks and hyphens."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[\W_]|[\u0300-\u036f]", "", decomposed)


def _table(language: str) -> Mapping[str, Category]:
    names = {fold(name): box for box, row in _NAMES[language].items() for name in row.split(",")}
    return names | {str(value): box for value, box in enumerate(_UPPER, 1)}


TABLES: Mapping[str, Mapping[str, Category]] = {language: _table(language) for language in _NAMES}
"""Language -> folded name -> box."""


def named(text: str, language: str) -> Category | None:
    """Return the box that *text* names in *language* or in English, None if it is none."""
    typed = fold(text)
    for table in (TABLES.get(language, {}), TABLES["en"]):
        if typed in table:
            return table[typed]
    return None
