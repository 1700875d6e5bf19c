"""Who plays, as the engine knows it."""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)
"""A player of one game: the order of enrolment, never reused within the game."""
