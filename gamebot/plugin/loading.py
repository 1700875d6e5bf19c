"""Finding and loading plugins: bundled ones, installed ones, and a drop-in folder.

Each plugin is guarded: one that cannot be loaded is named, with its traceback in the log, and the
bot runs without it. pluggy does the hook; what it does not do is done here (entry points one by
one, `check_pending()` per plugin, unregistering after a failure, a warning for empty plugins).
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import pluggy
import structlog
from attrs import define, field, frozen

from gamebot.errors import PluginError
from gamebot.plugin.registry import PROJECT, Hooks, Registry

log = structlog.get_logger()

ENTRY_POINTS = "gamebot.plugins"
DROPIN = "gamebot_dropin"
BUNDLED = {
    "admin": "gamebot.bundled.admin",
    "rights": "gamebot.bundled.rights",
    "settings": "gamebot.bundled.settings",
}


@frozen
class PluginSource:
    """Where a plugin comes from.

    Attributes:
        name: Its name.
        place: "bundled", "installed" or the file of the drop-in folder.
        module: The module or package that holds all of its code.
        load: Import it, from what Python remembers if it was imported before.
    """

    name: str
    place: str
    module: str
    load: Callable[[], object]


@define
class LoadedPlugins:
    """What could be loaded, and what could not.

    Attributes:
        registries: Plugin name -> its registrations.
        failures: Plugin name -> why it is not there.
        sources: Plugin name -> where it comes from.
    """

    registries: dict[str, Registry] = field(factory=dict)
    failures: dict[str, str] = field(factory=dict)
    sources: dict[str, PluginSource] = field(factory=dict)


def load_plugins(
    folders: Sequence[Path] = (), disabled: Collection[str] = (), *, installed: bool = True
) -> LoadedPlugins:
    """Load every plugin of the three sources but the *disabled* ones.

    Args:
        folders: Drop-in folders; each holds single `.py` files or packages.
        disabled: Names of plugins to leave out.
        installed: Whether to look at entry points.
    """
    loaded = LoadedPlugins()
    found = [*_bundled(), *(_installed() if installed else ()), *_dropped_in(folders)]
    for source in found:
        name = source.name
        if name in disabled:
            continue
        if name in loaded.sources:
            taken = f"the name is taken by {loaded.sources[name].place}"
            loaded.failures[f"{name} ({source.place})"] = taken
            continue
        loaded.sources[name] = source
        try:
            loaded.registries[name] = register(name, source.load())
        except (Exception, SystemExit) as error:
            loaded.failures[name] = f"{type(error).__name__}: {error}"
            log.exception("plugin_not_loaded", plugin=name, source=source.place)
    for name in loaded.failures:
        log.error("plugin_missing", plugin=name, why=loaded.failures[name])
    return loaded


def register(name: str, module: object) -> Registry:
    """Call the hook of *module* and return what it registered.

    Raises:
        PluginError: A hook is misspelt, the signature is wrong, or a registration is refused.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Hooks)
    registry = Registry(name)
    try:
        manager.register(module, name=name)
        manager.check_pending()
        manager.hook.gamebot_register(registry=registry)
    except pluggy.PluginValidationError as error:
        raise PluginError(str(error)) from error
    finally:
        if manager.has_plugin(name):
            manager.unregister(name=name)
    if registry.empty:
        log.warning("plugin_registers_nothing", plugin=name)
    return registry


def _bundled() -> Iterator[PluginSource]:
    for name, module in BUNDLED.items():
        yield PluginSource(name, "bundled", module, partial(importlib.import_module, module))


def _installed() -> Iterator[PluginSource]:
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        package = point.module.partition(".")[0]
        yield PluginSource(point.name, "installed", package, point.load)


def _dropped_in(folders: Sequence[Path]) -> Iterator[PluginSource]:
    for folder in folders:
        if not folder.is_dir():
            log.error("plugin_folder_missing", folder=str(folder))
            continue
        for path in sorted(folder.iterdir()):
            file = path / "__init__.py" if path.is_dir() else path
            if file.suffix == ".py" and file.is_file() and not path.name.startswith(("_", ".")):
                load = partial(load_file, path.stem, file)
                yield PluginSource(path.stem, str(path), f"{DROPIN}.{path.stem}", load)


def load_file(name: str, file: Path) -> ModuleType:
    """Import *file* afresh as the module `gamebot_dropin.NAME`.

    Raises:
        PluginError: It cannot be imported as a module.
    """
    full = f"{DROPIN}.{name}"
    spec = importlib.util.spec_from_file_location(
        full,
        file,
        submodule_search_locations=[str(file.parent)] if file.stem == "__init__" else None,
    )
    if spec is None or spec.loader is None:
        raise PluginError(f"{file} is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[full] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full]
        raise
    return module
