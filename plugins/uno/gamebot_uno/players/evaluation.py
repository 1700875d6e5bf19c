"""A linear evaluation of the moves of one seat, over what that seat sees.

A move scores `base[danger, kind] + slopes[group] . features`: *danger* is how near the next player
is to going out, *kind* what the move is, and the features say how well the cards that stay in the
hand follow the card played, how likely others can follow it, how many points it sheds. The
weights (`weights`) come from `tools/tune_uno.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TypeAlias

from attrs import frozen

from gamebot_uno.engine.cards import DECK, FACE_COLORS, FACE_RANKS, Rank

#: What a move is.
KINDS = (
    *("number", "skip", "reverse", "draw_two", "wild", "wild_draw_four", "bluff"),
    *("draw", "pass", "take", "challenge"),
)
_WILD_DRAW_FOUR, _BLUFF = KINDS.index("wild_draw_four"), KINDS.index("bluff")
DRAW, PASS, TAKE, CHALLENGE = range(KINDS.index("draw"), len(KINDS))
#: How near the next player is to going out: one card, two cards, more.
DANGERS = 3
#: Which slopes count: two for each danger (cards that leave the next player its turn, cards that
#: do not), then one for each kind that plays nothing.
GROUPS = (
    *(f"{turn}_{danger}" for danger in range(1, DANGERS + 1) for turn in ("leaves", "takes")),
    *KINDS[DRAW:],
)
#: Features of a play; the other kinds have fewer, filled up with zeros.
FEATURES = (
    *("same_color", "same_rank", "wilds", "colors", "unseen_color", "unseen_rank"),
    *("attacks", "points", "follows", "last_follows", "keeps_color", "near_after"),
)
#: Number of bases; the slopes come after them in a flat list of weights.
BASES = DANGERS * len(KINDS)
#: Number of weights.
SIZE = BASES + len(GROUPS) * len(FEATURES)

#: Colour number of a wild.
NO_COLOR = 4
#: Colour of each face.
COLOR_OF = tuple(NO_COLOR if color is None else int(color) for color in FACE_COLORS)
#: Rank of each face.
RANK_OF = tuple(int(rank) for rank in FACE_RANKS)
#: Number of colours and ranks, `NO_COLOR` included.
COLORS, RANKS = NO_COLOR + 1, len(Rank)
_REVERSE, _WILD = int(Rank.REVERSE), int(Rank.WILD)
#: Index of the kind of a play of each face, were it honest.
KIND_OF = tuple(max(0, rank - Rank.NINE) for rank in RANK_OF)
_ATTACKS = tuple(Rank.SKIP <= rank <= Rank.DRAW_TWO for rank in RANK_OF)
#: Whether each face takes the next player's turn, 0 or 1.
TAKES_TURN = tuple(int(rank >= Rank.SKIP and rank != Rank.WILD) for rank in RANK_OF)
#: Points of each face, in twenties.
FACE_POINTS = tuple(
    rank / 20 if rank < Rank.SKIP else 1.0 if rank < Rank.WILD else 2.5 for rank in RANK_OF
)
_OF_COLOR = (25, 25, 25, 25, 8)
_OF_RANK = (4, *[8] * (RANKS - 3), 4, 4)
#: What makes a share of colours or ranks about 1.
_USUAL_COLORS, _USUAL_RANKS = 4, 13
_PER_PENDING, _PER_HAND = 1 / 4, 1 / 7

#: A described move: index of its base, of its slopes, its features.
Row: TypeAlias = tuple[int, int, tuple[float, ...]]


class Sight:
    """What the evaluation looks at, for all moves of one decision.

    It is made of a hand (faces), of how many cards of each colour and each rank lie openly
    (*gone*), the number of decks, and how many cards the next player, the next but one and the one
    before have (*others*).

    Attributes:
        size: Cards in hand.
        held: How many of them are of each colour, wilds last.
        ranks: How many of them are of each rank.
        attacks: How many of each colour are Skip, Reverse or Draw Two.
        unseen_colors: Share of each colour among the cards that the seat does not see, times 4.
        unseen_ranks: Share of each rank among them, times 13.
        color: Active colour, `NO_COLOR` for none.
        pending: Cards that are to be drawn.
        danger: How near the next player is to going out, 0-2.
        near: Whether each of three others has one card: the next, the next but one, the one before.
        two: Whether two play.
        honest: Whether a Wild Draw Four is no bluff.
        usable: How many different cards fit.
        guilt: Chance that who played a Wild Draw Four had a card of the colour before.
    """

    __slots__ = (
        *("attacks", "color", "danger", "guilt", "held", "honest", "near", "pending", "ranks"),
        *("size", "two", "unseen_colors", "unseen_ranks", "usable"),
    )

    def __init__(
        self,
        hand: Sequence[int],
        gone: tuple[Sequence[int], Sequence[int]],
        decks: int,
        others: tuple[int, int, int],
        *,
        two: bool,
        color: int,
        pending: int,
        honest: bool,
        usable: int,
    ) -> None:
        held, ranks, attacks = [0] * COLORS, [0] * RANKS, [0] * COLORS
        for face in hand:
            held[COLOR_OF[face]] += 1
            ranks[RANK_OF[face]] += 1
            if _ATTACKS[face]:
                attacks[COLOR_OF[face]] += 1
        self.size, self.held, self.ranks, self.attacks = len(hand), held, ranks, attacks
        unseen = DECK * decks - len(hand) - sum(gone[0]) or 1
        self.unseen_colors = _shares(_OF_COLOR, decks, gone[0], held, _USUAL_COLORS / unseen)
        self.unseen_ranks = _shares(_OF_RANK, decks, gone[1], ranks, _USUAL_RANKS / unseen)
        self.danger = min(others[0], DANGERS) - 1
        self.near = (others[0] == 1, others[1] == 1, others[2] == 1)
        self.two, self.color, self.pending = two, color, pending
        self.honest, self.usable, self.guilt = honest, usable, 0.0

    def suspect(self, count: int, color: int) -> None:
        """Estimate `guilt` of a player with *count* cards when *color* was active."""
        share = self.unseen_colors[color] / _USUAL_COLORS if color < NO_COLOR else 1 / NO_COLOR
        self.guilt = 1 - (1 - share) ** count

    def play(self, face: int, color: int, copies: int = 1) -> Row:
        """Describe playing *face* in *color*.

        Args:
            face: What is played.
            color: Colour that is active then.
            copies: How many leave the hand; 0 for a wild that has left it already.
        """
        own, rank = COLOR_OF[face], RANK_OF[face]
        left = self.size - copies
        per = 1 / left if left else 0.0
        same = self.held[color] - copies * (own == color)
        alike = self.ranks[rank] - copies if rank < _WILD else 0
        wilds = self.held[NO_COLOR] - copies * (own == NO_COLOR)
        follows = 1.0 if same or alike or wilds else 0.0
        takes = TAKES_TURN[face]
        features = (
            same * per,
            alike * per,
            wilds * per,
            self._colors(own, copies),
            self.unseen_colors[color],
            self.unseen_ranks[rank],
            (self.attacks[color] - copies * _ATTACKS[face]) * per,
            FACE_POINTS[face],
            follows,
            follows if left == 1 else 0.0,
            1.0 if color == self.color else 0.0,
            1.0 if self._near_after(rank, takes) else 0.0,
        )
        kind = KIND_OF[face]
        if kind == _WILD_DRAW_FOUR and not self.honest:
            kind = _BLUFF
        return self.danger * len(KINDS) + kind, self.danger * 2 + takes, features

    def _colors(self, own: int, copies: int) -> float:
        """Return how many of the four colours stay in the hand, as a share."""
        blue, green, red, yellow, _ = self.held
        colors = (blue > 0) + (green > 0) + (red > 0) + (yellow > 0)
        if own != NO_COLOR and self.held[own] == copies:
            colors -= 1
        return colors / NO_COLOR

    def _near_after(self, rank: int, takes: int) -> bool:
        """Tell whether who acts next has one card."""
        following, next_but_one, previous = self.near
        if not takes:
            return following
        if self.two:
            return False
        return previous if rank == _REVERSE else next_but_one

    def other(self, kind: int) -> Row:
        """Describe a move of *kind* that plays nothing."""
        size, wilds = self.size, self.held[NO_COLOR]
        features: tuple[float, ...]
        if kind == DRAW:
            only_wilds = 1.0 if wilds >= self.usable else 0.0
            features = (self.usable / size, only_wilds, 1.0 if size == 1 else 0.0, wilds / size)
        elif kind == PASS:
            features = (wilds / size,)
        elif kind == TAKE:
            features = (self.pending * _PER_PENDING,)
        else:
            features = (self.guilt, self.pending * _PER_PENDING, size * _PER_HAND)
        return self.danger * len(KINDS) + kind, 2 * DANGERS + kind - DRAW, features


def _shares(
    there: Sequence[int], decks: int, gone: Sequence[int], own: Sequence[int], scale: float
) -> list[float]:
    return [
        (n * decks - lying - held) * scale for n, lying, held in zip(there, gone, own, strict=True)
    ]


def tally(faces: Sequence[int]) -> tuple[list[int], list[int]]:
    """Count *faces* by colour and by rank."""
    colors, ranks = [0] * COLORS, [0] * RANKS
    for face in faces:
        colors[COLOR_OF[face]] += 1
        ranks[RANK_OF[face]] += 1
    return colors, ranks


@frozen
class Weights:
    """Weights of the evaluation.

    Attributes:
        base: For each danger those of the kinds.
        slopes: For each group those of the features.
    """

    base: tuple[float, ...]
    slopes: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, flat: Sequence[float]) -> Weights:
        """Take `SIZE` weights: the bases, then the slopes."""
        width = len(FEATURES)
        starts = range(BASES, SIZE, width)
        return cls(tuple(flat[:BASES]), tuple(tuple(flat[n : n + width]) for n in starts))

    @classmethod
    def read(cls, bases: str, slopes: str) -> Weights:
        """Read two tables with a head and a name before each row.

        Args:
            bases: A row for each kind, a column for each danger.
            slopes: A row for each group, a column for each feature; zeros at the end may be left
                out.
        """
        by_kind, by_group = _rows(bases), _rows(slopes)
        base = tuple(by_kind[kind][danger] for danger in range(DANGERS) for kind in KINDS)
        return cls(base, tuple(by_group[group] for group in GROUPS))

    def score(self, row: Row) -> float:
        """Return what a move is worth; only differences within a decision mean anything."""
        base, group, features = row
        return self.base[base] + sum(map(mul, self.slopes[group], features), 0.0)


def _rows(table: str) -> dict[str, tuple[float, ...]]:
    rows = (line.split() for line in table.splitlines()[1:])
    return {name: tuple(map(float, values)) for name, *values in rows}
