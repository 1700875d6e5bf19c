"""Kept dice and rolls as a lattice, for many states at a time.

A hand is a multiset of 0-5 faces. The value of keeping a hand is the mean over the six hands with
one die more; the best that can be kept of a hand is the better of itself and the best of the hands
with one die less. Both ways have 1,260 edges, and no table of all keeps and all rolls is needed.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from gamebot_kniffel.engine.rules import DICE, FACES
from gamebot_kniffel.engine.scoring import Dice

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

_SIDES = range(1, FACES + 1)


def _of_size(size: int) -> tuple[Dice, ...]:
    """Return the hands of *size* dice, those with most different faces first."""
    return tuple(
        sorted(combinations_with_replacement(_SIDES, size), key=lambda hand: -len(set(hand)))
    )


#: Hands by their number of dice.
HANDS = tuple(_of_size(size) for size in range(DICE + 1))
INDEX = tuple({hand: at for at, hand in enumerate(hands)} for hands in HANDS)
#: Every roll of five dice, faces ascending.
ROLLS = HANDS[DICE]


def _without(hand: Dice, face: int) -> Dice:
    at = hand.index(face)
    return hand[:at] + hand[at + 1 :]


def _grown(size: int) -> tuple[Indices, ...]:
    """Return for each face where the hands of *size* dice are with that face added."""
    index = INDEX[size + 1]
    return tuple(
        np.array([index[tuple(sorted((*hand, face)))] for hand in HANDS[size]]) for face in _SIDES
    )


def _shrunk(size: int) -> tuple[Indices, ...]:
    """Return where the hands of *size* dice are without their first, second, ... face.

    Each array is as long as there are hands with so many different faces; they come first.
    """
    faces = [sorted(set(hand)) for hand in HANDS[size]]
    return tuple(
        np.array(
            [
                INDEX[size - 1][_without(hand, own[number])]
                for hand, own in zip(HANDS[size], faces, strict=True)
                if number < len(own)
            ]
        )
        for number in range(size)
    )


_GROWN = tuple(_grown(size) for size in range(DICE))
_SHRUNK = ((), *(_shrunk(size) for size in range(1, DICE + 1)))


def _ways(roll: Dice) -> int:
    return factorial(DICE) // prod(factorial(roll.count(face)) for face in _SIDES)


#: Chance of each of `ROLLS` when five dice are thrown.
CHANCES = np.array([_ways(roll) for roll in ROLLS]) / FACES**DICE


class Lattice:
    """Working memory for the values of one turn in *width* states.

    Attributes:
        values: By number of dice an array (hand, state). Those of five dice are what a roll is
            worth, those of fewer what keeping them is worth, once `spread` has run.
    """

    def __init__(self, width: int) -> None:
        self.values = tuple(np.empty((len(hands), width)) for hands in HANDS)
        self._best = tuple(np.empty((len(hands), width)) for hands in HANDS)
        self._taken = np.empty((len(ROLLS), width))

    def spread(self) -> None:
        """Work out what each hand of fewer than five dice is worth from what rolls are worth."""
        for size in range(DICE - 1, -1, -1):
            more, out = self.values[size + 1], self.values[size]
            first, *others = _GROWN[size]
            more.take(first, axis=0, out=out, mode="clip")
            taken = self._taken[: len(out)]
            for grown in others:
                more.take(grown, axis=0, out=taken, mode="clip")
                out += taken
            out *= 1 / FACES

    def throw_before(self) -> None:
        """Replace what rolls are worth by what they are worth with one throw more; `spread` ran."""
        below = self.values[0]
        for size in range(1, DICE + 1):
            best = self.values[size] if size == DICE else self._best[size]
            if size < DICE:
                best[:] = self.values[size]
            for shrunk in _SHRUNK[size]:
                taken = self._taken[: len(shrunk)]
                below.take(shrunk, axis=0, out=taken, mode="clip")
                np.maximum(best[: len(shrunk)], taken, out=best[: len(shrunk)])
            below = best
