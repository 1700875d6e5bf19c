"""No answer is an essay: the longest one of each kind is measured, and printed in the guide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from gamebot_help.answers import answer
from gamebot_help.pages import LINE_BYTES, wrap

from gamebot import unmarked
from gamebot.i18n import languages
from gamebot.plugin.context import Context
from gamebot.plugin.loading import load_plugins

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "help.md").read_text("utf-8")
HINT_BYTES = 60
GAMES = sorted(name for name, each in load_plugins().registries.items() if each.games)


def subjects(ctx: Context) -> Iterator[tuple[str, str]]:
    """Yield every question that can be asked, with its kind."""
    yield "overview", ""
    for plugin in ctx.plugins:
        voice = ctx.of(plugin).voice
        yield from (("topic", voice.topic_words(topic)[0]) for topic in voice.topics())
        for command in voice.registry.commands:
            yield "command", voice.spellings(command)[0].shown("")


async def longest(open_channel, plugin: str, language: str) -> dict[str, tuple[int, int]]:
    """Measure the longest answer of each kind: lines, and bytes of the longest line."""
    asked = await open_channel(plugin, language=language, prefix="!")
    channel = asked.session.channel("#k")
    asked.join("anna")
    person = channel.link.person("anna")
    found: dict[str, tuple[int, int]] = {}
    for in_query in (False, True):
        ctx = Context(channel, channel.registries["help"], person, in_query)
        for kind, subject in subjects(ctx):
            lines = [part for line in answer(ctx, subject) for part in wrap(unmarked(line))]
            size = max(len(line.encode()) for line in lines)
            old = found.get(kind, (0, 0))
            found[kind] = (max(old[0], len(lines)), max(old[1], size))
    return found


@pytest.mark.parametrize("plugin", GAMES)
async def test_lines_stay_under_the_limit_and_the_guide_prints_the_longest_answer(
    open_channel, plugin
):
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    printed = {game: tuple(map(int, numbers)) for game, *numbers in rows}
    longest_of = {"overview": 0, "topic": 0, "command": 0}
    for language in languages():
        for kind, (lines, size) in (await longest(open_channel, plugin, language)).items():
            assert size <= LINE_BYTES, (language, kind)
            longest_of[kind] = max(longest_of[kind], lines)
    for lines, at_most in zip(longest_of.values(), printed[plugin], strict=True):
        assert lines <= at_most


async def test_the_hint_fits_into_a_message(open_channel):
    asked = await open_channel()
    asked.join("anna")
    for language_line in (".help rules #k", ".help #k rules"):
        lines = await asked.asks("anna", language_line)
        if lines:
            assert all(len(line.encode()) <= LINE_BYTES + HINT_BYTES for line in lines)
