"""What may differ between two games of Kniffel, as data.

The rule sources are listed line by line in `docs/rules/kniffel.md`.
"""

from __future__ import annotations

from attrs import field, frozen
from attrs.validators import instance_of

#: Dice of a game (de:32).
DICE = 5
#: Faces of a die.
FACES = 6
#: Rounds of a game, and boxes of a scorecard (de:33).
ROUNDS = 13
#: Rolls in one turn, at most (de:34).
ROLLS = 3


@frozen(kw_only=True)
class Rules:
    """The options of one game; all are off in the rules as the German help states them.

    A *further Kniffel* is five alike while the box `KN` holds 50. While `KN` is open or struck
    there is none, and none of the first three options matters.

    Attributes:
        joker: A further Kniffel scores 25 in `FH`, 30 in `KS` and 40 in `GS`. The choice of the
            box stays free: no upper box has to be filled first. Off: it scores 0 there.
        bonus_once: Only the first further Kniffel of a player's game earns 100. Off: each one.
        bonus_in_upper: A further Kniffel entered in any of the boxes 1-6 earns 100 as well, also
            where it scores 0 because the faces differ. Off: only in 3P, 4P, FH, KS, GS and CH.
        first_roll_only: The turn clock asks for one roll only: it is armed at the start of a
            turn and the first accepted roll stops it for the rest of the turn (the help's text
            to the letter; a player who has rolled can then keep the others waiting). Off: every
            accepted roll arms the clock anew, and it runs until a box is entered.
    """

    joker: bool = field(default=False, validator=instance_of(bool))
    bonus_once: bool = field(default=False, validator=instance_of(bool))
    bonus_in_upper: bool = field(default=False, validator=instance_of(bool))
    first_roll_only: bool = field(default=False, validator=instance_of(bool))
