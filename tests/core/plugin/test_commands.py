from __future__ import annotations

from enum import Enum
from typing import Literal

import pytest

from gamebot import Context, Duration, Refused, Registry, Rest, Rights, UsageError, When, Where
from gamebot.errors import PluginError
from gamebot.plugin.commands import parse_duration


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Suit:
    def __init__(self, name: str) -> None:
        self.name = name


def suit(text: str, ctx: Context) -> Suit:
    if text != "hearts":
        raise UsageError("“{text}” is no suit of {nick}.", text=text, nick=ctx.nick)
    return Suit(text)


def echo(ctx: Context, *values: object) -> None:
    ctx.say(repr(values))


def plugin_with(handler: object, **kwargs: object) -> Registry:
    registry = Registry("p")
    registry.converter(Suit, suit)
    registry.command("go", handler, words="!go", **kwargs)
    return registry


def one_int(ctx: Context, n: int) -> None:
    echo(ctx, n)


def two(ctx: Context, first: str, second_word: str = "-") -> None:
    echo(ctx, first, second_word)


def many(ctx: Context, *numbers: int) -> None:
    echo(ctx, *numbers)


def rest(ctx: Context, n: int, text: Rest) -> None:
    echo(ctx, n, text)


def literal(ctx: Context, what: Literal["on", "off"]) -> None:
    echo(ctx, what)


def enum(ctx: Context, color: Color | None = None) -> None:
    echo(ctx, color)


def span(ctx: Context, time: Duration) -> None:
    echo(ctx, time)


def cards(ctx: Context, card: Suit) -> None:
    echo(ctx, card.name)


def plain(ctx: Context) -> None:
    echo(ctx)


@pytest.mark.parametrize(
    ("handler", "line", "answer"),
    [
        (one_int, "!go 7", "(7,)"),
        (one_int, "!go -7", "(-7,)"),
        (one_int, "!go ７", "(7,)"),
        (two, "!go a", "('a', '-')"),
        (two, "!go   a    b  ", "('a', 'b')"),
        (two, "!go\ta\tb", "('a', 'b')"),
        (two, "!go　a　b", "('a', 'b')"),
        (rest, "!go 1　the rest", "(1, 'the rest')"),
        (many, "!go", "()"),
        (many, "!go 1 2  3", "(1, 2, 3)"),
        (rest, "!go 1 the rest  of it", "(1, 'the rest  of it')"),
        (literal, "!go ON", "('on',)"),
        (enum, "!go", "(None,)"),
        (enum, "!go Red", "(<Color.RED: 'red'>,)"),
        (span, "!go 90", "(90.0,)"),
        (span, "!go 5m", "(300.0,)"),
        (cards, "!go hearts", "('hearts',)"),
        (plain, "!go", "()"),
    ],
)
async def test_the_signature_is_the_parser(opened, said, handler, line: str, answer: str):
    session = await opened(plugin_with(handler))
    assert await said(session, "anna", line) == [f"#k: {answer}"]


@pytest.mark.parametrize(
    ("handler", "line", "answer"),
    [
        (one_int, "!go", "Something is missing: n. Write: !go n"),
        (one_int, "!go x", "“x” is not a whole number. Write: !go n"),
        (one_int, "!go 1.5", "“1.5” is not a whole number. Write: !go n"),
        (one_int, "!go " + "9" * 19, f"“{'9' * 19}” is not a whole number. Write: !go n"),
        (one_int, "!go 1 2", "“2” is too much. Write: !go n"),
        (two, "!go", "Something is missing: first. Write: !go first [second word]"),
        (two, "!go a b c d", "“c d” is too much. Write: !go first [second word]"),
        (many, "!go 1 x", "“x” is not a whole number. Write: !go [numbers …]"),
        (rest, "!go 1", "Something is missing: text. Write: !go n text"),
        (literal, "!go maybe", "“maybe” is none of: on, off. Write: !go on|off"),
        (enum, "!go green", "“green” is none of: red, blue. Write: !go [red|blue]"),
        (span, "!go soon", "“soon” is not a time; write 90s, 5m or 1h. Write: !go time"),
        (cards, "!go spades", "“spades” is no suit of anna. Write: !go card"),
        (plain, "!go now", "“now” is too much. Write: !go"),
        (one_int, "!go {x} {0}", "“{x}” is not a whole number. Write: !go n"),
    ],
)
async def test_usage_errors_say_why_and_how(opened, said, handler, line: str, answer: str):
    session = await opened(plugin_with(handler))
    assert await said(session, "anna", line) == [f"anna: {answer}"]


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("5M", 300), ("1h", 3600), ("2d", 172800)]
)
def test_durations(text: str, seconds: float):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "-5s", "5 m", "1h30m", "5x", "1" * 9])
def test_what_is_no_duration(text: str):
    with pytest.raises(UsageError):
        parse_duration(text)


