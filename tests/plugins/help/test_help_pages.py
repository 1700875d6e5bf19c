import pytest
from gamebot_help.pages import KEPT_PEOPLE, KEPT_S, LINE_BYTES, PAGE_LINES, pack, wrap
from hypothesis import given
from hypothesis import strategies as st


async def test_never_more_than_four_lines_at_once(open_channel):
    asked = await open_channel()
    first = await asked.says("anna", ".help rules")
    assert len(first) == PAGE_LINES
    assert first[-1].endswith(" [2 more lines: .more]")
    rest = await asked.says("anna", ".more")
    assert len(rest) == 2
    assert await asked.says("anna", ".more") == ["There is nothing more to read; .help explains."]


async def test_more_is_of_the_one_who_asked(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".help rules")
    assert await asked.says("bert", ".more") == ["There is nothing more to read; .help explains."]
    assert len(await asked.says("Anna", ".more")) == 2


async def test_the_word_alone_is_an_everyday_word(open_channel):
    asked = await open_channel()
    assert await asked.says("anna", "more") == []
    await asked.says("anna", ".help rules")
    assert await asked.says("anna", "more of this please") == []
    assert len(await asked.says("anna", "more")) == 2


async def test_a_question_replaces_the_last_one(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".help rules")
    await asked.says("anna", ".help roll")
    assert await asked.says("anna", "more") == []


async def test_the_rest_is_forgotten_after_a_while(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".help rules")
    await asked.session.pass_time(KEPT_S)
    assert await asked.says("anna", "more") == []


async def test_the_rest_is_kept_for_so_many_people(open_channel):
    asked = await open_channel()
    for number in range(KEPT_PEOPLE + 1):
        await asked.says(f"nick{number}", ".help rules")
    assert await asked.says("nick0", "more") == []
    assert len(await asked.says("nick1", "more")) == 2
    assert len(await asked.says(f"nick{KEPT_PEOPLE}", "more")) == 2


async def test_after_a_restart_one_asks_anew(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".help rules")
    await asked.session.restart()
    assert await asked.says("anna", "more") == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1)))
def test_wrapping_loses_no_character_and_keeps_the_limit(words):
    text = " ".join(words)
    lines = list(wrap(text, 60))
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(len(line.encode()) <= 60 or " " not in line for line in lines)


def test_chinese_is_cut_between_characters_but_not_before_a_stop():
    lines = list(wrap("出牌必須和上家所出的牌顏色或者數字相同，" * 12, 60))
    assert all(len(line.encode()) <= 63 for line in lines)
    assert not any(line.startswith("，") for line in lines)


@pytest.mark.parametrize("limit", [10, 20, 400])
def test_packing_keeps_parts_whole(limit):
    parts = ["one", "two", "three", "four"]
    lines = list(pack(parts, limit))
    assert [part for line in lines for part in line.split(" · ")] == parts
    assert all(len(line.encode()) <= limit for line in lines)


def test_a_line_has_room_for_the_hint():
    assert LINE_BYTES <= 350


@pytest.mark.parametrize("limit", range(8, 60))
def test_what_is_typed_is_not_cut(limit):
    text = "再寫一次 \x11.開局\x11 立刻開始；\x11摸牌\x11，或（\x11紅3 uno\x11）。"
    lines = list(wrap(text, limit))
    assert "".join(lines).replace(" ", "") == text.replace("\x11", "").replace(" ", "")
    for typed in (".開局", "摸牌，", "（紅3 uno）。"):
        assert any(typed in line for line in lines), lines
