"""Chinese lines have Chinese punctuation, also between what is joined in the code."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gamebot.cli.docs import export
from gamebot.config.grants import Grants
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.plugin.context import Context
from gamebot.plugin.loading import load_plugins
from gamebot.testing.session import Session
from gamebot.testing.transcript import Run

TRANSCRIPTS = sorted(Path(__file__).parents[1].glob("transcripts/lang-zh_Hant-*.irc"))
HAN = "[\u4e00-\u9fff]"

#: A list, a clause or a head in Latin; any of these, a bracket or a dash beside Chinese; and a
#: blank behind a full-width mark. What players type, such as `cuciolo,hand_size=7`, has no blank.
LATIN = re.compile(
    rf"[,;:](?: |$)|{HAN} ?(?:[,;:()]|\.(?: |$))|[,;:()] ?{HAN}| – |[，、。：；！？）」』] \S"
)


def wrong(text: str) -> list[str]:
    """Return what is Latin in a line with Chinese in it."""
    return LATIN.findall(text) if re.search(HAN, text) else []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("張數：aldo 3、giovanni 2", 0),
        ("張數：aldo 3, giovanni 2", 1),
        ("規則: 五張", 1),
        ("規則;五張", 1),
        ("（加 35 分）", 0),
        ("(加 35 分)", 2),
        ("摸牌 – 摸一張牌", 1),
        ("plugins 是 –。", 0),
        ("名字是 鼴鼠.", 1),
        ("名字是 cuciolo,hand_size=7。", 0),
        ("1: a, b", 0),
        ("摸到：G4。 你的牌", 1),
        ("鼴鼠（anna） 開了一局", 1),
        ("摸到：G4。你的牌", 0),
    ],
)
def test_what_counts_as_latin(text: str, faults: int) -> None:
    assert len(wrong(text)) >= faults
    assert bool(wrong(text)) == bool(faults)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
async def test_whole_transcripts(path: Path) -> None:
    run = Run(load_plugins().registries, lenient=True)
    await run.run(await asyncio.to_thread(path.read_text, "utf-8"))
    said = [record.text for record in run.records if record.kind in ("privmsg", "notice")]
    assert sum(bool(re.search(HAN, text)) for text in said) >= 5
    assert [text for text in said if wrong(text)] == []


ASKED = (
    "!settings",
    "!set",
    "!set language",
    "!set colors",
    "!set hand_size",
    "!set uno.rules",
    "!set rules",
    "!set hand_size 5",
    "!set hand_size 500",
    "!set starter me",
    "!set turn_timeout_s soon",
    "!set min_players 20",
    "!set plugins nosuch",
    "!set nosuch 3",
    "!set hand_sice 3",
    "!set global voice on",
    "!unset hand_size",
    "!settings",
    "!enable uno",
    "!disable nosuch",
    "!unorules",
    "!unorules hand_size=x,starter=me,foo",
    "!unorules sterning",
    "!unotop",
    "!unostats",
    "!ignore zoe 5m",
    "!ignore *!*@spam.example 5m",
    "!ignores",
    "!unignore zoe",
    "!whoami",
    "!sessions",
    "!isbot nosuch",
    "!unowait",
    "!networks",
)


async def test_help_on_everything_and_what_operators_are_told() -> None:
    registries = load_plugins().registries
    said: list[str] = []
    for game in ("uno", "kniffel"):
        session = Session(registries, grants={"n": Grants(owners=("oskar",))})
        link = session.add_network("n")
        plugins = (game, *ALWAYS_ENABLED)
        session.add_channel(
            "n", ChannelProfile(name="#k", language="zh_Hant", plugins=plugins, prefix="!")
        )
        async with session:
            link.op("oper", "#k")
            link.account("oskar", "oskar")
            registry = session.channel("#k").registries[game]
            voice = Context(session.channel("#k"), registry).voice
            topics = [voice.topic_words(topic)[0] for topic in voice.topics()]
            for name in plugins:
                mine = Context(session.channel("#k"), registries[name]).voice
                topics += [mine.spellings(c)[0].shown("") for c in mine.registry.commands]
            for nick, where in (("anna", "#k"), ("oper", "#k"), ("oskar", None)):
                for text in (*(f"!help {topic}" for topic in ("", *topics)), *ASKED):
                    link.say(nick, text, where)
                    await session.settle()
                    await session.pass_time(1)
            said += [line.plain for line in session.heard]
    assert len({line for line in said if re.search(HAN, line)}) > 150
    assert sorted({line for line in said if wrong(line)}) == []


@pytest.mark.parametrize("game", ["uno", "kniffel"])
def test_guides(game: str) -> None:
    result = CliRunner().invoke(export, ["--plugin", game, "--lang", "zh_Hant", "--format", "txt"])
    lines = result.output.splitlines()
    assert sum(bool(re.search(HAN, line)) for line in lines) > 50
    assert [line for line in lines if wrong(line)] == []
