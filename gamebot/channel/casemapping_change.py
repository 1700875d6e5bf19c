"""What is stored for a channel follows it when its network folds names in another way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import evolve

from gamebot.irc.casemapping import variants
from gamebot.plugin.settings import JOINED_KEY
from gamebot.ports import SettingRow, Transaction

if TYPE_CHECKING:
    from gamebot.channel.memory import Memory
    from gamebot.channel.timers import Timers
    from gamebot.plugin.registry import Registry
    from gamebot.ports import Link


def exact_key(name: str) -> str:
    """Return *name* folded by what every mapping folds: two channels have the same only if they are one."""
    return variants(name)[0]


def widest_key(name: str) -> str:
    """Return *name* folded by all that any mapping folds: two channels differ only if they are two."""
    return variants(name)[-1]


def first_key(link: Link, name: str, stored: Collection[str], taken: Collection[str]) -> str:
    """Return the key of a channel until its network has told how it folds names.

    Args:
        link: Its network, not connected yet.
        name: The channel.
        stored: Keys under which something is stored for channels of that network.
        taken: Exact keys of the network's channels; others may be one with it, or not.
    """
    exact, *folded = variants(name)
    keys = [exact, *(key for key in folded if key not in taken)]
    default = link.fold(name)
    return next((key for key in keys if key in stored), default if default in keys else exact)


def moving(
    memory: Memory,
    timers: Timers,
    registries: Mapping[str, Registry],
    settings: Iterable[SettingRow],
    old: str,
) -> Transaction:
    """Return what moves everything stored for a channel from its key *old* to the present one.

    Args:
        memory: Its tables and values, under the present key.
        timers: What is armed there.
        registries: Its plugins.
        settings: Everything that was given over IRC.
        old: The key so far.
    """
    where = (memory.network, old)
    games, values = memory.stored_games(registries), memory.stored_values()
    return Transaction(
        moved_channels=((*where, memory.channel),),
        games=tuple(games),
        dropped_games=tuple((*where, row.plugin) for row in games),
        timers=tuple(timers.rows()),
        cancelled_timers=tuple((*where, *name) for name in timers),
        states=(*(evolve(row, channel=old, value=None) for row in values), *values),
        settings=tuple(moved_settings(settings, *where, memory.channel)),
    )


def moved_settings(
    rows: Iterable[SettingRow], network: str, old: str, new: str
) -> list[SettingRow]:
    """Move a channel's settings, ignored masks and stay; of two for one thing the newer stays.

    Args:
        rows: Everything that was given over IRC.
        network: Its network.
        old: The channel's folded name so far.
        new: Its folded name from now on.

    Returns:
        The rows to store, removals before what replaces them.
    """
    held = {(row.scope, row.plugin, row.key): row for row in rows}
    found: list[SettingRow] = []
    for row in held.values():
        if row.scope == f"{network}/{old}":
            moved = evolve(row, scope=f"{network}/{new}")
        elif (row.scope, row.plugin, row.key) == (network, "", f"{JOINED_KEY}{old}"):
            moved = evolve(row, key=f"{JOINED_KEY}{new}")
        else:
            continue
        there = held.get((moved.scope, moved.plugin, moved.key))
        found.append(evolve(row, value=None))
        if there is None or there.at <= row.at:
            found.append(moved)
    return found
