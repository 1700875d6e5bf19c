"""The Kniffel table: what the core asks."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from gamebot import (
    Block,
    Chair,
    Context,
    Fixed,
    GameType,
    Outcome,
    Phase,
    Refused,
    Sample,
    Seat,
    Table,
    TableSettings,
    Urgency,
    Voice,
)
from gamebot_kniffel import bots
from gamebot_kniffel.engine.events import (
    GameEnded,
    SeatLeft,
    SeatTimedOut,
    TurnStarted,
)
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.help import topics
from gamebot_kniffel.saying import said, shown, turn
from gamebot_kniffel.scorecard import clock_text
from gamebot_kniffel.settings import KniffelSettings


class KniffelTable(GameType[Game]):
    """Kniffel as the core runs it."""

    title: ClassVar[str] = "Kniffel"
    about: ClassVar[str] = topics.ABOUT
    samples: ClassVar[tuple[Sample, ...]] = (topics.SAMPLE,)
    settings: ClassVar[type[TableSettings]] = KniffelSettings
    engine: ClassVar[type[Any]] = Game
    prefix: ClassVar[str] = "."
    names_follow_nicks: ClassVar[bool] = False
    rules: ClassVar[tuple[str, ...]] = ("joker", "bonus_once", "bonus_in_upper", "first_roll_only")

    def new_game(
        self,
        seats: Sequence[Seat],
        settings: KniffelSettings,
        rng: Random,
        fixed: Fixed,
        names: Mapping[str, Seat],
    ) -> tuple[Game, Sequence[object]]:
        """Begin with the first enrolled, or with whom a transcript names."""
        first = names.get(fixed.starter, seats[0])
        at = list(seats).index(first)
        order = [EngineSeat(seat) for seat in (*seats[at:], *seats[:at])]
        return Game.start(order, rng=rng, rules=settings.rules)

    def check_fixed(self, settings: Any, fixed: Fixed) -> None:  # noqa: ANN401, ARG002  the port's signature
        """Refuse cards.

        Raises:
            ValueError: Hands or a deck are fixed.
        """
        if fixed.hands or fixed.deck:
            raise ValueError("Kniffel has dice, no cards")

    def nobody(self, ctx: Context) -> Refused:
        """Say what to type where no game is on."""
        if ctx.desk.phase is Phase.LOBBY:
            return Refused("The game has not begun yet; {start} begins.", start=ctx.how("start"))
        return Refused("Nobody plays; {join} opens a game.", join=ctx.how("join"))

    def clock_runs(self, game: Game) -> bool:
        """Whether the engine's clock runs."""
        return game.clock_runs

    def turns(self, events: Sequence[object]) -> int:
        """Count the turns that begin."""
        return sum([isinstance(event, TurnStarted) for event in events])

    def bot_move(
        self, game: Game, seat: Seat, strength: str, rng: Random
    ) -> Sequence[object] | Awaitable[Sequence[object]]:
        """Roll or enter once."""
        return bots.act(game, EngineSeat(seat), strength, rng)

    def strengths(self) -> tuple[str, ...]:
        """Return the strengths, weakest first."""
        return bots.STRENGTHS

    def default_strength(self) -> str:
        """Return the strength of a bot player that nobody chose one for."""
        return bots.DEFAULT

    def bot_players(self) -> tuple[str, ...]:
        """Return the strengths, by their German names too."""
        return bots.NAMES

    def outcomes(self, game: Game) -> Mapping[Seat, Outcome]:
        """Return the points of everybody who played to the end."""
        return {
            Seat(seat): Outcome(card.total, seat in game.winners)
            for seat, card in game.cards.items()
        }

    def topics(self, voice: Voice) -> Mapping[str, Sequence[Block]]:
        """Explain rules, boxes, points and options."""
        return topics.topics(voice)

    def clock_rule(self, voice: Voice) -> str:
        """Say how long a turn may take."""
        return topics.clock_rule(voice)

    # -- what is said -----------------------------------------------------------------------

    def publish(self, ctx: Context, game: Game, events: Sequence[object]) -> None:
        """Say the events of one move in one line, the next turn at its end."""
        ended = any(isinstance(event, GameEnded) for event in events)
        removed = any(isinstance(event, SeatLeft | SeatTimedOut) for event in events)
        text = ctx.translator.sentences(said(ctx, game, event) for event in events)
        ctx.say(text, urgency=Urgency.TURN, keep=ended or removed)

    def resume(self, ctx: Context, game: Game) -> None:
        """Say that the game goes on, and where it stands."""
        left, now = ctx.desk.left_s(), turn(ctx, game)
        if left is None:
            text = ctx.t("I am back and the game goes on: {turn}", turn=now)
        else:
            text = ctx.t(
                "I am back and the game goes on: {turn} {time} left.",
                turn=now,
                time=clock_text(left),
            )
        ctx.say(text, urgency=Urgency.TURN)

    def warn(self, ctx: Context, chair: Chair, left_s: float) -> None:
        """Remind the player to act, with what to type."""
        game = ctx.desk.game
        how = ctx.how("list") if game.dice and not game.rolls_left else ctx.how("roll")
        ctx.say(
            ctx.n(
                "{name}: {n} second left, then your turn is over: {how}",
                "{name}: {n} seconds left, then your turn is over: {how}",
                round(left_s),
                name=shown(ctx, chair),
                how=how,
            ),
            urgency=Urgency.TURN,
        )

    # -- what everybody may know ------------------------------------------------------------

    def view(self, table: Table, game: Game | None, left_s: float | None) -> dict[str, Any]:
        """Return the view of the transcripts, names in place of seats."""
        phase = table.phase.value
        if game is None:
            return {"phase": phase, "players": [c.name for c in table.chairs], "deadline": left_s}
        over = phase == "over"
        cards = {table.name(Seat(seat)): card for seat, card in game.cards.items()}
        return {
            "phase": phase,
            "turn": None if over or game.to_act is None else table.name(Seat(game.to_act)),
            "round": game.round,
            "dice": list(game.dice) if game.dice else None,
            "rolls_left": game.rolls_left,
            "players": table.names(Seat(seat) for seat in game.seats),
            "score": {n: {str(b): p for b, p in c.boxes.items()} for n, c in cards.items()},
            "bonus": {
                n: {"upper": c.upper_bonus, "kniffel": c.yahtzee_bonus} for n, c in cards.items()
            },
            "total": {n: c.total for n, c in cards.items()},
            "deadline": left_s,
            "winner": table.names(Seat(seat) for seat in game.winners),
        }
