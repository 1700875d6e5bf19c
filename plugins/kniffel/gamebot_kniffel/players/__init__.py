"""Bot players: what to do in a turn, from the public state of the game alone."""

from __future__ import annotations

from enum import StrEnum
from random import Random

from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import IllegalMove, Reason
from gamebot_kniffel.engine.seat import Seat
from gamebot_kniffel.players import easy, strong
from gamebot_kniffel.players.action import Action, Enter, Roll

__all__ = ["Action", "Enter", "Roll", "Strength", "choose"]


class Strength(StrEnum):
    """How well a bot player plays; the figures are in `docs/rules/kniffel.md`."""

    EASY = "easy"
    STRONG = "strong"


def choose(game: Game, seat: Seat, strength: Strength, rng: Random) -> Action:
    """Return a legal action for *seat*, which must be to act.

    Args:
        game: Only read.
        seat: Whose turn it is.
        strength: Which player decides.
        rng: Breaks ties of the easy player; never the dice's own generator, or the dice to come
            would depend on who plays.

    Raises:
        IllegalMove: GAME_OVER or NOT_YOUR_TURN.
    """
    if game.over:
        raise IllegalMove(Reason.GAME_OVER)
    if seat != game.to_act:
        raise IllegalMove(Reason.NOT_YOUR_TURN)
    if game.dice is None:
        return Roll()
    if strength is Strength.EASY:
        return easy.choose(game.cards[seat], game.dice, game.rolls_left, game.rules, rng)
    return strong.choose(game.cards[seat], game.dice, game.rolls_left, game.rules)
