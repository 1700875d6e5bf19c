from __future__ import annotations

import attrs
import pytest
from gamebot_uno.engine.rules import LIMITS, PRESETS, Rules, RulesError, typed_name
from gamebot_uno.rules_text import (
    FIELDS,
    differences,
    limits_of,
    parse_rules,
    render_rules,
    render_value,
    values_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st


def faults(text: str) -> dict[tuple[str, ...], str]:
    with pytest.raises(RulesError) as caught:
        parse_rules(text)
    assert set(caught.value.fields) == {name for names in caught.value.problems for name in names}
    return {names: str(problem) for names, problem in caught.value.problems.items()}


def test_cuciolo_is_the_default() -> None:
    assert parse_rules("") == parse_rules("cuciolo") == Rules() == PRESETS["cuciolo"]
    assert list(PRESETS) == ["cuciolo", "sterning", "zh2", "mattel"]


def test_a_preset_with_overrides() -> None:
    rules = parse_rules("sterning,hand_size=5, challenge  PASS=automatic target=off")
    expected = PRESETS["sterning"].with_overrides(hand_size=5, challenge=True)
    assert rules == expected
    assert parse_rules("guilty_draws=four", rules) == expected.with_overrides(
        guilty_draws=type(rules.guilty_draws).FOUR
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_every_value_of_every_field_can_be_typed(preset: str) -> None:
    for name in FIELDS:
        for value in values_of(name) or [str(LIMITS[name][0]), str(LIMITS[name][1])]:
            try:
                rules = parse_rules(f"{preset},{name}={value}")
            except RulesError as error:
                contradicting = error.fields
            else:
                contradicting = ()
                assert render_value(rules, name) == value
            assert len(contradicting) != 1, "a contradiction names what it is between"


def test_a_number_has_limits_and_nothing_else_has() -> None:
    assert limits_of("hand_size") == LIMITS["hand_size"]
    assert all((limits_of(name) is None) == bool(values_of(name)) for name in FIELDS)
    with pytest.raises(KeyError):
        limits_of("hands")


def test_all_faults_are_told_at_once() -> None:
    problems = faults("foo=1,hand_size=x,challenge=maybe,starter=me,bar")
    assert set(problems) == {("foo",), ("hand_size",), ("challenge",), ("starter",), ("bar",)}
    assert "random | first | left_of_dealer" in problems["starter",]
    assert problems["hand_size",] == "1-50, not x"


def test_a_named_choice_cannot_be_switched_on() -> None:
    assert set(faults("starter")) == {("starter",)}


def test_one_rule_set_at_a_time() -> None:
    assert set(faults("zh2,mattel")) == {("zh2", "mattel")}
    assert parse_rules("zh2,zh2") == PRESETS["zh2"]


@pytest.mark.parametrize("name", LIMITS)
def test_numbers_have_limits(name: str) -> None:
    lowest, highest = LIMITS[name]
    for value in (lowest - 1, highest + 1):
        assert (name,) in faults(f"{name}={value}")


def test_a_value_has_its_type() -> None:
    with pytest.raises(RulesError, match="hand_size: not True"):
        Rules(hand_size=True)
    with pytest.raises(RulesError, match="pass: not 'explicit'"):
        Rules(pass_="explicit")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("min_players=8,max_players=3", ("min_players", "max_players")),
        ("hand_size=11", ("hand_size", "max_players", "decks")),
        ("drawn_card=snap", ("drawn_card", "pass")),
        ("zh2,draw_if_none=until_playable", ("draw_if_none", "drawn_card")),
        ("zh2,wild_on_taken_draw=off", ("after_taken_draw_two", "wild_on_taken_draw")),
        ("sterning,wild_on_pending", ("wild_on_pending", "wild_on_taken_draw")),
        ("wd4_legal_if=free", ("challenge", "wd4_legal_if")),
        ("wd4_bluff=off", ("challenge", "wd4_bluff")),
    ],
)
def test_a_contradiction_names_its_fields(text: str, fields: tuple[str, ...]) -> None:
    assert set(faults(text)) == {fields}


def test_several_contradictions_are_told_at_once() -> None:
    assert len(faults("hand_size=11,wd4_bluff=off")) == 2


def test_enough_decks_deal_large_hands() -> None:
    assert parse_rules("hand_size=11,decks=2").hand_size == 11


def test_an_unknown_field_in_code_is_a_programming_error() -> None:
    with pytest.raises(TypeError):
        Rules().with_overrides(colour="red")


def test_only_one_name_is_typed_differently() -> None:
    names = [attribute.name for attribute in attrs.fields(Rules)]
    assert [name for name in names if typed_name(name) != name] == ["pass_"]
    assert tuple(typed_name(name) for name in names) == FIELDS


def test_what_differs_is_written() -> None:
    rules = parse_rules("zh2,hand_size=5,jump_in")
    assert differences(rules, PRESETS["zh2"]) == {"hand_size": "5", "jump_in": "on"}
    assert render_rules(rules) == "zh2,hand_size=5,jump_in=on"
    assert render_rules(Rules()) == "cuciolo"


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(list(PRESETS)),
    st.lists(st.sampled_from([name for name in FIELDS if values_of(name)]), max_size=5),
    st.randoms(use_true_random=False),
)
def test_what_is_written_is_read(preset: str, names: list[str], chance: object) -> None:
    rules = PRESETS[preset]
    for name in names:
        try:
            rules = parse_rules(f"{name}={chance.choice(values_of(name))}", rules)
        except RulesError:
            continue
    assert parse_rules(render_rules(rules)) == rules
