"""Every text that the code can say has a German translation with the same placeholders."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gamebot.plugins import load_plugins
from gamebot.words import parse_words

pofile = pytest.importorskip("babel.messages.pofile")

ROOT = Path(__file__).parents[2]
PARTS = {
    "gamebot": (ROOT / "gamebot", "gamebot"),
    "kniffel": (ROOT / "plugins/kniffel/gamebot_kniffel", "gamebot_kniffel"),
    "help": (ROOT / "plugins/help/gamebot_help", "gamebot_help"),
}
#: Calls whose first argument is a msgid; for plurals the second one too.
SINGULAR = {"t", "text", "Refused", "UsageError"}
PLURAL = {"n", "plural"}
#: Tests and tools speak English.
LEFT_OUT = ("testing", "cli", "config", "irc", "store")


def said(folder: Path) -> Iterator[tuple[str, ...]]:
    """Go through the literal msgids in a part's sources."""
    for file in folder.rglob("*.py"):
        if file.relative_to(folder).parts[0] not in LEFT_OUT:
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield from msgids(node)


def msgids(call: ast.Call) -> Iterator[tuple[str, ...]]:
    name = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
    count = 1 if name in SINGULAR else 2 if name in PLURAL else 0
    texts = [a.value for a in call.args[:count] if isinstance(a, ast.Constant)]
    if count and len(texts) == count and all(isinstance(text, str) for text in texts):
        yield tuple(texts)


@cache
def catalog(part: str):
    folder, domain = PARTS[part]
    file = folder / "locale/de/LC_MESSAGES" / f"{domain}.po"
    with file.open("rb") as opened:
        return pofile.read_po(opened, locale="de")


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def in_catalogs(part: str, msgid: str, context: str | None = None):
    """Look where the bot does: in the plugin's catalog, then in the core's."""
    for name in (part, "gamebot"):
        message = catalog(name).get(msgid, context)
        if message is not None and message.string:
            return message
    return None


@pytest.mark.parametrize("part", PARTS)
def test_every_text_in_the_code_is_translated(part: str):
    missing = {texts for texts in said(PARTS[part][0]) if in_catalogs(part, texts[0]) is None}
    assert missing == set()


@pytest.mark.parametrize("part", PARTS)
def test_plural_texts_have_both_forms(part: str):
    for texts in said(PARTS[part][0]):
        if len(texts) == 2:
            message = in_catalogs(part, texts[0])
            assert message.id == texts
            assert len(message.string) == 2
            assert all(message.string)


@pytest.mark.parametrize("part", PARTS)
def test_translations_have_the_same_placeholders(part: str):
    for message in catalog(part):
        if not message.id or message.context == "word":
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in filter(None, strings):
            assert placeholders(text) == placeholders(ids[-1]), ids


@pytest.mark.parametrize("part", PARTS)
def test_no_translation_is_fuzzy_and_none_is_left_out(part: str):
    """An example may stay as it is, and what a plugin leaves out the core may have."""
    for message in catalog(part):
        if message.id:
            first = message.id[0] if isinstance(message.id, tuple) else message.id
            assert not message.fuzzy, first
            assert message.context == "word" or in_catalogs(part, first) is not None, first


@pytest.mark.parametrize("part", PARTS)
def test_words_help_and_parameters_are_translated(part: str):
    registries = load_plugins().registries
    names = ["admin", "rights", "settings"] if part == "gamebot" else [part]
    for command in [command for name in names for command in registries[name].commands]:
        if command.words:
            spelled = in_catalogs(part, command.words, "word")
            assert spelled is not None, command.words
            assert parse_words(spelled.string)
        for text in (command.help, *(parameter.name for parameter in command.parameters)):
            assert text, command.name
            assert in_catalogs(part, text) is not None, text


def test_refusals_and_boxes_of_kniffel_are_translated():
    from gamebot_kniffel.texts import CODES, REASONS

    for text in REASONS.values():
        assert in_catalogs("kniffel", text) is not None, text
    for code in CODES.values():
        assert in_catalogs("kniffel", code, "word") is not None, code
