from __future__ import annotations

import pytest
from gamebot_kniffel.engine.scoring import CATEGORIES, Category
from gamebot_kniffel.notation import TABLES, named


@pytest.mark.parametrize(
    ("language", "text", "box"),
    [
        ("en", "Small Straight", Category.SMALL_STRAIGHT),
        ("en", "3-of-a-kind", Category.THREE_OF_A_KIND),
        ("de", "GROSSE STRASSE", Category.LARGE_STRAIGHT),
        ("de", "große-straße", Category.LARGE_STRAIGHT),
        ("de", "Fuenfer", Category.FIVES),
        ("it", "scala piccola", Category.SMALL_STRAIGHT),
        ("it", "poker", Category.FOUR_OF_A_KIND),
        ("zh_Hant", "葫蘆", Category.FULL_HOUSE),
        ("zh_Hant", "大顺", Category.LARGE_STRAIGHT),
    ],
)
def test_a_box_is_named_as_people_of_the_language_say_it(
    language: str, text: str, box: Category
) -> None:
    assert named(text, language) is box


@pytest.mark.parametrize("language", [*TABLES, "fr"])
def test_english_and_numbers_are_understood_everywhere(language: str) -> None:
    assert named("large straight", language) is Category.LARGE_STRAIGHT
    assert [named(str(n), language) for n in range(1, 7)] == list(CATEGORIES[:6])


@pytest.mark.parametrize("text", ["", "7", "scala piccola", "straight"])
def test_what_names_no_box_is_none(text: str) -> None:
    assert named(text, "en") is None


@pytest.mark.parametrize("language", TABLES)
def test_every_box_has_a_name_in_every_language(language: str) -> None:
    assert set(TABLES[language].values()) == set(CATEGORIES)
