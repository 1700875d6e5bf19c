"""The commands of Kniffel: words to a move, call the engine, publish its events."""

from __future__ import annotations

from gamebot import Context, Phase, Refused, Registry, Seat, Urgency, When, Where
from gamebot_kniffel.commands import around, confirm
from gamebot_kniffel.engine.game import Game
from gamebot_kniffel.engine.reasons import IllegalMove
from gamebot_kniffel.engine.rules import ROLLS
from gamebot_kniffel.engine.scoring import Category
from gamebot_kniffel.engine.seat import Seat as EngineSeat
from gamebot_kniffel.saying import shown
from gamebot_kniffel.scorecard import (
    card_line,
    clock_text,
    dice_text,
    options_line,
    pack,
    short_card,
)
from gamebot_kniffel.table import KniffelTable
from gamebot_kniffel.texts import REASONS, parse_category


def _refused(ctx: Context, error: IllegalMove) -> Refused:
    return Refused(REASONS[error.reason], roll=ctx.how("roll"), list=ctx.how("list"))


def _me(ctx: Context) -> EngineSeat:
    return EngineSeat(ctx.desk.seated(ctx.person).seat)


def join(ctx: Context, name: str = "") -> None:
    """Take part in the next game, under a name of your own if you like."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    opened = ctx.desk.phase is not Phase.LOBBY
    chair = ctx.desk.enrol(ctx.person, name)
    if opened:
        ctx.say(
            ctx.t(
                "{name} opens a game of Kniffel. Join with {join}, begin with {start}.",
                name=shown(ctx, chair),
                join=ctx.how("join"),
                start=ctx.how("start"),
            )
        )
    else:
        n = len(ctx.desk.open.chairs)
        ctx.say(
            ctx.n(
                "{name} joins ({n} player). {start} begins.",
                "{name} joins ({n} players). {start} begins.",
                n,
                name=shown(ctx, chair),
                start=ctx.how("start"),
            )
        )


def add_bot(ctx: Context, strength: str = "") -> None:
    """Seat a bot player in the next game, as strong as you say."""
    words = {ctx.t(kind).casefold(): kind for kind in ctx.desk.kind.strengths()}
    chair = ctx.desk.enrol_bot(words.get(strength.casefold(), strength.casefold()))
    ctx.say(
        ctx.t(
            "{name} joins as a bot player ({strength}). {start} begins.",
            name=chair.name,
            strength=ctx.t(chair.strength),
            start=ctx.how("start"),
        )
    )


def start(ctx: Context) -> None:
    """Begin the game with everybody enrolled."""
    if ctx.desk.phase is not Phase.LOBBY:
        raise ctx.desk.kind.nobody(ctx)
    if ctx.desk.chair_of(ctx.person) is None and not (ctx.settings.bots_alone and ctx.is_op):
        raise Refused("Only who is enrolled may begin; {join} enrols you.", join=ctx.how("join"))
    ctx.desk.start()


def leave(ctx: Context) -> None:
    """Leave the game; your points are void."""
    chair = ctx.desk.seated(ctx.person)
    in_lobby = ctx.desk.phase is Phase.LOBBY
    ctx.desk.leave(chair)
    if in_lobby:
        ctx.desk.kind.lobby_left(ctx, chair)
    elif ctx.in_query:
        ctx.tell(ctx.t("You have left the game."))


def rename(ctx: Context, name: str) -> None:
    """Give yourself another name at the table."""
    chair = ctx.desk.seated(ctx.person)
    old = chair.name
    ctx.desk.rename(chair, name)
    ctx.say(ctx.t("{old} is now called {new}.", old=old, new=chair.name))


def show_players(ctx: Context) -> None:
    """Say who plays, in the order of turns."""
    table = ctx.desk.table
    if table is None or table.phase is Phase.OVER:
        raise ctx.desk.kind.nobody(ctx)
    if table.game is None:
        names = [chair.name for chair in table.chairs]
        ctx.reply(ctx.t("Enrolled: {names}. {start} begins.", names=names, start=ctx.how("start")))
        return
    names = table.names(Seat(seat) for seat in table.game.seats)
    turn = table.name(Seat(table.game.to_act))
    ctx.reply(ctx.t("Players: {names}. {name} is to act.", names=names, name=turn))


def roll(ctx: Context, *positions: int) -> None:
    """Roll all five dice, or those at the positions you name."""
    me = _me(ctx)
    if confirm.holds_back_roll(ctx, me, positions):
        return
    try:
        ctx.desk.publish(ctx.desk.game.roll(me, positions))
    except IllegalMove as error:
        raise _refused(ctx, error) from error


def show_list(ctx: Context, box: Category | None = None) -> None:
    """Enter the dice in a box; without one, see what each open box would score."""
    game: Game = ctx.desk.game
    me = _me(ctx)
    try:
        if box is not None:
            if not confirm.holds_back_strike(ctx, me, box):
                ctx.desk.publish(game.enter(me, box))
            return
        game.options(me)
    except IllegalMove as error:
        raise _refused(ctx, error) from error
    if game.dice:
        options = options_line(ctx, game.cards[me], game.dice, game.rules)
        choose = ctx.t("you choose: {enter}", enter=ctx.t("{list} BOX", list=ctx.how("list")))
        ctx.reply(ctx.translator.dashed((options, choose)))


def _show(ctx: Context, text: str) -> None:
    """Show what everybody may know: in the channel to the player to act, else by notice."""
    desk = ctx.desk
    chair = desk.chair_of(ctx.person)
    if chair is not None and chair.seat == desk.game.to_act:
        ctx.reply(text, urgency=Urgency.LISTING)
    else:
        ctx.tell(text, urgency=Urgency.LISTING)


def show_card(ctx: Context, name: str = "") -> None:
    """Show a player's scorecard, your own without a name."""
    desk = ctx.desk
    chair = desk.chair_named(name) if name else desk.seated(ctx.person)
    card = desk.game.cards[EngineSeat(chair.seat)]
    _show(ctx, card_line(ctx, chair.name, card))


