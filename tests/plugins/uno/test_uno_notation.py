from __future__ import annotations

import pytest
from gamebot_uno.engine.cards import CODE_FACES, FACE_CODES, FACE_COLORS, FACES, WILD_FACE, Color
from gamebot_uno.notation import (
    NOTATIONS,
    Fault,
    NotationError,
    Spoken,
    notation_of,
)
from hypothesis import given
from hypothesis import strategies as st

B, V, R, G = Color


def spoken(code: str, color: Color | None = None, *, uno: bool = False) -> Spoken:
    return Spoken(tuple(CODE_FACES[word] for word in code.split()), color, uno)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        # it:5, it:15-33, it:36-42: the Italian letters, glued and apart
        ("it", "g5", spoken("G5")),
        ("it", "G5", spoken("G5")),
        ("it", "bc", spoken("BC")),
        ("it", "vs", spoken("VS")),
        ("it", "rd2", spoken("RD2")),
        ("it", "rd", spoken("RD2")),
        ("it", "j", spoken("J")),
        ("it", "j r", spoken("J", R)),
        ("it", "jr", spoken("J", R)),
        ("it", "J  Rosso", spoken("J", R)),
        ("it", "jd4", spoken("JD4")),
        ("it", "jd4 b", spoken("JD4", B)),
        ("it", "JD4b", spoken("JD4", B)),
        ("it", "+4 g", spoken("JD4", G)),
        ("it", "r+2", spoken("RD2")),
        ("it", "r5r5", spoken("R5 R5")),
        ("it", "r5 R5", spoken("R5 R5")),
        ("it", "rdrd2", spoken("RD2 RD2")),
        ("it", "jj v", spoken("J J", V)),
        ("it", "jv jv", spoken("J J", V)),
        ("it", "r5 uno", spoken("R5", uno=True)),
        ("it", "jd4 b UNO", spoken("JD4", B, uno=True)),
        ("it", "ｒ５", spoken("R5")),
        ("it", "Ｊｄ４　ｂ", spoken("JD4", B)),
        ("en", "g5", spoken("V5")),
        ("en", "y5", spoken("G5")),
        ("en", "rr", spoken("RC")),
        ("en", "rrrr", spoken("RC RC")),
        ("en", "gs", spoken("VS")),
        ("en", "bd2", spoken("BD2")),
        ("en", "w", spoken("J")),
        ("en", "wg", spoken("J", V)),
        ("en", "wd4 yellow", spoken("JD4", G)),
        ("en", "w4b", spoken("JD4", B)),
        ("de", "gr5", spoken("V5")),
        ("de", "ge5", spoken("G5")),
        ("de", "r5", spoken("R5")),
        ("de", "gra", spoken("VS")),
        ("de", "geu", spoken("GC")),
        ("de", "bz2", spoken("BD2")),
        ("de", "bz", spoken("BD2")),
        ("de", "wge", spoken("J", G)),
        ("de", "w grün", spoken("J", V)),
        ("de", "w4 r", spoken("JD4", R)),
        ("de", "wz4 blau", spoken("JD4", B)),
        ("zh_Hant", "r5", spoken("R5")),
        ("zh_Hant", "紅5", spoken("R5")),
        ("zh_Hant", "綠色５", spoken("V5")),
        ("zh_Hant", "藍跳過", spoken("BS")),
        ("zh_Hant", "黃反轉", spoken("GC")),
        ("zh_Hant", "紅+2", spoken("RD2")),
        ("zh_Hant", "萬能", spoken("J")),
        ("zh_Hant", "換色 紅", spoken("J", R)),
        ("zh_Hant", "+4 藍 烏諾", spoken("JD4", B, uno=True)),
        ("fr", "y5", spoken("G5")),
    ],
)
def test_what_players_write(language: str, text: str, expected: Spoken) -> None:
    assert notation_of(language).parse(text) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY),
        ("  ", Fault.EMPTY),
        ("uno", Fault.NO_CARD),
        ("ciao", Fault.NO_CARD),
        ("5", Fault.NO_CARD),
        ("r", Fault.NO_CARD),
        ("r10", Fault.NO_CARD),
        ("r5 x", Fault.NO_CARD),
        ("r5r5r5", Fault.NO_CARD),
        ("jx", Fault.NO_CARD),
        ("r5 r6", Fault.DIFFERENT_CARDS),
        ("j jd4", Fault.DIFFERENT_CARDS),
        ("jr jb", Fault.DIFFERENT_CARDS),
        ("r5 b", Fault.COLOR_OF_COLORED),
    ],
)
def test_what_is_no_play(text: str, fault: Fault) -> None:
    with pytest.raises(NotationError) as caught:
        notation_of("it").parse(text)
    assert caught.value.fault is fault
    assert str(caught.value) == f"{fault.value}: {caught.value.text}"


