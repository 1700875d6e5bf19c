"""A game of UNO: a move goes in, a list of frozen events comes out.

Pure state: no clock, no names, no text. Whoever runs a game arms a timer whenever
`Game.clock_id` has changed and hands that number to `Game.expire` when it fires. An
`IllegalMove` leaves the game equal to what it was. Rule sources: `docs/rules/uno.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from attrs import define

from gamebot_uno.engine import roster, unocall, voids
from gamebot_uno.engine.cards import Card, Color
from gamebot_uno.engine.choices import Starter
from gamebot_uno.engine.dealing import Fixed, draw_dealer
from gamebot_uno.engine.events import (
    Event,
    HintFined,
    How,
    Misplayed,
    SeatLeft,
    SeatTimedOut,
    Why,
)
from gamebot_uno.engine.legality import refusal
from gamebot_uno.engine.moves import (
    ChooseColor,
    Draw,
    Move,
    PassTurn,
    Play,
)
from gamebot_uno.engine.options import Options
from gamebot_uno.engine.penalty import judge, take
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.rounds import begin_round
from gamebot_uno.engine.rules import CUCIOLO, Rules
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase
from gamebot_uno.engine.turn import call_color, draw_card, end_turn, favourite_color, put_down
from gamebot_uno.engine.unocall import Act, acted

__all__ = ["Event", "Game", "IllegalMove", "Phase", "Reason", "Seat"]

#: Refusals of a card in hand that `Rules.misplay_penalty` fines.
MISPLAYS = frozenset(
    {
        Reason.DOES_NOT_FIT,
        Reason.ANSWER_OR_TAKE,
        Reason.ACCEPT_OR_CHALLENGE,
        Reason.ONLY_DRAWN_CARD,
        Reason.NO_PLAY_AFTER_DRAW,
        Reason.LAST_CARD_IS_NO_NUMBER,
        Reason.WILD_DRAW_FOUR_NOT_ALLOWED,
    }
)
_COLOR, _CHALLENGE = Phase.COLOR, Phase.CHALLENGE
_LAST_TIMEOUT = 2


@define
class Game(Options):
    """A game from its first deal to its end; `Game.start` makes one.

    A game that was loaded has no `rng` until one is assigned; what needs chance is an
    `AttributeError` before that.
    """

    version: ClassVar[int] = 1

    @classmethod
    def start(
        cls,
        seats: Sequence[Seat],
        *,
        rng: Random,
        rules: Rules = CUCIOLO,
        starter: Seat | None = None,
        hands: Mapping[Seat, Sequence[str]] | None = None,
        deck: Sequence[str] = (),
    ) -> tuple[Game, list[Event]]:
        """Deal and begin.

        Args:
            seats: Who plays, in the order of enrolment, which is the turn order.
            rng: Chance.
            rules: House rules.
            starter: Who begins; None leaves it to the rules.
            hands: Exactly the hand of each seat named, in canonical codes.
            deck: The first card turned up, then the cards drawn, in canonical codes.

        Raises:
            ValueError: The seats are not as the rules ask, *starter* or a seat of *hands* is not
                among them, or the fixed cards are not in the deck.
        """
        fixed = Fixed(hands or {}, deck)
        _check_seats(seats, rules, {*fixed.hands, *([] if starter is None else [starter])})
        game = cls(rules, list(seats), {seat: [] for seat in seats})
        game.scores = dict.fromkeys(seats, 0)
        game.rng = rng
        events: list[Event] = []
        begin_round(game, game._first(starter, events), fixed, events)
        return game, events

    def _first(self, starter: Seat | None, events: list[Event]) -> Seat:
        if starter is not None:
            return starter
        if self.rules.starter is Starter.RANDOM:
            return self.rng.choice(self.seats)
        if self.rules.starter is Starter.FIRST:
            return self.seats[0]
        return self.after(draw_dealer(self, events))

    # --- moves

    def play(
        self,
        seat: Seat,
        cards: Card | tuple[Card, ...],
        color: Color | None = None,
        *,
        said_uno: bool = False,
        swap_with: Seat | None = None,
    ) -> list[Event]:
        """Play a card, or two identical ones.

        Args:
            seat: Who plays; out of turn only to snap in or jump in.
            cards: What is played, see `find`.
            color: Colour that a wild calls; without one it is asked for. Coloured cards do not
                care.
            said_uno: Whether "uno" was said in the same breath.
            swap_with: Whose hand a 7 takes; by default the smallest.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, COLOR_DUE, NOT_HELD, NO_PAIRS,
                NOT_IDENTICAL, DOES_NOT_FIT, ANSWER_OR_TAKE, ACCEPT_OR_CHALLENGE,
                ONLY_DRAWN_CARD, NO_PLAY_AFTER_DRAW, LAST_CARD_IS_NO_NUMBER,
                WILD_DRAW_FOUR_NOT_ALLOWED or BAD_SWAP.
        """
        chosen = cards if isinstance(cards, tuple) else (cards,)
        return self._play(seat, Play(chosen, color, said_uno, swap_with))

    def _play(self, seat: Seat, play: Play) -> list[Event]:
        if seat != self.to_act:
            how, reason = self._out_of_turn(seat, play)
        else:
            how, reason = How.TURN, refusal(self, self.hands[seat], play.cards, self.drew)
            if reason in MISPLAYS and self.rules.misplay_penalty and self.can_draw:
                return self._misplay(seat, play)
        if reason is not None:
            raise IllegalMove(reason)
        other = play.swap_with
        if other is not None and (other == seat or other not in self.hands):
            raise IllegalMove(Reason.BAD_SWAP)
        acted(self, seat, Act.PLAY)
        events: list[Event] = []
        put_down(self, seat, play, how, events)
        return events

    def _misplay(self, seat: Seat, play: Play) -> list[Event]:
        events: list[Event] = [Misplayed(seat, play.cards)]
        self.give(seat, self.rules.misplay_penalty, Why.MISPLAY, events)
        return events

    def choose_color(self, seat: Seat, color: Color, *, said_uno: bool = False) -> list[Event]:
        """Call a colour for a wild that was played without one.

        Args:
            seat: Who played it.
            color: The colour.
            said_uno: Whether "uno" was said in the same breath, which belongs to the play.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN or NO_COLOR_DUE.
        """
        self.check_turn(seat)
        if self.phase is not _COLOR:
            raise IllegalMove(Reason.NO_COLOR_DUE)
        self.timeouts.pop(seat, None)
        events: list[Event] = []
        if said_uno and seat in self.uno_open:
            unocall.call(self, seat, events)
        call_color(self, seat, color, events)
        return events

    def draw(self, seat: Seat) -> list[Event]:
        """Draw, once in a turn, or take what is pending.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, COLOR_DUE, ALREADY_DREW or
                MUST_PLAY.
        """
        self.check_turn(seat)
        events: list[Event] = []
        if self.pending_draw and self.phase is not _COLOR:
            return self.accept(seat)
        if reason := self._no_draw(seat):
            raise IllegalMove(reason)
        acted(self, seat, Act.DRAW)
        draw_card(self, seat, events)
        return events

    def pass_turn(self, seat: Seat) -> list[Event]:
        """End a turn after a draw, or at once if there is nothing to draw.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, COLOR_DUE, ANSWER_OR_TAKE,
                ACCEPT_OR_CHALLENGE, DRAW_FIRST, MUST_PLAY or MUST_PLAY_DRAWN_CARD.
        """
        self.check_turn(seat)
        if reason := self._no_pass(seat):
            raise IllegalMove(reason)
        acted(self, seat, Act.PASS)
        events: list[Event] = []
        end_turn(self, seat, events)
        return events

    def accept(self, seat: Seat) -> list[Event]:
        """Take what is pending and lose the turn.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, COLOR_DUE or NOTHING_PENDING.
        """
        self.check_turn(seat)
        if self.phase is _COLOR:
            raise IllegalMove(Reason.COLOR_DUE)
        if not self.pending_draw:
            raise IllegalMove(Reason.NOTHING_PENDING)
        acted(self, seat, Act.TAKE)
        if self.phase is not _CHALLENGE:  # there it may have an answer and wait
            voids.drew_instead(self, seat)
        events: list[Event] = []
        take(self, seat, events)
        return events

    def challenge_play(self, seat: Seat) -> list[Event]:
        """Doubt the Wild Draw Four that *seat* would have to draw for.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN or NO_CHALLENGE.
        """
        self.check_turn(seat)
        if self.phase is not _CHALLENGE or self.challenge is None:
            raise IllegalMove(Reason.NO_CHALLENGE)
        acted(self, seat, Act.CHALLENGE if self.challenge.guilty else Act.TAKE)
        events: list[Event] = []
        judge(self, seat, self.challenge, events)
        return events

    def call_uno(self, seat: Seat) -> list[Event]:
        """Say "uno": it saves *seat* if it is open, else fines the latest one that is.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED or NOBODY_TO_CATCH.
        """
        self.check_seated(seat)
        events: list[Event] = []
        unocall.call(self, seat, events)
        return events

    def fine_hint(self, seat: Seat) -> list[Event]:
        """Fine *seat* for advising another player (zh:29).

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, RULE_OFF or NOTHING_TO_DRAW.
        """
        self.check_seated(seat)
        if not self.rules.hint_penalty:
            raise IllegalMove(Reason.RULE_OFF)
        if not self.can_draw:
            raise IllegalMove(Reason.NOTHING_TO_DRAW)
        events: list[Event] = [HintFined(seat)]
        self.give(seat, self.rules.hint_penalty, Why.HINT, events)
        return events

    # --- who comes, who goes, who is late

    def join(self, seat: Seat) -> list[Event]:
        """Seat a newcomer, or somebody who left, just behind the seat to act (it:54).

        Args:
            seat: A new number, or the seat that was left, which gets its old hand back.

        Raises:
            IllegalMove: GAME_OVER, ALREADY_SEATED, JOIN_OFF, TABLE_FULL, CHALLENGE_OPEN,
                SOMEBODY_HAS_ONE_CARD or NOT_ENOUGH_CARDS.
        """
        roster.check_join(self, seat)
        events: list[Event] = []
        roster.join(self, seat, events)
        return events

    def leave(self, seat: Seat) -> list[Event]:
        """Take *seat* out of the game; its hand counts for the winner (it:55).

        Raises:
            IllegalMove: GAME_OVER or NOT_SEATED.
        """
        self.check_seated(seat)
        events: list[Event] = [SeatLeft(seat, len(self.hands[seat]))]
        roster.remove(self, seat, events)
        return events

    def expire(self, clock_id: int) -> list[Event]:
        """Act for the seat whose clock *clock_id* ran out; a stale id changes nothing.

        It takes what is pending, gets a colour called, or draws and passes. The second time in a
        row it is removed.
        """
        seat = self.to_act
        if seat is None or clock_id != self.clock_id:
            return []
        late = self.timeouts.get(seat, 0) + 1
        events: list[Event] = [SeatTimedOut(seat, late >= _LAST_TIMEOUT)]
        if late >= _LAST_TIMEOUT:
            roster.remove(self, seat, events)
            return events
        self._act_late(seat, events)
        voids.forget(self, [seat])  # what it drew for was not its choice
        if self.to_act is not None:
            self.timeouts[seat] = late
        return events

    def _act_late(self, seat: Seat, events: list[Event]) -> None:
        if self.phase is _COLOR:
            call_color(self, seat, favourite_color(self.hands[seat]), events, by_bot=True)
        elif self.pending_draw:
            acted(self, seat, Act.TAKE)
            take(self, seat, events)
        else:
            self._draw_and_pass(seat, events)

    def _draw_and_pass(self, seat: Seat, events: list[Event]) -> None:
        if not self.drew:
            acted(self, seat, Act.DRAW)
            draw_card(self, seat, events)
        if self.drew:  # else the turn has ended by itself
            acted(self, seat, Act.PASS)
            end_turn(self, seat, events)

    # --- what may be done, what may be seen

    def act(self, seat: Seat, move: Move) -> list[Event]:
        """Make *move*.

        Raises:
            IllegalMove: As the method that it stands for.
        """
        match move:
            case Play():
                return self._play(seat, move)
            case Draw():
                return self.draw(seat)
            case PassTurn():
                return self.pass_turn(seat)
            case ChooseColor(color):
                return self.choose_color(seat, color)
            case _:
                return self.challenge_play(seat)


def _check_seats(seats: Sequence[Seat], rules: Rules, named: set[Seat]) -> None:
    if len(set(seats)) != len(seats):
        raise ValueError(f"each seat plays once, not {list(seats)}")
    if not rules.min_players <= len(seats) <= rules.max_players:
        raise ValueError(f"{rules.min_players}-{rules.max_players} seats play, not {len(seats)}")
    if not named <= set(seats):
        raise ValueError(f"not among the seats: {sorted(named - set(seats))}")
