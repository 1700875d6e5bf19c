"""What the engine answers, said in the channel's language: one line a move, one hand a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gamebot import Chair, Context, Seat, Urgency, private_lines
from gamebot_uno.card_text import cards_text, color_text, sorted_hand, top_text
from gamebot_uno.engine import events as e
from gamebot_uno.engine import seat as engine
from gamebot_uno.engine.cards import CARD_FACES, FACE_COLORS, Card
from gamebot_uno.engine.game import Game
from gamebot_uno.engine.state import Phase
from gamebot_uno.notation import Notation, notation_of
from gamebot_uno.rules_text import render_rules

_KEPT = (e.RoundEnded, e.GameEnded, e.SeatLeft, e.SeatTimedOut, e.Challenged)
LINE_BYTES = 376
"""What fits one message: 512 bytes less a prefix of 90, the command and a channel of 32."""
NAME_WIDTHS = (100, 15, 11, 9, 7, 5)
"""Characters of each name behind "Cards", the first ones that fit."""


def notation(ctx: Context) -> Notation:
    """Return the letters of the channel's language."""
    return notation_of(ctx.translator.language)


def channel_colors(ctx: Context) -> str:
    """Return how cards are coloured in the channel: off where it strips or forbids colours."""
    return "off" if ctx.strips_colors else str(ctx.settings.colors)


def publish(ctx: Context, game: Game, events: Sequence[object]) -> None:
    """Say the events of one move in one line, and show hands to those whose hand changed."""
    ended = any(isinstance(event, e.GameEnded) for event in events)
    if line := _line(ctx, game, events):
        kept = any(isinstance(event, _KEPT) for event in events)
        ctx.say(line, urgency=Urgency.TURN, keep=kept)
    _show_hands(ctx, game, events, ended=ended)


def _line(ctx: Context, game: Game, events: Sequence[object]) -> str:
    """Say *events* in one line; where long nicks make it two, they are cut behind "Cards"."""
    line = ""
    for width in NAME_WIDTHS:
        line = ctx.translator.sentences(_said(ctx, game, event, width) for event in events)
        if len(line.encode()) <= LINE_BYTES:
            break
    return line


def _show_hands(ctx: Context, game: Game, events: Sequence[object], *, ended: bool) -> None:
    received: dict[Seat, list[Card]] = {}
    for event in events:
        if isinstance(event, e.HandRevealed):
            _reveal(ctx, event)
        elif isinstance(event, e.HandDealt):
            received[Seat(event.to)] = []
        elif isinstance(event, e.CardsReceived):
            received.setdefault(Seat(event.to), []).extend(event.cards)
        elif isinstance(event, e.HandsSwapped | e.HandsPassed):
            received |= {Seat(seat): [] for seat in game.seats}
    if ended:
        return
    if game.to_act is not None and any(isinstance(event, e.TurnStarted) for event in events):
        received.setdefault(Seat(game.to_act), [])
    for seat, cards in received.items():
        show_hand(ctx, game, ctx.desk.playing.chair(seat), cards)


def show_hand(ctx: Context, game: Game, chair: Chair, received: Sequence[Card] = ()) -> None:
    """Show a player's hand, in private; what was just drawn stands first."""
    cards = game.hands.get(engine.Seat(chair.seat))
    if cards is None or chair.is_bot or not chair.present:
        return
    likes = preferences(ctx, chair)
    mode = likes.get("colors", str(ctx.settings.colors))
    letters = notation(ctx)
    hand = sorted_hand(cards, likes.get("sort", ""))
    text = ctx.t("Your cards: {cards}", cards=cards_text(hand, letters, mode))
    if received:
        drawn = ctx.t("Drawn: {cards}.", cards=cards_text(received, letters, mode))
        text = ctx.translator.sentences((drawn, text))
    _tell(ctx, chair, text)
    if private_lines.is_new(ctx, ctx.identity(chair)):
        tip = ctx.t(
            "Tip: /query {bot} opens a window for your cards; {hand} sends them as messages.",
            bot=ctx.own_nick,
            hand=f"{ctx.how('hand')} msg",
        )
        _tell(ctx, chair, tip)


def _tell(ctx: Context, chair: Chair, text: str, *, keep: bool = False) -> None:
    """Tell a player alone; who plays elsewhere too is told for where."""
    if ctx.is_seated_elsewhere(chair):
        text = ctx.translator.headed(ctx.channel_name, text)
    ctx.notice(chair.nick, text, urgency=Urgency.TURN, keep=keep)


def preferences(ctx: Context, chair: Chair) -> dict[str, str]:
    """Return what a player set for the own hand: `colors`, `sort`."""
    likes: dict[str, dict[str, str]] = ctx.state.get("preferences", {})
    return likes.get(ctx.identity(chair), {})


