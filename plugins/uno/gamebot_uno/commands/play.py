"""The commands of a UNO game: words to a move, call the engine, publish its events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gamebot import (
    Chair,
    Context,
    Invocation,
    Phase,
    Refused,
    Registry,
    Rest,
    When,
    Where,
    seating,
)
from gamebot_uno.commands import around
from gamebot_uno.engine import seat as engine
from gamebot_uno.engine.game import Game
from gamebot_uno.engine.reasons import IllegalMove
from gamebot_uno.engine.state import Phase as Asked
from gamebot_uno.lead import may_lead, need_lead
from gamebot_uno.notation import Fault, NotationError, Spoken
from gamebot_uno.saying import notation, show_hand, status
from gamebot_uno.table import UnoTable, begin
from gamebot_uno.texts import SILENT, refused, unread


def me(ctx: Context) -> engine.Seat:
    """Return the speaker's seat."""
    return engine.Seat(ctx.desk.seated(ctx.person).seat)


def move(ctx: Context, act: Callable[[Game], Sequence[object]]) -> None:
    """Let the engine act and say what came of it.

    Raises:
        Refused: The engine refuses; a word that means nothing now is met with silence.
    """
    try:
        ctx.desk.publish(act(ctx.desk.game))
    except IllegalMove as error:
        if error.reason not in SILENT:
            raise refused(ctx, error) from error


# -- the lobby ------------------------------------------------------------------------------


def open_game(ctx: Context) -> None:
    """Open a game; a second time, by whoever opened it, begin at once."""
    desk = ctx.desk
    if desk.phase is Phase.PLAYING:
        raise Refused("The game is running already; {enter} joins it.", enter=ctx.how("enter"))
    if desk.phase is Phase.LOBBY:
        _begin_now(ctx)
        return
    desk.open_lobby()
    ctx.say(
        ctx.n(
            "{name} opens a game of UNO: write {join} within {n} second.",
            "{name} opens a game of UNO: write {join} within {n} seconds.",
            round(ctx.settings.lobby_timeout_s),
            name=ctx.nick,
            join=ctx.how("join"),
        )
    )
    around.ping(ctx)


def _begin_now(ctx: Context) -> None:
    desk = ctx.desk
    if not may_lead(ctx):
        left = round(desk.left_s("table.lobby") or 0)
        raise Refused("The game begins in {n} s; {join} joins it.", n=left, join=ctx.how("join"))
    if not any(desk.open.humans):
        raise Refused("Nobody has joined yet; {join} joins.", join=ctx.how("join"))
    begin(ctx)


def join(ctx: Context) -> None:
    """Join the game that is being opened."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    _check_room(ctx)
    chair = ctx.desk.enrol(ctx.person)
    _welcome(ctx, chair)


def add_bot(ctx: Context, strength: str = "") -> None:
    """Let a bot player join: easy, strong or master."""
    _check_room(ctx)
    chair = ctx.desk.enrol_bot(_strength(ctx, strength))
    _welcome(ctx, chair)


def _strength(ctx: Context, text: str) -> str:
    words = {ctx.t(kind).casefold(): kind for kind in ctx.desk.kind.strengths()}
    return words.get(text.casefold(), text.casefold())


def _check_room(ctx: Context) -> None:
    limit = ctx.settings.parsed.max_players
    if len(ctx.desk.open.chairs) >= limit:
        raise Refused("The table is full: {n} play.", n=limit)


def _welcome(ctx: Context, chair: Chair) -> None:
    """Greet a newcomer to the lobby, who leaves the others some time to follow."""
    extra = ctx.settings.join_extra_s
    if (ctx.desk.left_s("table.lobby") or 0) < extra:
        ctx.arm("table.lobby", extra)
    n = len(ctx.desk.open.chairs)
    ctx.say(ctx.n("{name} plays ({n} player).", "{name} plays ({n} players).", n, name=chair.name))


# -- coming and going -----------------------------------------------------------------------


def enter(ctx: Context, nick: str = "") -> None:
    """Join the game that is running; who leads it may let somebody in who was taken out."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    person = ctx.person
    if nick:
        need_lead(ctx)
        person = seating.member(ctx.desk, nick)
    chair = seating.enter(ctx.desk, person, forgiven=bool(nick))
    move(ctx, lambda game: game.join(engine.Seat(chair.seat)))


def enter_bot(ctx: Context, strength: str = "") -> None:
    """Let a bot player join the game that is running."""
    chair = seating.enter_bot(ctx.desk, _strength(ctx, strength))
    move(ctx, lambda game: game.join(engine.Seat(chair.seat)))


def leave(ctx: Context) -> None:
    """Leave the game; your cards count for the winner."""
    chair = ctx.desk.seated(ctx.person)
    in_lobby = ctx.desk.phase is Phase.LOBBY
    ctx.desk.leave(chair)
    if in_lobby:
        ctx.desk.kind.lobby_left(ctx, chair)


# -- a turn ---------------------------------------------------------------------------------


def play(ctx: Context, card: Rest | None = None) -> None:
    """Play a card; a wild with its colour, and UNO in the same breath if it is due."""
    game = ctx.desk.game
    is_turn = game.to_act == me(ctx)
    if is_turn and game.phase is Asked.COLOR and _colour_named(ctx, card or ""):
        return
    try:
        spoken = notation(ctx).parse(card or "")
    except NotationError as error:
        if is_turn:
            raise unread(ctx, error) from error
        return  # the word is an everyday one
    _play(ctx, spoken)


