from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebot.testing.ircd.wire import (
    ENCODING,
    ERRORS,
    Message,
    folder,
    format_tags,
    matches,
    parse,
    parse_tags,
    to_bytes,
)

WORD = st.text(
    st.characters(blacklist_characters="\r\n\0 ", blacklist_categories=("Cs",)), min_size=1
).filter(lambda word: not word.startswith(":"))
TEXT = st.text(st.characters(blacklist_characters="\r\n\0", blacklist_categories=("Cs",)))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("foo bar", Message("FOO", ("bar",))),
        ("FOO  bar   baz ", Message("FOO", ("bar", "baz"))),
        (":src AWAY", Message("AWAY", (), "src")),
        (":a!b@c PRIVMSG #x :hello you", Message("PRIVMSG", ("#x", "hello you"), "a!b@c")),
        ("FOO :", Message("FOO", ("",))),
        ("FOO bar ::)", Message("FOO", ("bar", ":)"))),
        ("FOO a:b", Message("FOO", ("a:b",))),
        (
            r"@a=b\sc\:d\\;+e :s C :x",
            Message("C", ("x",), "s", {"a": "b c;d\\", "+e": ""}),
        ),
        ("  PING x", Message("PING", ("x",))),
        ("P " + " ".join("abcdefghijklmnopq"), Message("P", (*"abcdefghijklmn", "o p q"))),
    ],
)
def test_lines_are_parsed(line, message):
    assert parse(line) == message


@pytest.mark.parametrize("line", ["", "   ", ":source", "@tag=1", "@tag :source", " : "])
def test_a_line_without_a_command_is_nothing(line):
    assert parse(line) is None


@given(WORD, st.lists(WORD, max_size=12), TEXT)
def test_what_is_written_is_read_again(source, middle, last):
    message = Message("PRIVMSG", (*middle, last), source)
    assert parse(message.line()) == message


@given(st.dictionaries(st.from_regex(r"\+?[a-z/.-]+", fullmatch=True), TEXT, max_size=5))
def test_tags_survive_escaping(tags):
    text = format_tags(tags)
    assert " " not in text.rstrip(" ")
    assert parse_tags(text.removeprefix("@").removesuffix(" ")) == tags


@given(st.binary(max_size=400))
def test_any_bytes_pass_unchanged(data):
    assert to_bytes("", data.decode(ENCODING, ERRORS)) == data + b"\r\n"


def test_a_long_line_is_cut_at_512_bytes_tags_not_counted():
    data = to_bytes("@a=b ", "ü" * 400)
    assert data == b"@a=b " + ("ü" * 255).encode() + b"\r\n"


@pytest.mark.parametrize(
    ("casemapping", "folded"),
    [("ascii", "ab[]\\~^É"), ("rfc1459", "ab{}|^^É"), ("strict-rfc1459", "ab{}|~^É")],
)
def test_folding_knows_three_mappings(casemapping, folded):
    assert folder(casemapping)("Ab[]\\~^É") == folded


def test_an_unknown_casemapping_is_refused():
    with pytest.raises(ValueError, match="rfc7613"):
        folder("rfc7613")


@pytest.mark.parametrize(
    ("mask", "text", "expected"),
    [
        ("*!*@host", "a!b@host", True),
        ("a?c*", "abcde", True),
        ("a?c", "abbc", False),
        ("a.c", "abc", False),
        ("*", "", True),
        ("[x]", "x", False),
    ],
)
def test_masks_know_star_and_question_mark_only(mask, text, expected):
    assert matches(mask, text) is expected
