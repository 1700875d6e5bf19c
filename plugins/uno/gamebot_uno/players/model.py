"""A game on faces, fast, for playouts: what the engine does, without events, calls and refusals.

Places stand for seats, faces for cards. Left out are what playouts can do without: pairs (but as a
first move), jumping in, snapping in, the call, points, further rounds. That it goes the same way
as the engine is tested move by move.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

from attrs import define, field

from gamebot_uno.engine.cards import (
    CARD_FACES,
    FACES,
    WILD_DRAW_FOUR_FACE,
    WILD_FACE,
    Color,
    Rank,
    deck,
)
from gamebot_uno.engine.choices import (
    ChallengeTarget,
    DrawIfNone,
    DrawnCard,
    GuiltyDraws,
    LastCard,
    Pass,
    ReverseWithTwo,
    SkipOnD2,
    Wd4LegalIf,
)
from gamebot_uno.engine.legality import playable
from gamebot_uno.engine.rules import Rules
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import State
from gamebot_uno.players import evaluation
from gamebot_uno.players.evaluation import COLOR_OF, COLORS, NO_COLOR, RANK_OF, Row, Sight, tally

Option: TypeAlias = int
"""What the place to act may do: `face * COLORS + color`, or one of the four below."""

DRAW, PASS, TAKE, CHALLENGE = range(len(FACES) * COLORS, len(FACES) * COLORS + 4)
_OTHER = evaluation.DRAW - DRAW

_SEVEN, _SKIP, _REVERSE = int(Rank.SEVEN), int(Rank.SKIP), int(Rank.REVERSE)
_DRAW_TWO, _WILD_DRAW_FOUR = int(Rank.DRAW_TWO), int(Rank.WILD_DRAW_FOUR)
_TWO, _FOUR = 2, 4
#: The options of each face.
_PLAYS = tuple(
    tuple(face * COLORS + color for color in range(NO_COLOR))
    if face >= WILD_FACE
    else (face * COLORS + COLOR_OF[face],)
    for face in FACES
)
#: A card that shows each face.
_CARDS = tuple(deck(1)[CARD_FACES.index(face)] for face in FACES)


@define
class Model:
    """Rules as the playouts ask for them.

    Attributes:
        rules: Where they come from.
        two: Whether two play.
        explicit_pass: Whether a turn in which a card was drawn ends with a move of its own.
        may_play_drawn: Whether the drawn card may be played.
        must_play_drawn: Whether it must be.
        until_playable: Whether drawing goes on until a card fits.
        last_is_number: Whether the last card must be a number.
        skip_is_next: Whether a Skip sends a pending sum to the next player.
        skips_with_two: Whether a Reverse skips between two.
        refuses: Whether a card that fits may be refused all the same.
    """

    rules: Rules
    two: bool
    explicit_pass: bool = field(init=False)
    may_play_drawn: bool = field(init=False)
    must_play_drawn: bool = field(init=False)
    until_playable: bool = field(init=False)
    last_is_number: bool = field(init=False)
    skip_is_next: bool = field(init=False)
    skips_with_two: bool = field(init=False)
    refuses: bool = field(init=False)
    _fitting: dict[tuple[int, int, int, int], tuple[bool, ...]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        rules = self.rules
        self.explicit_pass = rules.pass_ is Pass.EXPLICIT
        self.may_play_drawn = rules.drawn_card in (DrawnCard.PLAYABLE, DrawnCard.FORCED)
        self.must_play_drawn = rules.drawn_card is DrawnCard.FORCED
        self.until_playable = rules.draw_if_none is DrawIfNone.UNTIL_PLAYABLE
        self.last_is_number = rules.last_card is LastCard.NUMBER
        self.skip_is_next = rules.skip_on_d2 is SkipOnD2.NEXT
        self.skips_with_two = self.two and rules.reverse_with_two is ReverseWithTwo.SKIP
        self.refuses = self.last_is_number or not rules.wd4_bluff

    def fitting(self, color: int, rank: int, pending: int, taken: int) -> tuple[bool, ...]:
        """Tell for each face whether it fits.

        Args:
            color: Active colour, `NO_COLOR` for none.
            rank: Rank of the top card.
            pending: Rank of what is to be drawn, 0 for nothing.
            taken: Rank of what was drawn last, 0 once somebody has played.
        """
        key = color, rank, pending, taken
        known = self._fitting.get(key)
        if known is None:
            known = self._fitting[key] = self._ask_engine(*key)
        return known

    def _ask_engine(self, color: int, rank: int, pending: int, taken: int) -> tuple[bool, ...]:
        top = next(face for face in FACES if RANK_OF[face] == rank)
        state = State(self.rules, [Seat(n) for n in range(_TWO if self.two else _TWO + 1)], {})
        state.discard_pile = [_CARDS[top]]
        state.color = None if color == NO_COLOR else Color(color)
        if pending:
            state.pending_draw, state.pending_rank = _TWO, Rank(pending)
        state.taken_rank = Rank(taken) if taken else None
        fits = {CARD_FACES[card] for card in playable(state)}
        return tuple(face in fits for face in FACES)


@lru_cache(maxsize=64)
def model(rules: Rules, players: int) -> Model:
    """Return the model of *rules* at a table of *players*."""
    return Model(rules, players == _TWO)


@define(eq=False)
class Position:
    """A game in the middle; `rng` decides reshuffles.

    Attributes:
        model: Rules.
        rng: Chance.
        hands: Faces held at each place, in turn order.
        pile: Faces to be drawn, the last one next.
        discard: Faces played, the top one last.
        color: Active colour, `NO_COLOR` for none.
        place: Who is to act.
        step: 1 or -1 along the places.
        pending: Cards to be drawn.
        pending_rank: Rank of what is pending, 0 for nothing.
        taken_rank: Rank of what was taken last, 0 once somebody has played.
        drew: Whether who is to act has drawn.
        drawn: The face it drew, None for none.
        suspect: Whose Wild Draw Four can be challenged, None for nobody's.
        guilty: Whether that was a bluff.
        old_color: Colour of the card below it.
        gone: How many cards of each colour and of each rank are in `discard`.
        silent: Passes in a row in which nothing was drawn.
        winner: Who is out of cards, None as long as nobody is.
    """

    model: Model
    rng: Random
    hands: list[list[int]]
    pile: list[int]
    discard: list[int]
    color: int
    place: int = 0
    step: int = 1
    pending: int = 0
    pending_rank: int = 0
    taken_rank: int = 0
    drew: bool = False
    drawn: int | None = None
    suspect: int | None = None
    guilty: bool = False
    old_color: int = NO_COLOR
    silent: int = 0
    winner: int | None = None
    gone: tuple[list[int], list[int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.gone = tally(self.discard)

    def copy(self) -> Position:
        """Return an equal position that goes its own way, with the same chance."""
        twin = Position.__new__(Position)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        twin.hands = [hand[:] for hand in self.hands]
        twin.pile, twin.discard = self.pile[:], self.discard[:]
        twin.gone = self.gone[0][:], self.gone[1][:]
        return twin

    # --- what may be done

    def fitting(self) -> tuple[bool, ...]:
        """Tell for each face whether it fits."""
        rank = RANK_OF[self.discard[-1]]
        return self.model.fitting(self.color, rank, self.pending_rank, self.taken_rank)

    def options(self) -> list[Option]:
        """Return what may be done, equal cards once, plays first."""
        options = self._plays()
        if self.pending:
            options.append(TAKE)
            if self.suspect not in (None, self.place):
                options.append(CHALLENGE)
        elif not self.drew:
            if self.model.rules.voluntary_draw or not options:
                options.append(DRAW)
        elif not options or not self.model.must_play_drawn:
            options.append(PASS)
        return options

    def _plays(self) -> list[Option]:
        plays: list[Option] = []
        for face in dict.fromkeys(self.playable()):
            plays += _PLAYS[face]
        return plays

    def playable(self) -> list[int]:
        """Return the faces of the cards that may be played."""
        hand, fits = self.hands[self.place], self.fitting()
        faces = hand
        if self.drew:
            if self.drawn is None or not self.model.may_play_drawn:
                return []
            faces = [self.drawn]
        playable = [face for face in faces if fits[face]]
        if self.model.refuses:
            return [face for face in playable if not self._refused(face, hand)]
        return playable

    def _refused(self, face: int, hand: list[int]) -> bool:
        if len(hand) == 1 and self.model.last_is_number and RANK_OF[face] >= _SKIP:
            return True
        return (
            face == WILD_DRAW_FOUR_FACE and not self.model.rules.wd4_bluff and not self.honest(hand)
        )

    def honest(self, hand: list[int]) -> bool:
        """Tell whether a Wild Draw Four played from *hand* now is no bluff."""
        condition = self.model.rules.wd4_legal_if
        if condition is Wd4LegalIf.FREE:
            return True
        if condition is Wd4LegalIf.NO_OTHER:
            fits = self.fitting()
            return not any(fits[face] and face != WILD_DRAW_FOUR_FACE for face in hand)
        if self.pending and condition is Wd4LegalIf.NO_COLOR_OR_ANSWER:
            return True
        color = self.color
        return color == NO_COLOR or not any(COLOR_OF[face] == color for face in hand)

    # --- moves

    def apply(self, option: Option) -> None:
        """Make a move that is among the options."""
        if option < DRAW:
            self.play(option // COLORS, option % COLORS)
        elif option == DRAW:
            self._draw()
        elif option == PASS:
            self._end_turn()
        elif option == TAKE:
            self._take(self.pending)
        elif self.guilty:
            self._punish()
        else:
            self._take(self.pending + self.model.rules.innocent_extra)

    def give_up(self) -> None:
        """Take what is pending, draw, or pass after a draw."""
        if self.pending:
            self._take(self.pending)
        elif self.drew:
            self._end_turn()
        else:
            self._draw()

    def following(self) -> int:
        """Return whose turn is next, if nothing happens to it."""
        return (self.place + self.step) % len(self.hands)

    def play(self, face: int, color: int, copies: int = 1) -> None:
        """Play *face*, which makes *color* active."""
        hand, rank = self.hands[self.place], RANK_OF[face]
        if rank == _WILD_DRAW_FOUR:
            self._examine(hand)
        else:
            self.suspect = None
        for _ in range(copies):
            hand.remove(face)
            self.discard.append(face)
        self.gone[0][COLOR_OF[face]] += copies
        self.gone[1][rank] += copies
        self.color, self.taken_rank, self.silent = color, 0, 0
        if not hand:
            self.winner = self.place
            return
        if rank in {_DRAW_TWO, _WILD_DRAW_FOUR}:
            self.pending += copies * (_TWO if rank == _DRAW_TWO else _FOUR)
            self.pending_rank = rank
        if self.model.rules.seven_zero and rank in (0, _SEVEN):
            self._move_hands(rank)
        self._begin(self._follower(rank))
        if self.pending_rank == _DRAW_TWO and not self.model.rules.draw_two_can_be_answered:
            self._take(self.pending)

    def _examine(self, hand: list[int]) -> None:
        """Keep what a challenge of the Wild Draw Four that is being played needs."""
        rules = self.model.rules
        exempt = self.pending and rules.wd4_legal_if is Wd4LegalIf.NO_COLOR_OR_ANSWER
        if not rules.challenge or exempt:
            self.suspect = None
        elif self.suspect is None or rules.challenge_target is ChallengeTarget.LAST:
            self.suspect, self.guilty = self.place, not self.honest(hand)
            self.old_color = COLOR_OF[self.discard[-1]]

    def _move_hands(self, rank: int) -> None:
        hands, places = self.hands, len(self.hands)
        if rank == _SEVEN:
            others = [self._next(steps) for steps in range(1, places)]
            other = min(others, key=lambda place: len(hands[place]))
            hands[self.place], hands[other] = hands[other], hands[self.place]
        else:
            self.hands = [hands[(place - self.step) % places] for place in range(places)]

    def _follower(self, rank: int) -> int:
        if rank == _SKIP:
            return self._next(1 if self.pending and self.model.skip_is_next else _TWO)
        if rank == _REVERSE:
            self.step = -self.step
            if self.model.skips_with_two and not self.pending:
                return self.place
        return self._next()

    def _next(self, steps: int = 1) -> int:
        return (self.place + self.step * steps) % len(self.hands)

    def _begin(self, place: int) -> None:
        self.place, self.drew, self.drawn = place, False, None

    def _draw(self) -> None:
        hand, model = self.hands[self.place], self.model
        before = held = len(hand)
        fits = self.fitting()
        self._give(self.place, 1)
        while model.until_playable and len(hand) > held and not fits[hand[-1]]:
            held = len(hand)
            self._give(self.place, 1)
        self.drew, self.drawn = True, hand[-1] if len(hand) > before else None
        if not model.explicit_pass and not self._plays():
            self._end_turn()

    def _end_turn(self) -> None:
        self.silent = 0 if self.drawn is not None else self.silent + 1
        if self.silent >= len(self.hands):
            self.winner = min(range(len(self.hands)), key=lambda place: len(self.hands[place]))
        else:
            self._begin(self._next())

    def _settle(self) -> None:
        self.taken_rank, self.pending_rank = self.pending_rank, 0
        self.pending, self.suspect = 0, None

    def _take(self, count: int) -> None:
        self._give(self.place, count)
        self._settle()
        self._begin(self._next())

    def _punish(self) -> None:
        assert self.suspect is not None  # noqa: S101  else there is no such option
        four = self.model.rules.guilty_draws is GuiltyDraws.FOUR
        self._give(self.suspect, _FOUR if four else self.pending)
        self._settle()
        self._begin(self.place)

    def _give(self, place: int, count: int) -> None:
        hand = self.hands[place]
        for _ in range(count):
            if not self.pile and not self._reshuffle():
                return
            hand.append(self.pile.pop())
            self.silent = 0

    def _reshuffle(self) -> bool:
        *self.pile, top = self.discard
        self.discard, self.gone = [top], tally([top])
        self.rng.shuffle(self.pile)
        return bool(self.pile)

    # --- how moves look

    def rows(self, options: list[Option]) -> list[Row]:
        """Describe *options* for the evaluation, as the place to act sees them."""
        sight = self._sight(len({option // COLORS for option in options if option < DRAW}))
        return [
            sight.play(option // COLORS, option % COLORS)
            if option < DRAW
            else sight.other(option + _OTHER)
            for option in options
        ]

    def _sight(self, usable: int) -> Sight:
        hands, hand = self.hands, self.hands[self.place]
        honest = WILD_DRAW_FOUR_FACE not in hand or self.honest(hand)
        sight = Sight(
            hand,
            self.gone,
            self.model.rules.decks,
            (len(hands[self._next()]), len(hands[self._next(2)]), len(hands[self._next(-1)])),
            two=self.model.two,
            color=self.color,
            pending=self.pending,
            honest=honest,
            usable=usable,
        )
        if self.suspect is not None:
            sight.suspect(len(hands[self.suspect]), self.old_color)
        return sight


_FIELDS = tuple(attribute.name for attribute in Position.__attrs_attrs__)
