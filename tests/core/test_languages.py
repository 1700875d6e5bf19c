"""What players of a language may rely on, and what it takes to add one."""

from __future__ import annotations

import os
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest
from gamebot_kniffel.engine.scoring import CATEGORIES
from gamebot_uno.notation import NotationError, notation_of

from gamebot import i18n
from gamebot.channel.enabled_plugins import EnabledPlugins
from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins

ROOT = Path(__file__).parents[2]
LANGUAGES = i18n.languages()
#: Words of the rule documents: language -> command -> what players of it type.
SOURCES = {
    "it": {
        "uno.open": "!unoon",
        "uno.join": "is isc iscr iscri iscriv iscrivi",
        "uno.enter": "!en !entro",
        "uno.leave": "es esco",
        "uno.play": "g gi gio gioc gioca",
        "uno.draw": "pe pes pesc pesca",
        "uno.pass": "pa pas pass passa",
        "uno.uno": "uno",
        "uno.cards": "ca carte",
        "uno.turn": "tu turno",
        "uno.ok": "ok",
        "uno.challenge": "sfida",
        "uno.add_bot": "!isbot",
        "uno.enter_bot": "!enbot",
    },
    "de": {
        "kniffel.players": "!spieler",
        "kniffel.leave": "!delme",
        "kniffel.rename": "!callme",
        "kniffel.join": "!addme",
        "kniffel.start": "!start !los",
        "kniffel.stop": "!stop",
        "kniffel.card": "!stats",
        "kniffel.cards": "!allstats",
        "kniffel.dice": "!wurfinfo",
        "kniffel.roll": "!wurf",
        "kniffel.list": "!liste",
        "kniffel.top": "!top",
        "kniffel.records": "!rekorde",
        "kniffel.add_bot": "!addbot",
    },
}


@pytest.fixture(scope="module")
def registries():
    return load_plugins().registries


def speaking(language: str, registries) -> EnabledPlugins:
    return EnabledPlugins(
        ChannelProfile(name="#all", language=language, plugins=tuple(registries)), registries
    )


@pytest.mark.parametrize("language", SOURCES)
def test_the_words_of_the_rule_documents_are_understood(language: str, registries):
    words = speaking(language, registries).words
    for command, typed in SOURCES[language].items():
        for word in typed.split():
            found = words.find(word.replace("!", "."), ".", in_query=False)
            assert found is not None, word
            assert f"{found.command.plugin}.{found.command.name}" == command


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_understood_everywhere(language: str, registries):
    found = speaking(language, registries).words.find("!help", "!", in_query=False)
    assert found is not None
    assert found.command.plugin == "help"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_bare_word_is_a_card_or_a_colour(language: str, registries):
    """Italian `g` is the colour yellow too; whoever has to name a colour means that."""
    letters = notation_of(language)
    translator = speaking(language, registries).translators["uno"]
    for command in registries["uno"].commands:
        for word in enabled_words(translator, command.words):
            for read in (letters.parse, letters.parse_color):
                if (language, word) != ("it", "g") or read == letters.parse:
                    with pytest.raises(NotationError):
                        read(word)


