"""Which texts a distribution says and which words it understands: the keys of its catalogs.

Three sources, so that nothing is forgotten: calls that say a text (`t("...")`, `Refused("...")`),
declarations of plugins (command words, help, parameters, examples, topics), and tables of texts
that such calls look into (`t(REASONS[reason])`). A call whose text none of them explains is named.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import define, field, fields, frozen

from gamebot.i18n import CORE_DOMAIN, Translator
from gamebot.plugin import manual
from gamebot.plugin.commands import Command
from gamebot.plugin.loading import BUNDLED, load_plugins
from gamebot.plugin.registry import Registry
from gamebot.plugin.voice import Voice

ROOT = Path(__file__).resolve().parents[1]

TEXTS = {
    "t": 0,
    "text": 0,
    "translatable": 0,
    "Refused": 0,
    "UsageError": 0,
    "BadValue": 0,
    "_about": 0,
}
"""Callables that are given a text, and as which argument."""

PLURALS = {"n", "plural"}
"""Callables whose first two arguments are a text in the singular and in the plural."""

WORDS = {"word"}
"""Callables whose first argument is a word that is typed."""

WORD = "word"
"""Context of what is typed."""

CARRIED = {
    "answer.t(msgid)",  # a constant of the caller
    "channel.text(msgid)",
    "core_translator(self.profile.language).text(msgid)",
    "ctx.t(error.msgid)",
    "ctx.t(refused.msgid)",
    "ctx.of(command.plugin).t(refusal.msgid)",
    "answer.t(told.msgid)",
    "self.text(value.msgid)",
    "texts_of(ctx, plugin).text(why.msgid)",
    "self.translator.text(msgid)",
    "self.translator.plural(one)",
}
"""Calls that pass on what another call has named."""

DECLARED = {
    "ctx",
    "command.words",
    "self.words",
    "words",
    "command.help",
    "command.example",
    "command.example_means",
    "arguments",
    "self.name",
    "value",
    "parameter.name",
    "kind.title",
    "kind.about",
    "kind",
    "chair.strength",
    "topic",
    "msgid",
    "name",
}
"""Arguments that stand for what a plugin declares."""


@frozen
class Distribution:
    """A package with catalogs of its own.

    Attributes:
        domain: Its gettext domain and the name of its package.
        package: Its folder.
    """

    domain: str
    package: Path

    @property
    def locale(self) -> Path:
        """Return the folder of its catalogs."""
        return self.package / "locale"

    def catalog(self, language: str) -> Path:
        """Return the catalog of *language*."""
        return self.locale / language / "LC_MESSAGES" / f"{self.domain}.po"


Key = tuple[str, str, str]
"""Context, text, text in the plural; "" for none."""


@define
class Found:
    """What is found in one distribution.

    Attributes:
        keys: Keys in order, each with the files and remarks for translators.
        unexplained: Calls whose text is not known, with their file.
    """

    keys: dict[Key, tuple[list[str], list[str]]] = field(factory=dict)
    unexplained: list[str] = field(factory=list)

    def add(self, text: str, where: str = "", *, context: str = "", many: str = "", note: str = ""):  # noqa: ANN201
        """Add a key, or another place and remark of one that is there."""
        text = str(text)  # a member of an enumeration is one too
        if not text:
            return
        places, notes = self.keys.setdefault((context, text, many), ([], []))
        for held, new in ((places, where), (notes, note)):
            if new and new not in held:
                held.append(new)


def distributions(root: Path = ROOT) -> list[Distribution]:
    """List the core and the plugins beside it."""
    folders = sorted((root / "plugins").glob("*/gamebot_*"))
    return [Distribution(CORE_DOMAIN, root / "gamebot")] + [
        Distribution(folder.name, folder) for folder in folders if (folder / "__init__.py").exists()
    ]


def extract(distribution: Distribution, registries: Mapping[str, Registry]) -> Found:
    """Find every key of *distribution*."""
    found = Found()
    for name, registry in registries.items():
        home = CORE_DOMAIN if name in BUNDLED else registry.domain
        if home == distribution.domain:
            _declared(found, registry)
    if distribution.domain == CORE_DOMAIN:
        for topic in (manual.RULES, manual.COMMANDS):
            found.add(
                topic, "gamebot/plugin/manual.py", context=WORD, note="topic of help, lower case"
            )
    for path in sorted(distribution.package.rglob("*.py")):
        relative = path.relative_to(distribution.package.parent)
        if relative.parts[1] == "cli":
            continue  # the command line speaks English
        tree = ast.parse(path.read_text(encoding="utf-8"))
        _Reader(found, str(relative), _module_of(relative), tree).read()
    return found


def loaded() -> dict[str, Registry]:
    """Load the plugins that come with gamebot.

    Raises:
        SystemExit: One cannot be loaded.
    """
    plugins = load_plugins()
    if plugins.failures:
        raise SystemExit(f"not loaded: {plugins.failures}")
    return plugins.registries


# -- declarations ---------------------------------------------------------------------------


def _command(found: Found, command: Command) -> None:
    about = f"command {command.name}: {command.help}"
    found.add(command.words, context=WORD, note=about)
    if command.also:
        found.add(command.also, context=WORD, note=f"further words for {command.words}")
    if any(map(str.isalpha, command.example)):
        found.add(command.example, context=WORD, note=f"example of {command.words}")
    found.add(command.help, note=f"help of {command.words}")
    found.add(command.example_means, note=f"{command.words} {command.example}")
    for parameter in command.parameters:
        found.add(parameter.name, note=f"argument of {command.words}")
        for choice in filter(str.isalpha, parameter.choices):
            found.add(choice, context=WORD, note=f"value of {command.words}")


def _declared(found: Found, registry: Registry) -> None:
    for command in registry.commands:
        _command(found, command)
    for attribute in fields(registry.settings) if registry.settings else ():
        found.add(attribute.metadata.get("allowed", ""), note=f"what {attribute.name} takes")
    for kind in registry.games:
        found.add(kind.title, note="name of the game")
        found.add(kind.about)
        for strength in kind.strengths():
            found.add(strength, note="strength of a bot player")
        voice = Voice(registry, Translator("en"), "!", kind.settings())
        for topic in kind.topics(voice):
            found.add(topic, context=WORD, note="topic of help, lower case")
        for _, name, arguments in (line for sample in kind.samples for line in sample.lines):
            if any(map(str.isalpha, arguments)):
                behind = f"behind {registry.find(name).words}" if name else "alone"
                found.add(arguments, context=WORD, note=f"as it is typed {behind}")


# -- calls ----------------------------------------------------------------------------------


def _module_of(relative: Path) -> Callable[[], ModuleType]:
    name = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
    return lambda: importlib.import_module(name)


@define
class _Reader:
    """Reads the calls of one module."""

    found: Found
    where: str
    module: Callable[[], ModuleType]
    tree: ast.Module

    def read(self) -> None:
        for scope, call in _calls(self.tree):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else _id(call.func)
            if name not in {*TEXTS, *PLURALS, *WORDS} or len(call.args) <= TEXTS.get(name, 0):
                continue
            texts = list(self._texts(call.args[TEXTS.get(name, 0)], scope))
            if not texts:
                self._unexplained(call)
            elif name in PLURALS:
                for one, many in zip(texts, self._texts(call.args[1], scope), strict=True):
                    self.found.add(one, self.where, many=many)
            else:
                for text in texts:
                    self.found.add(text, self.where, context=WORD if name in WORDS else "")

    def _unexplained(self, call: ast.Call) -> None:
        argument = ast.unparse(call.args[0])
        shown = f"{ast.unparse(call.func)}({argument})"
        if (
            argument not in DECLARED
            and shown not in CARRIED
            and not shown.startswith("scope.text(")
        ):
            self.found.unexplained.append(f"{self.where}: {shown}")

    def _texts(self, node: ast.expr, scope: ast.AST) -> Iterator[str]:
        """Return every text that *node* can be."""
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.IfExp():
                yield from self._texts(node.body, scope)
                yield from self._texts(node.orelse, scope)
            case ast.Subscript():
                yield from self._table(node.value)
            case ast.Name():
                local = list(self._local(node.id, scope))
                yield from local or _strings(getattr(self.module(), node.id, None))
            case ast.Attribute(attr="value"):
                yield from self._enumeration(node)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                owner = getattr(self.module(), module, None)
                yield from _strings(getattr(owner, name, None)) if _is_module(owner) else ()
            case ast.Call(func=ast.Attribute(value=ast.Name() as table, attr="get")):
                yield from self._table(table)

    def _table(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, ast.Name):
            yield from _strings(getattr(self.module(), node.id, None))

    def _enumeration(self, node: ast.Attribute) -> Iterator[str]:
        """Read `value.layer.value` as every value of the module's class `Layer`."""
        owner = node.value
        name = owner.attr if isinstance(owner, ast.Attribute) else _id(owner)
        kind = getattr(self.module(), name.capitalize(), None) if name else None
        yield from (member.value for member in kind or ())

    def _local(self, name: str, scope: ast.AST) -> Iterator[str]:
        """Return the texts that a name of a function is given: by assignment, or by a loop."""
        for node in ast.walk(scope):
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    yield from self._texts(value, scope) if not _is_name(value, name) else ()
                case (
                    ast.For(target=target, iter=source)
                    | ast.comprehension(target=target, iter=source)
                ):
                    yield from self._looped(name, target, source)

    def _looped(self, name: str, target: ast.expr, source: ast.expr) -> Iterator[str]:
        names = [_id(part) for part in getattr(target, "elts", [target])]
        if name not in names:
            return
        place = names.index(name)
        match source:
            case ast.Tuple(elts=rows) | ast.List(elts=rows):
                for row in rows:
                    cell = row.elts[place] if isinstance(row, ast.Tuple) else row
                    if isinstance(cell, ast.Constant) and isinstance(cell.value, str):
                        yield cell.value
            case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="items" | "values")):
                yield from _strings(getattr(self.module(), table, None))


def _calls(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Return each call with the outermost function that it is in."""
    for part in ast.iter_child_nodes(tree):
        parts: Iterable[ast.AST] = [part]
        if isinstance(part, ast.ClassDef):
            parts = ast.iter_child_nodes(part)
        for scope in parts:
            for node in ast.walk(scope):
                if isinstance(node, ast.Call):
                    yield scope, node


def _id(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_module(value: object) -> bool:
    return isinstance(value, ModuleType)


def _is_name(node: ast.AST, name: str) -> bool:
    return _id(node) == name


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401  whatever a module holds
    """Return the texts of a text or a table."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for text in value.values() if isinstance(text, str))
