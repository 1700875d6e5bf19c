"""A table as it is stored: JSON, with the game in front of it and where its chance stands."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import cattrs
from cattrs.preconf.json import make_converter

from gamebot.chance import Chance
from gamebot.table.table import Table


def _converter() -> cattrs.Converter:
    converter = make_converter()
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, Random), lambda _: None
    )
    converter.register_structure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, Random),
        lambda _v, _t: Random(),  # noqa: S311  replaced by `load`
    )
    return converter


_CONVERTER = _converter()


def forget_classes() -> None:
    """Let go of the engines' classes, so that a replaced plugin's leave the memory."""
    global _CONVERTER
    _CONVERTER = _converter()


def dump(table: Table) -> str:
    """Write *table* and its game as JSON."""
    game = table.game
    if game is not None and isinstance(game.rng, Chance):
        table.position, table.loaded = game.rng.position, list(game.rng.loaded)
    raw = _CONVERTER.unstructure(table, Table)
    raw["game"] = None if game is None else _CONVERTER.unstructure(game, type(game))
    return json.dumps(raw, separators=(",", ":"), ensure_ascii=False)


def load(text: str, engine: type[Any]) -> Table:
    """Read what `dump` wrote, its game as an *engine*, and put the game's chance back in place."""
    raw = json.loads(text)
    game = raw.pop("game")
    table = _CONVERTER.structure(raw, Table)
    if game is not None:
        table.game = _CONVERTER.structure(game, engine)
        table.game.rng = chance_of(table)
    return table


def chance_of(table: Table) -> Chance:
    """Return the table's chance where it stands."""
    chance = Chance(bytes.fromhex(table.key), table.position)
    chance.loaded[:] = table.loaded
    return chance
