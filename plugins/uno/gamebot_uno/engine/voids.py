"""What everybody saw a hand to be void of, because its player drew instead of playing.

Bot players deal the unseen cards out by it; no rule asks. It says at least what is true: who plays
a card is taken to have held it all along, unless it would have fitted before.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamebot_uno.engine.cards import COLORS, RANKS, Card
from gamebot_uno.engine.choices import DrawIfNone, DrawnCard, LastCard
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import State, Void

MOST = 3
"""So many turns are remembered for each seat."""

_PLAYED = (DrawnCard.PLAYABLE, DrawnCard.FORCED)


def drew_instead(game: State, seat: Seat) -> None:
    """Note that *seat* is about to draw with the hand that it has."""
    cards = len(game.hands[seat])
    if cards == 1 and game.rules.last_card is LastCard.NUMBER:
        forget(game, [seat])  # it may hold what fits and must not end the round
        return
    void = Void(game.color, RANKS[game.top_card], game.pending_rank, game.taken_rank, cards)
    known = game.voids.get(seat)
    if known is None:
        game.voids[seat] = [void]
        return
    known.append(void)
    if len(known) > MOST:
        del known[0]


def kept_drawn_card(game: State, seat: Seat) -> None:
    """Note that *seat* ends its turn with the card that it drew and might have played."""
    known, rules = game.voids.get(seat), game.rules
    if known and rules.drawn_card in _PLAYED and rules.draw_if_none is DrawIfNone.ONE:
        known[-1].cards += 1


def played(game: State, seat: Seat, cards: tuple[Card, ...]) -> None:
    """Note that *seat* has played *cards*: as many fewer are left of what it held before."""
    known, held, count = game.voids[seat], len(game.hands[seat]), len(cards)
    empty = False
    for void in reversed(known):
        if count and _fitted(void, cards[0]):
            count = 0  # it came after this turn, so after all turns before too
        left = void.cards - count
        void.cards = left if left < held else held  # who draws at will may have held what fits
        empty = empty or left <= 0
    if empty:
        game.voids[seat] = [void for void in known if void.cards > 0]


def _fitted(void: Void, card: Card) -> bool:
    """Tell whether *card* would have been played then, so that it was not held."""
    if void.pending_rank is not None or void.taken_rank is not None:
        return False
    color = COLORS[card]
    return color is None or color is void.color or RANKS[card] is void.rank


def forget(game: State, seats: Iterable[Seat]) -> None:
    """Forget what is known of the hands of *seats*."""
    for seat in seats:
        game.voids.pop(seat, None)
