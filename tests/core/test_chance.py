from __future__ import annotations

import copy
import hashlib
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebot.chance import Chance, commitment, draw_key

KEY = bytes(range(32))
SEED = bytes(range(100, 132))
VECTORS = {
    "key": "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049",
    "dice": [4, 1, 3, 6, 1, 2, 3, 5, 5, 6, 1, 5, 2, 6, 5, 4, 5, 1, 2, 5],
    "shuffle": [8, 1, 0, 7, 5, 11, 10, 4, 3, 6, 9, 2],
    "sample": [99, 80, 69, 18, 90],
    "ranges": [45, 605, 171, 122],
    "choice": "dabgdb",
    "bits": 1113310934813743839366453953423,
    "random": 0.9052857346320181,
    "position": 67,
}
DRAWS = {
    "die": lambda rng: rng.die(),
    "bits": lambda rng: rng.getrandbits(100),
    "random": lambda rng: rng.random(),
    "below": lambda rng: rng.randbelow(1000),
    "range": lambda rng: rng.randrange(3, 99, 4),
    "sample": lambda rng: rng.sample(range(20), 5),
    "shuffle": lambda rng: shuffled(rng, 13),
    "gauss": lambda rng: rng.gauss(),
    "choices": lambda rng: rng.choices("abc", k=3),
}


def shuffled(rng: Chance, size: int) -> list[int]:
    deck = list(range(size))
    rng.shuffle(deck)
    return deck


def words(key: bytes, blocks: int) -> list[int]:
    """The stream as the module documents it, written independently."""
    stream = b"".join(hashlib.sha256(key + i.to_bytes(8, "big")).digest() for i in range(blocks))
    return [int.from_bytes(stream[i : i + 8], "big") for i in range(0, len(stream), 8)]


def test_the_stream_is_sha256_in_counter_mode():
    rng = Chance(KEY)
    assert [rng.getrandbits(64) for _ in range(12)] == words(KEY, 3)
    assert rng.position == 12


def test_fixed_vectors():
    """These values may never change: they would break games that are stored or were verified."""
    rng = Chance.from_seed("42")
    assert rng.key.hex() == VECTORS["key"]
    assert [rng.die() for _ in range(20)] == VECTORS["dice"]
    assert shuffled(rng, 12) == VECTORS["shuffle"]
    assert rng.sample(range(100), 5) == VECTORS["sample"]
    assert [rng.randrange(10, 1000, 7) for _ in range(4)] == VECTORS["ranges"]
    assert [rng.choice("abcdefg") for _ in range(6)] == list(VECTORS["choice"])
    assert rng.getrandbits(100) == VECTORS["bits"]
    assert rng.random() == VECTORS["random"]
    assert rng.position == VECTORS["position"]


@given(st.lists(st.sampled_from(sorted(DRAWS)), max_size=12), st.integers(0, 12))
def test_key_and_position_resume_the_stream_anywhere(draws, stop):
    whole = Chance(KEY)
    expected = [DRAWS[name](whole) for name in draws]
    rng = Chance(KEY)
    got = [DRAWS[name](rng) for name in draws[:stop]]
    rng = Chance(rng.key, rng.position)
    got += [DRAWS[name](rng) for name in draws[stop:]]
    assert got == expected
    assert rng.position == whole.position


@given(st.integers(0, 300), st.integers(0, 50))
def test_bits_are_the_top_of_whole_words(k, position):
    rng = Chance(KEY, position)
    value = rng.getrandbits(k)
    used = math.ceil(k / 64)
    big = 0
    for word in words(KEY, 20)[position : position + used]:
        big = big << 64 | word
    assert value == big >> (used * 64 - k)
    assert rng.position == position + used


@given(st.integers(1, 2**70), st.integers(0, 1000))
def test_below_stays_below(n, position):
    assert 0 <= Chance(KEY, position).randbelow(n) < n


def test_below_one_uses_nothing():
    rng = Chance(KEY)
    assert rng.randbelow(1) == 0
    assert rng.position == 0


def test_dice_are_even():
    """Chi-square with 5 degrees of freedom: over 20.5 has a probability of 0.001."""
    rng = Chance(KEY)
    seen = Counter(rng.die() for _ in range(60_000))
    assert sorted(seen) == [1, 2, 3, 4, 5, 6]
    assert sum((n - 10_000) ** 2 / 10_000 for n in seen.values()) < 20.5


def test_shuffles_are_even():
    """Chi-square with 23 degrees of freedom: over 49.7 has a probability of 0.001."""
    rng = Chance(KEY)
    seen = Counter(tuple(shuffled(rng, 4)) for _ in range(24_000))
    assert len(seen) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in seen.values()) < 49.7


