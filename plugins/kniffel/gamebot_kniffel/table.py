"""The Kniffel table: what the core asks, and how the engine's events are said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from attrs import frozen

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
from gamebot_kniffel import engine, players, topics
from gamebot_kniffel.engine import (
    CategoryEntered,
    DiceRolled,
    Game,
    GameEnded,
    SeatLeft,
    SeatTimedOut,
    TurnStarted,
)
from gamebot_kniffel.rules import ROUNDS, Rules
from gamebot_kniffel.scorecard import clock_text, dice_text
from gamebot_kniffel.texts import code


@frozen(kw_only=True)
class KniffelSettings(TableSettings):
    """Settings of Kniffel in one channel.

    Attributes:
        joker: A further Kniffel pays 25, 30, 40 points in full house and the straights.
        bonus_once: Only one further Kniffel of a game earns 100.
        bonus_in_upper: A further Kniffel entered in 1-6 earns 100 too.
        first_roll_only: The turn clock asks for the first roll of a turn only.
    """

    joker: bool = False
    bonus_once: bool = False
    bonus_in_upper: bool = False
    first_roll_only: bool = False

    @property
    def rules(self) -> Rules:
        """The engine's options."""
        return Rules(
            joker=self.joker,
            bonus_once=self.bonus_once,
            bonus_in_upper=self.bonus_in_upper,
            first_roll_only=self.first_roll_only,
        )


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
        order = [engine.Seat(seat) for seat in (*seats[at:], *seats[:at])]
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

    def bot_move(self, game: Game, seat: Seat, strength: str, rng: Random) -> Sequence[object]:
        """Roll or enter once."""
        at = engine.Seat(seat)
        action = players.choose(game, at, players.Strength(strength), rng)
        if isinstance(action, players.Roll):
            return game.roll(at, action.positions)
        return game.enter(at, action.category)

    def strengths(self) -> tuple[str, ...]:
        """Return the strengths, weakest first."""
        return tuple(players.Strength)

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
        text = ctx.translator.sentences(_said(ctx, game, event) for event in events)
        ctx.say(text, urgency=Urgency.TURN, keep=ended or removed)

    def resume(self, ctx: Context, game: Game) -> None:
        """Say that the game goes on, and where it stands."""
        left, turn = ctx.desk.left_s(), _turn(ctx, game)
        if left is None:
            text = ctx.t("I am back and the game goes on: {turn}", turn=turn)
        else:
            text = ctx.t(
                "I am back and the game goes on: {turn} {time} left.",
                turn=turn,
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


def shown(ctx: Context, chair: Chair) -> str:
    """Write a player's name so that the client of that nick lights up."""
    same = chair.name == chair.nick
    return chair.name if same else ctx.translator.aside(chair.name, chair.nick)


def _name(ctx: Context, seat: engine.Seat) -> str:
    return ctx.desk.playing.name(Seat(seat))


def _said(ctx: Context, game: Game, event: object) -> str:
    match event:
        case TurnStarted():
            return _turn(ctx, game)
        case DiceRolled():
            return _rolled(ctx, event)
        case CategoryEntered():
            return _entered(ctx, event)
        case SeatLeft(seat):
            return ctx.t("{name} leaves the game.", name=_name(ctx, seat))
        case SeatTimedOut(seat):
            time = clock_text(ctx.settings.turn_timeout_s)
            return ctx.t(
                "{name} did not play within {time} and is out of the game.",
                name=_name(ctx, seat),
                time=time,
            )
        case GameEnded():
            return _ended(ctx, event)
        case _:
            return ""


def _turn(ctx: Context, game: Game) -> str:
    assert game.to_act is not None  # noqa: S101  a turn has somebody to act
    name = shown(ctx, ctx.desk.playing.chair(Seat(game.to_act)))
    where = {"round": game.round, "rounds": ROUNDS, "name": name}
    if game.dice is None and ctx.desk.playing.chair(Seat(game.to_act)).is_bot:
        return ctx.t("Round {round}/{rounds}: {name} is to act.", **where)
    if game.dice is None:
        return ctx.t(
            "Round {round}/{rounds}: {name} is to act, {roll}.", roll=ctx.how("roll"), **where
        )
    return ctx.n(
        "Round {round}/{rounds}: {name} is to act, has {dice} and {n} roll left.",
        "Round {round}/{rounds}: {name} is to act, has {dice} and {n} rolls left.",
        game.rolls_left,
        dice=dice_text(game.dice),
        **where,
    )


def _rolled(ctx: Context, event: DiceRolled) -> str:
    name, dice = _name(ctx, event.seat), dice_text(event.dice)
    if ctx.desk.playing.chair(Seat(event.seat)).is_bot:
        return ctx.t("{name} rolls {dice}.", name=name, dice=dice)
    if not event.rolls_left:
        return ctx.t(
            "{name} rolls {dice}. Now enter it: {list}.",
            name=name,
            dice=dice,
            list=_enter(ctx),
        )
    return ctx.n(
        "{name} rolls {dice}, {n} roll left: {roll} 1 4 or {list}.",
        "{name} rolls {dice}, {n} rolls left: {roll} 1 4 or {list}.",
        event.rolls_left,
        name=name,
        dice=dice,
        roll=ctx.how("roll"),
        list=_enter(ctx),
    )


def _enter(ctx: Context) -> str:
    """Write how to enter; the player chooses the box."""
    return ctx.t("{list} BOX", list=ctx.how("list"))


def _entered(ctx: Context, event: CategoryEntered) -> str:
    name, box = _name(ctx, event.seat), code(ctx, event.category)
    if event.struck and not event.bonus:
        return ctx.t("{name} strikes {box} (total {total}).", name=name, box=box, total=event.total)
    entered = ctx.n(
        "{name} enters {box}: {n} point (total {total}).",
        "{name} enters {box}: {n} points (total {total}).",
        event.points,
        name=name,
        box=box,
        total=event.total,
    )
    parts = [entered]
    if event.bonus:
        parts.append(ctx.t("A further Kniffel: +{points}!", points=event.bonus))
    if event.upper_bonus:
        parts.append(ctx.t("Upper bonus: +{points}!", points=event.upper_bonus))
    return ctx.translator.sentences(parts)


def _ended(ctx: Context, event: GameEnded) -> str:
    if not event.winners:
        return ctx.t("Nobody is left: the game is over.")
    order = sorted(event.totals, key=lambda seat: -event.totals[seat])
    table = [f"{_name(ctx, seat)} {event.totals[seat]}" for seat in order]
    if len(event.totals) == 1:
        return ctx.t(
            "The game is over: {table}. {join} opens the next one.",
            table=table,
            join=ctx.how("join"),
        )
    return ctx.n(
        "The game is over: {table}. {winners} wins! {join} opens the next one.",
        "The game is over: {table}. {winners} win together! {join} opens the next one.",
        len(event.winners),
        table=table,
        winners=[_name(ctx, seat) for seat in event.winners],
        join=ctx.how("join"),
    )
