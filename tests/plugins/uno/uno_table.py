"""A UNO game with fixed cards, played in the canonical letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random

import pytest
from gamebot_uno.engine.cards import CODE_FACES, CODES, Card, Color
from gamebot_uno.engine.game import Event, Game, IllegalMove, Reason, Seat
from gamebot_uno.engine.moves import Play
from gamebot_uno.rules_text import parse_rules

ALDO, BEA, CARLA, DINO = (Seat(n) for n in range(4))

#: Hands that nobody minds.
DULL = ("B1 B2 B3", "V1 V2 V3", "G1 G2 G3", "R1 R2 R3")


class Table:
    """A game; its cards are named in canonical codes, and equal ones are interchangeable."""

    def __init__(self, rules: str, deck: str, hands: Sequence[str], starter: Seat | None) -> None:
        seats = [Seat(n) for n in range(len(hands))]
        self.game, self.events = Game.start(
            seats,
            rng=Random(1),
            rules=parse_rules(rules),
            starter=starter,
            hands={seat: hand.split() for seat, hand in zip(seats, hands, strict=True)},
            deck=deck.split(),
        )

    def cards(self, seat: Seat) -> int:
        return len(self.hand(seat))

    def play(self, seat: Seat, cards: str, color: str = "", **said: object) -> list[Event]:
        found = self.game.find(seat, [CODE_FACES[code] for code in cards.split()])
        return self.game.play(seat, found, color_of(color), **said)

    def plays(self, seat: Seat) -> set[str]:
        """What *seat* may play; a pair has a blank between its cards."""
        plays = [*self.game.legal_plays(seat), *self.game.legal_pairs(seat)]
        return {show(play) for play in plays}

    def refused(self, move: Callable[..., object], *arguments: object, **more: object) -> Reason:
        """Return why *move* is refused, having seen that the game is as before."""
        before = deepcopy(self.game)
        with pytest.raises(IllegalMove) as caught:
            move(*arguments, **more)
        assert self.game == before
        assert str(caught.value) == caught.value.reason.value
        return caught.value.reason

    def hand(self, seat: Seat) -> list[str]:
        hands = {**self.game.set_aside, **self.game.hands}
        return [CODES[card] for card in hands[seat]]

    def seen(self, **expected: object) -> bool:
        """Tell whether the public view is as expected; pytest shows both."""
        view = self.game.view()
        assert {name: view[name] for name in expected} == expected
        return True

    def empty_piles(self) -> None:
        """Leave nothing to draw: everything but the top card is in the hand of somebody gone."""
        game = self.game
        *below, top = game.discard_pile
        game.set_aside[Seat(99)] = [*game.draw_pile, *below]
        game.draw_pile, game.discard_pile = [], [top]


def color_of(letter: str) -> Color | None:
    return Color("BVRG".index(letter)) if letter else None


def show(play: Play) -> str:
    return " ".join(CODES[card] for card in play.cards)


def names(events: Sequence[Event]) -> list[str]:
    """Return the names of the public events."""
    return [type(event).__name__ for event in events if not hasattr(event, "to")]


def all_cards(game: Game) -> list[Card]:
    hands = [*game.hands.values(), *game.set_aside.values()]
    return [*game.draw_pile, *game.discard_pile, *(card for hand in hands for card in hand)]
