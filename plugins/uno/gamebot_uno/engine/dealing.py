"""Shuffle, deal and turn the first card up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from gamebot_uno.engine.cards import (
    CARD_FACES,
    CODE_FACES,
    COLORS,
    POINTS,
    RANKS,
    Card,
    Rank,
    deck,
)
from gamebot_uno.engine.choices import FirstCard
from gamebot_uno.engine.events import CardTurned, DealerDrawn, Event, HandDealt
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import State


@frozen
class Fixed:
    """Cards that are not left to chance, in canonical codes.

    Attributes:
        hands: Exactly the hand of each seat named.
        deck: The first card turned up, then the cards drawn, in order.
    """

    hands: Mapping[Seat, Sequence[str]] = field(factory=dict)
    deck: Sequence[str] = ()


def draw_dealer(game: State, events: list[Event]) -> Seat:
    """Let everybody draw a card openly; the highest deals, ties draw again (zh:95)."""
    pile = deck(game.rules.decks)
    game.rng.shuffle(pile)
    drawn: list[tuple[Seat, Card]] = []
    drawing = list(game.seats)
    while len(drawing) > 1:
        cards = {seat: pile.pop() for seat in drawing}
        drawn += cards.items()
        best = max(POINTS[card] for card in cards.values())
        drawing = [seat for seat, card in cards.items() if POINTS[card] == best]
        if len(pile) < len(drawing):
            drawing = drawing[:1]
    events.append(DealerDrawn(drawing[0], tuple(drawn)))
    return drawing[0]


def deal(game: State, fixed: Fixed, events: list[Event]) -> bool:
    """Deal to `game.seats` and turn the first card up; tell whether it may have an effect.

    Raises:
        ValueError: The fixed cards are not in the deck, or there are too few cards.
    """
    rules = game.rules
    pile = deck(rules.decks)
    game.rng.shuffle(pile)
    hands = {seat: take_out(pile, codes) for seat, codes in fixed.hands.items()}
    if not all(hands.values()):
        raise ValueError("a hand has at least one card")
    ahead = take_out(pile, fixed.deck)
    for seat in game.seats:
        if seat not in hands:
            if len(pile) < rules.hand_size:
                raise ValueError(f"too few cards to deal {rules.hand_size} to {len(game.seats)}")
            hands[seat] = pile[: -rules.hand_size - 1 : -1]
            del pile[-rules.hand_size :]
    game.hands = {seat: hands[seat] for seat in game.seats}
    events += [HandDealt(seat, tuple(hand)) for seat, hand in game.hands.items()]
    return turn_up(game, pile, ahead, events)


def take_out(pile: list[Card], codes: Sequence[str]) -> list[Card]:
    """Take the cards of *codes* out of *pile*, of equal ones those with the lowest number.

    Raises:
        ValueError: A code is none, or its card is not in *pile*.
    """
    taken = []
    for code in codes:
        face = CODE_FACES.get(code)
        if face is None:
            raise ValueError(f"no card is written {code}")
        equal = [card for card in pile if CARD_FACES[card] == face]
        if not equal:
            raise ValueError(f"the deck has no {code} left")
        taken.append(min(equal))
        pile.remove(taken[-1])
    return taken


def may_lie(card: Card, first_card: FirstCard) -> bool:
    """Tell whether *card* may be the first one, with whatever effect it has."""
    rank = RANKS[card]
    if first_card is FirstCard.NUMBER:
        return rank < Rank.SKIP
    return first_card is FirstCard.NO_EFFECT or rank is not Rank.WILD_DRAW_FOUR


def turn_up(game: State, pile: list[Card], ahead: list[Card], events: list[Event]) -> bool:
    """Turn the first card up and lay out both piles; tell whether it may have an effect.

    A card that may not lie there goes back to a random place of *pile*, behind the cards *ahead*
    (zh:96). When no card that may is left, any one lies, without effect.

    Raises:
        ValueError: No card is left.
    """
    first_card, put_back = game.rules.first_card, []
    while True:
        if not pile and not ahead:
            raise ValueError("no card is left to turn up")
        card = ahead.pop(0) if ahead else pile.pop()
        allowed = may_lie(card, first_card)
        if allowed or not any(may_lie(other, first_card) for other in (*ahead, *pile)):
            break
        put_back.append(card)
        pile.insert(game.rng.choice(range(len(pile) + 1)), card)
    game.draw_pile = pile + ahead[::-1]
    game.discard_pile = [card]
    game.color = COLORS[card]
    events.append(CardTurned(card, game.color, tuple(put_back)))
    return allowed and first_card is FirstCard.EFFECT
