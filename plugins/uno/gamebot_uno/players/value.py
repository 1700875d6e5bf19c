"""How good a position between two players is, with all cards known: where a playout stops.

The chance that who is to act wins is the logistic function of a sum: a table by the sizes of both
hands, and for each hand features weighted by its size. The weights (`value_weights`) come from
`tools/fit_uno_value.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import mul
from typing import TypeAlias

from attrs import frozen

from gamebot_uno.engine.cards import WILD_DRAW_FOUR_FACE, Rank
from gamebot_uno.players.evaluation import COLOR_OF, COLORS, NO_COLOR, RANK_OF
from gamebot_uno.players.model import Position

#: Features of a hand.
FEATURES = (
    *("wilds", "wild_draw_fours", "attacks", "colors", "longest_color"),
    *("fitting", "fits", "fitting_attacks", "attack_fits", "active_color"),
)
#: Hands of this size and more count as equal: in the table, in the weights of the features.
LARGEST, LARGE = 8, 4

_ATTACKS = tuple(Rank.SKIP <= rank <= Rank.DRAW_TWO for rank in RANK_OF)
_NO_ACTIVE_COLOR = 0.25
_PENDING = 1 / 2

Described: TypeAlias = tuple[int, int, tuple[float, ...], tuple[float, ...], float]
"""Both sizes, both hands' features (who is to act first), what is pending."""


def describe(position: Position) -> Described:
    """Describe *position*, in which two play, at the begin of a turn."""
    mine, other = position.hands[position.place], position.hands[1 - position.place]
    fits, color = position.fitting(), position.color
    return (
        len(mine),
        len(other),
        _features(mine, fits, color),
        _features(other, fits, color),
        position.pending * _PENDING,
    )


def _features(hand: list[int], fits: Sequence[bool], color: int) -> tuple[float, ...]:
    held = [0] * COLORS
    for face in hand:
        held[COLOR_OF[face]] += 1
    fitting = [face for face in hand if fits[face]]
    attacks = sum([_ATTACKS[face] for face in fitting])
    blue, green, red, yellow, wilds = held
    per = 1 / len(hand)
    return (
        wilds * per,
        hand.count(WILD_DRAW_FOUR_FACE) * per,
        sum([_ATTACKS[face] for face in hand]) * per,
        (blue > 0) + (green > 0) + (red > 0) + (yellow > 0),
        max(blue, green, red, yellow) * per,
        len(fitting) * per,
        1.0 if fitting else 0.0,
        attacks * per,
        1.0 if attacks else 0.0,
        _NO_ACTIVE_COLOR if color == NO_COLOR else held[color] * per,
    )


@frozen
class Value:
    """Weights of the value.

    Attributes:
        sizes: By the size of the own hand, then of the other one.
        mine: Of the features of the own hand, by its size.
        other: Of the features of the other hand, by its size.
        pending: By the size of the own hand: of each two pending cards, of there being any.
    """

    sizes: tuple[tuple[float, ...], ...]
    mine: tuple[tuple[float, ...], ...]
    other: tuple[tuple[float, ...], ...]
    pending: tuple[tuple[float, ...], ...]

    @classmethod
    def read(cls, sizes: str, mine: str, other: str, pending: str) -> Value:
        """Read tables of numbers, each with a head."""
        return cls(_rows(sizes), _rows(mine), _rows(other), _rows(pending))

    def chance(self, position: Position) -> float:
        """Return the chance that who is to act wins."""
        mine, other, features, others, pending = describe(position)
        large, other_large = min(mine, LARGE) - 1, min(other, LARGE) - 1
        total = self.sizes[min(mine, LARGEST) - 1][min(other, LARGEST) - 1]
        total += sum(map(mul, self.mine[large], features))
        total += sum(map(mul, self.other[other_large], others))
        if pending:
            each, once = self.pending[large]
            total += each * pending + once
        return 1 / (1 + exp(-total))


def _rows(table: str) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, line.split())) for line in table.splitlines()[1:])
