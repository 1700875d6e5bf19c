"""A second way to a state's value: all ordered dice and all positions, without lattice or numpy."""

from collections.abc import Callable
from functools import cache
from itertools import compress, product

from gamebot_kniffel.solver.variant import State, Variant, entries

SIDES = range(1, 7)
MASKS = tuple(product((False, True), repeat=5))


def value(variant: Variant, state: State, after: Callable[[State], float]) -> float:
    """Return what *state* is worth, from what the states *after* it are worth."""

    @cache
    def stop(dice):
        return max(entry.points + after(entry.after) for entry in entries(variant, state, dice))

    @cache
    def keep(kept, throws):
        rolls = product(SIDES, repeat=5 - len(kept))
        values = [best(tuple(sorted(kept + roll)), throws) for roll in rolls]
        return sum(values) / len(values)

    @cache
    def best(dice, throws):
        if not throws:
            return stop(dice)
        return max(
            stop(dice), *{keep(tuple(compress(dice, mask)), throws - 1) for mask in MASKS[:-1]}
        )

    return keep((), 2)


def to_the_end(variant: Variant, state: State) -> float:
    """Return what *state* is worth, every later turn worked out in the same way."""

    @cache
    def rest(state):
        return value(variant, state, rest) if state.open else float(state.final)

    return rest(state)
