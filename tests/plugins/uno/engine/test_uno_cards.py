from __future__ import annotations

from collections import Counter

import pytest
from gamebot_uno.engine.cards import (
    CARD_FACES,
    CODE_FACES,
    CODES,
    COLORS,
    DECK,
    FACES,
    POINTS,
    RANKS,
    Color,
    Rank,
    cards_of_face,
    deck,
    face_of,
)
from gamebot_uno.engine.choices import MAX_DECKS


def test_a_deck_has_the_cards_of_both_documents() -> None:
    """it:15-33, zh:7-15, zh:63-91."""
    cards = Counter(CODES[:DECK])
    expected = dict.fromkeys((color + "0" for color in "BVRG"), 1)
    values = (*"123456789", "C", "S", "D2")
    expected |= {color + value: 2 for color in "BVRG" for value in values}
    assert cards == expected | {"J": 4, "JD4": 4}
    assert sum(cards.values()) == 108
    assert sum(rank < Rank.SKIP for rank in RANKS[:DECK]) == 76


def test_further_decks_repeat_the_first() -> None:
    assert deck(2) == list(range(216))
    assert CODES[DECK : 2 * DECK] == CODES[:DECK]
    assert len(CODES) == DECK * MAX_DECKS


@pytest.mark.parametrize(
    ("code", "color", "rank", "points"),
    [
        ("R5", Color.RED, Rank.FIVE, 5),
        ("VS", Color.GREEN, Rank.SKIP, 20),
        ("BC", Color.BLUE, Rank.REVERSE, 20),
        ("GD2", Color.YELLOW, Rank.DRAW_TWO, 20),
        ("G0", Color.YELLOW, Rank.ZERO, 0),
        ("J", None, Rank.WILD, 50),
        ("JD4", None, Rank.WILD_DRAW_FOUR, 50),
    ],
)
def test_what_a_card_is(code: str, color: Color | None, rank: Rank, points: int) -> None:
    """zh:49-55, zh:113-118."""
    face = CODE_FACES[code]
    card = cards_of_face(face)[0]
    assert (CODES[card], COLORS[card], RANKS[card], POINTS[card]) == (code, color, rank, points)
    assert face_of(color, rank) == face


def test_every_card_is_one_of_its_face() -> None:
    assert len(FACES) == 54
    for face in FACES:
        assert all(CARD_FACES[card] == face for card in cards_of_face(face, 1))
    assert len(cards_of_face(CODE_FACES["J"], 3)) == 12


def test_a_coloured_card_needs_its_colour() -> None:
    with pytest.raises(ValueError, match="SKIP"):
        face_of(None, Rank.SKIP)


def test_colours_have_canonical_letters() -> None:
    assert "".join(color.letter for color in Color) == "BVRG"
