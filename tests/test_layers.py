"""The house stands on its floors: packages import lower ones only, and plugins the public API."""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]

FLOORS = (
    ("errors", "events", "_version"),
    ("ports",),
    ("irc", "store", "clock", "chance", "i18n", "logs"),
    ("config", "table"),
    ("plugin",),
    ("people",),
    ("desk",),
    ("channel",),
    ("bot",),
    ("bundled",),
    ("testing",),
    ("guide", "demo"),
    ("cli",),
)
"""The packages and modules of `gamebot/` from the ground up; what stands on one floor knows
nothing of its neighbours."""

MOST_MODULES = 8
"""Modules directly in `gamebot/`, those with two underscores left aside."""

LONGEST_MODULE, LONGEST_TEST, LONGEST_FUNCTION = 450, 500, 60

CORE = sorted((ROOT / "gamebot").rglob("*.py"))
PLUGINS = sorted((ROOT / "plugins").glob("*/gamebot_*/**/*.py"))
PRODUCT = [*CORE, *PLUGINS]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
PUBLIC = {"gamebot", "gamebot.testing"}
PURE = {"engine", "players", "solver"}
"""Packages of a plugin that know neither the framework nor time."""


class Import(NamedTuple):
    """One import of a file: the module, and whether it happens when the file is imported."""

    module: str
    at_import: bool


@cache
def imports(text: str) -> tuple[Import, ...]:
    """Return every import of a file; `from a import b` is `a` and, as it may be one, `a.b`."""
    return tuple(_imports(ast.parse(text), at_import=True))


def _imports(within: ast.AST, *, at_import: bool) -> Iterator[Import]:
    for node in ast.iter_child_nodes(within):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, at_import) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield Import(node.module, at_import)
            yield from (Import(f"{node.module}.{alias.name}", at_import) for alias in node.names)
        elif not isinstance(node, ast.expr):
            later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            now = at_import and not later and not is_type_checking(node)
            yield from _imports(node, at_import=now)


def is_type_checking(node: ast.AST) -> bool:
    test = node.test if isinstance(node, ast.If) else None
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_of(path: Path) -> str:
    parts = path.with_suffix("").parts[len(ROOT.parts) :]
    parts = parts[2:] if parts[0] == "plugins" else parts
    return ".".join(parts).removesuffix(".__init__")


def room(module: str) -> str:
    """Return the package or module of `gamebot/` that *module* belongs to, "" if to none."""
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] if top == "gamebot" else ""


def imports_up(module: str, found: Iterable[Import]) -> list[str]:
    """List the imports that do not lead from the room of *module* to a lower floor."""
    floors = {name: number for number, names in enumerate(FLOORS) for name in names}
    own = room(module)
    return sorted(
        {
            each.module
            for each in found
            if (other := room(each.module)) in floors
            and other != own
            and floors[other] >= floors[own]
        }
    )


MODULES = {module_of(path): path for path in PRODUCT}

# -- the floors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [path for path in CORE if path.parent != ROOT / "gamebot"], ids=shown
)
def test_a_package_imports_lower_floors_only(path) -> None:
    """Imports for types only count too."""
    assert imports_up(module_of(path), imports(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("name", [name for floor in FLOORS[:3] for name in floor])
def test_a_module_of_the_ground_floors_imports_lower_floors_only(name) -> None:
    path = ROOT / "gamebot" / f"{name}.py"
    if path.exists():
        assert imports_up(f"gamebot.{name}", imports(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "line",
    [
        "from gamebot.channel.channel import Channel",
        "if TYPE_CHECKING:\n    from gamebot.bot import bot",
        "def late():\n    import gamebot.cli.main",
        "from gamebot import desk",
    ],
)
def test_an_import_that_runs_up_is_found(line) -> None:
    assert imports_up("gamebot.people.rights", imports(line))
    assert not imports_up(
        "gamebot.cli.run", imports(line.replace("gamebot.cli.main", "gamebot.bot"))
    )


def test_every_room_has_its_floor() -> None:
    rooms = {path.stem for path in (ROOT / "gamebot").iterdir() if is_room(path)}
    assert rooms == {name for names in FLOORS for name in names}


def is_room(path: Path) -> bool:
    if path.suffix == ".py":
        return not path.stem.startswith("__")
    return (path / "__init__.py").exists()


def test_few_modules_lie_beside_the_packages() -> None:
    modules = [path for path in (ROOT / "gamebot").glob("*.py") if not path.stem.startswith("__")]
    assert len(modules) <= MOST_MODULES


def test_the_picture_shows_these_floors() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = [line.split("|")[1:4] for line in page.splitlines() if line.startswith("| ")]
    drawn = [
        {word.strip(" `/").removesuffix(".py") for word in rooms.split(",")}
        for number, rooms, _ in rows
        if number.strip().isdecimal()
    ]
    assert drawn == [set(names) for names in reversed(FLOORS)]


# -- inside a package -----------------------------------------------------------------------


def test_no_module_imports_itself_by_a_detour() -> None:
    """No circle of files while they are imported; imports for types only are left aside."""
    modules = {module_of(path): path for path in PRODUCT}
    graph = {
        name: {each for each in needed(path.read_text("utf-8")) if each in modules and each != name}
        for name, path in modules.items()
    }
    assert len(graph) > 100
    assert circle(graph) == []


def needed(text: str) -> set[str]:
    """Return what has been imported when the file is; of `from a import b` where `a.b` is a module
    that one alone, as a package does not wait for its own parts."""
    found = {each.module for each in imports(text) if each.at_import}
    return found - {name.rpartition(".")[0] for name in found if name in MODULES}


def test_a_circle_is_found() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not circle({"a": {"b", "c"}, "b": {"c"}, "c": set()})


def circle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


# -- games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CORE, ids=shown)
def test_the_core_knows_no_game_and_only_irc_knows_pydle(path) -> None:
    tops = {each.module.partition(".")[0] for each in imports(path.read_text("utf-8"))}
    assert not {top for top in tops if top.startswith("gamebot_")}
    assert "pydle" not in tops or ROOT / "gamebot" / "irc" in path.parents


@pytest.mark.parametrize("path", PLUGINS, ids=shown)
def test_a_plugin_uses_the_public_api_only(path) -> None:
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    named = {node.module for node in tree if isinstance(node, ast.ImportFrom)}
    assert {name for name in named if name and name.split(".")[0] == "gamebot"} <= PUBLIC


ENGINES = [path for path in PLUGINS if PURE & set(path.relative_to(ROOT / "plugins").parts[2:-1])]


@pytest.mark.parametrize("path", ENGINES, ids=shown)
def test_an_engine_knows_no_framework(path) -> None:
    own = path.relative_to(ROOT).parts[2]
    modules = {each.module for each in imports(path.read_text("utf-8"))}
    tops = {name.partition(".")[0] for name in modules}
    assert tops <= sys.stdlib_module_names | {own, "attrs", "numpy"}
    assert tops.isdisjoint({"asyncio", "time", "logging", "threading"})
    inside = {name.split(".")[1] for name in modules if name.startswith(f"{own}.")}
    assert inside <= PURE


# -- sizes ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PRODUCT, ids=shown)
def test_a_file_and_its_functions_can_be_overlooked(path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST_MODULE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < LONGEST_FUNCTION, node.name


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_a_file_of_tests_can_be_overlooked(path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_TEST
