"""A game of Kniffel: a move goes in, a list of frozen events comes out.

Pure state: no clock, no names, no text. Whoever runs a game arms a timer whenever
`Game.clock_id` has changed and hands that number to `Game.expire` when it fires. An
`IllegalMove` leaves the game equal to what it was. Rule sources: `docs/rules/kniffel.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, TypeAlias

from attrs import define, field

from gamebot_kniffel.engine.events import (
    CategoryEntered,
    DiceRolled,
    Event,
    GameEnded,
    GameStarted,
    SeatLeft,
    SeatTimedOut,
    TurnStarted,
)
from gamebot_kniffel.engine.history import Decision
from gamebot_kniffel.engine.reasons import IllegalMove, Reason
from gamebot_kniffel.engine.rules import DICE, FACES, ROLLS, Rules
from gamebot_kniffel.engine.scoring import Category, Dice, Scorecard
from gamebot_kniffel.engine.seat import Seat

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None

_ALL_POSITIONS = tuple(range(1, DICE + 1))


def roll_die(rng: Random) -> int:
    """Throw one die: exactly one call of `rng.randrange(6)`, plus 1."""
    return rng.randrange(FACES) + 1


@define
class Game:
    """A game from its first turn to its end; `Game.start` makes one.

    Every field but `rng` is the stored state. A game that was loaded has no `rng` until one is
    assigned; rolling before that is an `AttributeError`, so that dice never come from elsewhere.

    Attributes:
        seats: Who still plays, in the order of enrolment, which is the turn order.
        cards: Scorecard of each of `seats`.
        rules: Options of this game.
        to_act: Whose turn it is; None once the game is over.
        dice: Faces by position, None before the first roll of a turn.
        rolls_left: Rolls that the present turn still has, 0-3.
        round: 1-13; the last one that began once the game is over.
        clock_id: Grows each time the turn clock is armed: at the start of a turn and at every
            accepted roll (not at rolls under `Rules.first_roll_only`).
        history: Every decision since the start; None in a game stored before there was one.
        rng: Where the dice come from; no part of equality and never stored.
    """

    version: ClassVar[int] = 1

    seats: list[Seat]
    cards: dict[Seat, Scorecard]
    rules: Rules = field(factory=Rules)
    to_act: Seat | None = None
    dice: Dice | None = None
    rolls_left: int = 0
    round: int = 1
    clock_id: int = 0
    history: list[Decision] | None = None
    rng: Random = field(init=False, eq=False, repr=False)

    @classmethod
    def start(
        cls, seats: Sequence[Seat], *, rng: Random, rules: Rules | None = None
    ) -> tuple[Game, list[Event]]:
        """Begin a game with the first of *seats* to act.

        Args:
            seats: At least one, all different, in the order of enrolment.
            rng: Source of the dice.
            rules: Options; none is on by default.

        Raises:
            ValueError: *seats* is empty or holds a seat twice.
        """
        if not seats or len(set(seats)) != len(seats):
            raise ValueError(f"a game needs at least one seat, each once, not {list(seats)}")
        game = cls(list(seats), {seat: Scorecard() for seat in seats}, rules or Rules())
        game.rng, game.history = rng, []
        return game, [GameStarted(tuple(seats)), *game._start_turn(seats[0])]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act is None

    @property
    def clock_runs(self) -> bool:
        """Whether `expire(clock_id)` would remove the seat to act."""
        return self.to_act is not None and not (self.rules.first_roll_only and self.dice)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who won, in turn order: empty while the game goes on and when everybody has left."""
        if not self.over or not self.seats:
            return ()
        best = max(self.cards[seat].total for seat in self.seats)
        return tuple(seat for seat in self.seats if self.cards[seat].total == best)

    def roll(self, seat: Seat, positions: Sequence[int] = ()) -> list[Event]:
        """Roll the dice at *positions*, or all five when there are none.

        Each die is one `roll_die`, in ascending order of position; the others stay.

        Args:
            seat: Who rolls.
            positions: Which dice, 1-5, each once, in any order; none before the first roll.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, NO_ROLLS_LEFT,
                POSITIONS_BEFORE_FIRST_ROLL, BAD_POSITION or REPEATED_POSITION.
        """
        self._check_turn(seat)
        thrown = self._check_positions(positions)
        faces, rng = list(self.dice or _ALL_POSITIONS), self.rng
        self._remember(seat, thrown=thrown)
        for position in thrown:
            faces[position - 1] = roll_die(rng)
        self.dice = tuple(faces)
        self.rolls_left -= 1
        if not self.rules.first_roll_only:
            self.clock_id += 1
        return [DiceRolled(seat, self.dice, ROLLS - self.rolls_left, thrown, self.rolls_left)]

    def enter(self, seat: Seat, category: Category) -> list[Event]:
        """Fill *category* with the dice on the table and pass the turn.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN, NOT_ROLLED or CATEGORY_FILLED.
        """
        dice, card = self._check_rolled(seat), self.cards[seat]
        if category in card.boxes:
            raise IllegalMove(Reason.CATEGORY_FILLED)
        self._remember(seat, box=category)
        before = card.total
        points, bonus = card.enter(category, dice, self.rules)
        total = card.total
        upper_bonus = total - before - points - bonus
        entered = CategoryEntered(
            seat, category, dice, points, not points, bonus, upper_bonus, total
        )
        return [entered, *self._start_turn(self._after(seat))]

    def leave(self, seat: Seat) -> list[Event]:
        """Take *seat* and its scorecard out of the game; its turn, if it was, passes at once.

        Raises:
            IllegalMove: GAME_OVER or NOT_SEATED.
        """
        self._check_seated(seat)
        return [SeatLeft(seat), *self._remove(seat)]

    def expire(self, clock_id: int) -> list[Event]:
        """Remove the seat whose clock *clock_id* ran out, as `leave` would.

        A stale id, an ended game and a clock stopped by `Rules.first_roll_only` give no event
        and change nothing.
        """
        seat = self.to_act
        if seat is None or clock_id != self.clock_id or not self.clock_runs:
            return []
        return [SeatTimedOut(seat), *self._remove(seat)]

    def skip(self) -> list[Event]:
        """Play the turn of the seat to act without it, so that the others need not wait.

        Dice that were not thrown are thrown once; they go where they count most, of equal boxes to
        the first.

        Raises:
            IllegalMove: GAME_OVER.
        """
        seat = self.to_act
        if seat is None:
            raise IllegalMove(Reason.GAME_OVER)
        rolled = [] if self.dice else self.roll(seat)
        worth = self.options(seat)
        return [*rolled, *self.enter(seat, max(worth, key=worth.__getitem__))]

    def options(self, seat: Seat) -> Mapping[Category, int]:
        """Return every open box with the points it would score now; 0 would strike it.

        Bonuses are not part of it; see `Scorecard.bonus`.

        Raises:
            IllegalMove: GAME_OVER, NOT_SEATED, NOT_YOUR_TURN or NOT_ROLLED.
        """
        dice, card = self._check_rolled(seat), self.cards[seat]
        return {box: card.points(box, dice, self.rules) for box in card.open}

    def view(self) -> Mapping[str, Json]:
        """Return all that everybody may know, as JSON.

        Seats are numbers as values and their decimal text as keys. `winner` is empty while the
        game goes on; `bonus` is in points.
        """
        cards = {str(seat): self.cards[seat] for seat in self.seats}
        return {
            "phase": "over" if self.over else "playing",
            "turn": self.to_act,
            "round": self.round,
            "dice": list(self.dice) if self.dice else None,
            "rolls_left": self.rolls_left,
            "players": list(self.seats),
            "score": {
                key: {str(b): p for b, p in card.boxes.items()} for key, card in cards.items()
            },
            "bonus": {
                key: {"upper": card.upper_bonus, "kniffel": card.yahtzee_bonus}
                for key, card in cards.items()
            },
            "total": {key: card.total for key, card in cards.items()},
            "winner": list(self.winners),
        }

    def _check_seated(self, seat: Seat) -> None:
        if self.to_act is None:
            raise IllegalMove(Reason.GAME_OVER)
        if seat not in self.cards:
            raise IllegalMove(Reason.NOT_SEATED)

    def _check_turn(self, seat: Seat) -> None:
        self._check_seated(seat)
        if seat != self.to_act:
            raise IllegalMove(Reason.NOT_YOUR_TURN)

    def _check_rolled(self, seat: Seat) -> Dice:
        self._check_turn(seat)
        if self.dice is None:
            raise IllegalMove(Reason.NOT_ROLLED)
        return self.dice

    def _check_positions(self, positions: Sequence[int]) -> tuple[int, ...]:
        if not self.rolls_left:
            raise IllegalMove(Reason.NO_ROLLS_LEFT)
        if not positions:
            return _ALL_POSITIONS
        if self.dice is None:
            raise IllegalMove(Reason.POSITIONS_BEFORE_FIRST_ROLL)
        chosen = set(positions)
        if not chosen.issubset(_ALL_POSITIONS):
            raise IllegalMove(Reason.BAD_POSITION)
        if len(chosen) != len(positions):
            raise IllegalMove(Reason.REPEATED_POSITION)
        return tuple(sorted(chosen))

    def _remember(
        self, seat: Seat, thrown: tuple[int, ...] = (), box: Category | None = None
    ) -> None:
        if self.history is not None and self.dice is not None:
            self.history.append(Decision(seat, self.dice, self.rolls_left, thrown, box))

    def _after(self, seat: Seat) -> Seat:
        """Return who follows *seat* in turn order, *seat* itself if it plays alone."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _remove(self, seat: Seat) -> list[Event]:
        following = self._after(seat)
        self.seats.remove(seat)
        del self.cards[seat]
        if not self.seats:
            return self._end()
        return self._start_turn(following) if seat == self.to_act else []

    def _start_turn(self, seat: Seat) -> list[Event]:
        """Give the turn to *seat*; a full card there means that everybody has played to the end.

        Turn order never changes, so seats before the one to act have one box more filled than
        those after it, whoever has left.
        """
        played = len(self.cards[seat].boxes)
        if self.cards[seat].is_full:
            return self._end()
        self.to_act, self.dice, self.rolls_left = seat, None, ROLLS
        self.round = played + 1
        self.clock_id += 1
        return [TurnStarted(seat, self.round)]

    def _end(self) -> list[Event]:
        self.to_act, self.dice, self.rolls_left = None, None, 0
        return [GameEnded(self.winners, {seat: self.cards[seat].total for seat in self.seats})]
