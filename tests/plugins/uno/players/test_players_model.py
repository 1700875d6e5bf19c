"""The fast game on faces goes the way of the engine."""

from __future__ import annotations

from random import Random

import pytest
from gamebot_uno.engine.cards import CARD_FACES, CODE_FACES, Color, Rank
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.moves import CHALLENGE, DRAW, PASS_TURN, Move, Play
from gamebot_uno.engine.rules import PRESETS, Rules
from gamebot_uno.engine.state import Phase
from gamebot_uno.players import model
from gamebot_uno.players.evaluation import COLOR_OF, COLORS, NO_COLOR
from gamebot_uno.players.model import Option, Position
from gamebot_uno.players.strong import evaluate
from gamebot_uno.players.weights import TWO
from gamebot_uno.rules_text import parse_rules
from uno_chaos import random_rules

OTHER = {DRAW: model.DRAW, PASS_TURN: model.PASS, CHALLENGE: model.CHALLENGE}


def position_of(game: Game) -> Position:
    """The game with everything known, chance included."""
    rng = Random()
    rng.setstate(game.rng.getstate())
    position = Position(
        model.model(game.rules, len(game.seats)),
        rng,
        [[*map(CARD_FACES.__getitem__, game.hands[seat])] for seat in game.seats],
        [*map(CARD_FACES.__getitem__, game.draw_pile)],
        [*map(CARD_FACES.__getitem__, game.discard_pile)],
        NO_COLOR if game.color is None else int(game.color),
        game.seats.index(game.to_act),
        game.direction,
        game.pending_draw,
        int(game.pending_rank or 0),
        int(game.taken_rank or 0),
        game.drew,
        None if game.drawn_card is None else CARD_FACES[game.drawn_card],
    )
    if game.challenge:
        position.suspect = game.seats.index(game.challenge.seat)
        position.guilty = game.challenge.guilty
        position.old_color = COLOR_OF[CARD_FACES[game.discard_pile[-2]]]
    position.silent = game.silent_passes
    return position


def state_of(position: Position) -> list[object]:
    """All that decides how it goes on; equal cards are interchangeable."""
    return [
        [sorted(hand) for hand in position.hands],
        position.pile,
        position.discard,
        position.gone,
        *(position.color, position.place, position.step, position.silent),
        *(position.pending, position.pending_rank, position.taken_rank),
        *(position.drew, position.drawn),
        position.suspect is not None and (position.suspect, position.guilty),
    ]


def option_of(game: Game, move: Move) -> Option:
    if isinstance(move, Play):
        face = CARD_FACES[move.cards[0]]
        return face * COLORS + int(COLOR_OF[face] if move.color is None else move.color)
    return model.TAKE if move == DRAW and game.pending_draw else OTHER[move]


def follow(rules: Rules, chance: Random, moves: int) -> int:
    """Make up to *moves* random moves in both; return how many there were."""
    seats = [Seat(n) for n in range(chance.choice((2, 2, 3, 5)))]
    game, _ = Game.start(seats, rng=Random(chance.random()), rules=rules)
    for made in range(moves):
        seat = game.to_act
        if seat is None or game.round > 1:
            return made
        if game.phase is Phase.COLOR:
            game.choose_color(seat, chance.choice(list(Color)))
            continue
        position = position_of(game)
        legal = [m for m in game.legal_moves(seat) if m != PASS_TURN or game.drew]
        legal = [m for m in legal if not isinstance(m, Play) or len(m.cards) == 1]
        if not legal:
            game.pass_turn(seat)  # nothing is left to draw
            continue
        expected = {option_of(game, move) for move in legal}
        options = position.options()
        assert len(options) == len(set(options))
        if game.can_draw:
            assert set(options) == expected
        move = chance.choice(legal)
        position.apply(option_of(game, move))
        game.act(seat, move)
        if game.over or game.round > 1:
            assert position.winner is not None
        else:
            assert position.winner is None
            assert state_of(position) == state_of(position_of(game))
    return moves


