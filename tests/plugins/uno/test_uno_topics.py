"""What help and guides say of UNO: true of the rules and the letters of a channel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import evolve, fields
from gamebot_uno.engine.cards import DECK, FACE_RANKS, FACES, Rank
from gamebot_uno.engine.rules import LIMITS, PRESETS, Rules, typed_name
from gamebot_uno.help.topics import SAMPLES
from gamebot_uno.notation import notation_of
from gamebot_uno.rules_text import render_rules, values_of
from gamebot_uno.settings import UnoSettings

from gamebot import ConfigError, Rows, Voice, unmarked
from gamebot.config.profile import ChannelProfile
from gamebot.guide import Edition, build
from gamebot.guide.sample import play
from gamebot.plugin.loading import load_plugins

REGISTRIES = load_plugins().registries
LANGUAGES = ("en", "de", "it", "zh_Hant")
SAID = [typed_name(attribute.name) for attribute in fields(Rules)]
BASES = (*PRESETS, "cuciolo,challenge=off", "cuciolo,challenge=off,wd4_bluff=off")


def edition(rules: str = "cuciolo", language: str = "en", texts: str = "") -> Edition:
    profile = ChannelProfile(
        name="#uno", language=language, plugins=("uno",), settings={"uno": UnoSettings(rules=rules)}
    )
    return Edition(profile=profile, registries=REGISTRIES, plugin="uno", language=texts or language)


def said(voice: Voice) -> str:
    """Everything that is explained, without the line that only repeats the setting."""
    named = render_rules(voice.settings.parsed)
    return "\n".join(
        line
        for name, blocks in voice.topics().items()
        if name != "commands"
        for block in blocks
        for line in lines(block)
        if named not in line
    )


def lines(block: str | Rows) -> Iterator[str]:
    if isinstance(block, Rows):
        yield from (unmarked(" – ".join(row)) for row in block.rows)
    else:
        yield unmarked(block)


def others(name: str) -> list[str]:
    """Return every value of a field, or a few of a number."""
    if name in LIMITS:
        return [str(n) for n in (LIMITS[name][0], 2, 3, 4, 5)]
    return list(values_of(name))


def texts(base: str, name: str) -> dict[str, str]:
    """Return what is said for each value of a field, on top of *base*."""
    found = {}
    for value in others(name):
        try:
            settings = UnoSettings(rules=f"{base},{name}={value}")
        except ConfigError:
            continue  # contradicts the others
        found[value] = said(evolve(edition().voice("uno"), settings=settings))
    return found


@pytest.mark.parametrize("name", [n for n in SAID if n in LIMITS or len(values_of(n)) > 1])
def test_every_value_of_a_field_is_said(name):
    """Some set of rules has a text of its own for each value."""
    told: set[str] = set()
    expected = set(others(name))
    for base in BASES:
        if told == expected:
            break
        found = texts(base, name)
        told |= {value for value, text in found.items() if list(found.values()).count(text) == 1}
    assert told == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
async def test_the_sample_can_be_played_under_every_rule_set(preset, language):
    chosen = edition(preset, language)
    talk = await play(REGISTRIES["uno"], chosen.profile, chosen.voice("uno", own=True))
    assert {line.nick for line in talk if not line.by_bot} == {"anna", "bert", "carla"}
    assert talk[-1].by_bot
    guide = build(chosen, talk)
    assert "example" in [section.name for section in guide.sections]


async def test_a_table_for_two_has_no_sample_for_three():
    chosen = edition("cuciolo,max_players=2")
    assert not await play(REGISTRIES["uno"], chosen.profile, chosen.voice("uno", own=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_of_the_sample_are_translated_into_the_letters_of_the_language(language):
    voice = edition(language=language).voice("uno", own=True)
    typed = {args for sample in SAMPLES for _, name, args in sample.lines if not name}
    for text in [*typed, "W B"]:
        meant = notation_of("en").parse(text)
        assert notation_of(language).parse(voice.translator.word(text)) == meant, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_cards_shows_what_can_be_typed(language):
    table = edition(language=language).voice("uno").topics()["cards"][0]
    assert isinstance(table, Rows)
    shown = [code for row in table.rows[1:] for code in unmarked(row[0]).split()]
    faces = {face for code in shown for face in notation_of(language).parse(code).faces}
    assert faces == {face for face in FACES if FACE_RANKS[face] >= Rank.SKIP}
    assert sum(int(row[1]) for row in table.rows) == DECK


def test_a_guide_in_another_language_keeps_the_letters_of_the_channel():
    text = said(edition(language="it", texts="en").voice("uno"))
    assert "B blue, V green, R red, G yellow" in text
    assert "JD4" in text
    assert "pe(sca)" in text


def test_the_number_of_players_is_that_of_the_rules():
    voice = edition("cuciolo,min_players=3,max_players=6").voice("uno")
    assert "3 to 6 players." in unmarked(str(voice.topics()["rules"]))
