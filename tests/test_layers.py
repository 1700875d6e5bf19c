"""Imports run one way: plugins -> gamebot's public API, gamebot.irc -> pydle."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "gamebot").rglob("*.py"))
PLUGINS = sorted((ROOT / "plugins").glob("*/gamebot_*/**/*.py"))
ROOTS = {"engine", "cards", "rules", "scoring", "notation", "players"}
PUBLIC = {"gamebot", "gamebot.testing"}


def imports(path: Path) -> set[str]:
    """Every module that *path* imports, `a.b` for `from a import b` as far as it is a module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module or "")
    return found


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CORE, ids=shown)
def test_the_core_knows_no_game_and_only_irc_knows_pydle(path) -> None:
    tops = {name.partition(".")[0] for name in imports(path)}
    assert not {top for top in tops if top.startswith("gamebot_")}
    assert "pydle" not in tops or ROOT / "gamebot" / "irc" in path.parents


@pytest.mark.parametrize("path", PLUGINS, ids=shown)
def test_a_plugin_uses_the_public_api_only(path) -> None:
    ours = {name for name in imports(path) if name.split(".")[0] == "gamebot"}
    assert ours <= PUBLIC


def pure_modules(package: Path) -> list[Path]:
    """Every module of a plugin that its engine is made of: what the engine's parts import."""
    waiting = [path for path in package.rglob("*.py") if ROOTS & {path.stem, path.parent.name}]
    found: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == package.name and len(parts) > 1:
                base = package.joinpath(*parts[1:])
                waiting += [
                    p for p in (base.with_suffix(".py"), base / "__init__.py") if p.exists()
                ]
    return sorted(found)


PURE = [path for pack in sorted(ROOT.glob("plugins/*/gamebot_*")) for path in pure_modules(pack)]


@pytest.mark.parametrize("path", PURE, ids=shown)
def test_an_engine_knows_no_framework(path) -> None:
    own = path.relative_to(ROOT).parts[2]
    tops = {name.partition(".")[0] for name in imports(path)}
    assert tops <= sys.stdlib_module_names | {own, "attrs", "numpy"}
    assert tops.isdisjoint({"asyncio", "time", "logging", "threading"})