@pytest.mark.parametrize("preset", PRESETS)
def test_it_goes_the_way_of_the_engine(preset: str) -> None:
    made = sum(follow(PRESETS[preset], Random(seed), 80) for seed in range(10))
    assert made > 300


@pytest.mark.parametrize(
    "rules",
    [
        "d2_on_wd4,wd4_on_wd4,wild_on_pending",
        "sterning,skip_on_d2=next,challenge",
        "draw_if_none=until_playable,pass=automatic,drawn_card=forced,voluntary_draw=off",
        "seven_zero,reverse_with_two=inert,last_card=number",
        "challenge=off,wd4_bluff=off,wd4_legal_if=no_other",
        "challenge=off,wd4_bluff=off,wd4_legal_if=free,first_card=no_effect",
        "wd4_on_wd4,challenge_target=first,guilty_draws=pending,first_card=effect",
        "hand_size=1,max_players=5,last_card=number",
    ],
)
def test_it_follows_single_rules(rules: str) -> None:
    assert sum(follow(parse_rules(rules), Random(seed), 60) for seed in range(8)) > 60


def test_it_follows_any_rules() -> None:
    chance = Random(5)
    for _ in range(30):
        rules = random_rules(chance).with_overrides(jump_in=False, target=0)
        follow(rules, chance, 50)


def compare_scores(game: Game, seat: Seat) -> int:
    """Hold the fast model's view of *seat*'s moves to the player's; return how many there are."""
    seen, position = game.observe(seat), position_of(game)
    options = position.options()
    scores = dict(zip(options, map(TWO.score, position.rows(options)), strict=True))
    expected = dict(
        zip((option_of(game, move) for move in seen.moves), evaluate(seen), strict=True)
    )
    both = scores.keys() & expected.keys()
    assert {o: scores[o] for o in both} == pytest.approx({o: expected[o] for o in both})
    return len(both)


@pytest.mark.parametrize("preset", ["cuciolo", "zh2", "mattel"])
def test_it_describes_moves_as_the_player_sees_them(preset: str) -> None:
    """`tools/tune_uno.py` learns from what the fast model sees, and `strong` plays by it."""
    chance, compared, suspected = Random(11), 0, 0
    for seed in range(30):
        game, _ = Game.start([Seat(0), Seat(1)], rng=Random(seed), rules=PRESETS[preset])
        for _ in range(60):
            seat = game.to_act
            if seat is None or game.round > 1:
                break
            if game.phase is not Phase.COLOR and len(game.hands[seat]) > 1:
                compared += compare_scores(game, seat)
                suspected += game.challenge is not None
            game.act(seat, chance.choice(game.legal_moves(seat)))
    assert compared > 300
    assert suspected or not PRESETS[preset].challenge


def test_a_round_in_which_nobody_can_do_anything_ends_the_game() -> None:
    hand = [CODE_FACES["B1"]]
    position = Position(
        model.model(PRESETS["cuciolo"], 2), Random(1), [hand * 3, hand * 2], [], [0], Color.RED
    )
    position.discard = [CODE_FACES["R9"]]
    for _ in range(2):
        position.apply(model.DRAW)
        assert position.options() == [model.PASS]
        position.apply(model.PASS)
    assert position.winner == 1


def test_pairs_are_played_as_a_first_move() -> None:
    r2, b1 = CODE_FACES["RD2"], CODE_FACES["B1"]
    position = Position(
        model.model(PRESETS["sterning"], 2),
        Random(1),
        [[r2, r2, b1], [b1]],
        [b1] * 9,
        [CODE_FACES["R9"]],
        Color.RED,
    )
    position.play(r2, Color.RED, copies=2)
    assert (position.pending, position.pending_rank) == (4, Rank.DRAW_TWO)
    assert position.discard[1:] == [r2, r2]
    assert position.gone[0] == [0, 0, 3, 0, 0]