def _reveal(ctx: Context, event: e.HandRevealed) -> None:
    chair = ctx.desk.playing.chair(Seat(event.to))
    if not chair.is_bot:
        cards = cards_text(event.cards, notation(ctx), str(ctx.settings.colors))
        who = _name(ctx, event.seat)
        _tell(ctx, chair, ctx.t("{name} held {cards}.", name=who, cards=cards or "–"), keep=True)


def _name(ctx: Context, seat: int) -> str:
    return ctx.desk.playing.name(Seat(seat))


def cut(name: str, width: int) -> str:
    """Leave out the middle of a name that is longer than *width*; the end tells names apart."""
    if len(name) <= width:
        return name
    end = (width - 1) // 2
    return f"{name[: width - 1 - end]}…{name[-end:]}"


def status(ctx: Context, game: Game, width: int = NAME_WIDTHS[0]) -> str:
    """Say who is to act on what, what is pending, and how many cards everybody holds.

    Args:
        ctx: The channel.
        game: The game.
        width: Characters that the names behind "Cards" may have.
    """
    assert game.to_act is not None  # noqa: S101  somebody is to act
    name, letters, mode = _name(ctx, game.to_act), notation(ctx), channel_colors(ctx)
    counts = [f"{cut(_name(ctx, seat), width)} {len(game.hands[seat])}" for seat in game.seats]
    top = top_text(game.top_card, game.color, letters, mode)
    if game.phase is Phase.COLOR:
        return ctx.t(
            "{name}, which colour? {letters}", name=name, letters=" ".join(letters.colors.values())
        )
    if game.phase is Phase.CHALLENGE:
        return ctx.t(
            "{name}, on {top}: {ok} takes {n}, {challenge} doubts it. Cards: {counts}",
            name=name,
            top=top,
            n=game.pending_draw,
            ok=ctx.how("ok"),
            challenge=ctx.how("challenge"),
            counts=counts,
        )
    if game.pending_draw:
        return ctx.t(
            "{name}, on {top}: answer it, or {draw} takes {n}. Cards: {counts}",
            name=name,
            top=top,
            n=game.pending_draw,
            draw=ctx.how("draw"),
            counts=counts,
        )
    return ctx.t("{name}, your turn on {top}. Cards: {counts}", name=name, top=top, counts=counts)


def _played(ctx: Context, game: Game, event: e.CardPlayed) -> str:
    letters, mode = notation(ctx), channel_colors(ctx)
    cards = cards_text(event.cards, letters, mode)
    values = {"name": _name(ctx, event.seat), "cards": cards}
    if event.how is e.How.SNAP:
        text = ctx.t("{name} snaps in {cards}.", **values)
    elif event.how is e.How.JUMP_IN:
        text = ctx.t("{name} jumps in with {cards}.", **values)
    elif FACE_COLORS[CARD_FACES[event.cards[0]]] is None and event.color is not None:
        color = color_text(event.color, letters, mode)
        text = ctx.t("{name} plays {cards} and calls {color}.", color=color, **values)
    else:
        text = ctx.t("{name} plays {cards}.", **values)
    if game.phase is Phase.COLOR and game.to_act == event.seat:
        text = ctx.translator.sentences((text, status(ctx, game)))
    return text


def _drawn(ctx: Context, game: Game, event: e.CardsDrawn) -> str:
    name = _name(ctx, event.seat)
    if event.why is e.Why.JOIN:
        return ""
    if not event.count:
        return ctx.t("{name} would draw, but no card is left.", name=name)
    text = ctx.n("{name} draws {n} card.", "{name} draws {n} cards.", event.count, name=name)
    if event.why is e.Why.TURN and game.to_act == event.seat and game.drew:
        hint = ctx.t("Play the card if it fits, else {pass_}.", pass_=ctx.how("pass"))
        text = ctx.translator.sentences((text, hint))
    return text


def _color(ctx: Context, _game: Game, event: e.ColorChosen) -> str:
    color = color_text(event.color, notation(ctx), channel_colors(ctx))
    return ctx.t("{name} calls {color}.", name=_name(ctx, event.seat), color=color)


def _challenged(ctx: Context, _game: Game, event: e.Challenged) -> str:
    names = {"name": _name(ctx, event.seat), "offender": _name(ctx, event.offender)}
    if event.guilty:
        return ctx.t("{name} doubts it, and {offender} bluffed!", **names)
    return ctx.t("{name} doubts it, but {offender} did not bluff.", **names)