def keyword(ctx: Context, *, flag: int) -> None:
    pass


def open_ended(ctx: Context, **more: int) -> None:
    pass


def unknown_type(ctx: Context, what: dict) -> None:
    pass


def nothing() -> None:
    pass


def behind_the_rest(ctx: Context, text: Rest, n: int) -> None:
    pass


def unresolved(ctx: Context, n: Nowhere) -> None:  # noqa: F821  that is the point
    pass


@pytest.mark.parametrize(
    "handler", [keyword, open_ended, unknown_type, nothing, behind_the_rest, unresolved]
)
def test_a_signature_that_cannot_be_a_parser_is_refused_at_load(handler):
    with pytest.raises(PluginError, match=handler.__name__):
        plugin_with(handler)


def test_a_name_is_registered_once():
    registry = plugin_with(plain)
    with pytest.raises(PluginError, match="registered twice"):
        registry.command("go", plain, words="!went")


def test_a_malformed_word_is_refused_at_load():
    with pytest.raises(PluginError, match="must look like"):
        Registry("p").command("go", plain, words="go(")


def test_a_timer_cannot_have_a_table_timer_s_name():
    registry = Registry("p")
    registry.timer("tick", lambda _ctx, _payload: None)
    for name in ("tick", "table.turn"):
        with pytest.raises(PluginError, match="is taken"):
            registry.timer(name, lambda _ctx, _payload: None)


@pytest.mark.parametrize(
    ("where", "query", "answer"),
    [
        (Where.CHANNEL, True, "That belongs into the channel #k."),
        (Where.QUERY, False, "That works in a query to me only."),
    ],
)
async def test_the_wrong_place_is_named(opened, said, where: Where, query: bool, answer: str):
    session = await opened(plugin_with(plain, where=where))
    session.link().join("anna", "#k")
    assert await said(session, "anna", "!go", query=query) == [f"anna: {answer}"]


@pytest.mark.parametrize("rights", [Rights.OPERATOR, Rights.OWNER])
async def test_rights_are_asked_for(opened, said, rights: Rights):
    session = await opened(plugin_with(plain, rights=rights))
    (answer,) = await said(session, "anna", "!go")
    assert answer.startswith("anna: Only an o")


async def test_an_operator_of_the_channel_may(opened, said):
    session = await opened(plugin_with(plain, rights=Rights.OPERATOR))
    session.link().op("anna", "#k")
    assert await said(session, "anna", "!go") == ["#k: ()"]


async def test_a_phase_means_nothing_without_a_game(opened, said):
    session = await opened(plugin_with(plain, when=When.MY_TURN))
    assert await said(session, "anna", "!go") == ["#k: ()"]


async def test_a_bare_word_is_met_with_silence_where_it_cannot_be_given(opened, said):
    registry = Registry("p")
    registry.command("is", plain, words="is", rights=Rights.OPERATOR)
    registry.command("pa", plain, words="pa")
    session = await opened(registry)
    assert await said(session, "anna", "is") == []
    assert await said(session, "anna", "pa cosi") == []
    assert await said(session, "anna", "pa") == ["#k: ()"]


async def test_a_refusal_is_told_privately_with_its_values(opened, said):
    def refuse(ctx: Context) -> None:
        ctx.say("never said")
        raise Refused("Not you, {name}.", name=ctx.nick)

    session = await opened(plugin_with(refuse))
    assert await said(session, "anna", "!go") == ["anna: Not you, anna."]
