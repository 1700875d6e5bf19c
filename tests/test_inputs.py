"""What people type, and what comes of it: the tables in `tests/inputs`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from gamebot_uno.notation import ITALIAN

from gamebot.channel.channel import Channel
from gamebot.channel.inputs import Spoken
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.events import Person
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.typed import visible
from gamebot.testing.session import Session

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "inputs"
CHANNEL = "#k"
PREFIX = {"uno": "!", "kniffel": "."}
SPEAKERS = {"idle": "zoe", "lobby": "ann", "turn": "ann", "off": "bob", "by": "zoe"}
OPENING = {
    "uno": [("ann", "!unoon"), ("ann", "!join"), ("bob", "!join")],
    "kniffel": [("ann", ".addme"), ("bob", ".addme")],
}
BEGINNING = {"uno": [("ann", "!unoon")], "kniffel": [("ann", ".start")]}


class Row(NamedTuple):
    phase: str
    text: str
    outcome: str


def rows(path: Path) -> Iterator[Row]:
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield Row(*line.split("\t"))


TABLES = sorted(FOLDER.glob("*.tsv"))
PHASES = [(path, phase) for path in TABLES for phase in dict.fromkeys(r.phase for r in rows(path))]


@asynccontextmanager
async def at(game: str, language: str, phase: str) -> AsyncIterator[tuple[Session, Channel]]:
    """Open a channel in which *phase* has come; ann begins."""
    session = Session(load_plugins().registries)
    session.add_network("n")
    plugins = (game, *ALWAYS_ENABLED)
    profile = ChannelProfile(name=CHANNEL, plugins=plugins, language=language, prefix=PREFIX[game])
    session.add_channel("n", profile)
    async with session:
        for nick in ("ann", "bob", "zoe"):
            session.link().join(nick, CHANNEL)
        if game == "uno":
            session.fix(CHANNEL, starter="ann")
        steps = [*OPENING[game], *BEGINNING[game]] if phase in ("turn", "off", "by") else []
        for nick, text in steps or (OPENING[game] if phase == "lobby" else []):
            session.link().say(nick, in_language(language, text), CHANNEL)
            await session.settle()
        yield session, session.channel(CHANNEL)


def in_language(language: str, text: str) -> str:
    words = {"it": "!is", "de": "!mitmachen", "zh_Hant": "!加入"}
    return words.get(language, text) if text == "!join" else text


def outcome(channel: Channel, person: Person, typed: str) -> str:
    """Say what comes of a line, without letting it happen."""
    speech, text = channel.speech, visible(typed)
    found = speech.find(text, in_query=False) or speech._read_bare(
        Spoken(person, text, in_query=False), text
    )
    if found is None:
        return "talk" if speech.meant_by(text) is None else "hint"
    name = found.command.name
    if name == "bare":
        (spoken,) = found.values
        return f"card {ITALIAN.show(spoken.faces[0])}"
    if name == "play" and found.values is not None:
        return "help"
    if found.bare and not speech.is_meant(person, text, speech.find(text, in_query=False)):
        return "talk"
    return name


@pytest.mark.parametrize(("path", "phase"), PHASES, ids=lambda each: getattr(each, "stem", each))
async def test_what_is_typed_is_understood(path: Path, phase: str) -> None:
    game, _, language = path.stem.partition("-")
    wrong = []
    async with at(game, language, phase) as (session, channel):
        person = session.link().person(SPEAKERS[phase])
        for row in rows(path):
            if row.phase == phase:
                said = outcome(channel, person, row.text)
                if said != row.outcome:
                    wrong.append(f"{row.text!r}: {said}, expected {row.outcome}")
    assert wrong == []


def test_the_tables_are_large() -> None:
    assert sum(len(list(rows(path))) for path in TABLES) >= 300


# -- ordinary talk --------------------------------------------------------------------------

TALK = {
    "en": (
        "I,you,we,the cat,my brother,uno players,red wine,nobody,that card",
        "play,draw,pass,leave,roll,turn,cannot challenge,want to join,see",
        "a game,five cards,it tomorrow,in the rain!,the table.,uno again?,red and blue,ok,now",
    ),
    "de": (
        "ich,du,wir,die Katze,mein Bruder,der Spieler,niemand,Karl,diese Karte",
        "lege,ziehe,passe,gehe,würfle,bin dran und sehe,zweifle,mag,nehme",
        "ein Spiel,fünf Karten,morgen wieder,im Regen!,den Tisch.,noch ein uno?,rot und blau,ok,jetzt",
    ),
    "it": (
        "io,tu,noi,il gatto,mio fratello,il giocatore,nessuno,carlo,questa carta",
        "gioco,pesco,passo,esco,tiro,sfido,vedo,prendo,conto",
        "una partita,cinque carte,domani,sotto la pioggia!,il tavolo.,ancora uno?,rosso e blu,ok,ora",
    ),
    "zh_Hant": (
        "我,你,我們,那隻貓,我哥哥,玩家,沒有人,阿明,這張牌",
        "想出牌,摸了牌,過來,離開,擲骰子,輪到,不質疑,喜歡,看見",
        "一局遊戲,五張牌,明天再說,下雨了！,桌子。,再來一次 uno？,紅色和藍色,好嗎,現在",
    ),
}


def sentences(language: str) -> list[str]:
    """Put together some hundred sentences of everyday words, many of them of the games too."""
    blank = "" if language == "zh_Hant" else " "
    who, what, more = (part.split(",") for part in TALK[language])
    return [blank.join((a, b, c)) for a in who for b in what for c in more]


@pytest.mark.parametrize("language", sorted(TALK))
@pytest.mark.parametrize("game", ["uno", "kniffel"])
@pytest.mark.parametrize("phase", ["lobby", "turn", "off"])
async def test_no_ordinary_sentence_is_a_command(game: str, language: str, phase: str) -> None:
    async with at(game, language, phase) as (session, channel):
        person, before = session.link().person(SPEAKERS[phase]), channel.view(game)
        meant = [text for text in sentences(language) if outcome(channel, person, text) != "talk"]
        assert meant == []
        heard = len(session.heard)
        for text in sentences(language)[::7]:
            session.link().say(SPEAKERS[phase], text, CHANNEL)
            await session.settle()
        assert [line.plain for line in session.heard[heard:]] == []
        assert channel.view(game) == before


def test_the_page_says_what_the_tables_say() -> None:
    check = [sys.executable, str(ROOT / "tools" / "inputs.py"), "--check"]
    assert subprocess.run(check, check=False).returncode == 0, "run tools/inputs.py"
