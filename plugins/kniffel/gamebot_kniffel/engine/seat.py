"""Who plays, as the engine knows it."""

from typing import NewType

#: A player of one game: the order of enrolment, never reused within the game.
Seat = NewType("Seat", int)
