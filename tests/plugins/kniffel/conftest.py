from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.seat import Seat

NewGame = Callable[..., Game]


class LoadedDice(Random):
    """Throws the given faces in order and fails when they are used up."""

    def __init__(self, faces: Sequence[int] = ()) -> None:
        super().__init__(0)
        self.faces = list(faces)

    def randrange(self, start: int, *_: object) -> int:
        assert start == 6
        return self.faces.pop(0) - 1


@pytest.fixture
def new_game() -> NewGame:
    """Start a game; its dice throw *faces* first to last, position by position."""

    def new(*faces: int, seats: int = 2, rules: Rules | None = None) -> Game:
        rng = LoadedDice(faces) if faces else Random(7)
        return Game.start([Seat(n) for n in range(seats)], rng=rng, rules=rules)[0]

    return new
