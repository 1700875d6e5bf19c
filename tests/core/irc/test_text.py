"""Casemapping, masks, formatting, parsing and splitting: pure text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebot.irc import formatting
from gamebot.irc.casemapping import fold, is_known
from gamebot.irc.graphemes import graphemes
from gamebot.irc.masks import mask_matches
from gamebot.irc.parser import LineBuffer, decode, format_message, parse_message
from gamebot.irc.splitting import GLUE, glue, split_text

ANY_TEXT = st.text(st.characters(codec=None))
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("mapping", "folded"),
    [
        ("ascii", "nick[]\\^Éabc"),
        ("rfc1459", "nick{}|~Éabc"),
        ("strict-rfc1459", "nick{}|^Éabc"),
    ],
)
def test_fold_follows_the_mapping_and_leaves_what_is_not_ascii(mapping, folded):
    assert fold("Nick[]\\^ÉABC", mapping) == folded
    assert is_known(mapping)


def test_unknown_mapping_is_told_apart():
    assert not is_known("rfc7613")


def test_a_mask_full_of_stars_takes_no_time():
    assert not mask_matches("*a" * 200, "a" * 199 + "b" * 4000)


@given(st.binary(max_size=200))
def test_parser_takes_any_bytes(line):
    message = parse_message(line)
    assert message is None or message.command


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=5), ANY_TEXT, st.dictionaries(ANY_TEXT, ANY_TEXT))
def test_formatter_makes_one_line_of_anything(verb, params, source, tags):
    line = format_message(verb, params, source, tags)
    assert not set("\r\n\0") & set(line)
    parsed = parse_message(line)
    assert parsed is not None
    assert len(parsed.params) == len(params)


@given(st.lists(st.text("ab c:", min_size=1), min_size=1, max_size=4))
def test_last_parameter_comes_back_as_it_was(params):
    assert parse_message(format_message("X", params)).params[-1] == params[-1]


def test_decode_keeps_a_line_that_a_server_cut_inside_a_character():
    assert decode("红桃".encode()[:-1]) == "红"
    assert decode(b"caf\xe9 ol\xe9") == "café olé"
    assert decode(b"PRIVMSG #k :caf\xe9") == "PRIVMSG #k :café"
    assert decode(b"x" * 509 + "é".encode()[:1]) == "x" * 509


def test_line_buffer_joins_pieces_and_drops_what_is_too_long():
    lines = LineBuffer(limit_bytes=10)
    assert lines.feed(b"ab") == []
    assert lines.feed(b"c\r\n\r\n\nde\nf") == [b"abc", b"de"]
    assert lines.feed(b"x" * 11 + b"\nok\n") == [b"ok"]
    assert lines.feed(b"y" * 50) == []
    assert lines.feed(b"y" * 50) == []
    assert lines.feed(b"yy\nok\n") == [b"ok"]
    assert lines.dropped == 2


@given(st.binary(max_size=300), st.integers(1, 20))
def test_line_buffer_gives_the_same_lines_whatever_the_pieces(data, step):
    whole = LineBuffer().feed(data)
    pieces = LineBuffer()
    parts = [pieces.feed(data[at : at + step]) for at in range(0, len(data), step)]
    assert [line for part in parts for line in part] == whole


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("\x0304,12red\x03 \x02b\x02", "red b"),
        ("\x031,a", ",a"),
        ("\x03123", "3"),
        ("\x04ff00AAhex\x04", "hex"),
        ("\x1d\x1f\x1e\x11\x16\x0fx", "x"),
        ("\x03", ""),
    ],
)
def test_strip_formatting(text, stripped):
    assert formatting.strip_formatting(text) == stripped


@given(st.text("1,a "), st.text("1,a "))
def test_color_never_swallows_its_neighbours(inside, behind):
    text = formatting.color(inside, formatting.Color.RED) + behind
    assert formatting.strip_formatting(text) == inside + behind
    text = formatting.color(inside, formatting.Color.RED, formatting.Color.WHITE) + behind
    assert formatting.strip_formatting(text) == inside + behind


@given(ANY_TEXT)
def test_clean_text_is_one_line_that_has_utf8(text):
    cleaned = formatting.clean_text(text)
    assert not set("\r\n\0\x01\u2028\x85") & set(cleaned)
    cleaned.encode()


@pytest.mark.parametrize("target", ["", "#a,#b", "a b", ":a", "a\r\nQUIT", "a\0", "\ud800"])
def test_a_target_that_is_none_is_refused(target):
    assert formatting.clean_target(target) == ""


def test_clean_target_keeps_names_as_they_are():
    for target in ("#uno", "@#uno", "nick[]", "#红桃"):
        assert formatting.clean_target(target) == target


@pytest.mark.parametrize(
    "cluster",
    ["e\u0301", FAMILY, "\U0001f44d\U0001f3fd", "\U0001f1e9\U0001f1ea", "❤\ufe0f", "\u1100\u1161"],
)
def test_graphemes_stay_whole(cluster):
    assert list(graphemes(f"a{cluster}b")) == ["a", cluster, "b"]


def test_two_flags_are_two_graphemes():
    assert len(list(graphemes("\U0001f1e9\U0001f1ea\U0001f1ee\U0001f1f9"))) == 2


def test_split_at_words_then_at_graphemes():
    assert split_text("hello world again", 11) == ["hello world", "again"]
    assert split_text("红桃红桃", 7) == ["红桃", "红桃"]
    assert split_text("ab " + FAMILY * 2, 20) == ["ab", FAMILY, FAMILY]


def test_blank_text_gives_no_piece():
    assert split_text("", 50) == split_text("   ", 50) == split_text("\x02 \x02", 50) == []


def test_glued_words_stay_in_one_piece_and_leave_as_spaces():
    assert GLUE not in "".join(split_text(glue("[ R 5 ] [ V 3 ]"), 8))
    text = " ".join(glue(card) for card in ("[ R 5 ]", "[ V 3 ]", "[ B 9 ]"))
    assert split_text(text, 15) == ["[ R 5 ] [ V 3 ]", "[ B 9 ]"]


def test_colours_are_opened_again():
    text = formatting.bold(formatting.color("aaaa bbbb", formatting.Color.RED))
    assert split_text(text, 10) == ["\x02\x0304aaaa", "\x02\x0304bbbb\x03\x02"]
    assert split_text("\x034,5aaaaaa bbb\x03 ccc", 12) == [
        "\x034,5aaaaaa",
        "\x0304,05bbb\x03",
        "ccc",
    ]
    assert split_text("\x0304aaaaaa ,5", 10)[1] == "\x0304\x02\x02,5"
    assert split_text("\x02aaa\x0f bbb", 5) == ["\x02aaa\x0f", "bbb"]


def test_a_limit_that_holds_no_character_is_refused():
    with pytest.raises(ValueError, match="cannot hold"):
        split_text("abc", 3)


FORMATTED = st.lists(
    st.one_of(
        st.text(st.sampled_from("ab ,1红é\u0301😀\u200d" + GLUE), max_size=6),
        st.sampled_from(["\x02", "\x0f", "\x03", "\x0304", "\x0304,05", "\x1d", "\x04ff00ff"]),
    ),
    max_size=30,
).map("".join)


@given(FORMATTED, st.integers(4, 60))
def test_split_keeps_the_limit_and_every_character(text, limit):
    pieces = split_text(text, limit)
    assert all(len(piece.encode()) <= limit for piece in pieces)
    visible = formatting.strip_formatting(text).replace(GLUE, " ").replace(" ", "")
    shown = "".join(formatting.strip_formatting(piece) for piece in pieces)  # each is a line
    assert shown.replace(" ", "") == visible
