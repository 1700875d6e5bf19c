"""What the documentation shows is run, and what it points at is there."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import attrs
import click
import pytest
from attrs import frozen
from gamebot_uno.engine.cards import Color, Rank
from gamebot_uno.notation import notation_of

from gamebot.cli import main
from gamebot.i18n import Translator
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.registry import Registry
from gamebot.plugin.words import parse_words
from gamebot.testing.transcript import Record, Run

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))])
BIN = Path(sys.executable).parent


@frozen
class Block:
    """A fenced block of a page.

    Attributes:
        page: The page.
        line: Number of its first line.
        language: As written behind the fence.
        note: The HTML comment on the line before the fence, "" if there is none.
        text: What is in it.
    """

    page: Path
    line: int
    language: str
    note: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.stem}:{self.line}"

    @property
    def file(self) -> str:
        """The file's name, if the first line is a comment that holds nothing else."""
        match = re.match(r"# ([\w./-]+\.\w+)\n", self.text)
        return match[1] if match else ""


FENCE = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*) -->\n)?^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^ *```$",
    flags=re.MULTILINE | re.DOTALL,
)


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [
        Block(
            page=page,
            line=text.count("\n", 0, match.start("text")) + 1,
            language=match["language"],
            note=match["note"] or "",
            text=match["text"].replace(f"\n{match['indent']}", "\n").removeprefix(match["indent"]),
        )
        for match in FENCE.finditer(text)
    ]


BLOCKS = [block for page in PAGES for block in blocks(page)]


def of(language: str, page: str = "") -> list[Block]:
    return [
        block
        for block in BLOCKS
        if block.language == language and (not page or block.page.name == page)
    ]


def shell(folder: Path, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in *folder*, with *path* before all other packages."""
    search = os.pathsep.join(filter(None, (path, os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [str(BIN / words[0]), *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": search, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


# -- examples of plugins --------------------------------------------------------------------


def write_files(page: str, folder: Path) -> None:
    """Write every block of *page* that begins with a file's name."""
    for block in BLOCKS:
        if block.page.name == page and block.file:
            target = folder / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    write_files("writing-a-plugin.md", folder)
    return folder


@pytest.fixture(scope="module")
def installed(written: Path) -> str:
    """Build the distribution of the page and install it beside this environment."""
    source, site = written / "gamebot-sticks", written.parent / "site"
    compiled = shell(
        source, "pybabel", "-q", "compile", "-d", "gamebot_sticks/locale", "-D", "gamebot_sticks"
    )
    assert compiled.returncode == 0, compiled.stderr
    done = shell(
        source,
        *("pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"),
        *("--target", str(site), "."),
    )
    assert done.returncode == 0, done.stderr
    return str(site)


async def test_the_plugins_of_the_page_do_what_its_transcripts_say(written):
    transcripts = sorted(written.glob("*.irc"))
    assert [path.stem for path in transcripts] == ["bakery", "kitchen", "tea"]
    for path in transcripts:
        await Run(load_plugins([written]).registries).run(path.read_text("utf-8"))


async def test_the_door_greets_once_and_opens_by_itself(written, open_room):
    room = await open_room(written / "door.py", settings={"quiet_s": "60"})
    await room.joins("anna")
    assert room.lines == ["Welcome, anna!"]
    await room.parts("anna")
    await room.joins("anna")
    assert not room.lines
    await room.passes("2m")
    await room.parts("anna")
    await room.joins("anna")
    assert room.lines == ["Welcome, anna!"]
    await room.says("anna", "!close")
    await room.restarts()
    await room.passes("60s")
    assert room.lines == ["The door is open again, anna."]
    await room.says("anna", "!close")
    await room.says("anna", "!keep")
    await room.passes("1h")
    assert not room.lines


def test_the_distribution_of_the_page_is_found_and_passes_its_tests(written, installed):
    listed = shell(written, "gamebot", "plugins", path=installed)
    assert "sticks (game, installed)" in listed.stdout
    tests = written / "gamebot-sticks" / "tests"
    ran = shell(
        written / "gamebot-sticks",
        *("pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "-p", "no:cov", str(tests)),
        path=installed,
    )
    assert "3 passed" in ran.stdout, ran.stdout + ran.stderr


def test_the_words_of_the_example_catalog_are_used(written):
    catalog = (written / "gamebot-sticks/gamebot_sticks/locale/de/LC_MESSAGES").glob("*.po")
    source = (written / "gamebot-sticks/gamebot_sticks/__init__.py").read_text("utf-8")
    msgids = re.findall(r'^msgid(?:_plural)? "(.+)"$', next(catalog).read_text("utf-8"), re.M)
    assert msgids
    assert all(f'"{msgid}"' in source for msgid in msgids)


# -- transcripts ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "block", [block for block in of("irc") if block.page.name != "writing-a-plugin.md"], ids=str
)
async def test_transcripts_of_the_documentation_hold(block, tmp_path):
    write_files(block.page.name, tmp_path)
    registries = load_plugins(list(tmp_path.glob("*/"))).registries
    await Run(registries).run(block.text)


# -- sessions: a log of a channel, played again ---------------------------------------------


def options_of(block: Block) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in block.note.removeprefix("session ").split())


def transcript_of(block: Block) -> str:
    """Keep what people did; the bot's own lines are compared afterwards."""
    options = {"plugin": "kniffel", "seed": "0", **options_of(block)}
    channel = f"#{options['plugin']}"
    settings = " ".join(
        f"{key}={options[key]}" for key in ("plugin", "language", "rules") if key in options
    )
    head = [
        "%network net",
        f"%seed {options['seed']}",
        f"%channel {channel} {settings}",
        *(
            f"%{key.partition('.')[0]} {channel} {key.partition('.')[2]} {' '.join(spread(key, value))}"
            for key, value in options.items()
            if key.partition(".")[0] in ("dice", "hand", "deck", "starter")
        ),
    ]
    return "\n".join([*head, *filter(None, map(_input, block.text.splitlines()))])


def spread(key: str, value: str) -> list[str]:
    """Cards and names are separated by commas, dice are not."""
    return list(value) if key == "dice" else value.split(",")


def _input(line: str) -> str:
    if span := re.search(r"\((\+\d+[smh])\)", line):
        return span[1]
    return "" if line.startswith(("<bot>", "-bot-")) else line


def said(line: str) -> tuple[str, str] | None:
    match = re.fullmatch(r"(<bot>|-bot-) (.*)", line)
    return (match[1], match[2]) if match else None


def shown(record: Record) -> tuple[str, str]:
    return ("<bot>" if record.kind == "privmsg" else "-bot-", record.text)


TIP = "/query bot"

SESSIONS = [block for block in BLOCKS if block.note.startswith("session ")]


@pytest.mark.parametrize("block", SESSIONS, ids=str)
async def test_sessions_of_the_guides_happen_as_printed(block):
    run = Run(load_plugins().registries)
    await run.run(transcript_of(block))
    me = options_of(block).get("me")  # a session may show what one person sees
    happened = [
        shown(record)
        for record in run.records
        if record.sender == "bot"
        and (record.kind == "privmsg" or me in (None, record.to))
        and TIP not in record.text  # once a person, whatever the session shows
    ]
    assert happened == [pair for line in block.text.splitlines() if (pair := said(line))]


def test_there_are_sessions_in_both_languages():
    assert {block.page.name for block in SESSIONS} >= set(GUIDES)


# -- output ---------------------------------------------------------------------------------

OUTPUTS = [block for block in BLOCKS if block.note.startswith("output of ")]


@pytest.mark.parametrize("block", OUTPUTS, ids=str)
def test_output_is_what_the_command_prints(block, tmp_path):
    write_files(block.page.name, tmp_path)
    result = shell(tmp_path, *block.note.removeprefix("output of ").split())
    printed = result.stdout + result.stderr
    for part in re.split(r"^…\n", block.text, flags=re.MULTILINE):
        assert part.strip("\n") in printed


# -- links and commands ---------------------------------------------------------------------

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """Anchors of the headings, as the usual hosts make them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page):
    for link, image in LINK.findall(prose(page)):
        target, _, anchor = (link or image).partition("#")
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), f"{target}#{anchor}"


def command_lines(page: Path) -> list[str]:
    """Every line of a shell block, and every inline `gamebot ...` or `make ...`."""
    lines = [
        line.partition("  #")[0].strip()
        for block in BLOCKS
        if block.page == page and block.language in ("sh", "")
        for line in block.text.splitlines()
    ]
    lines += re.findall(r"`((?:gamebot|make) [^`\n]+)`", prose(page))
    return [line.removeprefix(".venv/bin/") for line in lines if line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_exists(page):
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for line in command_lines(page):
        words = line.split()
        if words[0] == "gamebot" and len(words) > 1:
            check_gamebot(words[1:])
        elif words[0] == "make":
            asked = [word for word in words[1:] if "=" not in word]
            assert set(asked) <= set(targets), line


def check_gamebot(words: list[str]) -> None:
    context = click.Context(main)
    if words[0].startswith("-"):
        command: click.Command = main
    else:
        assert words[0] in main.list_commands(context), words
        found = main.get_command(context, words[0])
        assert found is not None
        command = found
        if isinstance(command, click.Group):
            assert words[1] in command.commands, words
            command = command.commands[words[1]]
    known = {name for p in command.get_params(context) for name in (*p.opts, *p.secondary_opts)}
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert options <= known, words


# -- names in the code ----------------------------------------------------------------------

CODE = {path: path.read_text("utf-8") for path in (ROOT / "gamebot").rglob("*.py")}


def names_of(page: str) -> list[str]:
    text = (DOCS / page).read_text("utf-8")
    return sorted(set(re.findall(r"`([\w./]+)`", text)) | set(re.findall(r"gamebot/[\w/.]+", text)))


@pytest.mark.parametrize("name", names_of("architecture.md"))
def test_what_the_architecture_names_is_there(name):
    if "/" in name or name.endswith(".py"):
        roots = [ROOT, ROOT / "gamebot", ROOT / "tests", ROOT / "plugins/kniffel/gamebot_kniffel"]
        assert any((root / name.rstrip(".")).exists() for root in roots)
    elif re.fullmatch(r"[A-Z]\w*\.\w+", name):
        owner, _, method = name.partition(".")
        assert any(f"class {owner}" in code and f"def {method}(" in code for code in CODE.values())
    else:
        last = re.escape(name.rpartition(".")[2])
        assert any(re.search(rf"\b{last}\b", code) for code in CODE.values())


# -- the players' guides --------------------------------------------------------------------

GUIDES = {
    "kniffel.md": ("kniffel", "en"),
    "kniffel.de.md": ("kniffel", "de"),
    "uno.md": ("uno", "en"),
    "uno.it.md": ("uno", "it"),
}


@cache
def registry_of(page: str) -> Registry:
    return load_plugins().registries[GUIDES[page][0]]


@pytest.mark.parametrize("page", GUIDES)
def test_the_guide_names_every_command_and_every_setting(page):
    text = (DOCS / page).read_text("utf-8")
    for word in words_of(page):
        assert f"`{word}" in text, word
    for attribute in attrs.fields(registry_of(page).settings):
        assert f"`{attribute.name}`" in text, attribute.name
    for strength in registry_of(page).games[0].strengths():
        assert f"{translator_of(page).text(strength)}`" in text, strength


@cache
def translator_of(page: str) -> Translator:
    registry = registry_of(page)
    return Translator(GUIDES[page][1], [(registry.domain, registry.locale)])


def words_of(page: str) -> list[str]:
    return [
        word.manual(registry_of(page).games[0].prefix)
        for command in registry_of(page).commands
        for word in parse_words(translator_of(page).word(command.words))
    ]


@pytest.mark.parametrize("page", GUIDES)
def test_defaults_of_the_guide_are_those_of_the_code(page):
    rows = re.findall(r"^\| `([a-z_]+)` \| `([^`]+)` \|", (DOCS / page).read_text("utf-8"), re.M)
    fields = attrs.fields(registry_of(page).settings)
    assert dict(rows) == {a.name: str(a.default).lower().removesuffix(".0") for a in fields}


def test_the_letters_of_the_guides_are_those_of_the_languages():
    ranks = (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO, Rank.WILD, Rank.WILD_DRAW_FOUR)
    alphabets = [notation_of(language) for language in ("en", "it", "de", "zh_Hant")]
    expected = [[each.colors[color] for each in alphabets] for color in Color]
    expected += [[each.ranks[rank] for each in alphabets] for rank in ranks]
    for page in (name for name, (plugin, _) in GUIDES.items() if plugin == "uno"):
        for letters in expected:
            line = "[^|]*".join(rf"\| `{letter}`" for letter in letters)
            assert re.search(line, (DOCS / page).read_text("utf-8")), letters
