"""What the engine answers, said in the channel's language."""

from __future__ import annotations

from gamebot import Chair, Context, Seat
from gamebot_kniffel.engine.events import (
    CategoryEntered,
    DiceRolled,
    GameEnded,
    SeatLeft,
    SeatTimedOut,
    TurnStarted,
)
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.rules import ROUNDS
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.scorecard import clock_text, dice_text
from gamebot_kniffel.texts import code


def shown(ctx: Context, chair: Chair) -> str:
    """Write a player's name so that the client of that nick lights up."""
    same = chair.name == chair.nick
    return chair.name if same else ctx.translator.aside(chair.name, chair.nick)


def _name(ctx: Context, seat: EngineSeat) -> str:
    return ctx.desk.playing.name(Seat(seat))


def said(ctx: Context, game: Game, event: object) -> str:
    """Say one event, "" if there is nothing to say of it."""
    match event:
        case TurnStarted():
            return turn(ctx, game)
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


def turn(ctx: Context, game: Game) -> str:
    """Say whose turn it is, and what to type."""
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
