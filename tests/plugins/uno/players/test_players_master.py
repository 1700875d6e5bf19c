from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from gamebot_uno.engine.cards import CARD_FACES, CODES, Color, Rank
from gamebot_uno.engine.game import Game, Seat
from gamebot_uno.engine.moves import CHALLENGE, DRAW, ChooseColor, Move, Play
from gamebot_uno.players import greedy, master, strong
from gamebot_uno.players.master import Hidden, candidates
from gamebot_uno.players.playouts import Habit, finish, look_ahead
from gamebot_uno.players.value import FEATURES, LARGE, LARGEST
from gamebot_uno.players.value_weights import VALUE
from gamebot_uno.players.weights import TWO
from uno_table import ALDO, BEA, DULL, Table

NewTable = Callable[..., Table]


def choice(t: Table, seat: Seat = ALDO, playouts: int = 40) -> Move:
    return master.choose(t.game.observe(seat), Random(1), playouts)


def card(move: Move) -> str:
    assert isinstance(move, Play)
    return " ".join(CODES[card] for card in move.cards)


def test_it_repeats_itself(table: NewTable) -> None:
    observation = table("R1 RS V9 B9 J", DULL[1]).game.observe(ALDO)
    assert len({master.choose(observation, Random(3), 60) for _ in range(3)}) == 1


def test_unseen_cards_are_dealt_out_by_the_counts(table: NewTable) -> None:
    t = table("R1 R2 V3", *DULL[1:3], deck="R9")
    observation = t.game.observe(ALDO)
    dealt = Counter()
    for position in Hidden.of(observation).deals(50, Random(1)):
        assert [len(hand) for hand in position.hands] == [3, 3, 3]
        assert position.hands[0] == [CARD_FACES[card] for card in observation.hand]
        assert len(position.pile) == observation.draw_pile
        cards = [*position.pile, *position.discard, *(f for h in position.hands for f in h)]
        assert Counter(cards) == Counter(CARD_FACES[:108])
        dealt.update(position.hands[1])
    assert len(dealt) > 30, "every card may be there"


def test_cards_of_leavers_are_nowhere(table: NewTable) -> None:
    t = table("R1 R2 V3", *DULL[1:3], deck="R9")
    t.game.leave(Seat(2))
    position = next(Hidden.of(t.game.observe(ALDO)).deals(1, Random(1)))
    assert len(position.pile) == len(t.game.draw_pile)
    assert [len(hand) for hand in position.hands] == [3, 3]


def test_equal_cards_are_tried_once_and_few_moves_at_all(table: NewTable) -> None:
    tried = candidates(table("R1 R1 V9 J JD4", DULL[1]).game.observe(ALDO))
    assert len(tried) <= master.MOST_MOVES
    assert [card(c.move) for c in tried if isinstance(c.move, Play)].count("R1") <= 1
    assert tried[0].prior == 0
    assert all(c.prior >= -master.FAR for c in tried)


def test_it_leaves_bluffs_and_colours_to_the_evaluation(table: NewTable) -> None:
    t = table("JD4 B1 V2", DULL[1])
    t.play(ALDO, "JD4", "B")
    observation = t.game.observe(BEA)
    assert choice(t, BEA) == strong.choose(observation, Random(1))
    assert choice(t, BEA) in {DRAW, CHALLENGE}
    t = table("J V1 V2 B3", DULL[1])
    t.play(ALDO, "J")
    assert choice(t) == ChooseColor(Color.GREEN)


def test_it_keeps_the_turn_to_go_out(table: NewTable) -> None:
    assert card(choice(table("R3 RS", "B1 B2"))) == "RS"
    move = choice(table("R3 RS", "B1 B2"))
    assert isinstance(move, Play)
    assert move.said_uno


@pytest.mark.parametrize("pending", ["RD2", "VD2"])
def test_it_answers_a_pending_sum(table: NewTable, pending: str) -> None:
    t = table("RD2 VD2 R1 B1", "BD2 GD2 V2", deck="R9")
    if pending == "VD2":
        t.game.color = Color.GREEN
    t.play(ALDO, pending)
    position = next(Hidden.of(t.game.observe(BEA)).deals(1, Random(1)))
    assert (position.pending, position.pending_rank) == (2, Rank.DRAW_TWO)
    assert card(choice(t, BEA)).endswith("D2")