@given(st.lists(st.integers(), max_size=40), st.data())
def test_shuffle_and_sample_keep_the_elements(items, data):
    rng = Chance(KEY, data.draw(st.integers(0, 100)))
    deck = list(items)
    rng.shuffle(deck)
    assert sorted(deck) == sorted(items)
    k = data.draw(st.integers(0, len(items)))
    assert not Counter(rng.sample(items, k)) - Counter(items)


def test_sample_counts_repeats():
    drawn = Chance(KEY).sample(["a", "b"], 5, counts=[3, 2])
    assert sorted(drawn) == ["a", "a", "a", "b", "b"]


def test_randint_and_randrange_reach_both_ends():
    rng = Chance(KEY)
    assert {rng.randint(3, 5) for _ in range(100)} == {3, 4, 5}
    assert {rng.randrange(10, 0, -5) for _ in range(100)} == {10, 5}
    assert {rng.randrange(2) for _ in range(100)} == {0, 1}
    assert all(0 <= rng.random() < 1 for _ in range(100))


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.randrange(0),
        lambda rng: rng.randrange(5, 5),
        lambda rng: rng.randrange(1, 5, 0),
        lambda rng: rng.randint(2, 1),
        lambda rng: rng.randbelow(0),
        lambda rng: rng.getrandbits(-1),
        lambda rng: rng.sample([1], 2),
        lambda rng: rng.sample([1], -1),
        lambda rng: rng.sample([1], 1, counts=[1, 2]),
    ],
)
def test_impossible_draws_are_refused_and_use_nothing(draw):
    rng = Chance(KEY)
    with pytest.raises(ValueError):
        draw(rng)
    assert rng.position == 0


def test_choosing_from_nothing_is_an_index_error():
    with pytest.raises(IndexError):
        Chance(KEY).choice([])


def test_loaded_dice_come_first_whatever_way_a_die_is_thrown():
    rng = Chance(KEY, loaded=[1, 2, 3, 4, 5])
    assert [rng.die(), rng.randrange(6), rng.randrange(0, 6), rng.randrange(1, 7)] == [1, 1, 2, 4]
    assert rng.randint(1, 6) == 5
    assert (rng.position, rng.loaded) == (0, [])
    assert rng.die() == Chance(KEY).die()


def test_loaded_dice_touch_no_other_draw():
    rng, plain = Chance(KEY, loaded=[6]), Chance(KEY)
    for name in ("shuffle", "below", "sample", "range"):
        assert DRAWS[name](rng) == DRAWS[name](plain)
    assert rng.choice("abcdef") == plain.choice("abcdef")
    assert rng.loaded == [6]


@pytest.mark.parametrize("value", [0, 7])
def test_a_loaded_die_has_six_sides(value):
    rng = Chance(KEY, loaded=[value])
    with pytest.raises(ValueError, match="loaded"):
        rng.die()
    assert rng.loaded == [value]


def test_a_copy_goes_its_own_way():
    rng = Chance(KEY, 7, [3])
    twin = copy.deepcopy(rng)
    assert [twin.die(), twin.die()] == [rng.die(), rng.die()]
    assert twin.position == rng.position
    twin.die()
    assert twin.position != rng.position


def test_state_can_be_taken_and_given_back():
    rng = Chance(KEY, 3, [5])
    state = rng.getstate()
    first = [rng.die(), rng.random()]
    rng.setstate(state)
    assert [rng.die(), rng.random()] == first
    with pytest.raises(NotImplementedError):
        rng.seed(1)


def test_the_key_is_not_shown():
    assert repr(Chance(KEY, 4)) == "<Chance position=4>"


def test_a_negative_position_is_refused():
    with pytest.raises(ValueError, match="position"):
        Chance(KEY, -1)


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_draw_key_is_the_documented_hash():
    data = SEED + b"\0\0\0\x02g1" + b"\0\0\0\x05hallo" + "\0\0\0\x04kö!".encode()
    assert draw_key(SEED, "g1", ["hallo", "kö!"]) == hashlib.sha256(data).digest()


def test_every_part_of_the_draw_key_counts():
    keys = {
        draw_key(SEED, "g1"),
        draw_key(SEED, "g1", [""]),
        draw_key(SEED, "g2"),
        draw_key(bytes(32), "g1"),
        draw_key(SEED, "g1", ["ab", "c"]),
        draw_key(SEED, "g1", ["a", "bc"]),
        draw_key(SEED, "g1", ["c", "ab"]),
        draw_key(SEED, "g1ab", ["c"]),
    }
    assert len(keys) == 8


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_has_256_bits(size):
    with pytest.raises(ValueError, match="seed"):
        commitment(bytes(size))
    with pytest.raises(ValueError, match="seed"):
        draw_key(bytes(size), "g1")
