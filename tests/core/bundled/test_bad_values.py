"""What a reader is told about a value that a setting cannot have, in each language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gamebot import BadValue, Between, ConfigError, OneOf
from gamebot.channel.enabled_plugins import core_translator
from gamebot.plugin.loading import load_file, load_plugins, register
from gamebot.testing.session import Session

REGISTRIES = load_plugins().registries
LANGUAGES = ("en", "de", "it", "zh_Hant")
LONGEST = 300
"""Bytes of an answer: one line, whatever the names of network and channel are."""

ENGLISH = re.compile(
    r"\b(?:expected|got|not|number|text|integer|must|between|from)\b", re.IGNORECASE
)

#: What is typed, and what the answer must name.
BAD = {
    "turn_timeout_s soon": ("90s", "1s", "24h"),
    "turn_timeout_s 0": ("90s", "1s", "24h"),
    "turn_timeout_s 25h": ("90s", "1s", "24h"),
    "join_extra_s -1": ("90s", "0s", "24h"),
    "lobby_timeout_s 1e9": ("90s", "1s", "24h"),
    "max_players 3.5": ("1", "100"),
    "max_players 101": ("1", "100"),
    "max_players many": ("1", "100"),
    "bots_alone perhaps": (),
    "colors rainbow": ("background", "foreground", "off"),
    "language fr": ("de", "en", "it", "zh_Hant"),
    "prefix abcdef": ("1", "5"),
    "plugins nosuch": ("uno",),
    "hand_size 500": ("1", "50"),
    "hand_size many": ("1", "50"),
    "hand_size -1": ("1", "50"),
    "d2_on_d2 perhaps": ("on", "off"),
    "starter me": ("random", "first", "left_of_dealer"),
    "min_players 20": (),
    "rules hand_size=51": ("hand_size", "1", "50"),
    "rules sterling": ("sterling",),
    "rules cuciolo,zh2": ("cuciolo", "zh2"),
    "rules drawn_card=snap": ("drawn_card", "pass"),
}


async def session_in(opened: Any, language: str, *more: Any) -> Session:
    names = ("uno", "settings")
    session: Session = await opened(
        *(REGISTRIES[name] for name in names), *more, language=language, prefix="!"
    )
    session.link().op("oper", "#k")
    return session


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_bad_value_is_answered_with_what_is_allowed(opened, said, language):
    session = await session_in(opened, language)
    for text, allowed in BAD.items():
        (answer,) = await said(session, "oper", f"!set {text}")
        assert len(answer.encode()) <= LONGEST, answer
        assert all(word in answer for word in allowed), answer
        typed = text.partition(" ")[2][:60]
        assert typed in answer, answer
        if language != "en":
            assert not ENGLISH.search(answer.replace(typed, "")), answer


@pytest.mark.parametrize("language", LANGUAGES)
async def test_unorules_names_every_fault_in_the_channels_language(opened, said, language):
    session = await session_in(opened, language)
    (answer,) = await said(session, "anna", "!unorules hand_size=x,starter=me,foo=1,bar")
    for word in ("hand_size", "1", "50", "starter", "left_of_dealer", "foo", "cuciolo"):
        assert word in answer
    assert language == "en" or not ENGLISH.search(answer), answer
    assert ("；" if language == "zh_Hant" else "; ") in answer


OWN = """
from attrs import field, frozen
from gamebot import BadValue, ConfigError, hookimpl

def even(_owner, _attribute, value):
    if value % 2:
        raise BadValue("expected {low} to {high}, got {value}", low=2, high=4, value=value)

def odd(_owner, _attribute, value):
    if not value % 2:
        raise ValueError("an odd number, please")

@frozen(kw_only=True)
class Own:
    size: int = field(default=2, validator=even)
    count: int = field(default=1, validator=odd)
    low: int = 1
    high: int = 5

    def __attrs_post_init__(self):
        if self.low > self.high:
            why = BadValue("expected {low} to {high}, got {value}", low=0, high=9, value=self.low)
            raise ConfigError([BadValue("{name}: {why}", name="low", why=why)])

@hookimpl
def gamebot_register(registry):
    registry.configure(Own)
"""


async def test_a_plugins_own_reason_is_translated_and_a_plain_one_is_passed_on(
    opened, said, tmp_path
):
    (tmp_path / "own.py").write_text(OWN)
    own = register("own", load_file("own", tmp_path / "own.py"))
    session = await session_in(opened, "it", own)
    for text, answer in {
        "size 3": "oper: «3» non va bene per own.size: atteso un valore da 2 a 4, non 3.",
        "size many": "oper: «many» non va bene per own.size; ammesso: un numero intero.",
        "count 2": "oper: «2» non va bene per own.count: an odd number, please.",
        "low 9": "oper: Così non sta insieme: own: low: atteso un valore da 0 a 9, non 9",
    }.items():
        assert await said(session, "oper", f"!set {text}") == [answer]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BadValue("no {value}", value=7), "no 7"),
        (BadValue("{name}: {why}", name=("a", "b"), why=BadValue("no")), "a, b: no"),
        (BadValue("{x} braces stay"), "{x} braces stay"),
    ],
)
def test_in_a_log_a_reason_is_english(error, text):
    assert isinstance(error, ValueError)
    assert str(error) == text
    assert ConfigError([error, "b: is missing"]).faults == (text, "b: is missing")


def test_a_bound_says_what_it_expects():
    one_of, between = OneOf(("a", "b", "c")), Between(0.5, 3)
    with pytest.raises(BadValue, match=r'^expected "a" or "b" or "c", got "d"$') as caught:
        one_of(None, None, "d")
    italian = core_translator("it")
    assert italian.text(caught.value.msgid, **caught.value.values) == (
        'atteso "a" o "b" o "c", non "d"'
    )
    with pytest.raises(BadValue, match=r"^expected 0\.5 to 3, got 4$"):
        between(None, None, 4)
