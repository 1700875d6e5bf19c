"""All rows of irc-parser-tests (CC0, vectors/LICENSE)."""

from pathlib import Path

import pytest
import yaml

from gamebot.irc.masks import is_valid_hostname, mask_matches
from gamebot.irc.parser import format_message, parse_message, split_source

VECTORS = Path(__file__).parent / "vectors"


def rows(name):
    return yaml.safe_load((VECTORS / f"{name}.yaml").read_text(encoding="utf-8"))["tests"]


@pytest.mark.parametrize("row", rows("msg-split"), ids=lambda row: row["input"])
@pytest.mark.parametrize("encode", [str, str.encode])
def test_msg_split(row, encode):
    message = parse_message(encode(row["input"]))
    atoms = row["atoms"]
    assert message.verb == atoms["verb"]
    assert list(message.params) == atoms.get("params", [])
    assert message.source == (atoms.get("source") or "")
    assert message.tags == (atoms.get("tags") or {})


@pytest.mark.parametrize("row", rows("msg-join"), ids=lambda row: row["desc"])
def test_msg_join(row):
    atoms = row["atoms"]
    line = format_message(
        atoms["verb"], atoms.get("params", []), atoms.get("source") or "", atoms.get("tags")
    )
    assert line in row["matches"]


@pytest.mark.parametrize("row", rows("userhost-split"), ids=lambda row: row["source"])
def test_userhost_split(row):
    expected = tuple(row["atoms"].get(part) or "" for part in ("nick", "user", "host"))
    assert split_source(row["source"]) == expected


@pytest.mark.parametrize("row", rows("mask-match"), ids=lambda row: row["mask"])
def test_mask_match(row):
    for hostmask in row.get("matches") or []:
        assert mask_matches(row["mask"], hostmask), hostmask
    for hostmask in row.get("fails") or []:
        assert not mask_matches(row["mask"], hostmask), hostmask


@pytest.mark.parametrize("row", rows("validate-hostname"), ids=lambda row: repr(row["host"]))
def test_validate_hostname(row):
    assert is_valid_hostname(row["host"]) is row["valid"]
