"""Cards as a channel sees them: its letters, and colours as decoration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamebot import formatting
from gamebot_uno.engine.cards import CARD_FACES, FACE_COLORS, FACE_RANKS, Card, Color, Face
from gamebot_uno.notation import Notation

#: mIRC colours: foreground on the client's own background, and (text, background).
_FOREGROUND = {
    Color.BLUE: formatting.Color.LIGHT_BLUE,
    Color.GREEN: formatting.Color.GREEN,
    Color.RED: formatting.Color.RED,
    Color.YELLOW: formatting.Color.ORANGE,
}
_BACKGROUND = {
    Color.BLUE: (formatting.Color.WHITE, formatting.Color.BLUE),
    Color.GREEN: (formatting.Color.WHITE, formatting.Color.GREEN),
    Color.RED: (formatting.Color.WHITE, formatting.Color.RED),
    Color.YELLOW: (formatting.Color.BLACK, formatting.Color.YELLOW),
}


def paint(text: str, color: Color | None, mode: str) -> str:
    """Write *text* in *color*; the letters say the same, so `off` loses nothing.

    Args:
        text: What a card is called.
        color: Its colour; a wild is bold.
        mode: `background`, `foreground` or `off`.
    """
    if mode == "off":
        return text
    if color is None:
        return formatting.bold(text)
    if mode == "background":
        return formatting.color(text, *_BACKGROUND[color])
    return formatting.color(text, _FOREGROUND[color])


def face_text(face: Face, notation: Notation, mode: str) -> str:
    """Write one face."""
    return paint(notation.show(face), FACE_COLORS[face], mode)


def cards_text(cards: Iterable[Card], notation: Notation, mode: str) -> str:
    """Write cards, a blank between them."""
    return " ".join(face_text(CARD_FACES[card], notation, mode) for card in cards)


def top_text(top: Card, color: Color | None, notation: Notation, mode: str) -> str:
    """Write the card on top; a wild with the colour that was called."""
    shown = face_text(CARD_FACES[top], notation, mode)
    if color is None or FACE_COLORS[CARD_FACES[top]] is not None:
        return shown
    return f"{shown} {color_text(color, notation, mode)}"


def color_text(color: Color, notation: Notation, mode: str) -> str:
    """Write a colour's letter."""
    return paint(notation.letter(color), color, mode)


def sorted_hand(cards: Sequence[Card], order: str) -> list[Card]:
    """Sort a hand by `color` or `rank`; anything else leaves the order of arrival."""
    if order == "color":
        return sorted(cards, key=lambda c: CARD_FACES[c])
    if order == "rank":
        return sorted(cards, key=lambda c: (FACE_RANKS[CARD_FACES[c]], CARD_FACES[c]))
    return list(cards)
