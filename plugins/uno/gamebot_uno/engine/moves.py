"""What a player may do; plays are made once and shared."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from gamebot_uno.engine.cards import ALL_CARDS, COLORS, Card, Color
from gamebot_uno.engine.seat import Seat


@frozen
class Play:
    """Play one card, or two identical ones.

    Attributes:
        cards: What is played.
        color: Colour called for a wild; None asks for it afterwards.
        said_uno: Whether "uno" is said with it.
        swap_with: Whose hand a 7 takes, where that is a rule.
    """

    cards: tuple[Card, ...]
    color: Color | None = None
    said_uno: bool = False
    swap_with: Seat | None = None


@frozen
class Draw:
    """Draw, or take what is pending."""


@frozen
class PassTurn:
    """End the turn after a draw."""


@frozen
class ChooseColor:
    """Call a colour for a wild that was played without one."""

    color: Color


@frozen
class Challenge:
    """Doubt a Wild Draw Four."""


Move: TypeAlias = Play | Draw | PassTurn | ChooseColor | Challenge

DRAW, PASS_TURN, CHALLENGE = Draw(), PassTurn(), Challenge()
#: One for each colour.
CHOOSE_COLOR = tuple(ChooseColor(color) for color in Color)

#: For each card its plays: one, or one for each colour that a wild may call.
PLAYS: tuple[tuple[Play, ...], ...] = tuple(
    tuple(Play((card,), color) for color in (Color if COLORS[card] is None else (None,)))
    for card in sorted(ALL_CARDS)
)