def show_cards(ctx: Context) -> None:
    """Show every player's scorecard."""
    table = ctx.desk.playing
    cards = [
        short_card(ctx, table.name(Seat(seat)), card) for seat, card in table.game.cards.items()
    ]
    for line in pack(cards):
        _show(ctx, line)


def show_dice(ctx: Context) -> None:
    """Show the dice, which roll it is, and the time left."""
    table = ctx.desk.playing
    game: Game = table.game
    left = ctx.desk.left_s()
    where: dict[str, object] = {
        "name": table.name(Seat(game.to_act or 0)),
        "time": clock_text(left or 0),
    }
    if game.dice is None:
        _show(ctx, ctx.t("{name} has not rolled yet, {time} left.", **where))
        return
    where |= {"dice": dice_text(game.dice), "number": ROLLS - game.rolls_left, "rolls": ROLLS}
    if left is None:
        _show(ctx, ctx.t("{name}: {dice} after roll {number} of {rolls}.", **where))
    else:
        _show(ctx, ctx.t("{name}: {dice} after roll {number} of {rolls}, {time} left.", **where))


def register(registry: Registry) -> None:
    """Register the game and its commands."""
    channel, turn = Where.CHANNEL, When.MY_TURN
    registry.game(KniffelTable)
    registry.converter(Category, parse_category, rest=True)
    registry.command(
        "join",
        join,
        words="!addme",
        also="!join !jo",
        where=channel,
        when=When.NO_GAME,
        example="Mole",
        example_means="You play as Mole, whatever your nick is.",
    )
    registry.command("start", start, words="!start", also="!begin", where=channel, when=When.LOBBY)
    registry.command(
        "roll",
        roll,
        words="!roll",
        also="!throw",
        where=channel,
        when=turn,
        example="1 4",
        example_means="The first and the fourth die are thrown again.",
    )
    registry.command(
        "list",
        show_list,
        words="!list",
        where=channel,
        when=turn,
        example="3K",
        example_means="With three alike all five dice count, without them 0.",
    )
    registry.command("players", show_players, words="!players")
    registry.command(
        "card",
        show_card,
        words="!stats",
        also="!score !scores",
        when=When.GAME,
        example="anna",
    )
    registry.command("cards", show_cards, words="!allstats", when=When.GAME)
    registry.command("dice", show_dice, words="!dice", also="!turn !tu", when=When.GAME)
    registry.command("rename", rename, words="!callme", when=When.SEATED, example="Mole")
    registry.command("leave", leave, words="!delme", also="!leave !quit", when=When.SEATED)
    registry.command(
        "add_bot",
        add_bot,
        words="!addbot",
        also="!isbot",
        where=channel,
        when=When.NO_GAME,
        example="easy",
    )
    around.register(registry)
