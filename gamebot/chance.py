"""Chance that can be stored in two fields, resumed exactly and verified by the players.

The stream is a sequence of 64-bit words, numbered from 0. Word *i* is the big-endian integer at
bytes `8 * (i % 4)` to `8 * (i % 4) + 7` of `SHA-256(key || i // 4 as 8 bytes, big-endian)`.
`Chance.position` is the number of the next unused word, and every draw uses whole words, so
`Chance(key, position)` goes on where another one with these two values stands.

How draws use the stream (all that is needed to check a game in another language):

- *k* bits: the top *k* bits of the next `ceil(k / 64)` words, read as one big-endian number.
- A number below *n*: as many bits as `n - 1` has; while the result is *n* or more, again.
  Below 1 is 0 and uses nothing.
- `die()`: a number below 6, plus 1.
- `shuffle`: for *i* from the last position down to 1, swap with position "a number below i + 1".
- `sample(k)`: for *i* from 0 to k - 1, swap with position "i + a number below n - i"; the first
  *k* are the sample.
- `random()`: 53 bits divided by 2**53.
"""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Iterable, MutableSequence, Sequence
from random import Random
from typing import Any, NoReturn, SupportsIndex, TypeVar

T = TypeVar("T")

#: Bytes of a seed and of a key.
SEED_BYTES = 32

_WORDS_PER_BLOCK = 4
_WORD_BITS = 64
_BLOCK = struct.Struct(">4Q")
_COUNTER = struct.Struct(">Q")
_DIE_SIDES = 6