@pytest.mark.parametrize("language", NOTATIONS)
def test_colour_and_value_may_stand_apart(language: str) -> None:
    """Every card reads the same, glued or not, once and twice, and nothing else does."""
    notation = NOTATIONS[language]
    for face in FACES[:WILD_FACE]:
        color = FACE_COLORS[face]
        letters = notation.letter(color)
        value = notation.show(face).removeprefix(letters)
        assert notation.parse(f"{letters} {value}") == Spoken((face,))
        assert notation.parse(f"{letters} {value} {letters}{value} uno") == Spoken(
            (face, face), said_uno=True
        )
        with pytest.raises(NotationError):
            notation.parse(value)


@pytest.mark.parametrize(
    ("language", "text", "color"),
    [
        ("it", "r", R),
        ("it", " G ", G),
        ("it", "verde", V),
        ("it", "j r", R),
        ("it", "jd4b", B),
        ("en", "g", V),
        ("de", "ge", G),
        ("de", "Gruen", V),
        ("zh_Hant", "紅色", R),
    ],
)
def test_a_colour_alone_or_behind_the_wild(language: str, text: str, color: Color) -> None:
    """it:41."""
    assert notation_of(language).parse_color(text) == (color, False)


@pytest.mark.parametrize(
    ("language", "text", "color"),
    [("it", "r uno", R), ("it", "J R UNO", R), ("zh_Hant", "紅 烏諾", R)],
)
def test_a_colour_and_the_call(language: str, text: str, color: Color) -> None:
    """it:9, it:41."""
    assert notation_of(language).parse_color(text) == (color, True)


@pytest.mark.parametrize(("text", "fault"), [("", Fault.EMPTY), ("x", Fault.NO_COLOR)])
def test_what_is_no_colour(text: str, fault: Fault) -> None:
    with pytest.raises(NotationError) as caught:
        notation_of("it").parse_color(text)
    assert caught.value.fault is fault


def test_italian_letters_are_the_canonical_ones() -> None:
    assert [NOTATIONS["it"].show(face) for face in FACES] == list(FACE_CODES)
    assert [NOTATIONS["it"].letter(color) for color in Color] == ["B", "V", "R", "G"]


@pytest.mark.parametrize("language", NOTATIONS)
def test_no_two_cards_are_written_alike(language: str) -> None:
    notation = NOTATIONS[language]
    assert len({notation.show(face) for face in FACES}) == len(FACES)
    assert len({notation.letter(color) for color in Color}) == len(Color)


@given(
    language=st.sampled_from(list(NOTATIONS)),
    face=st.sampled_from(FACES),
    pair=st.booleans(),
    color=st.sampled_from([None, *Color]),
    uno=st.booleans(),
    wide=st.booleans(),
    glued=st.booleans(),
)
def test_what_is_written_is_read(
    *, language: str, face: int, pair: bool, color: Color | None, uno: bool, wide: bool, glued: bool
) -> None:
    notation = NOTATIONS[language]
    play = Spoken((face,) * (1 + pair), color if FACE_COLORS[face] is None else None, uno)
    text = notation.play(play)
    if glued and not uno:
        text = text.replace(" ", "")
    if wide:
        text = text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    assert notation.parse(text) == play
    assert notation.parse(text.lower()) == play
