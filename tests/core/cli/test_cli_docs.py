import asyncio
import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from gamebot.cli import main
from gamebot.guide import Guide, as_html, as_text
from gamebot.guide.model import Commands, Entry, Group, Line, Section, Talk
from gamebot.guide.plain import columns, fill
from gamebot.plugin.voice import MARK, Rows
from gamebot.ports import SettingRow, Transaction
from gamebot.store.sqlite import SqliteStore

CONFIG = """
[networks.libera]
nick = "Wuerfel"
owners = ["me"]
servers = [{host = "irc.example.org"}]
[networks.libera.channels."#kniffel"]
language = "de"
prefix = "!"
[networks.libera.channels."#kniffel".kniffel]
joker = true
turn_timeout_s = 90
kick = true
"""
VOID = {"meta"}


@pytest.fixture
def export(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gamebot.toml").write_text(CONFIG)

    def run(*words, code=0):
        result = CliRunner().invoke(main, ["docs", "export", *words])
        assert result.exit_code == code, result.output
        return result.output if code == 0 else result.stderr

    return run


class Checked(HTMLParser):
    """Reads a page; every tag must be closed in order, and nothing is loaded."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.links, self.language = [], [], [], None
        self.ids = set()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "style", "onclick"} & set(values)
        self.language = values.get("lang", self.language)
        self.ids.add(values.get("id"))
        if tag == "a":
            self.links.append(values["href"])
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(page):
    parser = Checked()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


@pytest.mark.parametrize("language", ["it", "de", "en", "zh_Hant"])
@pytest.mark.parametrize("plugin", ["kniffel", "uno"])
def test_a_page_holds_together_and_loads_nothing(export, plugin, language):
    page = export("--plugin", plugin, "--lang", language)
    parser = checked(page)
    assert parser.language == language.replace("_", "-")
    assert parser.links
    assert {link.removeprefix("#") for link in parser.links} <= parser.ids
    assert {"header", "nav", "main", "section", "table", "kbd", "h1", "h2"} <= set(parser.tags)
    assert not re.search(r"url\(|@import|https?:", page)
    assert MARK not in page


@pytest.mark.parametrize("language", ["it", "de", "en", "zh_Hant"])
@pytest.mark.parametrize("plugin", ["kniffel", "uno"])
def test_a_text_fits_a_pastebin(export, plugin, language):
    text = export("--plugin", plugin, "--lang", language, "--format", "txt")
    assert MARK not in text
    assert all(columns(line) <= 78 for line in text.splitlines())
    assert not re.search(r"[ \t]$|\n\n\n\n", text, re.MULTILINE)


def test_the_guide_of_a_channel_says_what_is_set_there(export):
    text = export("--channel", "libera/#kniffel", "--format", "txt")
    assert text.startswith("Kniffel – Spielen in #kniffel im Netz libera\n====")
    assert "Du hast 90 Sekunden" in text
    assert "fliegt aus dem\nChannel" in text
    assert re.search(r"^joker +an ", text, re.MULTILINE)
    assert re.search(r"^bonus_once +aus ", text, re.MULTILINE)
    assert "er 25, 30 und 40" in text
    assert "/msg Wuerfel !spieler #kniffel" in text
    assert "<anna> !wurf 1 4\n<Wuerfel> anna würfelt [3 5 3 5 5]" in text


def test_every_command_is_in_it_with_its_example(export):
    page = export("--channel", "libera/#kniffel")
    for word in ("!addme [Name]", "!wurf [Nummern …]", "!liste [Feld]", "!rekorde", "!los"):
        assert f"<kbd>{word}</kbd>" in page
    assert "<kbd>!wurf 1 4</kbd>" in page
    assert "Der erste und der vierte Würfel werden noch einmal geworfen." in page
    assert "!shutdown" not in page


def test_readers_of_another_language_get_the_channels_words(export):
    text = export("--channel", "libera/#kniffel", "--format", "txt", "--lang", "en")
    assert "Kniffel – Playing in #kniffel on libera" in text
    assert "!wurf throws all" in text
    assert "KS " in text
    assert "Scoring\n-------" in text


def test_settings_given_over_irc_count(export, tmp_path):
    rows = {"turn_timeout_s": 45.0, "joker": False}

    async def store():
        store = SqliteStore(tmp_path / "gamebot.sqlite3")
        await store.open()
        settings = tuple(
            SettingRow("libera/#kniffel", "kniffel", key, json.dumps(value), "me", 1.0)
            for key, value in rows.items()
        )
        language = SettingRow("libera", "", "language", '"en"', "me", 1.0)
        await store.commit(Transaction(settings=(*settings, language)))
        await store.close()

    asyncio.run(store())
    text = export("--channel", "libera/#KNIFFEL", "--format", "txt")
    assert "You have 45 seconds" in text
    assert re.search(r"^joker +off ", text, re.MULTILINE)
    assert "!roll" in text


def test_a_file_can_be_written(export, tmp_path):
    assert export("-o", "guide.html") == ""
    assert "<h1>" in (tmp_path / "guide.html").read_text("utf-8")


def test_faults_are_named(export, tmp_path):
    assert "no game chess here; there is: kniffel" in export("--plugin", "chess", code=1)
    assert "expected NETWORK/#NAME, such as libera/#kniffel" in export(
        "--channel", "oftc/#kniffel", code=2
    )
    assert "no game uno here" in export("--channel", "libera/#kniffel", "--plugin", "uno", code=1)
    (tmp_path / "gamebot.sqlite3").write_bytes(b"no database at all, but long enough" * 200)
    assert "no gamebot database" in export("--channel", "libera/#kniffel", code=1)
    (tmp_path / "gamebot.toml").unlink()
    assert "cannot be read" in export("--channel", "libera/#kniffel", code=2)


# -- rendering ------------------------------------------------------------------------------


def guide(*blocks):
    return Guide(
        language="en",
        title="A & B <game>",
        subtitle='in "#x"',
        about="",
        sections=(Section("one", "One", blocks),),
        contents="Contents",
        heads=("Command", "Effect", "Example"),
        example="Example",
        privately="privately to {nick}",
    )


def test_everything_is_escaped():
    entry = Entry("!a <b>", ("!c&",), "<help>", "!a <x>", "a & b")
    page = as_html(
        guide(
            f"type {MARK}<b>{MARK} & go",
            Rows(("<h>",), (("<cell>",),)),
            Talk((Line("<n>", "<t>"), Line("bot", "<u>", by_bot=True, to="<n>"))),
            Commands((Group("<place>", (entry,)),)),
        )
    )
    checked(page)
    assert "type <kbd>&lt;b&gt;</kbd> &amp; go" in page
    assert "<title>A &amp; B &lt;game&gt; – in &quot;#x&quot;</title>" in page
    assert "(privately to &lt;n&gt;)" in page
    assert "<kbd>!c&amp;</kbd>" in page


def test_a_private_line_says_so_in_plain_text():
    text = as_text(guide(Talk((Line("bot", "your cards", by_bot=True, to="anna"),))))
    assert "<bot> (privately to anna) your cards" in text


def test_chinese_takes_two_columns_and_breaks_anywhere():
    lines = fill("出牌必須和上家所出的牌顏色或者數字相同，或出功能牌。" * 3, 40)
    assert all(columns(line) <= 42 for line in lines)
    assert not any(line.startswith(("，", "。")) for line in lines)


def test_what_is_typed_is_not_torn_apart():
    lines = fill(f"and now you may type {MARK}.roll 1 4{MARK} again", 26)
    assert any(".roll 1 4" in line for line in lines)
