"""What a player may do in its turn."""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from gamebot_kniffel.engine.scoring import Category, Dice


@frozen
class Roll:
    """Roll the dice at *positions* (1-5); none means all five, as in `Game.roll`."""

    positions: tuple[int, ...] = ()


@frozen
class Enter:
    """Fill *category* with the dice on the table."""

    category: Category


Action = Roll | Enter


def positions_thrown(dice: Dice, kept: Dice) -> tuple[int, ...]:
    """Return the positions of the dice that are not among *kept*, 1-5."""
    wanted, thrown = Counter(kept), []
    for position, face in enumerate(dice, start=1):
        if wanted[face]:
            wanted[face] -= 1
        else:
            thrown.append(position)
    return tuple(thrown)
