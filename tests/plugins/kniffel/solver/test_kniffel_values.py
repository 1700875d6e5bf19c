"""Values of perfect play: published ones, given decisions, and a second way to work them out."""

import json
from itertools import product
from pathlib import Path
from random import Random

import kniffel_brute_force as brute_force
import numpy as np
import pytest
from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import CATEGORIES, UPPER_SECTION, Category
from gamebot_kniffel.solver import induction, table
from gamebot_kniffel.solver.advice import Adviser, Keep, Score, second
from gamebot_kniffel.solver.numbering import (
    COLUMNS,
    column_of,
    kns,
    lower_set,
    row_of,
)
from gamebot_kniffel.solver.variant import Bonus, Joker, Kn, State, Variant

DECISIONS = json.loads(Path(__file__).with_name("decisions.json").read_text("utf-8"))
DEFAULT = Variant()
OPTION = Variant(joker=Joker.OPTION)
PUBLISHED = {
    Variant(bonus=Bonus.NONE): (245.870775, 39.82),
    Variant.american(Joker.FORCED): (254.587729, 59.61),
    Variant.american(Joker.FREE): (254.5896, 59.61),
}
OPTIONS = [
    Variant.of(Rules(joker=joker, bonus_once=once, bonus_in_upper=upper))
    for joker, once, upper in product((False, True), repeat=3)
]


def value_in(grid: induction.Grid, state: State) -> float:
    return float(grid.values[row_of(lower_set(state), state.kn), column_of(state)])


def some_states(variant: Variant, count: int) -> list[State]:
    """Return the first state, and seeded ones of all stages whose sums can be reached."""
    rng, states = Random(3), [State()]
    while len(states) < count:
        boxes = tuple(box for box in CATEGORIES if rng.random() < 0.5)
        filled = [face for face, box in enumerate(UPPER_SECTION, 1) if box not in boxes]
        upper = min(63, sum(face * rng.randrange(1, 5) for face in filled))
        kn = Kn.OPEN if Category.YAHTZEE in boxes else rng.choice(kns(variant)[1:])
        if boxes:
            states.append(State(boxes, upper, kn))
    return states


def check_by_brute_force(variant: Variant, grid: induction.Grid, count: int) -> None:
    def after(state: State) -> float:
        return value_in(grid, state) if state.open else float(state.final)

    for state in some_states(variant, count):
        expected = brute_force.value(variant, state, after)
        assert value_in(grid, state) == pytest.approx(expected, abs=1e-8), state


def check_decisions(adviser: Adviser, *, joker: bool) -> None:
    for sample in DECISIONS["samples"]:
        state = state_of(sample)
        options = adviser.options(state, tuple(sample["roll"]), sample["rerolls_left"])
        wanted = sample["joker_variant"] if joker else sample
        assert options[0].value == pytest.approx(wanted["value"], abs=1e-6)
        if joker:
            continue
        best = {each.move for each in options if each.value > options[0].value - 1e-6}
        assert best == {move_of(each) for each in sample["tied_best"]}
        other = second(options)
        assert (other is None) == (sample["second"] is None)
        if other is not None:
            assert other.value == pytest.approx(sample["second"]["value"], abs=1e-6)


def state_of(sample: dict) -> State:
    boxes = tuple(box for box in CATEGORIES if box in sample["open"])
    kn = Kn.HELD if sample["kn_is_50"] else Kn.STRUCK
    return State(boxes, sample["upper"], Kn.OPEN if "KN" in boxes else kn)


def move_of(move: dict) -> Keep | Score:
    if move["type"] == "score":
        return Score(Category(move["what"]))
    return Keep(tuple(move["what"]))


@pytest.mark.parametrize("variant", PUBLISHED, ids=lambda variant: variant.key)
def test_published_values_come_out(variant: Variant) -> None:
    grid = induction.solve(variant)
    expected, _ = PUBLISHED[variant]
    digits = 4 if variant.joker is Joker.FREE else 6
    assert round(value_in(grid, State()), digits) == expected
    check_by_brute_force(variant, grid, 4)


@pytest.mark.soak
@pytest.mark.parametrize("variant", PUBLISHED, ids=lambda variant: variant.key)
def test_published_spreads_come_out(variant: Variant) -> None:
    grid = induction.solve(variant)
    _, sd = PUBLISHED[variant]
    assert induction.standard_deviation(variant, grid) == pytest.approx(sd, abs=0.005)


def test_the_default_rules_agree_with_brute_force_and_the_shipped_table() -> None:
    grid = induction.solve(DEFAULT)
    check_by_brute_force(DEFAULT, grid, 12)
    shipped = table.find(DEFAULT, Path("nowhere"))
    assert shipped is not None
    assert shipped.raw.size == 536_448
    assert np.max(np.abs(shipped.raw / 2.0**22 - grid.values[:, :COLUMNS])) < 1e-6


def test_the_option_joker_agrees_with_brute_force_and_the_given_decisions() -> None:
    grid = induction.solve(OPTION)
    check_by_brute_force(OPTION, grid, 12)
    check_decisions(Adviser(table.Table.of(OPTION, grid, 0.0)), joker=True)
    for sample in DECISIONS["turn_start_values"]:
        assert value_in(grid, state_of(sample)) == pytest.approx(sample["value_joker"], abs=1e-6)


def test_the_shipped_table_gives_the_given_decisions() -> None:
    shipped = table.find(DEFAULT, Path("nowhere"))
    assert shipped is not None
    check_decisions(Adviser(shipped), joker=False)
    for sample in DECISIONS["turn_start_values"]:
        assert shipped.value(state_of(sample)) == pytest.approx(sample["value_plain"], abs=1e-6)


@pytest.mark.soak
@pytest.mark.parametrize("variant", OPTIONS, ids=lambda variant: variant.key)
def test_every_combination_of_options_agrees_with_brute_force(variant: Variant) -> None:
    check_by_brute_force(variant, induction.solve(variant), 8)


@pytest.mark.parametrize(
    ("boxes", "upper", "kn"),
    [
        ("4P CH", 63, Kn.HELD),
        ("5 FH", 58, Kn.HELD),
        ("KN GS", 40, Kn.OPEN),
        ("6 1", 45, Kn.STRUCK),
    ],
)
def test_two_last_boxes_to_the_end_without_any_table(boxes: str, upper: int, kn: Kn) -> None:
    shipped = table.find(DEFAULT, Path("nowhere"))
    assert shipped is not None
    state = State(tuple(box for box in CATEGORIES if box in boxes.split()), upper, kn)
    expected = brute_force.to_the_end(DEFAULT, state)
    assert shipped.value(state) == pytest.approx(expected, abs=1e-6)


def test_a_state_that_no_game_leads_to_has_no_value() -> None:
    shipped = table.find(DEFAULT, Path("nowhere"))
    assert shipped is not None
    with pytest.raises(ValueError, match="add up to 7"):
        shipped.value(State(CATEGORIES, 7, Kn.OPEN))
