"""The players' own arithmetic, which judges the bot's, against the plugin's."""

from __future__ import annotations

from itertools import product

from gamebot_kniffel.engine.scoring import plain_scores

from .scorekeeper import CATEGORIES, Sheet, points


def test_points_agree_on_every_throw() -> None:
    for dice in product(range(1, 7), repeat=5):
        theirs = {str(box): value for box, value in plain_scores(dice).items()}
        assert {box: points(box, dice) for box in CATEGORIES} == theirs, dice


def test_a_further_kniffel_and_the_upper_bonus_count() -> None:
    sheet = Sheet()
    sheet.enter("KN", (6, 6, 6, 6, 6))
    sheet.enter("6", (6, 6, 6, 6, 6))
    assert sheet.total == 80
    sheet.enter("CH", (6, 6, 6, 6, 6))
    assert sheet.total == 80 + 130
    sheet.enter("5", (5, 5, 5, 5, 5))
    sheet.enter("4", (4, 4, 1, 1, 1))
    assert sheet.total == 210 + 25 + 8 + 35
    assert sheet.best((1, 1, 2, 2, 3)) == "2"
