from __future__ import annotations

from itertools import permutations, product

import pytest
from gamebot_kniffel.engine.rules import ROUNDS, Rules
from gamebot_kniffel.engine.scoring import (
    CATEGORIES,
    LOWER_SECTION,
    UPPER_SECTION,
    Category,
    Scorecard,
    longest_run,
    plain_scores,
    score,
    upper_bonus,
    yahtzee_bonus,
)

PLAIN = Rules()
EVERY_ROLL = list(product(range(1, 7), repeat=5))


def faces(text: str) -> tuple[int, ...]:
    return tuple(int(face) for face in text)


@pytest.mark.parametrize(
    ("box", "dice", "points"),
    [
        # de:43-48: the dice of that face, added up
        ("1", "11234", 2),
        ("1", "23456", 0),
        ("2", "22222", 10),
        ("2", "13456", 0),
        ("3", "33345", 9),
        ("4", "14144", 12),
        ("5", "56565", 15),
        ("6", "66611", 18),
        ("6", "12345", 0),
        # de:50: three alike are enough, all five dice count
        ("3P", "44415", 18),
        ("3P", "14454", 18),
        ("3P", "44442", 18),
        ("3P", "33322", 13),
        ("3P", "66666", 30),
        ("3P", "11223", 0),
        ("3P", "12345", 0),
        # de:51
        ("4P", "44442", 18),
        ("4P", "24444", 18),
        ("4P", "11111", 5),
        ("4P", "44422", 0),
        # de:52: the other two must be of another face, and of the same one
        ("FH", "44422", 25),
        ("FH", "24242", 25),
        ("FH", "22444", 25),
        ("FH", "44423", 0),
        ("FH", "44442", 0),
        ("FH", "44444", 0),
        ("FH", "11223", 0),
        # de:53: four in a row, in any order, the fifth die whatever it shows
        ("KS", "23453", 30),
        ("KS", "53432", 30),
        ("KS", "12346", 30),
        ("KS", "13456", 30),
        ("KS", "61345", 30),
        ("KS", "12345", 30),
        ("KS", "23456", 30),
        ("KS", "33456", 30),
        ("KS", "12356", 0),
        ("KS", "12456", 0),
        ("KS", "11223", 0),
        ("KS", "33333", 0),
        # de:54
        ("GS", "12345", 40),
        ("GS", "23456", 40),
        ("GS", "64253", 40),
        ("GS", "13456", 0),
        ("GS", "23453", 0),
        # de:55
        ("KN", "11111", 50),
        ("KN", "66666", 50),
        ("KN", "66665", 0),
        # de:56
        ("CH", "12346", 16),
        ("CH", "66666", 30),
        ("CH", "11111", 5),
    ],
)
def test_a_box_scores(box: str, dice: str, points: int) -> None:
    """de:43-56: what each box counts."""
    assert score(Category(box), faces(dice), PLAIN, kniffel_is_50=False) == points


@pytest.mark.parametrize("box", CATEGORIES)
def test_the_order_of_the_dice_never_matters(box: Category) -> None:
    """de:53: the help's own example of a small straight is not sorted."""
    for dice in [(2, 3, 4, 5, 3), (4, 4, 4, 2, 2), (1, 2, 3, 4, 6), (6, 6, 6, 6, 1)]:
        points = {score(box, order, PLAIN, kniffel_is_50=False) for order in permutations(dice)}
        assert len(points) == 1


def test_how_many_of_all_rolls_fit_each_box() -> None:
    """Counted by hand: 5 alike 6; exactly 4 alike 150; 3 and 2 alike 300; and so on."""
    fitting = {
        box: sum(plain_scores(dice)[box] > 0 for dice in EVERY_ROLL) for box in LOWER_SECTION
    }
    assert fitting == {
        Category.THREE_OF_A_KIND: 1656,
        Category.FOUR_OF_A_KIND: 156,
        Category.FULL_HOUSE: 300,
        Category.SMALL_STRAIGHT: 1200,
        Category.LARGE_STRAIGHT: 240,
        Category.YAHTZEE: 6,
        Category.CHANCE: 7776,
    }


@pytest.mark.parametrize(
    ("dice", "length"), [("11111", 1), ("13513", 1), ("12124", 2), ("12456", 3), ("65432", 5)]
)
def test_longest_run(dice: str, length: int) -> None:
    assert longest_run(faces(dice)) == length


@pytest.mark.parametrize("rules", [PLAIN, Rules(joker=True)])
@pytest.mark.parametrize("kniffel_is_50", [False, True])
@pytest.mark.parametrize(("box", "paid"), [("FH", 25), ("KS", 30), ("GS", 40)])
def test_a_further_kniffel_is_a_joker_only_by_option_and_after_50(
    box: str,
    paid: int,
    kniffel_is_50: bool,
    rules: Rules,
) -> None:
    """de:55: the 100 are promised, the box's own points are not."""
    expected = paid if rules.joker and kniffel_is_50 else 0
    five_alike = (4, 4, 4, 4, 4)
    assert score(Category(box), five_alike, rules, kniffel_is_50=kniffel_is_50) == expected


