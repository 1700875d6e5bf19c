"""What the engine answers: frozen events, in the order in which things happened."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from gamebot_kniffel.engine.scoring import Category, Dice
from gamebot_kniffel.engine.seat import Seat


@frozen
class GameStarted:
    """A game begins.

    Attributes:
        seats: Who plays, in turn order.
    """

    seats: tuple[Seat, ...]


@frozen
class TurnStarted:
    """*seat* is to act and has all its rolls; the turn clock runs.

    Attributes:
        seat: Who is to act.
        round: 1-13.
    """

    seat: Seat
    round: int


@frozen
class DiceRolled:
    """*seat* rolled some dice or all of them.

    Attributes:
        seat: Who rolled.
        dice: All five faces, by position.
        roll: 1, 2 or 3: which roll of the turn this was.
        positions: Positions (1-5) of the dice thrown, ascending.
        rolls_left: How many rolls remain in this turn.
    """

    seat: Seat
    dice: Dice
    roll: int
    positions: tuple[int, ...]
    rolls_left: int


@frozen
class CategoryEntered:
    """*seat* filled a box, which ends its turn.

    Attributes:
        seat: Who entered.
        category: The box.
        dice: The dice it was filled with, by position.
        points: What the box holds now.
        struck: Whether the box was struck, that is, holds 0.
        bonus: 100 if this was a further Kniffel that earns it, else 0.
        upper_bonus: 35 if this entry brought the upper section to 63, else 0.
        total: Points of the seat now, with all bonuses.
    """

    seat: Seat
    category: Category
    dice: Dice
    points: int
    struck: bool
    bonus: int
    upper_bonus: int
    total: int


@frozen
class SeatLeft:
    """*seat* left on its own; its points are void."""

    seat: Seat


@frozen
class SeatTimedOut:
    """*seat* was removed because its turn clock ran out; its points are void."""

    seat: Seat


@frozen
class GameEnded:
    """The game is over.

    Attributes:
        winners: Everybody with the highest total; several after a tie, nobody if all have left.
        totals: Points of each seat that played to the end, in turn order.
    """

    winners: tuple[Seat, ...]
    totals: Mapping[Seat, int]


Event = (
    GameStarted | TurnStarted | DiceRolled | CategoryEntered | SeatLeft | SeatTimedOut | GameEnded
)
