"""The UNO table: what the core asks, and the lobby's habits."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
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
from gamebot_uno import bots, lead
from gamebot_uno.engine import seat as engine
from gamebot_uno.engine.cards import CODES, Card, deck
from gamebot_uno.engine.dealing import take_out
from gamebot_uno.engine.events import SeatLeft, SeatTimedOut, TurnStarted
from gamebot_uno.engine.game import Game
from gamebot_uno.help import topics
from gamebot_uno.players import PLAYERS
from gamebot_uno.rules_text import FIELDS, limits_of, render_value, values_of
from gamebot_uno.saying import publish, show_hand, status
from gamebot_uno.settings import UnoSettings


class UnoTable(GameType[Game]):
    """UNO as the core runs it."""

    title: ClassVar[str] = "UNO"
    about: ClassVar[str] = topics.ABOUT
    samples: ClassVar[tuple[Sample, ...]] = topics.SAMPLES
    settings: ClassVar[type[TableSettings]] = UnoSettings
    engine: ClassVar[type[Any]] = Game
    min_players: ClassVar[int] = 2
    rules: ClassVar[tuple[str, ...]] = ("rules", "max_players")

    def new_game(
        self,
        seats: Sequence[Seat],
        settings: UnoSettings,
        rng: Random,
        fixed: Fixed,
        names: Mapping[str, Seat],
    ) -> tuple[Game, Sequence[object]]:
        """Deal, with what a transcript fixed."""
        starter = names.get(fixed.starter)
        return Game.start(
            [engine.Seat(number) for number in seats],
            rng=rng,
            rules=settings.parsed,
            starter=None if starter is None else engine.Seat(starter),
            hands={
                engine.Seat(names[nick]): cards
                for nick, cards in fixed.hands.items()
                if nick in names
            },
            deck=fixed.deck,
        )

    def read_rules(self, text: str) -> dict[str, str]:
        """Keep the rules as one setting; `UnoSettings` reads them."""
        return {"rules": text}

    def house_rules(self, settings: UnoSettings) -> Mapping[str, str]:
        """Return every field of the rules as players type it."""
        return {name: render_value(settings.parsed, name) for name in FIELDS}

    def house_rule_choices(self, name: str) -> Sequence[str]:
        """Return what may be typed for a field of the rules."""
        return values_of(name)

    def house_rule_range(self, name: str) -> tuple[int, int] | None:
        """Return the least and the most for a field of the rules."""
        return limits_of(name)

    def check_fixed(self, settings: Any, fixed: Fixed) -> None:  # noqa: ANN401  the port's signature
        """Refuse dice, and cards that are not in the deck.

        Raises:
            ValueError: Why.
        """
        if fixed.dice:
            raise ValueError("UNO has cards, no dice")
        rules = (settings or UnoSettings()).parsed
        pile: list[Card] = deck(rules.decks)
        for codes in (*fixed.hands.values(), fixed.deck):
            take_out(pile, codes)

    def strengths(self) -> tuple[str, ...]:
        """Return the strengths, weakest first; the default is not the slowest."""
        return bots.STRENGTHS

    def default_strength(self) -> str:
        """Return the strength of a bot player that nobody chose one for."""
        return bots.DEFAULT

    def bot_players(self) -> tuple[str, ...]:
        """Return every player there is."""
        return tuple(PLAYERS)

    def turns(self, events: Sequence[object]) -> int:
        """Count the turns that begin."""
        return sum([isinstance(event, TurnStarted) for event in events])

    def bot_move(
        self, game: Game, seat: Seat, strength: str, rng: Random
    ) -> Sequence[object] | Awaitable[Sequence[object]]:
        """Move once, seeing what the seat may see."""
        return bots.act(game, seat, strength, rng)

    def outcomes(self, game: Game) -> Mapping[Seat, Outcome]:
        """Return points and winner of the whole game."""
        return {
            Seat(number): Outcome(game.scores.get(number, 0), number == game.winner)
            for number in game.seats
        }

    def seats(self, game: Game) -> Collection[Seat]:
        """Return who still plays."""
        return [Seat(number) for number in game.seats]

    def hand(self, game: Game, seat: Seat) -> Sequence[str] | None:
        """Return a hand in canonical codes, in order of arrival."""
        cards = game.hands.get(engine.Seat(seat))
        return None if cards is None else [CODES[card] for card in cards]

    # -- what help and guides say -----------------------------------------------------------

    def room(self, settings: UnoSettings) -> tuple[int, int]:
        """Return how many the rules and the channel seat."""
        rules = settings.parsed
        return max(self.min_players, rules.min_players), min(
            settings.max_players, rules.max_players
        )

    def topics(self, voice: Voice) -> Mapping[str, Sequence[Block]]:
        """Explain rules, cards and points."""
        return topics.topics(voice)

    def clock_rule(self, voice: Voice) -> str:
        """Say how long a turn may take."""
        return topics.clock_rule(voice)

    def lobby_rule(self, voice: Voice) -> str:
        """Say how a game is opened and when it begins."""
        return topics.lobby_rule(voice)

    # -- what is said -----------------------------------------------------------------------

    def publish(self, ctx: Context, game: Game, events: Sequence[object]) -> None:
        """Say the events of one move; who leaves the game leads it no more."""
        publish(ctx, game, events)
        for event in events:
            if isinstance(event, SeatLeft) or (isinstance(event, SeatTimedOut) and event.removed):
                lead.pass_on(ctx, ctx.desk.playing.chair(Seat(event.seat)))

    def resume(self, ctx: Context, game: Game) -> None:
        """Say that the game goes on; the player to act sees the hand again."""
        ctx.say(
            ctx.t("I am back and the game goes on. {status}", status=status(ctx, game)),
            urgency=Urgency.TURN,
        )
        show_hand(ctx, game, ctx.desk.playing.chair(Seat(game.to_act or 0)))

    def back(self, ctx: Context, game: Game, chair: Chair) -> None:
        """Show a player who is back the hand; tell the channel if it waited."""
        super().back(ctx, game, chair)
        show_hand(ctx, game, chair)

    def recognised(self, ctx: Context, game: Game, chair: Chair) -> None:
        """Show the player to act the hand that `resume` could not show."""
        if engine.Seat(chair.seat) == game.to_act:
            show_hand(ctx, game, chair)

    def nobody(self, ctx: Context) -> Refused:
        """Say what to type where no game is on."""
        if ctx.desk.phase is Phase.LOBBY:
            return Refused("The game has not begun yet; {join} joins it.", join=ctx.how("join"))
        return Refused("Nobody plays; {open} opens a game.", open=ctx.how("open"))

    def lobby_over(self, ctx: Context) -> None:
        """Begin when the countdown ends; a bot player takes the seat of a missing second one."""
        table = ctx.desk.open
        if not any(table.humans):
            ctx.desk.stop()
            ctx.say(ctx.t("Nobody joined; {open} opens a game again.", open=ctx.how("open")))
            return
        try:
            begin(ctx)
        except Refused as refused:
            ctx.desk.stop()
            ctx.say(ctx.t(refused.msgid, **refused.values))

    def lobby_left(self, ctx: Context, chair: Chair) -> None:
        """Say who is enrolled no longer, and who leads now."""
        super().lobby_left(ctx, chair)
        lead.pass_on(ctx, chair)

    # -- what everybody may know ------------------------------------------------------------

    def view(self, table: Table, game: Game | None, left_s: float | None) -> dict[str, Any]:
        """Return the view of the transcripts, names in place of seats."""
        if game is None:
            names = [chair.name for chair in table.chairs]
            return {"phase": table.phase.value, "players": names, "deadline": left_s}
        seen: dict[str, Any] = dict(game.view())
        for key in ("cards", "points", "scores"):
            seen[key] = {table.name(Seat(int(n))): value for n, value in seen[key].items()}
        for key in ("players", "uno_open_all"):
            seen[key] = table.names(Seat(n) for n in seen[key])
        for key in ("turn", "uno_open", "winner"):
            seen[key] = None if seen[key] is None else table.name(Seat(seen[key]))
        if table.phase is Phase.OVER:
            seen |= {"phase": "over", "turn": None}
        return seen | {"deadline": left_s}


def begin(ctx: Context) -> None:
    """Start the game; bot players take the seats that the rules ask for at least.

    Raises:
        Refused: More are enrolled than the rules, which were changed meanwhile, seat.
    """
    table, needed = ctx.desk.open, max(2, ctx.settings.parsed.min_players)
    if len(table.chairs) > (most := ctx.settings.parsed.max_players):
        raise Refused("Too many are enrolled: the rules here seat {n}.", n=most)
    while len(table.chairs) < needed:
        chair = ctx.desk.enrol_bot()
        ctx.say(ctx.t("{name} takes a free seat.", name=chair.name))
    ctx.desk.start()
