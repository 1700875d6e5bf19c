from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Literal

import pytest
from attrs import field, frozen
from attrs.validators import ge, instance_of

from gamebot.config import structure_settings, structure_text_settings
from gamebot.config.structure import show, show_path
from gamebot.errors import ConfigError


class Strength(Enum):
    WEAK = "weak"
    BEST = "best-play"


@frozen(kw_only=True)
class Inner:
    joker: bool = field(default=False, validator=instance_of(bool))


@frozen(kw_only=True)
class Settings:
    turn_timeout_s: int = field(default=300, validator=ge(1))
    pause_s: float = 0.5
    size: int = field(default=5)
    factor: float = 1.0
    kick: bool = False
    topic: str | None = None
    strength: Strength = Strength.WEAK
    order: Literal["low", "High"] = "low"
    colors: tuple[str, ...] = ()
    inner: Inner = Inner()
    sizes: Mapping[str, int] = field(factory=dict)
    folder: Path = Path()

    @size.validator
    def _check(self, _attribute, value) -> None:
        if value > 2 * self.turn_timeout_s:
            raise ValueError("expected at most twice the timeout")


def test_a_table_becomes_settings() -> None:
    table = {
        "turn_timeout_s": 60,
        "pause_s": 1,
        "kick": True,
        "topic": "hello",
        "strength": "best-play",
        "order": "High",
        "colors": ["red"],
        "inner": {"joker": True},
        "sizes": {"a": 1},
        "folder": "x",
    }
    assert structure_settings(Settings, table, "p", Path("/etc")) == Settings(
        turn_timeout_s=60,
        pause_s=1.0,
        kick=True,
        topic="hello",
        strength=Strength.BEST,
        order="High",
        colors=("red",),
        inner=Inner(joker=True),
        sizes={"a": 1},
        folder=Path("/etc/x"),
    )


def test_all_faults_of_settings_are_told_with_their_path() -> None:
    table = {
        "turn_timeout_s": 0,
        "pause_s": "1",
        "kick": "on",
        "strength": "BEST",
        "order": "high",
        "colors": "red",
        "inner": {"jokr": True, "joker": 1},
        "sizes": {"a": "x", "b c": True},
        "sise": 4,
    }
    with pytest.raises(ConfigError) as caught:
        structure_settings(Settings, table, 'networks.x.channels."#c".kniffel')
    assert [
        fault.removeprefix('networks.x.channels."#c".kniffel.') for fault in caught.value.faults
    ] == [
        "turn_timeout_s: must be >= 1: 0",
        'pause_s: expected a number, got "1"',
        'kick: expected true or false, got "on"',
        'strength: expected "weak" or "best-play", got "BEST"',
        'order: expected "low" or "High", got "high"',
        'colors: expected a list, got "red"',
        "inner.joker: expected true or false, got 1",
        'inner.jokr: unknown key, did you mean "joker"?',
        'sizes.a: expected an integer, got "x"',
        'sizes."b c": expected an integer, got true',
        'sise: unknown key, did you mean "size"?',
    ]


def test_a_check_of_two_fields_comes_last() -> None:
    with pytest.raises(ConfigError, match="expected at most twice the timeout"):
        structure_settings(Settings, {"size": 900}, "p")
    with pytest.raises(ConfigError, match="p: expected a table"):
        structure_settings(Settings, [], "p")


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("turn_timeout_s", "90s", 90),
        ("turn_timeout_s", "5m", 300),
        ("turn_timeout_s", "1.5h", 5400),
        ("turn_timeout_s", "90", 90),
        ("turn_timeout_s", 90, 90),
        ("pause_s", "0.5s", 0.5),
        ("size", "7", 7),
        ("size", 7, 7),
        ("factor", "2.5", 2.5),
        ("kick", "on", True),
        ("kick", "No", False),
        ("kick", True, True),
        ("topic", "90s", "90s"),
        ("strength", "WEAK", Strength.WEAK),
        ("strength", "Best", Strength.BEST),
        ("strength", "best-play", Strength.BEST),
        ("order", "high", "High"),
        ("colors", "red, green", ("red", "green")),
        ("colors", "", ()),
    ],
)
def test_words_become_settings(key, text, value) -> None:
    assert getattr(structure_text_settings(Settings, {key: text}), key) == value


@pytest.mark.parametrize(
    ("key", "text", "fault"),
    [
        ("turn_timeout_s", "soon", 'expected a duration such as 90s, 5m or 1h, got "soon"'),
        ("turn_timeout_s", "0s", "must be >= 1: 0"),
        ("turn_timeout_s", "1.5s", "expected an integer, got 1.5"),
        ("size", "5m", 'expected an integer, got "5m"'),
        ("factor", "nan", 'expected a number, got "nan"'),
        ("kick", "maybe", 'expected true or false, got "maybe"'),
        ("size", "9" * 30, f'expected an integer, got "{"9" * 30}"'),
    ],
)
def test_words_that_do_not_fit_are_told(key, text, fault) -> None:
    with pytest.raises(ConfigError) as caught:
        structure_text_settings(Settings, {key: text}, "%channel")
    assert caught.value.faults == (f"%channel.{key}: {fault}",)


def test_paths_and_values_are_shown_as_toml_writes_them() -> None:
    assert show_path(["networks", "a", "servers", 1, "port"]) == "networks.a.servers[1].port"
    assert show_path(["channels", '#"x']) == 'channels."#\\"x"'
    assert show("é" * 100) == '"' + "é" * 56 + "..."
