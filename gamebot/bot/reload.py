"""Load a plugin anew while its games go on; an error leaves everything as it was."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from gamebot.channel.enabled_plugins import EnabledPlugins
from gamebot.config.structure import forget_classes
from gamebot.errors import PluginError
from gamebot.i18n import forget_catalogs
from gamebot.plugin.loading import register
from gamebot.table import saved

if TYPE_CHECKING:
    from types import ModuleType

    from gamebot.bot.bot import Bot
    from gamebot.plugin.registry import Registry

log = structlog.get_logger()


def reload_plugin(bot: Bot, name: str) -> None:
    """Replace a plugin by what its files say now; one that could not be loaded gets another try.

    Every channel takes it over before its next input, its tables read anew by the new code.

    Raises:
        PluginError: Why it cannot be used; the old one goes on.
    """
    source = bot.sources.get(name)
    if source is None:
        raise PluginError(f"no plugin {name!r} was found at the start")
    forget_catalogs()
    with _fresh_modules(source.module):
        try:
            registry = register(name, source.load())
            _try(bot, name, registry)
        except PluginError:
            raise
        except (Exception, SystemExit) as error:
            log.exception("plugin_not_reloaded", plugin=name, source=source.place)
            raise PluginError(f"{type(error).__name__}: {error}") from error
    bot.replace_plugin(name, registry)
    saved.forget_classes()
    forget_classes()
    log.info("plugin_reloaded", plugin=name, source=source.place)


def _try(bot: Bot, name: str, registry: Registry) -> None:
    """Find out whether every channel can take *registry* over.

    Raises:
        Exception: What keeps one from it.
    """
    registries = {**bot.registries, name: registry}
    for channel in bot.every_channel():
        profile = bot.profile_of(channel.link, channel.base, registries=registries)
        if name not in channel.profile.plugins and name not in profile.plugins:
            continue
        EnabledPlugins(profile, registries)
        old = channel.registries.get(name)
        if old is None or not old.games or name not in channel.tables:
            continue
        if not registry.games:
            raise PluginError("it has no game any more, and one is kept")
        if registry.games[0].version < old.games[0].version:
            raise PluginError("it is older than the games that are kept")
        channel.memory.check(name, registry.games[0])


@contextmanager
def _fresh_modules(top: str) -> Iterator[None]:
    """Forget the modules of *top*, so that they are imported anew; an error brings them back."""
    old = _modules(top)
    for name, module in old.items():
        del sys.modules[name]
        _drop_bytecode(module)
    importlib.invalidate_caches()
    try:
        yield
    except BaseException:
        for name in _modules(top):
            del sys.modules[name]
        sys.modules.update(old)
        _put_back(top, old)
        raise


def _modules(top: str) -> dict[str, ModuleType]:
    inside = f"{top}."
    return {
        name: module
        for name, module in sys.modules.items()
        if name == top or name.startswith(inside)
    }


def _drop_bytecode(module: ModuleType) -> None:
    """Delete the cached bytecode: an edit within one second leaves its time stamp as it was."""
    file = getattr(module, "__file__", None)
    if file and file.endswith(".py"):
        with suppress(OSError, NotImplementedError):
            Path(importlib.util.cache_from_source(file)).unlink(missing_ok=True)


def _put_back(top: str, old: dict[str, ModuleType]) -> None:
    parent, _, child = top.rpartition(".")
    if parent in sys.modules and top in old:
        setattr(sys.modules[parent], child, old[top])
