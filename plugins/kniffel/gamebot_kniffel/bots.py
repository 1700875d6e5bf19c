"""Bot players at a table; those that play by values are there where numpy is."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from random import Random

from gamebot import Refused
from gamebot_kniffel import advisers, players
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.seat import Seat

MIDDLE, PERFECT = "middle", "perfect"

#: Softmax temperature of the players that play by values, in points.
TEMPERATURES = {MIDDLE: 1.0, PERFECT: 0.0}

#: What may be seated, weakest first.
STRENGTHS = ("easy", MIDDLE, "strong", PERFECT) if advisers.AVAILABLE else tuple(players.Strength)
#: Who sits down if nobody chose: needs no numpy.
DEFAULT = "strong"

#: Names of the German game, which the shell understands too.
GERMAN = {"leicht": "easy", "mittel": MIDDLE, "stark": "strong", "perfekt": PERFECT}
NAMES = (*STRENGTHS, *(german for german, name in GERMAN.items() if name in STRENGTHS))


def act(
    game: Game, seat: Seat, strength: str, rng: Random
) -> Sequence[object] | Awaitable[Sequence[object]]:
    """Make one move for *seat*; the first one by values waits for their table."""
    name = GERMAN.get(strength, strength)
    if name not in TEMPERATURES or game.dice is None:
        simple = players.Strength.STRONG if name in TEMPERATURES else players.Strength(name)
        return _do(game, seat, players.choose(game, seat, simple, rng))
    if advisers.known(game.rules) is None:
        return _after_table(game, seat, name, rng)
    return _do(game, seat, _by_values(game, seat, name, rng))


async def _after_table(game: Game, seat: Seat, name: str, rng: Random) -> Sequence[object]:
    """Move as soon as there is a table; a strong player stands in if it takes too long."""
    try:
        await advisers.adviser(game.rules)
    except Refused:
        return _do(game, seat, players.choose(game, seat, players.Strength.STRONG, rng))
    return _do(game, seat, _by_values(game, seat, name, rng))


def _by_values(game: Game, seat: Seat, name: str, rng: Random) -> players.Action:
    from gamebot_kniffel.players import perfect

    adviser = advisers.known(game.rules)
    assert adviser is not None and game.dice is not None  # noqa: S101, PT018  the caller saw to it
    card = game.cards[seat]
    return perfect.choose(adviser, card, game.dice, game.rolls_left, TEMPERATURES[name], rng)


def _do(game: Game, seat: Seat, action: players.Action) -> Sequence[object]:
    if isinstance(action, players.Roll):
        return game.roll(seat, action.positions)
    return game.enter(seat, action.category)
