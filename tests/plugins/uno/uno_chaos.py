"""Everything that players, operators and timers may try, legal or not, with what must hold."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import attrs
from cattrs.preconf.json import make_converter
from gamebot_uno.engine.cards import DECK, Card, Color
from gamebot_uno.engine.events import (
    CardPlayed,
    CardTurned,
    DealerDrawn,
    GameEnded,
    Misplayed,
    RoundStarted,
)
from gamebot_uno.engine.game import Event, Game, IllegalMove, Phase, Seat
from gamebot_uno.engine.moves import Play
from gamebot_uno.engine.rules import LIMITS, PRESETS, Rules, RulesError
from gamebot_uno.rules_text import FIELDS, parse_rules, values_of
from uno_table import all_cards

SEATS = 6
CONVERTER = make_converter()


def reload(game: Game) -> Game:
    loaded = CONVERTER.loads(CONVERTER.dumps(game), Game)
    loaded.rng = game.rng
    return loaded


def random_rules(chance: Random) -> Rules:
    """Return a preset, or one with some fields changed as far as they do not contradict."""
    rules = PRESETS[chance.choice(list(PRESETS))].with_overrides(target=chance.choice((0, 0, 60)))
    for name in chance.sample(FIELDS, chance.choice((0, 0, 3, 12))):
        if name in LIMITS:
            value = str(chance.randrange(LIMITS[name][0], 4))
        else:
            value = chance.choice(values_of(name))
        try:
            rules = parse_rules(f"{name}={value}", rules)
        except RulesError:
            continue
    return rules.with_overrides(min_players=2, max_players=max(SEATS, rules.max_players))


class Chaos:
    """A game, and a watch over it."""

    def __init__(self, rules: Rules, seats: int, chance: Random) -> None:
        self.chance = chance
        everybody = [Seat(n) for n in range(seats)]
        self.shown: set[Card] = set()
        self.game, events = Game.start(everybody, rng=Random(chance.random()), rules=rules)
        self.newest = seats
        self.watch(events)

    def watch(self, events: list[Event]) -> None:
        """Look for a card in a public event that does not lie open or was shown by its owner."""
        for event in events:
            if isinstance(event, RoundStarted):
                self.shown = set()
            elif isinstance(event, CardTurned):
                self.shown |= {event.card, *event.put_back}
            elif isinstance(event, CardPlayed | Misplayed):
                self.shown |= {*event.cards}
            elif isinstance(event, DealerDrawn):
                self.shown |= {card for _, card in event.cards}
            assert hasattr(event, "to") or self.cards_in(event) <= self.shown
        self.check()

    def cards_in(self, event: Event) -> set[Card]:
        """Return whatever an event names as cards, under whatever name."""
        named = attrs.asdict(event, recurse=False)
        found = {named["card"]} if "card" in named else set()
        found |= {*named.get("put_back", ())}
        cards = named.get("cards", ())
        return found | {card[1] if isinstance(card, tuple) else card for card in cards}

    def check(self) -> None:
        """Assert what holds at any time."""
        game = self.game
        assert sorted(all_cards(game)) == list(range(DECK * game.rules.decks))
        assert set(game.seats) == set(game.hands)
        assert not set(game.set_aside) & set(game.seats)
        assert (game.to_act is None) == (game.phase is Phase.OVER)
        assert game.pending_draw >= 0
        assert (game.pending_rank is None) == (game.pending_draw == 0)
        assert all(len(game.hands[seat]) == 1 for seat in game.uno_open)
        assert set(game.uno_open) <= set(game.seats)
        assert set(game.voids) <= set(game.seats)
        for seat, known in game.voids.items():
            assert all(0 < void.cards <= len(game.hands[seat]) for void in known)
        if game.over:
            assert game.winner in game.seats
            assert not any(game.legal_moves(seat) for seat in game.seats)
            return
        assert game.to_act in game.seats
        assert all(game.hands.values())
        assert game.legal_moves(game.to_act), "there is always a way forward"
        assert (game.phase is Phase.CHALLENGE) <= (game.challenge is not None)
        assert (game.color is None) <= (game.phase is Phase.COLOR or len(game.discard_pile) == 1)

    def attempt(self, move: str, *arguments: object, **more: object) -> bool:
        """Try *move*; one that is refused has changed nothing, chance included."""
        before, chance_before = deepcopy(self.game), self.game.rng.getstate()
        try:
            events = getattr(self.game, move)(*arguments, **more)
        except IllegalMove:
            assert self.game == before
            assert self.game.rng.getstate() == chance_before
            return False
        assert events
        assert self.game != before
        assert any(isinstance(event, GameEnded) for event in events) == self.game.over
        self.watch(events)
        return True

    def legal_move(self) -> None:
        """Make a random legal move, which must be accepted."""
        game, chance = self.game, self.chance
        seat = game.to_act
        if game.rules.jump_in or game.snap_seat is not None:
            seat = chance.choice([s for s in game.seats if game.legal_moves(s)])
        move = chance.choice(game.legal_moves(seat))
        if isinstance(move, Play):
            move = attrs.evolve(move, said_uno=chance.random() < 0.5)
            if chance.random() < 0.3:
                move = attrs.evolve(move, color=None)
        self.watch(game.act(seat, move))

    def any_move(self) -> None:
        """Let anybody try anything."""
        game, chance = self.game, self.chance
        seat = Seat(chance.randrange(self.newest + 1))
        tries = {
            "play": (seat, self.any_cards(seat), chance.choice((None, *Color))),
            "draw": (seat,),
            "pass_turn": (seat,),
            "accept": (seat,),
            "challenge_play": (seat,),
            "choose_color": (seat, chance.choice(list(Color))),
            "call_uno": (seat,),
            "fine_hint": (seat,),
            "observe": (),
        }
        name = chance.choice([name for name in tries if tries[name]])
        swap = chance.choice((None, None, seat, *game.seats))
        self.attempt(name, *tries[name], **({"swap_with": swap} if name == "play" else {}))

    def any_cards(self, seat: Seat) -> tuple[Card, ...]:
        held = self.game.hands.get(seat, [])
        pool = held if held and self.chance.random() < 0.8 else range(DECK)
        return tuple(self.chance.choices(pool, k=self.chance.choice((1, 1, 1, 2, 3))))

    def join(self) -> None:
        """Let a newcomer in, or somebody who left."""
        gone = [*self.game.set_aside, Seat(self.newest)]
        seat = self.chance.choice(gone)
        if self.attempt("join", seat) and seat == self.newest:
            self.newest += 1

    def leave(self) -> None:
        self.attempt("leave", Seat(self.chance.randrange(self.newest + 1)))

    def fire(self, clock_id: int) -> None:
        """Let a timer fire; one of another time does nothing."""
        before = deepcopy(self.game)
        events = self.game.expire(clock_id)
        if before.over or clock_id != before.clock_id:
            assert events == []
            assert self.game == before
            return
        assert events
        assert self.game.clock_id > before.clock_id or self.game.over
        self.watch(events)

    def restart(self) -> None:
        """Go on with what was stored."""
        loaded = reload(self.game)
        assert loaded == self.game
        assert loaded.view() == self.game.view()
        self.game = loaded