def _colour_named(ctx: Context, text: str) -> bool:
    """Call the colour that *text* is; a letter may be the short form of the command's own word."""
    for read in (text, f"{ctx.word} {text}"):
        try:
            color, said_uno = notation(ctx).parse_color(read)
        except NotationError:
            continue
        choose_color(ctx, color, said_uno)
        return True
    return False


def _play(ctx: Context, spoken: Spoken) -> None:
    seat = me(ctx)

    def act(game: Game) -> Sequence[object]:
        cards = game.find(seat, spoken.faces)
        return game.play(seat, cards, spoken.color, said_uno=spoken.said_uno)

    move(ctx, act)


def choose_color(ctx: Context, color: Any, said_uno: Any) -> None:  # noqa: ANN401  read by `read_bare`
    """Call the colour of a wild that was played without one."""
    seat = me(ctx)
    move(ctx, lambda game: game.choose_color(seat, color, said_uno=said_uno))


def draw(ctx: Context) -> None:
    """Draw a card, or take what is pending."""
    seat = me(ctx)
    move(ctx, lambda game: game.draw(seat))


def pass_turn(ctx: Context) -> None:
    """Pass after drawing."""
    seat = me(ctx)
    move(ctx, lambda game: game.pass_turn(seat))


def call_uno(ctx: Context) -> None:
    """Say that you have one card left, or catch somebody who did not."""
    seat = me(ctx)
    move(ctx, lambda game: game.call_uno(seat))


def accept(ctx: Context) -> None:
    """Take the cards of a Wild Draw Four."""
    seat = me(ctx)
    move(ctx, lambda game: game.accept(seat))


def challenge(ctx: Context) -> None:
    """Doubt a Wild Draw Four."""
    seat = me(ctx)
    move(ctx, lambda game: game.challenge_play(seat))


def show_cards(ctx: Context) -> None:
    """Show your cards, to you alone."""
    show_hand(ctx, ctx.desk.game, ctx.desk.seated(ctx.person))


def show_turn(ctx: Context) -> None:
    """Say whose turn it is."""
    ctx.reply(status(ctx, ctx.desk.game))


def read_bare(text: str, ctx: Context) -> Invocation | None:
    """Read a card that stands alone, or the colour that a wild waits for.

    It counts from a seated player while a game is on; everything else is talk.
    """
    if ctx.in_query or ctx.desk.phase is not Phase.PLAYING:
        return None
    chair = ctx.desk.chair_of(ctx.person)
    if chair is None:
        return None
    game, letters = ctx.desk.game, notation(ctx)
    is_turn = game.to_act == chair.seat
    if is_turn and game.phase is Asked.COLOR and (called := _read_color(text, ctx)):
        return called
    try:
        spoken = letters.parse(text)
    except NotationError as error:
        meant = is_turn and error.fault in (Fault.DIFFERENT_CARDS, Fault.COLOR_OF_COLORED)
        return Invocation(ctx.registry.find("play"), values=(text,)) if meant else None
    if len(text) == 1 and not is_turn:
        return None
    return Invocation(ctx.registry.find("bare"), values=(spoken,))


def _read_color(text: str, ctx: Context) -> Invocation | None:
    try:
        called = notation(ctx).parse_color(text)
    except NotationError:
        return None
    return Invocation(ctx.registry.find("color"), values=called)


def register(registry: Registry) -> None:
    """Register the game and its commands."""
    here, turn, seated, playing = Where.CHANNEL, When.MY_TURN, When.SEATED, When.PLAYING
    registry.game(UnoTable)
    add = registry.command
    add("open", open_game, words="!unoon", also="!start !new", where=here)
    add("join", join, words="jo(in)", also="!addme", where=here, when=When.LOBBY)
    add("enter", enter, words="!en(ter)", where=here, when=When.GAME)
    add("leave", leave, words="le(ave)", also="!delme !quit", where=here, when=seated)
    add(
        "play",
        play,
        words="pl(ay)",
        also="co",
        where=here,
        when=playing,
        example="W B",
        example_means="A wild that calls blue. The card alone does the same.",
    )
    add("draw", draw, words="dr(aw)", also="pe", where=here, when=turn, shouted=True)
    add("pass", pass_turn, words="pa(ss)", where=here, when=turn)
    add("uno", call_uno, words="uno", where=here, when=playing, shouted=True)
    add("cards", show_cards, words="ca(rds)", when=playing)
    add("turn", show_turn, words="tu(rn)", also="od cd ti", when=When.GAME, when_bare=playing)
    add("ok", accept, words="ok", where=here, when=turn)
    add("challenge", challenge, words="ch(allenge)", where=here, when=turn)
    add(
        "add_bot",
        add_bot,
        words="!isbot",
        also="!addbot",
        where=here,
        when=When.LOBBY,
        example="easy",
    )
    add("enter_bot", enter_bot, words="!enbot", where=here, when=When.GAME, example="easy")
    registry.hidden("bare", _play, when=playing)
    registry.hidden("color", choose_color, when=turn)
    registry.bare(read_bare)
    around.register(registry)
