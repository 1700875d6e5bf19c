"""The player `master`: plays the most promising moves on, many times, before it chooses.

Information-set Monte Carlo: the cards that the seat does not see are dealt out by chance, in
accord with all counts and with what others were seen to be void of, and each move is tried on the
same deals. Moves that do badly are dropped
by halves (sequential halving). Which moves are tried at all, and how far their results are to be
believed, comes from the tuned evaluation of `strong`. Between two players a playout stops after a
dozen turns and the position is valued; at larger tables it goes on to the end.

It takes some 100 ms, so callers on an event loop run it in a thread. It plays the
same for the same observation and chance, whatever the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import log
from random import Random

from attrs import define, frozen

from gamebot_uno.engine.cards import CARD_FACES, COLORS, RANKS, Card, Rank, deck
from gamebot_uno.engine.moves import Draw, Move, PassTurn, Play
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, Void
from gamebot_uno.players import model, strong
from gamebot_uno.players.evaluation import NO_COLOR
from gamebot_uno.players.habits import calling
from gamebot_uno.players.model import Position
from gamebot_uno.players.playouts import Habit, finish, look_ahead
from gamebot_uno.players.value_weights import VALUE

#: Playouts for one choice between two; at larger tables, where they go on to the end.
PLAYOUTS, PLAYOUTS_TO_THE_END = 600, 100
#: Turns of a playout between two.
TURNS = 14
#: Share of its moves in which the other one plays whatever fits.
ERRS = 0.3
#: Moves that are tried at most, and how far below the best the evaluation may put them.
MOST_MOVES, FAR = 6, -log(0.02)
#: How much of a chance to win one point of the evaluation stands for, between two and at larger
#: tables, where chance leaves more doubt of the playouts.
TRUST, TRUST_TO_THE_END = 0.003, 0.02

_TWO = 2
#: How playouts are played between two, and at larger tables.
HABITS = {players: Habit.of(strong.weights_for(players)) for players in (_TWO, _TWO + 1)}
_PENDING = (Rank.DRAW_TWO, Rank.WILD_DRAW_FOUR)


def choose(observation: Observation, rng: Random, playouts: int | None = None) -> Move:
    """Return the move that wins most often; it always says "uno".

    Answers to a Wild Draw Four and colours called late are left to `strong`: playouts know
    nothing about who bluffs.

    Args:
        observation: What the seat sees.
        rng: Chance of the deals that are tried.
        playouts: How many to play; None for the usual number.
    """
    mine = observation.to_act == observation.seat and observation.phase is Phase.PLAYING
    tried = candidates(observation) if mine else []
    if len(tried) < _TWO:
        return strong.choose(observation, rng)
    if playouts is None:
        playouts = PLAYOUTS if len(observation.seats) == _TWO else PLAYOUTS_TO_THE_END
    best = search(observation, tried, rng, playouts)
    return calling(observation, best) if isinstance(best, Play) else best


@define
class Candidate:
    """A move that is tried.

    Attributes:
        move: It.
        prior: What the evaluation says, at most 0.
        won: Sum of the chances to win so far.
    """

    move: Move
    prior: float
    won: float = 0.0

    def promise(self, deals: int, trust: float) -> float:
        """Return how good it looks after *deals* deals, by *trust* in the evaluation."""
        return self.won / deals + trust * self.prior


def candidates(observation: Observation) -> list[Candidate]:
    """Return the moves that are worth trying, best first, equal cards once."""
    values = strong.evaluate(observation)
    best, seen, found = max(values), set(), []
    for value, move in sorted(zip(values, observation.moves, strict=True), key=lambda v: -v[0]):
        key = _look(move)
        if value >= best - FAR and key not in seen:
            seen.add(key)
            found.append(Candidate(move, value - best))
    return found[:MOST_MOVES]


def _look(move: Move) -> object:
    if isinstance(move, Play):
        return tuple(CARD_FACES[card] for card in move.cards), move.color
    return move


def search(observation: Observation, tried: list[Candidate], rng: Random, playouts: int) -> Move:
    """Return the best of *tried*, which are dropped by halves."""
    hidden, deals = Hidden.of(observation), 0
    players = len(observation.seats)
    value = partial(look_ahead, value=VALUE, turns=TURNS, errs=ERRS) if players == _TWO else finish
    trust = TRUST if players == _TWO else TRUST_TO_THE_END
    habit, place = HABITS[min(players, _TWO + 1)], observation.seats.index(observation.seat)
    rounds = (len(tried) - 1).bit_length()
    while len(tried) > 1:
        again = max(1, playouts // (rounds * len(tried)))
        for position in hidden.deals(again, rng):
            for candidate in tried:
                twin = position.copy()
                make(twin, candidate.move)
                candidate.won += value(twin, habit, place)
        deals += again
        tried.sort(key=lambda candidate: -candidate.promise(deals, trust))
        del tried[(len(tried) + 1) // 2 :]
    return tried[0].move


def make(position: Position, move: Move) -> None:
    """Make *move* in *position*.

    Raises:
        TypeError: It is none of those that are tried.
    """
    match move:
        case Play(cards, color):
            own = COLORS[cards[0]] if color is None else color
            active = NO_COLOR if own is None else int(own)
            position.play(CARD_FACES[cards[0]], active, len(cards))
        case Draw():
            position.apply(model.TAKE if position.pending else model.DRAW)
        case PassTurn():
            position.apply(model.PASS)
        case _:
            raise TypeError(f"{move} is not tried")


@frozen
class Holding:
    """Cards of a hand that have something in common.

    Attributes:
        cards: How many.
        impossible: For each face whether none of them shows it.
    """

    cards: int
    impossible: tuple[bool, ...]


@frozen
class Hidden:
    """What the seat sees, and the cards that it does not.

    Attributes:
        observation: What it sees.
        unseen: Faces of the other cards.
        holdings: What is known of others' hands, the cards of which most is known first.
    """

    observation: Observation
    unseen: Sequence[int]
    holdings: Mapping[Seat, list[Holding]]

    @classmethod
    def of(cls, observation: Observation) -> Hidden:
        """Find out which cards are unseen, and where they cannot be."""
        seen = {*observation.hand, *observation.discard_pile}
        cards = deck(observation.rules.decks)
        unseen = [CARD_FACES[card] for card in cards if card not in seen]
        known = {
            seat: holdings(observation, observation.voids[seat])
            for seat in observation.seats
            if seat != observation.seat and observation.voids.get(seat)
        }
        return cls(observation, unseen, known)

    def deals(self, count: int, rng: Random) -> Iterator[Position]:
        """Yield the game as it might be, *count* times; each one is to be copied."""
        for _ in range(count):
            cards = sorted(self.unseen, key=lambda _: rng.random())
            yield self._position(cards, rng)

    def _position(self, cards: list[int], rng: Random) -> Position:
        """Deal *cards* out, those that are known from their end, all others from their begin."""
        seen, start = self.observation, 0
        hands: dict[Seat, list[int]] = {}
        for seat, known in self.holdings.items():
            hands[seat] = [face for holding in known for face in _take(cards, holding)]
        for seat in seen.seats:
            hand = hands.setdefault(seat, _faces(seen.hand) if seat == seen.seat else [])
            end = start + seen.counts[seat] - len(hand)
            hand += cards[start:end]
            start = end
        return Position(
            model=model.model(seen.rules, len(seen.seats)),
            rng=rng,
            hands=[hands[seat] for seat in seen.seats],
            pile=cards[start : start + seen.draw_pile][::-1],
            discard=_faces(seen.discard_pile),
            color=NO_COLOR if seen.color is None else int(seen.color),
            place=seen.seats.index(seen.seat),
            step=seen.direction,
            pending=seen.pending_draw,
            pending_rank=_pending_rank(seen),
            drew=seen.drew,
            drawn=None if seen.drawn_card is None else CARD_FACES[seen.drawn_card],
        )


def holdings(observation: Observation, voids: Sequence[Void]) -> list[Holding]:
    """Tell what *voids* say: whatever was held at one of them was held at all later ones."""
    table = model.model(observation.rules, len(observation.seats))
    fitted = [
        table.fitting(
            NO_COLOR if void.color is None else int(void.color),
            int(void.rank),
            int(void.pending_rank or 0),
            int(void.taken_rank or 0),
        )
        for void in voids
    ]
    found, held = [], 0
    for number, void in enumerate(voids):
        if void.cards > held:
            impossible = tuple(map(any, zip(*fitted[number:], strict=True)))
            found.append(Holding(void.cards - held, impossible))
            held = void.cards
    return found


def _take(cards: list[int], holding: Holding) -> list[int]:
    """Take the last cards that are possible; fewer, if there are too few of them."""
    taken: list[int] = []
    places = iter(range(len(cards) - 1, -1, -1))
    while len(taken) < holding.cards and (place := next(places, None)) is not None:
        if not holding.impossible[cards[place]]:
            taken.append(cards.pop(place))
    return taken


def _faces(cards: tuple[Card, ...]) -> list[int]:
    return [CARD_FACES[card] for card in cards]


def _pending_rank(observation: Observation) -> int:
    """Return the rank of what is pending: the latest card of the two kinds that lies there."""
    if not observation.pending_draw:
        return 0
    ranks = (RANKS[card] for card in reversed(observation.discard_pile))
    return int(next(rank for rank in ranks if rank in _PENDING))
