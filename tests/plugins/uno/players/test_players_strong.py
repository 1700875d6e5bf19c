from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from attrs import evolve
from gamebot_uno.engine.cards import CODES, Color
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.moves import CHALLENGE, DRAW, PASS_TURN, ChooseColor, Move, Play
from gamebot_uno.engine.rules import CUCIOLO, PRESETS, Rules
from gamebot_uno.players import PLAYERS, master
from gamebot_uno.players.evaluation import FEATURES, GROUPS, KINDS, SIZE, Weights
from gamebot_uno.players.strong import choose, evaluate
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_chaos import Chaos, random_rules
from uno_table import ALDO, BEA, DULL, Table

NewTable = Callable[..., Table]
RNG = Random(1)
#: Every player; the one that takes its time takes less.
QUICK = {**PLAYERS, "master": partial(master.choose, playouts=6)}


def choice(t: Table, seat: Seat = ALDO) -> Move:
    return choose(t.game.observe(seat), RNG)


def card(move: Move) -> str:
    assert isinstance(move, Play)
    return " ".join(CODES[card] for card in move.cards)


def silent(move: Move) -> Move:
    return evolve(move, said_uno=False) if isinstance(move, Play) else move


def hide_otherwise(game: Game, seat: Seat, rng: Random) -> Game:
    """Give the cards that *seat* does not see to others, by chance."""
    twin = game.clone(Random(0))
    hands = [hand for owner, hand in twin.hands.items() if owner != seat]
    places = [*hands, *twin.set_aside.values(), twin.draw_pile]
    unseen = [card for place in places for card in place]
    rng.shuffle(unseen)
    for place in places:
        place[:] = [unseen.pop() for _ in place]
    return twin


@settings(max_examples=25, deadline=None)
@given(st.builds(Random, st.integers(0, 10**6)), st.sampled_from([*PRESETS, "any"]))
def test_every_player_moves_legally_whatever_the_rules(chance: Random, preset: str) -> None:
    rules = PRESETS.get(preset) or random_rules(chance)
    course = Chaos(rules, chance.choice((2, 3, 4)), chance)
    for _ in range(40):
        game = course.game
        if game.over:
            return
        seen = [(seat, game.observe(seat)) for seat in game.seats if game.legal_moves(seat)]
        for player in QUICK.values():
            for _, observation in seen:
                assert silent(player(observation, Random(2))) in observation.moves
        (course.join, course.leave, *[course.legal_move] * 8)[chance.randrange(10)]()


@settings(max_examples=12, deadline=None)
@given(st.builds(Random, st.integers(0, 10**6)))
def test_no_player_looks_at_hidden_cards(chance: Random) -> None:
    course = Chaos(random_rules(chance), 3, chance)
    for _ in range(30):
        game = course.game
        if game.over:
            return
        seat = game.to_act
        assert seat is not None
        twin = hide_otherwise(game, seat, chance)
        for player in QUICK.values():
            chosen = player(game.observe(seat), Random(7))
            assert chosen == player(twin.observe(seat), Random(7))
        course.legal_move()


def test_it_goes_out_when_it_can(table: NewTable) -> None:
    assert card(choice(table("RS", DULL[1]))) == "RS"


def test_it_says_uno_with_the_last_card_but_one(table: NewTable) -> None:
    for hand, said in (("R1 V3", True), ("R1 V3 V4", False)):
        move = choice(table(hand, DULL[1]))
        assert isinstance(move, Play)
        assert move.said_uno is said


def test_it_keeps_the_turn_to_go_out(table: NewTable) -> None:
    assert card(choice(table("R3 RS", "B1 B2"))) == "RS"


def test_it_stays_in_the_colour_of_its_hand(table: NewTable) -> None:
    assert card(choice(table("R3 V9 V5 V7", "B1 B2 B3 B4"))) == "V9"
    t = table("J V1 V2 V3 B1", "B1 B2 B3")
    move = choice(table("J V1 V2 B3 B4 V5", DULL[2]))
    assert not isinstance(move, Play) or move.color is Color.GREEN
    t.play(ALDO, "J")
    assert choice(t) == ChooseColor(Color.GREEN)


def test_it_draws_and_passes_when_nothing_fits(table: NewTable) -> None:
    t = table("V1 B2", DULL[1], deck="R9 V4")
    assert choice(t) is DRAW
    t.game.draw(ALDO)
    assert choice(t) is PASS_TURN


def test_it_answers_a_draw_two(table: NewTable) -> None:
    t = table("RD2 R1 B1", "VD2 B3 V2", deck="R9")
    t.play(ALDO, "RD2")
    assert card(choice(t, BEA)) == "VD2"


def test_whose_wild_draw_four_it_is_matters(table: NewTable) -> None:
    """A bluff is the more likely the more cards are left and the fewer of the colour are seen."""
    worth = {}
    for hand in ("JD4 B1", "JD4 B1 B2 V3 V4 R5 R6 G7 G8"):
        t = table(hand, DULL[1])
        t.play(ALDO, "JD4", "B")
        observation = t.game.observe(BEA)
        assert {DRAW, CHALLENGE} == set(observation.moves)
        take, challenge = evaluate(observation)
        worth[hand] = challenge - take
    few, many = worth.values()
    assert many > few


def test_pairs_are_weighed(table: NewTable) -> None:
    t = table("R5 R5", DULL[1], rules="sterning")
    assert card(choice(t)) == "R5 R5", "a pair as the last two cards wins"


def wins(players: tuple[str, ...], games: int, rules: Rules = CUCIOLO) -> float:
    """Share of the games that the first of *players* wins, seats alternated on the same deals."""
    won = 0
    for number in range(games):
        deal, turn = divmod(number, len(players))
        seats = [Seat(n) for n in range(len(players))]
        game, _ = Game.start(seats, rng=Random(f"smoke {deal}"), rules=rules)
        rng = Random(number)
        while (seat := game.to_act) is not None:
            player = PLAYERS[players[(seat + turn) % len(players)]]
            game.act(seat, player(game.observe(seat), rng))
        won += (game.winner + turn) % len(players) == 0
    return won / games


def test_it_is_stronger_than_greedy_and_random() -> None:
    """Smoke only: `docs/uno-players.md` has the figures of 10,000 games each."""
    assert wins(("strong", "greedy"), 150) > 0.5
    assert wins(("strong", "random"), 150) > 0.6
    assert wins(("strong", "greedy", "greedy", "greedy"), 120) > 0.18


def test_weights_are_complete() -> None:
    weights = Weights.of(range(SIZE))
    assert len(weights.base) == 3 * len(KINDS)
    assert [len(row) for row in weights.slopes] == [len(FEATURES)] * len(GROUPS)
    assert weights.slopes[-1][-1] == SIZE - 1
    bases = "kind one two more\n" + "\n".join(f"{kind} 1 2 3" for kind in KINDS)
    slopes = "group x\n" + "\n".join(f"{group} 4 5" for group in GROUPS)
    read = Weights.read(bases, slopes)
    assert read.base == (1.0,) * len(KINDS) + (2.0,) * len(KINDS) + (3.0,) * len(KINDS)
    assert read.score((0, 0, (1.0, 0.5, 9.0))) == 1 + 4 + 2.5
