"""Perfect play: a whole solve, loading the shipped table, one advice.

Each figure is CPU time of one core; the memory is the most the process has held.
"""

# ruff: noqa: T201 - a benchmark prints

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from gamebot_kniffel.engine.rules import Rules
from gamebot_kniffel.engine.scoring import CATEGORIES
from gamebot_kniffel.solver import induction, table
from gamebot_kniffel.solver.advice import Adviser
from gamebot_kniffel.solver.lattice import ROLLS
from gamebot_kniffel.solver.variant import Kn, State, Variant

ADVICE = 200


def seconds(action: Callable[[], object]) -> float:
    """Return the CPU time of *action*."""
    begun = process_time()
    action()
    return process_time() - begun


def some_state(rng: Random) -> State:
    """Return a state of any stage."""
    boxes = tuple(box for box in CATEGORIES if rng.random() < 0.6) or CATEGORIES
    return State(boxes, 0, Kn.OPEN if "KN" in boxes else Kn.STRUCK)


def main() -> None:
    """Measure and print."""
    variant, rng = Variant.of(Rules()), Random(1)  # noqa: S311 - any states will do
    loading = median(seconds(lambda: table.find(variant, Path("none"))) for _ in range(20))
    found = table.find(variant, Path("none"))
    if found is None:
        raise SystemExit("the shipped table is missing")
    adviser = Adviser(found)
    times = sorted(
        seconds(lambda: adviser.options(some_state(rng), rng.choice(ROLLS), 2))
        for _ in range(ADVICE)
    )
    print(f"table loaded in {1000 * loading:.1f} ms")
    print(f"one advice: median {1000 * median(times):.2f} ms, 95 % in {1000 * times[190]:.2f} ms")
    print(f"solved in {seconds(lambda: induction.solve(variant)):.2f} s")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{most:.0f} MiB at most")


if __name__ == "__main__":
    main()
