"""What a player may do in its turn."""

from __future__ import annotations

from attrs import frozen

from gamebot_kniffel.engine.scoring import Category


@frozen
class Roll:
    """Roll the dice at *positions* (1-5); none means all five, as in `Game.roll`."""

    positions: tuple[int, ...] = ()


@frozen
class Enter:
    """Fill *category* with the dice on the table."""

    category: Category


Action = Roll | Enter