def test_pairs_are_tried(table: NewTable) -> None:
    t = table("R5 R5 R7 V1", DULL[1], rules="sterning")
    moves = [c.move for c in candidates(t.game.observe(ALDO))]
    assert any(isinstance(move, Play) and len(move.cards) == 2 for move in moves)
    assert choice(t) in [*moves, *t.game.legal_moves(ALDO)]


@pytest.mark.parametrize(("hands", "playouts"), [(2, "PLAYOUTS"), (3, "PLAYOUTS_TO_THE_END")])
def test_it_plays_the_usual_number_of_playouts_unless_told(
    table: NewTable, monkeypatch: pytest.MonkeyPatch, hands: int, playouts: str
) -> None:
    asked = []
    monkeypatch.setattr(master, playouts, 7)
    monkeypatch.setattr(
        master, "search", lambda _, tried, rng, playouts: asked.append(playouts) or tried[0].move
    )
    master.choose(table("R1 R2 V9 BS", *DULL[1:hands]).game.observe(ALDO), Random(1))
    assert asked == [7]


def test_what_is_left_to_the_evaluation_cannot_be_tried(table: NewTable) -> None:
    position = next(Hidden.of(table("R1 R2", DULL[1]).game.observe(ALDO)).deals(1, Random(1)))
    before = position.copy()
    with pytest.raises(TypeError, match="Challenge"):
        master.make(position, CHALLENGE)
    assert (position.hands, position.discard, position.place) == (
        before.hands,
        before.discard,
        before.place,
    )


def test_larger_tables_are_played_to_the_end(table: NewTable) -> None:
    t = table("R1 R2 V9 BS", *DULL[1:])
    assert choice(t, playouts=12) in t.game.legal_moves(ALDO)


def test_playouts_end() -> None:
    habit = Habit.of(TWO)
    for seed in range(20):
        game, _ = Game.start([Seat(0), Seat(1)], rng=Random(seed))
        assert game.to_act is not None
        position = next(Hidden.of(game.observe(game.to_act)).deals(1, Random(seed)))
        chances = [look_ahead(position.copy(), habit, p, VALUE, 4) for p in (0, 1)]
        assert sum(chances) == pytest.approx(1)
        assert {finish(position.copy(), habit, p) for p in (0, 1)} == {0.0, 1.0}
        assert position.winner is None, "copies go their own way"


def test_fewer_cards_are_better() -> None:
    assert [len(VALUE.sizes), len(VALUE.sizes[0])] == [LARGEST, LARGEST]
    assert {len(row) for row in (*VALUE.mine, *VALUE.other)} == {len(FEATURES)}
    assert len(VALUE.mine) == len(VALUE.other) == len(VALUE.pending) == LARGE
    chances = {}
    for cards, other in ((2, 7), (7, 2)):
        game, _ = Game.start([Seat(0), Seat(1)], rng=Random(1), starter=Seat(0))
        del game.hands[Seat(0)][cards:], game.hands[Seat(1)][other:]
        position = next(Hidden.of(game.observe(Seat(0))).deals(1, Random(1)))
        chances[cards] = VALUE.chance(position)
    assert chances[2] > 0.6 > 0.4 > chances[7]


def test_it_beats_greedy() -> None:
    """Smoke only: `docs/uno-players.md` has the figures."""
    won = 0
    for number in range(40):
        game, _ = Game.start([Seat(0), Seat(1)], rng=Random(f"master {number // 2}"))
        rng, me = Random(number), number % 2
        while (seat := game.to_act) is not None:
            observation = game.observe(seat)
            if seat == me:
                game.act(seat, master.choose(observation, rng, 40))
            else:
                game.act(seat, greedy.choose(observation, rng))
        won += game.winner == me
    assert won >= 18
