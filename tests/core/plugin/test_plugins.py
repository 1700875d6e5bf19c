from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from gamebot import Context, Registry, hookimpl
from gamebot.errors import PluginError
from gamebot.i18n import missing
from gamebot.plugin.loading import load_file, load_plugins, register

GOOD = """
from gamebot import hookimpl

def hi(ctx):
    '''Greet.'''
    ctx.say("hi")

@hookimpl
def gamebot_register(registry):
    registry.command("hi", hi, words="!hi")
"""
BROKEN = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "syntax": ("def x(:", "SyntaxError"),
    "needs": ("import no_such_module_anywhere", "ModuleNotFoundError"),
    "exits": ("raise SystemExit(3)", "SystemExit"),
    "wrong_argument": (
        "from gamebot import hookimpl\n@hookimpl\ndef gamebot_register(registry, more): ...",
        "PluginError",
    ),
    "bad_signature": (GOOD.replace("hi(ctx)", "hi(ctx, *, a)"), "PluginError"),
    "register_fails": (GOOD.replace('words="!hi"', 'words="!hi("'), "PluginError"),
    "unknown_hook": (GOOD.replace("def gamebot_register", "def gamebot_registre"), "PluginError"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plugins").mkdir()
    return tmp_path / "plugins"


def test_the_three_sources(folder: Path):
    (folder / "single.py").write_text(GOOD)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text(
        GOOD.replace("def hi", "from gamebot_dropin.package.more import NAME\n\ndef hi")
    )
    (folder / "package" / "more.py").write_text("NAME = 'more'")
    loaded = load_plugins([folder])
    assert {"rights", "kniffel", "single", "package"} <= set(loaded.registries)
    places = {name: source.place for name, source in loaded.sources.items()}
    assert (places["rights"], places["kniffel"]) == ("bundled", "installed")
    assert places["single"] == str(folder / "single.py")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_is_named_and_the_others_load(folder: Path, name: str):
    source, error = BROKEN[name]
    (folder / f"{name}.py").write_text(source)
    (folder / "zgood.py").write_text(GOOD)
    loaded = load_plugins([folder], installed=False)
    assert error in loaded.failures[name]
    assert name not in loaded.registries
    assert "zgood" in loaded.registries
    if error not in ("PluginError",):
        assert f"gamebot_dropin.{name}" not in sys.modules


def test_one_that_registers_nothing_is_warned_about(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    (folder / "empty.py").write_text("x = 1")
    loaded = load_plugins([folder], installed=False)
    assert loaded.registries["empty"].empty
    assert "plugin_registers_nothing" in capsys.readouterr().out


def test_a_disabled_plugin_is_not_even_imported(folder: Path):
    (folder / "off.py").write_text("raise RuntimeError")
    loaded = load_plugins([folder], ["off"], installed=False)
    assert "off" not in loaded.sources
    assert not loaded.failures


def test_a_second_plugin_of_one_name_is_named(folder: Path):
    (folder / "rights.py").write_text(GOOD)
    loaded = load_plugins([folder], installed=False)
    (failure,) = loaded.failures.values()
    assert "taken by bundled" in failure


def test_a_missing_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    load_plugins([tmp_path / "nowhere"], installed=False)
    assert "plugin_folder_missing" in capsys.readouterr().out


def test_private_and_other_files_are_left_alone(folder: Path):
    for name in ("_private.py", ".hidden.py", "notes.txt"):
        (folder / name).write_text("raise RuntimeError")
    (folder / "data").mkdir()
    assert not load_plugins([folder], installed=False).failures


def test_a_drop_in_file_is_read_afresh_each_time(folder: Path):
    file = folder / "fresh.py"
    file.write_text("VALUE = 1")
    first = load_file("fresh", file)
    file.write_text("VALUE = 2 + 0")
    assert (first.VALUE, load_file("fresh", file).VALUE) == (1, 2)


def test_a_plugin_has_one_game_at_most():
    module = ModuleType("twice")

    @hookimpl
    def gamebot_register(registry: Registry) -> None:
        kind = load_plugins().registries["kniffel"].games[0]
        registry.game(type(kind))
        registry.game(type(kind))

    module.gamebot_register = gamebot_register
    with pytest.raises(PluginError, match="one game at most"):
        register("twice", module)


def test_closing_a_registry_leaves_nothing_behind():
    loaded = load_plugins().registries["kniffel"]
    loaded.close()
    assert loaded.empty


def words(name: str, *words: str) -> Registry:
    registry = Registry(name)
    for number, word in enumerate(words):
        registry.command(f"c{number}", answer_of(name), words=word)
    return registry


def answer_of(name: str):
    def answer(ctx: Context) -> None:
        ctx.say(f"this is {name}")

    return answer


async def test_of_two_plugins_that_clash_the_later_one_is_left_out_and_named(
    opened, said, capsys: pytest.CaptureFixture[str]
):
    one, two, three = words("one", "!a !b"), words("two", "!c", "!b"), words("three", "!d")
    session = await opened(one, two, three)
    assert list(session.channel("#k").registries) == ["one", "three"]
    logged = capsys.readouterr().out
    assert "plugin_clash" in logged
    assert "plugin=two" in logged
    assert await said(session, "anna", "!b") == ["#k: this is one"]
    assert await said(session, "anna", "!d") == ["#k: this is three"]


async def test_a_plugin_that_clashes_with_itself_is_left_out(opened, said):
    session = await opened(words("one", "!a", "!a"), words("two", "!b"))
    assert list(session.channel("#k").registries) == ["two"]
    assert await said(session, "anna", "!b") == ["#k: this is two"]


async def test_words_that_a_catalog_spoils_stay_english(opened, said, tmp_path: Path):
    babel = pytest.importorskip("babel.messages")
    mofile = pytest.importorskip("babel.messages.mofile")
    catalog = babel.Catalog(locale="de")
    catalog.add("!hi", "!hi(", context="word")
    target = tmp_path / "de" / "LC_MESSAGES"
    target.mkdir(parents=True)
    with (target / "spoilt.mo").open("wb") as file:
        mofile.write_mo(file, catalog)
    registry = words("spoilt", "!hi")
    registry.catalogs("spoilt", tmp_path)
    session = await opened(registry, words("fine", "!a"), language="de")
    assert await said(session, "anna", "!hi") == ["#k: this is spoilt"]
    assert await said(session, "anna", "!a") == ["#k: this is fine"]


async def test_a_missing_translation_is_english_and_counted(opened, said):
    def hello(ctx: Context) -> None:
        ctx.say(ctx.t("Hello {name}!", name=ctx.nick))
        ctx.say(ctx.n("{n} egg", "{n} eggs", 2))

    registry = Registry("untranslated")
    registry.command("hello", hello, words="!hello")
    session = await opened(registry, language="de")
    before = missing.copy()
    assert await said(session, "anna", "!hello") == ["#k: Hello anna!", "#k: 2 eggs"]
    counted = missing - before
    assert {msgid for _, language, msgid in counted if language == "de"} >= {
        "Hello {name}!",
        "{n} egg",
    }
