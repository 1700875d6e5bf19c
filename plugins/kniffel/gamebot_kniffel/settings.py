"""Settings of Kniffel in one channel."""

from __future__ import annotations

from attrs import frozen

from gamebot import TableSettings
from gamebot_kniffel.engine.rules import Rules


@frozen(kw_only=True)
class KniffelSettings(TableSettings):
    """Settings of Kniffel in one channel.

    Attributes:
        joker: A further Kniffel pays 25, 30, 40 points in full house and the straights.
        bonus_once: Only one further Kniffel of a game earns 100.
        bonus_in_upper: A further Kniffel entered in 1-6 earns 100 too.
        first_roll_only: The turn clock asks for the first roll of a turn only.
        confirm: Who strikes a box or throws all dice again for the first time is told what that
            does, and says it once more.
    """

    joker: bool = False
    bonus_once: bool = False
    bonus_in_upper: bool = False
    first_roll_only: bool = False
    confirm: bool = False

    @property
    def rules(self) -> Rules:
        """The engine's options."""
        return Rules(
            joker=self.joker,
            bonus_once=self.bonus_once,
            bonus_in_upper=self.bonus_in_upper,
            first_roll_only=self.first_roll_only,
        )
