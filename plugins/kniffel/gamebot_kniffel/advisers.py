"""Tables of perfect play for the bot: found without holding up the event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import TYPE_CHECKING

from gamebot import Refused
from gamebot_kniffel.engine.rules import DICE, ROLLS, Rules
from gamebot_kniffel.solver.variant import State, Variant

if TYPE_CHECKING:
    from gamebot_kniffel.solver.advice import Adviser

#: How long a command waits for a table that has to be worked out first, in seconds.
PATIENCE_S = 5.0

#: Whether numpy is there, which all of this needs.
AVAILABLE = find_spec("numpy") is not None

_ready: dict[Variant, Adviser] = {}
_coming: dict[Variant, asyncio.Task[Adviser]] = {}


def known(rules: Rules) -> Adviser | None:
    """Return the adviser for *rules* if it is in memory."""
    return _ready.get(Variant.of(rules))


async def adviser(rules: Rules) -> Adviser:
    """Return the adviser for *rules*; what is not in memory comes from a file or a process.

    Raises:
        Refused: It is being worked out, or numpy is not installed.
    """
    if not AVAILABLE:
        raise Refused("Perfect play is not installed here.")
    found = known(rules)
    if found is not None:
        return found
    try:
        return await asyncio.wait_for(asyncio.shield(_task(Variant.of(rules))), PATIENCE_S)
    except TimeoutError:
        raise Refused("These rules are being worked out; ask again in half a minute.") from None


def _task(variant: Variant) -> asyncio.Task[Adviser]:
    """Return the one task that fetches *variant*; a failed one is replaced."""
    task = _coming.get(variant)
    if task is None or task.get_loop().is_closed() or (task.done() and task.exception()):
        task = _coming[variant] = asyncio.get_running_loop().create_task(_fetch(variant))
    return task


async def _fetch(variant: Variant) -> Adviser:
    found = await asyncio.to_thread(_load, variant)
    if found is None:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            await asyncio.get_running_loop().run_in_executor(pool, _work_out, variant)
        found = await asyncio.to_thread(_load, variant)
    if found is None:
        raise Refused("These rules could not be worked out.")
    _ready[variant] = found
    return found


def _load(variant: Variant) -> Adviser | None:
    """Import all that is needed and read the table; the first advice, the dearest, is given here."""
    import gamebot_kniffel.players.perfect
    import gamebot_kniffel.solver.review  # noqa: F401  imported here, not in the event loop
    from gamebot_kniffel.solver.advice import Adviser
    from gamebot_kniffel.solver.table import cache_folder, find

    table = find(variant, cache_folder())
    if table is None:
        return None
    found = Adviser(table)
    found.options(State(), tuple(range(1, DICE + 1)), ROLLS - 1)
    return found


def _work_out(variant: Variant) -> None:
    from gamebot_kniffel.solver.table import cache_folder, obtain

    obtain(variant, cache_folder())