def enabled_words(translator: i18n.Translator, words: str) -> list[str]:
    from gamebot.plugin.words import parse_words, spelling

    return [
        form
        for word in parse_words(spelling(translator, words))
        if not word.prefixed
        for form in word.forms
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_box_of_kniffel_has_a_code_of_its_own(language: str, registries):
    from gamebot_kniffel.texts import CODES

    translator = speaking(language, registries).translators["kniffel"]
    codes = [translator.word(CODES[box]) if box in CODES else box.value for box in CATEGORIES]
    assert len(set(codes)) == len(codes)
    own = {translator.word(CODES[box]): box for box in CODES}
    assert all(box.value not in own or own[box.value] is box for box in CATEGORIES)


# -- length ---------------------------------------------------------------------------------

LINE_BYTES = 400
"""What fits into one message everywhere, whoever says it in whatever channel."""

NICK, SHORT_NICK, TYPED = "n" * 30, "n" * 20, "!" + "w" * 12
ALL = [SHORT_NICK] * 10
#: What a placeholder can hold at most in one line; every other one holds a nick.
LONGEST = {
    "counts": ", ".join(f"{nick} 10" for nick in ALL),
    "names": ", ".join(ALL),
    "scores": ", ".join(f"{nick} 500" for nick in ALL),
    "table": ", ".join(f"{nick} 1575" for nick in ALL),
    "drawn": ", ".join(f"{nick} GR7" for nick in ALL),
    "winners": ", ".join(ALL[:2]),
    "cards": " ".join(["GR10"] * 40),
    "n": 1_000_000,
    **dict.fromkeys(("round", "rounds", "rolls", "total", "points", "bonus", "sum"), 1575),
    "time": "59 minutes",
    "dice": "[1 2 3 4 5]",
    "top": "WD4 GR",
    **dict.fromkeys(
        [
            "join",
            "start",
            "roll",
            "list",
            "leave",
            "open",
            "enter",
            "draw",
            "ok",
            "challenge",
            "pass_",
            "play",
            "how",
            "more",
        ],
        TYPED,
    ),
    "help": TYPED,
    "card": "GR5",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_fits_into_one_line(language: str):
    """Ten players whose nicks have 20 characters, a person whose nick has 30; nothing is split."""
    pofile = pytest.importorskip("babel.messages.pofile")
    catalogs = [
        *ROOT.glob(f"gamebot/locale/{SPEAKER.get(language, language)}/LC_MESSAGES/*.po"),
        *ROOT.glob(f"plugins/*/*/locale/{SPEAKER.get(language, language)}/LC_MESSAGES/*.po"),
    ]
    assert len(catalogs) == 4
    for path in catalogs:
        with path.open("rb") as file:
            messages = [message for message in pofile.read_po(file) if message.id]
        for message in messages:
            said = message.id if language == "en" else message.string
            for text in said if isinstance(said, tuple) else (said,):
                places = {name for _, name, _, _ in string.Formatter().parse(text) if name}
                line = text.format(**{name: LONGEST.get(name, NICK) for name in places})
                assert len(line.encode()) <= LINE_BYTES, text


#: English is the key of every catalog.
SPEAKER = {"en": "de"}


# -- adding a language ----------------------------------------------------------------------

DUTCH = {
    "No game is running.": "Er loopt geen spel.",
    "You are in already.": "Je doet al mee.",
    "Time is up.": "De tijd is om.",
}


SESSION = """%network alpha
%channel #k plugin=kniffel language=nl prefix=!
<anna> !addme
<anna> !addme
> anna notice ^Je doet al mee\\.$
<anna> !start
> #k ^Round 1/13: anna is to act, !roll\\.$
"""


@pytest.fixture
def dutch(tmp_path: Path) -> Path:
    """A copy of the core with one folder more, in which three texts are translated."""
    pytest.importorskip("babel")
    core = tmp_path / "gamebot"
    shutil.copytree(ROOT / "gamebot", core, ignore=shutil.ignore_patterns("__pycache__"))
    folder = core / "locale" / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    lines = ['msgid ""', 'msgstr "Content-Type: text/plain; charset=utf-8\\n"', ""]
    for msgid, text in DUTCH.items():
        lines += [f'msgid "{msgid}"', f'msgstr "{text}"', ""]
    (folder / "gamebot.po").write_text("\n".join(lines), encoding="utf-8")
    code = "from catalogs import *; compile_catalogs(Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=ROOT / "tools")
    return tmp_path


def test_a_folder_makes_a_language(dutch: Path):
    locale = dutch / "gamebot" / "locale"
    assert i18n.languages(locale) == tuple(sorted({*LANGUAGES, "nl"}))
    i18n.missing.clear()
    speaker = i18n.Translator("nl", [("gamebot", locale)])
    assert [speaker.text(msgid) for msgid in DUTCH] == list(DUTCH.values())
    assert speaker.text("Nobody is enrolled.") == "Nobody is enrolled."
    assert dict(i18n.missing) == {("gamebot", "nl", "Nobody is enrolled."): 1}


def test_a_channel_speaks_the_new_language(dutch: Path):
    """What it has is said, what it has not is English, words and all; no code is touched."""
    (dutch / "session.irc").write_text(SESSION, encoding="utf-8")
    replay = [sys.executable, "-m", "gamebot", "replay", "session.irc"]
    environment = {**os.environ, "PYTHONPATH": str(dutch)}
    done = subprocess.run(
        replay, cwd=dutch, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tool_makes_every_catalog_of_a_new_language(tmp_path: Path):
    pytest.importorskip("babel")
    for part in ("gamebot", "plugins"):
        shutil.copytree(
            ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
        )
    (tmp_path / "gamebot" / "locale" / "nl").mkdir()
    code = (
        "import sys; from pathlib import Path; from i18n import changed\n"
        "for path, text in changed(Path(sys.argv[1])):\n"
        "    if '/nl/' in str(path): print(path.name, text.count('msgid '), 'nplurals=2' in text)\n"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(run, check=True, cwd=ROOT / "tools", capture_output=True, text=True)
    made = [line.split() for line in done.stdout.splitlines()]
    assert {name for name, _, _ in made} == {
        "gamebot.po",
        "gamebot_help.po",
        "gamebot_kniffel.po",
        "gamebot_uno.po",
    }
    assert all(int(count) > 20 and plurals == "True" for _, count, plurals in made)
