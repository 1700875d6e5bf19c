"""Players by the table of perfect play: the perfect one, and one that errs like a person.

This module needs numpy and is imported when such a player sits down.
"""

from __future__ import annotations

from math import exp
from random import Random

from gamebot_kniffel.engine.scoring import Dice, Scorecard
from gamebot_kniffel.players.action import Action, Enter, Roll, positions_thrown
from gamebot_kniffel.solver.advice import Adviser, Move, Option, Score
from gamebot_kniffel.solver.variant import State


def choose(
    adviser: Adviser, card: Scorecard, dice: Dice, rolls_left: int, temperature: float, rng: Random
) -> Action:
    """Return what to do with *dice* on the table.

    Args:
        adviser: For the rules of the game.
        card: The player's boxes.
        dice: Five faces by position.
        rolls_left: 0-2.
        temperature: In points: an option worth so much less than another is chosen 1/e times as
            often (softmax). 0 is perfect play.
        rng: Decides the errors.
    """
    options = adviser.options(State.of(card, adviser.table.variant), dice, rolls_left)
    option = _softmax(options, temperature, rng) if temperature else options[0]
    return action(option.move, dice)


def action(move: Move, dice: Dice) -> Action:
    """Return *move* in terms of positions."""
    if isinstance(move, Score):
        return Enter(move.box)
    return Roll(positions_thrown(dice, move.faces))


def _softmax(options: list[Option], temperature: float, rng: Random) -> Option:
    best = options[0].value
    weights = [exp((option.value - best) / temperature) for option in options]
    return rng.choices(options, weights)[0]
