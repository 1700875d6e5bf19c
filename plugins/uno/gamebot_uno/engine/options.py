"""What a seat may do and see; nothing here changes a game."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from attrs import define

from gamebot_uno.engine.cards import CARD_FACES, COLORS, Card, Face
from gamebot_uno.engine.choices import DrawnCard
from gamebot_uno.engine.events import How
from gamebot_uno.engine.legality import can_play, is_honest, playable, refusal
from gamebot_uno.engine.moves import CHALLENGE, CHOOSE_COLOR, DRAW, PASS_TURN, PLAYS, Move, Play
from gamebot_uno.engine.observation import Observation
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, State

_PLAYING, _COLOR, _CHALLENGE = Phase.PLAYING, Phase.COLOR, Phase.CHALLENGE


@define
class Options(State):
    """A game's state with the moves that are legal in it."""

    # --- what may be done

    def find(self, seat: Seat, faces: Sequence[Face]) -> tuple[Card, ...]:
        """Return the cards of *seat* that show *faces*; of equal ones the card just drawn.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NO_PAIRS or NOT_HELD.
        """
        self.check_seated(seat)
        if len(faces) > 1 and not self.rules.pair_play:
            raise IllegalMove(Reason.NO_PAIRS)
        first = self.drawn_card if seat == self.to_act else self.snap_card
        hand = sorted(self.hands[seat], key=lambda card: card != first)
        found: list[Card] = []
        for face in faces:
            equal = (card for card in hand if CARD_FACES[card] == face and card not in found)
            card = next(equal, None)
            if card is None:
                raise IllegalMove(Reason.NOT_HELD if seat == self.to_act else Reason.NOT_YOUR_TURN)
            found.append(card)
        return tuple(found)

    def legal_plays(self, seat: Seat) -> list[Play]:
        """Return the plays of single cards that are legal, a wild once for each colour."""
        if seat != self.to_act:
            return self._plays_out_of_turn(seat)
        if self.phase is _COLOR:
            return []
        hand, drawn, fits = self.hands[seat], self.drawn_card, playable(self)
        cards = [card for card in hand if card == drawn] if self.drew else hand
        if self.drew or not self.rules.wd4_bluff or len(hand) == 1:
            cards = [card for card in cards if refusal(self, hand, (card,), self.drew) is None]
        return [play for card in cards if card in fits for play in PLAYS[card]]

    def _plays_out_of_turn(self, seat: Seat) -> list[Play]:
        hand = self.hands.get(seat, ()) if not self.over else ()
        plays = [play for card in hand for play in PLAYS[card]]
        return [play for play in plays if self._out_of_turn(seat, play)[1] is None]

    def legal_pairs(self, seat: Seat) -> list[Play]:
        """Return the legal plays of two identical cards, by the seat to act."""
        if not self.rules.pair_play or seat != self.to_act:
            return []
        hand, pairs = self.hands[seat], []
        for place, first in enumerate(hand):
            face = CARD_FACES[first]
            second = next((c for c in hand[place + 1 :] if CARD_FACES[c] == face), None)
            if second is not None and refusal(self, hand, (first, second), self.drew) is None:
                pairs += [Play((first, second), play.color) for play in PLAYS[first]]
        return pairs

    def legal_moves(self, seat: Seat) -> list[Move]:
        """Return every legal move of *seat*: plays first, pairs next, then everything else."""
        return [*self.legal_plays(seat), *self.legal_pairs(seat), *self.other_moves(seat)]

    def other_moves(self, seat: Seat) -> list[Move]:
        """Return the legal moves of *seat* that play no card."""
        if seat != self.to_act:
            return []
        if self.phase is _COLOR:
            return list(CHOOSE_COLOR)
        moves: list[Move] = []
        if self.pending_draw or self._no_draw(seat) is None:
            moves.append(DRAW)
        if self._no_pass(seat) is None:
            moves.append(PASS_TURN)
        if self.phase is _CHALLENGE:
            moves.append(CHALLENGE)
        return moves

    # --- why something may not be done

    def _out_of_turn(self, seat: Seat, play: Play) -> tuple[How, Reason | None]:
        """Tell how *seat*, which is not to act, plays, and why it may not."""
        self.check_seated(seat)
        hand, cards = self.hands[seat], play.cards
        if cards == (self.snap_card,) and seat == self.snap_seat:
            return How.SNAP, None if cards[0] in playable(self) else Reason.DOES_NOT_FIT
        if not self._may_jump(cards):
            return How.JUMP_IN, Reason.NOT_YOUR_TURN
        return How.JUMP_IN, refusal(self, hand, cards, after_draw=False)

    def _may_jump(self, cards: tuple[Card, ...]) -> bool:
        """Only a coloured card like the one on top is jumped in with, and on no pending sum."""
        return (
            self.rules.jump_in
            and self.phase is Phase.PLAYING
            and not self.pending_draw
            and COLORS[cards[0]] is not None
            and CARD_FACES[cards[0]] == CARD_FACES[self.top_card]
        )

    def _no_draw(self, seat: Seat) -> Reason | None:
        if self.phase is _COLOR:
            return Reason.COLOR_DUE
        if self.drew:
            return Reason.ALREADY_DREW
        if not self.rules.voluntary_draw and can_play(self, self.hands[seat]):
            return Reason.MUST_PLAY
        return None

    def _no_pass(self, seat: Seat) -> Reason | None:
        if self.phase is _COLOR:
            return Reason.COLOR_DUE
        if self.pending_draw:
            return Reason.ACCEPT_OR_CHALLENGE if self.phase is _CHALLENGE else Reason.ANSWER_OR_TAKE
        if not self.drew:
            if self.can_draw:
                return Reason.DRAW_FIRST
            return self._no_draw(seat)
        if self.rules.drawn_card is DrawnCard.FORCED and can_play(self, self.hands[seat]):
            return Reason.MUST_PLAY_DRAWN_CARD
        return None

    # --- what may be seen

    def observe(self, seat: Seat) -> Observation:
        """Return what *seat* may see.

        Raises:
            IllegalMove: GAME_OVER or NOT_SEATED.
        """
        self.check_seated(seat)
        hand = self.hands[seat]
        return Observation(
            seat=seat,
            rules=self.rules,
            phase=self.phase,
            to_act=self.to_act,
            seats=tuple(self.seats),
            direction=self.direction,
            hand=tuple(hand),
            counts={other: len(self.hands[other]) for other in self.seats},
            discard_pile=tuple(self.discard_pile),
            draw_pile=len(self.draw_pile),
            set_aside=sum([len(cards) for cards in self.set_aside.values()]),
            color=self.color,
            pending_draw=self.pending_draw,
            drew=self.drew,
            drawn_card=self.drawn_card if seat == self.to_act else None,
            offender=self.challenge.seat if self.challenge and self.phase is not _PLAYING else None,
            uno_open=tuple(self.uno_open),
            scores=dict(self.scores),
            voids={other: tuple(map(copy, known)) for other, known in self.voids.items()},
            moves=tuple(self.legal_moves(seat)),
            wd4_honest=self.rules.wd4_is_free or is_honest(self, hand),
        )
