"""The cards: identities, faces, colours, values.

A *face* is what is printed on a card (54 different ones), a *card* is one piece of paper (108 in
a deck). Both are small integers, and everything about them is looked up in tuples.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NewType

from gamebot_uno.engine.choices import MAX_DECKS


class Color(IntEnum):
    """The four colours, in the order in which ties between them are broken."""

    BLUE = 0
    GREEN = 1
    RED = 2
    YELLOW = 3

    @property
    def letter(self) -> str:
        """The canonical letter: `B`, `V`, `R` or `G` (as in the Italian deck)."""
        return "BVRG"[self]


class Rank(IntEnum):
    """What a card does; 0-9 are the numbers themselves."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    SKIP = 10
    REVERSE = 11
    DRAW_TWO = 12
    WILD = 13
    WILD_DRAW_FOUR = 14


#: One of the cards of a game, 0 to `108 * decks - 1`.
Card = NewType("Card", int)
#: What is printed on a card, 0-53: 13 of each colour, Wild, Wild Draw Four.
Face = NewType("Face", int)

#: Cards of one deck (zh:15, zh:63).
DECK = 108

_COLOR_RANKS = 13
WILD_FACE = Face(4 * _COLOR_RANKS)
WILD_DRAW_FOUR_FACE = Face(WILD_FACE + 1)
#: Every face.
FACES = tuple(Face(n) for n in range(WILD_DRAW_FOUR_FACE + 1))
_WILD_COPIES = 4
_RANK_CODES = (*"0123456789", "S", "C", "D2", "J", "JD4")
_ACTION_POINTS = 20
_WILD_POINTS = 50


def face_of(color: Color | None, rank: Rank) -> Face:
    """Return the face of *color* and *rank*; the colour of a wild does not matter.

    Raises:
        ValueError: A card that is not wild has no colour.
    """
    if rank >= Rank.WILD:
        return Face(WILD_FACE + rank - Rank.WILD)
    if color is None:
        raise ValueError(f"{rank.name} needs a colour")
    return Face(color * _COLOR_RANKS + rank)


def _face_color(face: Face) -> Color | None:
    return Color(face // _COLOR_RANKS) if face < WILD_FACE else None


def _face_rank(face: Face) -> Rank:
    wild = face - WILD_FACE
    return Rank(Rank.WILD + wild if wild >= 0 else face % _COLOR_RANKS)


#: Colour of each face, None for the wilds.
FACE_COLORS = tuple(_face_color(face) for face in FACES)
#: Rank of each face.
FACE_RANKS = tuple(_face_rank(face) for face in FACES)
#: Canonical code of each face: `R5`, `VS`, `BC`, `GD2`, `J`, `JD4`.
FACE_CODES = tuple(
    (color.letter if color is not None else "") + _RANK_CODES[rank]
    for color, rank in zip(FACE_COLORS, FACE_RANKS, strict=True)
)
#: Canonical code -> face.
CODE_FACES = dict(zip(FACE_CODES, FACES, strict=True))


def _copies(face: Face) -> int:
    """Return how often *face* is in one deck (it:15-33, zh:7-14)."""
    if FACE_COLORS[face] is None:
        return _WILD_COPIES
    return 1 if FACE_RANKS[face] is Rank.ZERO else 2


_ONE_DECK = tuple(face for face in FACES for _ in range(_copies(face)))

#: Face of each card.
CARD_FACES = _ONE_DECK * MAX_DECKS
#: Colour of each card, None for the wilds.
COLORS = tuple(FACE_COLORS[face] for face in CARD_FACES)
#: Rank of each card.
RANKS = tuple(FACE_RANKS[face] for face in CARD_FACES)
#: Canonical code of each card.
CODES = tuple(FACE_CODES[face] for face in CARD_FACES)


def _points(rank: Rank) -> int:
    if rank >= Rank.WILD:
        return _WILD_POINTS
    return _ACTION_POINTS if rank >= Rank.SKIP else int(rank)


#: Points of each card that is still in a hand at the end (zh:49-55, zh:113-118).
POINTS = tuple(_points(rank) for rank in RANKS)


def cards_of_face(face: Face, decks: int = MAX_DECKS) -> tuple[Card, ...]:
    """Return the cards that show *face*, in the order of their numbers."""
    return tuple(Card(n) for n in range(DECK * decks) if CARD_FACES[n] == face)


def deck(decks: int) -> list[Card]:
    """Return the cards of *decks* decks, in the order of their numbers."""
    return [Card(n) for n in range(DECK * decks)]


#: Every card there can be.
ALL_CARDS = frozenset(deck(MAX_DECKS))
#: Cards of each colour.
COLOR_CARDS = tuple(
    frozenset(card for card in ALL_CARDS if COLORS[card] is color) for color in Color
)
#: Cards of each rank.
RANK_CARDS = tuple(frozenset(card for card in ALL_CARDS if RANKS[card] is rank) for rank in Rank)
#: The two kinds of wild cards.
WILDS = RANK_CARDS[Rank.WILD] | RANK_CARDS[Rank.WILD_DRAW_FOUR]

RANK_COUNT = len(Rank)
#: What may follow, at `color * RANK_COUNT + rank` of the card on top: the colour, the value, any
#: wild (it:5, it:41, zh:18, zh:98-103).
MATCHES = tuple(COLOR_CARDS[color] | RANK_CARDS[rank] | WILDS for color in Color for rank in Rank)