class Chance(Random):
    """A `random.Random` over SHA-256 in counter mode.

    Everything documented above is the same on every Python version. The distributions that are
    inherited (`gauss`, `choices`, ...) draw from the same stream through `random()`.

    Args:
        key: Key of the stream, 32 bytes for a game's draw key.
        position: Number of words already used.
        loaded: Results of the next dice, 1-6. While there are some, `die()`, `randrange(6)`,
            `randrange(1, 7)` and `randint(1, 6)` take from its front and leave the stream
            alone; shuffles and other draws never do. For tests and transcripts.

    Attributes:
        key: As given; never shown by `repr`.
        position: Number of the next unused word: store it with the key to resume.
        loaded: What is left of the loaded dice.
    """

    def __new__(cls, key: bytes, position: int = 0, loaded: Iterable[int] = ()) -> Chance:
        """Make the object without handing *key* to the Mersenne Twister underneath."""
        del key, position, loaded
        return super().__new__(cls)

    def __init__(self, key: bytes, position: int = 0, loaded: Iterable[int] = ()) -> None:
        if position < 0:
            raise ValueError(f"position must not be negative, got {position}")
        self.key = bytes(key)
        self.position = position
        self.loaded = list(loaded)
        self._block_number = -1
        self._block: tuple[int, ...] = ()

    @classmethod
    def from_seed(cls, text: str) -> Chance:
        """Start the stream that belongs to *text* (the `%seed` of a transcript)."""
        return cls(hashlib.sha256(text.encode()).digest())

    def __repr__(self) -> str:
        return f"<Chance position={self.position}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.key, self.position, tuple(self.loaded))

    def seed(self, *_args: object, **_kwargs: object) -> NoReturn:
        """Refuse: a stream is named by its key; make another `Chance`."""
        raise NotImplementedError("a Chance cannot be reseeded; make another one")

    def getstate(self) -> tuple[Any, ...]:
        """Return `(key, position, loaded dice)`."""
        return self.key, self.position, tuple(self.loaded)

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go to what `getstate` of a `Chance` returned."""
        self.key, self.position, loaded = state
        self.loaded = list(loaded)
        self._block_number = -1

    def getrandbits(self, k: int, /) -> int:
        """Return *k* random bits, using `ceil(k / 64)` words."""
        if k <= 0:
            if k < 0:
                raise ValueError("number of bits must be non-negative")
            return 0
        if k <= _WORD_BITS:
            return self._next_word() >> (_WORD_BITS - k)
        words = -(-k // _WORD_BITS)
        value = 0
        for _ in range(words):
            value = value << _WORD_BITS | self._next_word()
        return value >> (words * _WORD_BITS - k)

    def random(self) -> float:
        """Return a multiple of 2**-53 in [0, 1), using one word."""
        return (self._next_word() >> 11) * 2.0**-53

    def randbelow(self, n: int) -> int:
        """Return an unbiased number from 0 to *n* - 1, by rejection.

        Raises:
            ValueError: *n* is not positive.
        """
        if n <= 0:
            raise ValueError(f"cannot draw a number below {n}")
        bits = (n - 1).bit_length()
        value = self.getrandbits(bits)
        while value >= n:
            value = self.getrandbits(bits)
        return value

    _randbelow = randbelow  # what methods inherited from Random would call

    def die(self) -> int:
        """Throw one die: 1-6, the next loaded result if there is one."""
        if self.loaded:
            return self._take_loaded()
        return self.randbelow(_DIE_SIDES) + 1

    def randrange(
        self, start: SupportsIndex, stop: SupportsIndex | None = None, step: SupportsIndex = 1
    ) -> int:
        """Choose from `range(start, stop, step)`; `randrange(6)` and `randrange(1, 7)` are dice."""
        first = operator.index(start)
        values = (
            range(first)
            if stop is None
            else range(first, operator.index(stop), operator.index(step))
        )
        if not values:
            raise ValueError(f"{values} is empty")
        if self.loaded and values in (range(_DIE_SIDES), range(1, _DIE_SIDES + 1)):
            return values[self._take_loaded() - 1]
        return values[self.randbelow(len(values))]

    def randint(self, a: int, b: int) -> int:
        """Choose from *a* to *b*, both included; `randint(1, 6)` is a die."""
        return self.randrange(a, b + 1)

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]  # typeshed's private protocol
        """Choose an element.

        Raises:
            IndexError: *seq* is empty.
        """
        if not len(seq):
            raise IndexError("cannot choose from an empty sequence")
        return seq[self.randbelow(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates, from the end)."""
        for last in range(len(x) - 1, 0, -1):
            other = self.randbelow(last + 1)
            x[last], x[other] = x[other], x[last]

    def sample(
        self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None
    ) -> list[T]:
        """Draw *k* different positions of *population*, in the order drawn.

        Args:
            population: What to draw from.
            k: How many.
            counts: How often each element is there; once by default.

        Raises:
            ValueError: *k* is negative or larger than the population.
        """
        if counts is None:
            pool = list(population)
        else:
            pool = [item for item, n in zip(population, counts, strict=True) for _ in range(n)]
        if not 0 <= k <= len(pool):
            raise ValueError(f"cannot draw {k} of {len(pool)}")
        for index in range(k):
            other = index + self.randbelow(len(pool) - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:k]

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return `normalvariate`: the inherited method would keep a third, hidden field."""
        return self.normalvariate(mu, sigma)

    def _next_word(self) -> int:
        number, index = divmod(self.position, _WORDS_PER_BLOCK)
        if number != self._block_number:
            self._block = _BLOCK.unpack(hashlib.sha256(self.key + _COUNTER.pack(number)).digest())
            self._block_number = number
        self.position += 1
        return self._block[index]

    def _take_loaded(self) -> int:
        value = self.loaded[0]
        if not 1 <= value <= _DIE_SIDES:
            raise ValueError(f"a loaded die must show 1-6, not {value}")
        del self.loaded[0]
        return value


def commitment(seed: bytes) -> str:
    """Return what is shown before the game: SHA-256 of the 32-byte *seed*, in hexadecimal."""
    _check_seed(seed)
    return hashlib.sha256(seed).hexdigest()


def draw_key(seed: bytes, game_id: str, words: Iterable[str] = ()) -> bytes:
    """Return the key of a game's `Chance`: SHA-256 over the seed, the game and the words.

    Hashed are the 32 bytes of *seed*, then *game_id* and each of *words*, each as UTF-8 with its
    length in bytes before it (4 bytes, big-endian); so no two lists of words give the same input.

    Args:
        seed: The operator's 256-bit secret, see `commitment`.
        game_id: Identity of the game.
        words: What players added, in order.
    """
    _check_seed(seed)
    digest = hashlib.sha256(seed)
    for text in (game_id, *words):
        data = text.encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
