"""The documentation cannot drift away from the code."""

import inspect
import re
from pathlib import Path

import attrs
import pytest

import gamebot
from gamebot.config import (
    ChannelConfig,
    ChannelDefaults,
    Config,
    NetworkConfig,
    PluginsConfig,
    ServerConfig,
)
from gamebot.config.limits import Limits
from gamebot.config.structure import known_keys

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "operating.md").read_text("utf-8")
CLASSES = (
    Config,
    PluginsConfig,
    Limits,
    ChannelDefaults,
    ChannelConfig,
    NetworkConfig,
    ServerConfig,
)
KEYS = sorted({(kind, key) for kind in CLASSES for key in known_keys(kind)}, key=str)


@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_every_key_is_in_the_operators_guide(kind, key) -> None:
    first_cells = re.findall(r"^\| (.+?) \|", GUIDE, flags=re.MULTILINE)
    assert f"`{key}`" in " ".join(first_cells)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_field_is_described_in_its_class(kind) -> None:
    documented = re.findall(r"^    (\w+):", inspect.getdoc(kind), flags=re.MULTILINE)
    assert documented == [attribute.name for attribute in attrs.fields(kind)]


def test_defaults_in_the_guide_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", GUIDE, flags=re.MULTILINE)
    other = re.compile(r'GAMEBOT_.*|\[\]|\["kniffel"\]|6697')
    written = {(key, value) for key, value in rows if not other.fullmatch(value)}
    fields = {
        (attribute.name, toml(attribute.default))
        for kind in CLASSES
        for attribute in attrs.fields(kind)
    }
    assert written - fields == {("language", '"en"')}


def toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | Path):
        return f'"{value}"'
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


@pytest.mark.parametrize("name", [name for name in gamebot.__all__ if name != "__version__"])
def test_every_public_name_has_a_docstring(name) -> None:
    assert inspect.getdoc(getattr(gamebot, name)), name