def test_the_joker_changes_nothing_else() -> None:
    """de:55: with the option on, four alike are still no straight, and 4P still adds up."""
    joker = Rules(joker=True)
    assert score(Category.FULL_HOUSE, (4, 4, 4, 4, 2), joker, kniffel_is_50=True) == 0
    assert score(Category.FOUR_OF_A_KIND, (4, 4, 4, 4, 4), joker, kniffel_is_50=True) == 20
    assert score(Category.TWOS, (4, 4, 4, 4, 4), joker, kniffel_is_50=True) == 0


@pytest.mark.parametrize("box", CATEGORIES)
def test_a_further_kniffel_earns_100_in_the_lower_boxes(box: Category) -> None:
    """de:55: in 3P, 4P, FH, KS, GS and CH, when the first was entered as Kniffel."""
    fives = (5, 5, 5, 5, 5)
    bonus = yahtzee_bonus(box, fives, PLAIN, kniffel_is_50=True)
    assert bonus == (0 if box in UPPER_SECTION else 100)
    assert yahtzee_bonus(box, fives, PLAIN, kniffel_is_50=False) == 0
    assert yahtzee_bonus(box, (5, 5, 5, 5, 4), PLAIN, kniffel_is_50=True) == 0


@pytest.mark.parametrize("box", UPPER_SECTION)
def test_option_bonus_in_upper(box: Category) -> None:
    """de:55 names the lower boxes only; the option adds all of 1-6, matching or not."""
    rules = Rules(bonus_in_upper=True)
    assert yahtzee_bonus(box, (5, 5, 5, 5, 5), rules, kniffel_is_50=True) == 100
    assert yahtzee_bonus(box, (5, 5, 5, 5, 5), rules, kniffel_is_50=False) == 0


@pytest.mark.parametrize(("rules", "third"), [(PLAIN, 100), (Rules(bonus_once=True), 0)])
def test_option_bonus_once(rules: Rules, third: int) -> None:
    """de:55 speaks of the second Kniffel; later ones count too unless the option is on."""
    card = Scorecard()
    sixes = (6, 6, 6, 6, 6)
    assert card.enter(Category.YAHTZEE, sixes, rules) == (50, 0)
    assert card.enter(Category.CHANCE, sixes, rules) == (30, 100)
    assert card.enter(Category.FOUR_OF_A_KIND, sixes, rules) == (30, third)
    assert card.yahtzee_bonus == 100 + third
    assert card.total == 50 + 30 + 30 + 100 + third


def test_a_struck_kniffel_box_never_earns_the_bonus() -> None:
    """de:55: the first Kniffel must stand as one."""
    card = Scorecard()
    assert card.enter(Category.YAHTZEE, (1, 2, 3, 4, 6), PLAIN) == (0, 0)
    assert not card.kniffel_is_50
    assert card.enter(Category.CHANCE, (6, 6, 6, 6, 6), PLAIN) == (30, 0)


@pytest.mark.parametrize(("upper_sum", "bonus"), [(0, 0), (62, 0), (63, 35), (105, 35)])
def test_upper_bonus(upper_sum: int, bonus: int) -> None:
    """de:49: 35 from 63 on."""
    assert upper_bonus(upper_sum) == bonus


def test_three_of_each_face_earn_the_upper_bonus_and_hundreds_never_do() -> None:
    """de:49: three of each face just reach it; only points scored in 1-6 count toward it."""
    card = Scorecard()
    for face, box in enumerate(UPPER_SECTION, start=1):
        assert card.upper_bonus == 0
        other = face % 6 + 1
        card.enter(box, (face, face, face, other, other), PLAIN)
    assert (card.upper_sum, card.upper_bonus, card.total) == (63, 35, 98)

    rich = Scorecard({Category.YAHTZEE: 50})
    rich.enter(Category.SIXES, (6, 6, 6, 6, 6), Rules(bonus_in_upper=True))
    assert (rich.upper_sum, rich.upper_bonus, rich.yahtzee_bonus) == (30, 0, 100)
    assert rich.total == 50 + 30 + 100


def test_an_empty_and_a_full_card() -> None:
    """de:33: thirteen boxes, one for each round."""
    card = Scorecard()
    assert card.open == CATEGORIES
    assert len(card.open) == ROUNDS
    assert (card.total, card.is_full) == (0, False)
    for box in CATEGORIES:
        card.enter(box, (1, 2, 2, 5, 5), PLAIN)
    assert card.open == ()
    assert card.is_full


def test_the_options_are_off_and_take_nothing_but_booleans() -> None:
    assert (
        Rules(joker=False, bonus_once=False, bonus_in_upper=False, first_roll_only=False) == PLAIN
    )
    with pytest.raises(TypeError, match="joker"):
        Rules(joker="no")
