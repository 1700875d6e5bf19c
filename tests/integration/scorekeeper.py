"""Kniffel points, worked out by the players themselves from what they read in the channel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import Factory, define

CATEGORIES = ("1", "2", "3", "4", "5", "6", "3P", "4P", "FH", "KS", "GS", "KN", "CH")
STRAIGHTS_OF_FOUR = ({1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6})


def points(category: str, dice: Sequence[int]) -> int:
    """Say what *dice* are worth in *category*; 0 is a strike."""
    counts = sorted(Counter(dice).values())
    match category:
        case "1" | "2" | "3" | "4" | "5" | "6":
            return sum(face for face in dice if face == int(category))
        case "3P":
            return sum(dice) if counts[-1] >= 3 else 0
        case "4P":
            return sum(dice) if counts[-1] >= 4 else 0
        case "FH":
            return 25 if counts == [2, 3] else 0
        case "KS":
            return 30 if any(straight <= set(dice) for straight in STRAIGHTS_OF_FOUR) else 0
        case "GS":
            return 40 if counts == [1] * 5 and {2, 3, 4, 5} <= set(dice) else 0
        case "KN":
            return 50 if counts == [5] else 0
        case "CH":
            return sum(dice)
    raise ValueError(category)


@define
class Sheet:
    """One player's sheet.

    Attributes:
        entered: Points by category.
        kniffel_bonus: 100 for each further Kniffel.
    """

    entered: dict[str, int] = Factory(dict)
    kniffel_bonus: int = 0

    @property
    def open(self) -> list[str]:
        """Categories that are not filled, in the order of the sheet."""
        return [category for category in CATEGORIES if category not in self.entered]

    @property
    def total(self) -> int:
        """Points with both bonuses."""
        upper = sum(self.entered.get(face, 0) for face in "123456")
        return sum(self.entered.values()) + (35 if upper >= 63 else 0) + self.kniffel_bonus

    def best(self, dice: Sequence[int]) -> str:
        """Choose the open category that is worth most now; of equals the first."""
        return max(self.open, key=lambda category: points(category, dice))

    def enter(self, category: str, dice: Sequence[int]) -> int:
        """Fill *category* and return its points without the bonus."""
        assert category not in self.entered, f"{category} is filled already: {self.entered}"
        further = len(set(dice)) == 1 and self.entered.get("KN") == 50
        if further and category not in CATEGORIES[:6]:
            self.kniffel_bonus += 100
        self.entered[category] = points(category, dice)
        return self.entered[category]
