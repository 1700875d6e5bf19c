"""Every key x language x placeholder x plural form of every catalog that comes with gamebot."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from gamebot import i18n
from gamebot.channel.enabled_plugins import EnabledPlugins
from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.words import parse_words

pofile = pytest.importorskip("babel.messages.pofile")

ROOT = Path(__file__).parents[2]
PARTS = {
    "gamebot": ROOT / "gamebot",
    **{folder.name: folder for folder in sorted((ROOT / "plugins").glob("*/gamebot_*"))},
}
TRANSLATED = [language for language in i18n.languages() if language != "en"]
CATALOGS = [(part, language) for part in PARTS for language in TRANSLATED]
#: CLDR: language -> how many of something, one number for each plural form in order.
FORMS = {"it": (1, 1_000_000, 2), "de": (1, 2), "zh_Hant": (1,)}


@cache
def registries():
    return load_plugins().registries


@cache
def catalog(part: str, language: str):
    path = PARTS[part] / "locale" / language / "LC_MESSAGES" / f"{part}.po"
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language)


def keys(part: str, language: str) -> dict[tuple[str, str, str], object]:
    found = {}
    for message in catalog(part, language):
        if message.id:
            one, many = message.id if isinstance(message.id, tuple) else (message.id, "")
            found[message.context or "", one, many] = message
    return found


def forms(message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def translator(part: str, language: str) -> i18n.Translator:
    return i18n.Translator(language, [(part, PARTS[part] / "locale")])


def test_the_catalogs_are_what_the_code_asks_for():
    """`make i18n` would change nothing: every text, word, help and table of texts is there."""
    check = [sys.executable, str(ROOT / "tools" / "i18n.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, f"run make i18n\n{done.stdout}{done.stderr}"


def test_the_review_lists_have_every_text_and_its_translation():
    check = [sys.executable, str(ROOT / "tools" / "review.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, f"run make i18n\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(("part", "language"), CATALOGS)
def test_every_translation_is_put_back_into_english(part: str, language: str):
    text = (ROOT / "docs" / "translations" / f"{language}-{part}.md").read_text("utf-8")
    rows = [re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(keys(part, language))
    assert [row[2].strip() for row in rows if not row[4].strip()] == []


@pytest.mark.parametrize(("part", "language"), CATALOGS)
def test_no_language_lacks_a_text(part: str, language: str):
    assert keys(part, language).keys() == keys(part, TRANSLATED[0]).keys()
    untranslated = [key for key, m in keys(part, language).items() if not all(forms(m)) or m.fuzzy]
    assert untranslated == []


@pytest.mark.parametrize(("part", "language"), CATALOGS)
def test_every_form_has_the_placeholders_of_the_text(part: str, language: str):
    for (_, one, many), message in keys(part, language).items():
        for form in forms(message):
            assert placeholders(form) == placeholders(many or one), one


@pytest.mark.parametrize(("part", "language"), CATALOGS)
def test_every_plural_form_is_said_for_its_numbers(part: str, language: str):
    speaker = translator(part, language)
    for (_, one, many), message in keys(part, language).items():
        if many:
            assert len(forms(message)) == len(FORMS[language])
            values = dict.fromkeys(placeholders(many) - {"n"}, "x")
            for n, form in zip(FORMS[language], forms(message), strict=True):
                assert speaker.plural(one, many, n, **values) == form.format(n=n, **values)


@pytest.mark.parametrize(("part", "language"), CATALOGS)
def test_every_text_is_said_and_none_is_counted_as_missing(part: str, language: str):
    speaker = translator(part, language)
    i18n.missing.clear()
    for (context, one, many), message in keys(part, language).items():
        if context:
            assert speaker.word(one) == message.string
        elif not many:
            values = dict.fromkeys(placeholders(one), "x")
            said = speaker.text(one, **values)
            assert said == (message.string.format(**values) if values else message.string)
    assert not i18n.missing


@pytest.mark.parametrize("language", i18n.languages())
def test_no_two_commands_of_all_plugins_share_a_word(language: str):
    known = registries()
    EnabledPlugins(ChannelProfile(name="#all", language=language, plugins=tuple(known)), known)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_command_has_words_of_the_language_that_can_be_read(language: str):
    for registry in registries().values():
        part = registry.domain if registry.domain in PARTS else "gamebot"
        for command in registry.commands:
            message = keys(part, language)["word", command.words, ""]
            assert parse_words(message.string), command.name


def test_a_missing_translation_falls_back_to_english_and_is_counted():
    speaker = translator("gamebot", "it")
    i18n.missing.clear()
    assert speaker.text("{n} of these.", n=2) == "2 of these."
    assert speaker.plural("{n} thing", "{n} things", 2) == "2 things"
    assert speaker.plural("{n} thing", "{n} things", 1) == "1 thing"
    assert speaker.word("thing") == "thing"
    assert dict(i18n.missing) == {
        ("gamebot", "it", "{n} of these."): 1,
        ("gamebot", "it", "{n} thing"): 2,
    }


def test_a_translation_that_equals_the_text_is_none_that_is_missing(tmp_path: Path):
    i18n.missing.clear()
    assert translator("gamebot", "de").text("{place}, {phase}", place="a", phase="b") == "a, b"
    assert translator("gamebot", "en").text("Not in any catalog.") == "Not in any catalog."
    assert not i18n.missing
