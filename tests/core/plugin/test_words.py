from __future__ import annotations

import pytest

from gamebot.errors import PluginError
from gamebot.plugin.commands import Command
from gamebot.plugin.word_table import Spelling, WordTable
from gamebot.plugin.words import Word, normal, parse_words


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("!roll", [Word("roll", "", prefixed=True)]),
        ("is(crivi)", [Word("is", "crivi", prefixed=False)]),
        ("!en(tro) ok", [Word("en", "tro", prefixed=True), Word("ok", "", prefixed=False)]),
        ("抽", [Word("抽", "", prefixed=False)]),
        ("!start !los", [Word("start", "", prefixed=True), Word("los", "", prefixed=True)]),
    ],
)
def test_words_are_read_as_the_manuals_write_them(source: str, words: list[Word]):
    assert parse_words(source) == tuple(words)


@pytest.mark.parametrize(
    "source", ["", "  ", "is(", "is)", "is()", "(crivi)", "!", "!!a", "a(b)c", "a!b"]
)
def test_malformed_words_are_refused(source: str):
    with pytest.raises(PluginError):
        parse_words(source)


def test_the_part_in_brackets_may_be_left_off_from_the_end():
    (word,) = parse_words("is(cri)")
    assert word.forms == ("is", "isc", "iscr", "iscri")
    assert (word.shown("."), word.manual(".")) == ("iscri", "is(cri)")


def test_the_mark_stands_for_whatever_the_prefix_is():
    (word,) = parse_words("!en(tro)")
    assert (word.shown("."), word.manual("uno ")) == (".entro", "uno en(tro)")


@pytest.mark.parametrize(
    ("text", "folded"), [("ＷＵＲＦ", "wurf"), ("５", "5"), ("Straße", "strasse")]
)
def test_case_and_compatibility_forms_fold(text: str, folded: str):
    assert normal(text) == folded


def command(name: str, words: str) -> Command:
    return Command("plugin", name, lambda _ctx: None, words, ())


def table(*pairs: tuple[str, str]) -> WordTable:
    return WordTable([Spelling(command(name, words), words) for name, words in pairs])


@pytest.mark.parametrize(
    ("text", "in_query", "found"),
    [
        (".roll", False, "roll"),
        (".ROLL 1 2", False, "roll"),
        ("  .roll", False, "roll"),
        ("roll", False, None),
        ("roll", True, "roll"),
        (".roll", True, "roll"),
        (".rolls", False, None),
        ("..roll", False, None),
        (". roll", False, None),
        ("is", False, "join"),
        ("iscr", False, "join"),
        (".is", False, "join"),
        ("island", False, None),
        ("", False, None),
        (".", False, None),
        (".ＲＯＬＬ", False, "roll"),
    ],
)
def test_a_line_finds_its_command(text: str, in_query: bool, found: str | None):
    words = table(("roll", "!roll"), ("join", "is(crivi)"))
    invocation = words.find(text, ".", in_query=in_query)
    assert (invocation.command.name if invocation else None) == found


def test_a_prefixed_word_goes_before_a_bare_one():
    words = table(("bare", ".x"), ("prefixed", "!x"))
    found = words.find(".x", ".", in_query=False)
    assert found is not None
    assert found.command.name == "prefixed"


def test_a_bare_word_is_marked_as_an_everyday_word_in_a_channel_only():
    words = table(("join", "is(crivi)"), ("roll", "!roll"))
    for text, in_query, bare in [("is", False, True), ("is", True, False), (".roll", False, False)]:
        found = words.find(text, ".", in_query=in_query)
        assert found is not None
        assert found.bare is bare


@pytest.mark.parametrize(
    ("one", "other"), [("!roll", "!roll"), ("is(crivi)", "isc"), ("a b", "c b"), ("!Roll", "!rOLL")]
)
def test_two_commands_cannot_have_one_form(one: str, other: str):
    with pytest.raises(PluginError, match=r"plugin\.second.*plugin\.first"):
        table(("first", one), ("second", other))


@pytest.mark.parametrize(("one", "other"), [("!roll", "roll"), ("is", "iscrivi")])
def test_a_prefix_or_another_length_makes_another_form(one: str, other: str):
    table(("first", one), ("second", other))


def test_behind_the_bot_s_nick_every_word_is_a_command():
    words = table(("join", "is(crivi)"), ("roll", "!roll"))
    for text, name in [("is", "join"), ("roll", "roll"), (".roll", "roll"), ("is ann", "join")]:
        found = words.find(text, ".", in_query=False, addressed=True)
        assert found is not None
        assert (found.command.name, found.bare) == (name, False)


@pytest.mark.parametrize(
    ("text", "found"),
    [("uno!", "uno"), ("UNO!!!", "uno"), ("uno.", "uno"), ("uno momento", "uno"), ("pa!", None)],
)
def test_a_word_that_is_shouted_takes_marks_behind_it_and_nothing_else(text, found):
    uno = Command("uno", "uno", lambda _ctx: None, "uno", (), shouted=True)
    pass_turn = Command("uno", "pass", lambda _ctx: None, "pa(ss)", ())
    words = WordTable([Spelling(uno, "uno"), Spelling(pass_turn, "pa(ss)")])
    invocation = words.find(text, "!", in_query=False)
    assert (invocation.command.name if invocation else None) == found
    assert words.find("uno! momento", "!", in_query=False) is None


def test_a_word_of_another_game_counts_where_nobody_has_it_or_whose_game_is_on():
    stop = Command("kniffel", "stop", lambda _ctx: None, "!stop", ())
    close = Command("uno", "close", lambda _ctx: None, "!unooff", (), also="!stop !off")
    words = WordTable([Spelling(close, "!unooff", "!stop !off"), Spelling(stop, "!stop")])

    def name(text: str, busy: str | None) -> str:
        found = words.find(text, "!", in_query=False, busy=busy)
        assert found is not None
        return found.command.name

    assert name("!off", None) == "close"
    assert name("!stop", None) == "stop"
    assert name("!stop", "uno") == "close"
    assert name("!stop", "kniffel") == "stop"