def _caught(ctx: Context, _game: Game, event: e.UnoCaught) -> str:
    return ctx.t(
        "{by} was first: {name} did not say UNO.",
        by=_name(ctx, event.by),
        name=_name(ctx, event.seat),
    )


def _dealer(ctx: Context, _game: Game, event: e.DealerDrawn) -> str:
    letters, mode = notation(ctx), channel_colors(ctx)
    drawn = [
        f"{_name(ctx, seat)} {cards_text((card,), letters, mode)}" for seat, card in event.cards
    ]
    return ctx.t(
        "Highest card deals: {drawn}. {name} deals.", drawn=drawn, name=_name(ctx, event.dealer)
    )


def _started(ctx: Context, game: Game, event: e.RoundStarted) -> str:
    if event.round > 1:
        return ctx.t(
            "Round {round} of {target} points.", round=event.round, target=game.rules.target
        )
    return ctx.t("UNO begins, rules {rules}.", rules=render_rules(game.rules))


def _joined(ctx: Context, _game: Game, event: e.SeatJoined) -> str:
    return ctx.n(
        "{name} plays along with {n} card.",
        "{name} plays along with {n} cards.",
        event.count,
        name=_name(ctx, event.seat),
    )


def _timed_out(ctx: Context, _game: Game, event: e.SeatTimedOut) -> str:
    if event.removed:
        return ctx.t("{name} was away twice in a row and is out.", name=_name(ctx, event.seat))
    return ctx.t("{name}'s time is up.", name=_name(ctx, event.seat))


def _round_over(ctx: Context, game: Game, event: e.RoundEnded) -> str:
    name, rounds = _name(ctx, event.winner), bool(game.rules.target)
    one = "{name} wins the round with {n} point!" if rounds else "{name} wins with {n} point!"
    many = "{name} wins the round with {n} points!" if rounds else "{name} wins with {n} points!"
    parts = [ctx.n(one, many, event.points, name=name)]
    if event.silent:
        parts.insert(0, ctx.t("Nobody can draw or play any more: fewest points win."))
    if rounds:
        scores = [f"{_name(ctx, seat)} {n}" for seat, n in game.scores.items()]
        parts.append(ctx.t("Scores: {scores}.", scores=scores))
    return ctx.translator.sentences(parts)


def _game_over(ctx: Context, game: Game, event: e.GameEnded) -> str:
    parts = [ctx.t("{open} opens another game.", open=ctx.how("open"))]
    if game.rules.target:
        parts.insert(0, ctx.t("{name} wins the game!", name=_name(ctx, event.winner)))
    return ctx.translator.sentences(parts)


def _about(msgid: str) -> Callable[[Context, Game, Any], str]:
    """Make what says *msgid* with the event's seat as `{name}`."""
    return lambda ctx, _game, event: ctx.t(msgid, name=_name(ctx, event.seat))


#: Events whose text is one msgid about one seat.
ABOUT_SEAT: Mapping[type, str] = {
    e.TurnPassed: "{name} passes.",
    e.TurnSkipped: "{name} is skipped.",
    e.UnoCalled: "{name}: UNO!",
    e.UnoFalselyCalled: "{name} says UNO for nothing.",
    e.Misplayed: "{name} plays what does not fit.",
    e.HintFined: "{name} gave a hint.",
    e.SeatLeft: "{name} leaves the game.",
}

_SAYINGS: Mapping[type, Callable[[Context, Game, Any], str]] = {
    **{kind: _about(msgid) for kind, msgid in ABOUT_SEAT.items()},
    e.CardPlayed: _played,
    e.CardsDrawn: _drawn,
    e.ColorChosen: _color,
    e.Challenged: _challenged,
    e.UnoCaught: _caught,
    e.DealerDrawn: _dealer,
    e.RoundStarted: _started,
    e.SeatJoined: _joined,
    e.SeatTimedOut: _timed_out,
    e.RoundEnded: _round_over,
    e.GameEnded: _game_over,
    e.DirectionReversed: lambda ctx, _game, _event: ctx.t("The direction turns."),
    e.HandsPassed: lambda ctx, _game, _event: ctx.t("All hands move on."),
    e.HandsSwapped: lambda ctx, _game, event: ctx.t(
        "{name} swaps hands with {other}.",
        name=_name(ctx, event.seat),
        other=_name(ctx, event.other),
    ),
    e.Reshuffled: lambda ctx, _game, _event: ctx.t("The pile is shuffled."),
}


def _said(ctx: Context, game: Game, event: object, width: int) -> str:
    if isinstance(event, e.TurnStarted):
        return status(ctx, game, width) if event.seat == game.to_act else ""
    saying = _SAYINGS.get(type(event))
    return saying(ctx, game, event) if saying else ""
