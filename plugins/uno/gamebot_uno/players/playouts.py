"""Play a game of faces on, quickly, by a coarse form of the evaluation."""

from __future__ import annotations

from attrs import frozen

from gamebot_uno.engine.cards import WILD_DRAW_FOUR_FACE, WILD_FACE
from gamebot_uno.players.evaluation import (
    COLOR_OF,
    COLORS,
    DANGERS,
    FACE_POINTS,
    FEATURES,
    KIND_OF,
    KINDS,
    NO_COLOR,
    TAKES_TURN,
    Weights,
)
from gamebot_uno.players.model import Position
from gamebot_uno.players.value import Value

_POINTS, _SAME_COLOR = FEATURES.index("points"), FEATURES.index("same_color")
_BLUFF, _HONEST = KINDS.index("bluff"), KINDS.index("wild_draw_four")


@frozen
class Habit:
    """How playouts are played: what each face is worth, and each card that follows it.

    It plays what it can, draws and takes otherwise, and never challenges.

    Attributes:
        faces: Worth of each face, by danger.
        same_color: Worth of the share of its colour in the rest of the hand, by danger and face.
        bluff: What a bluff is worth more than an honest Wild Draw Four, by danger.
    """

    faces: tuple[tuple[float, ...], ...]
    same_color: tuple[tuple[float, ...], ...]
    bluff: tuple[float, ...]

    @classmethod
    def of(cls, weights: Weights) -> Habit:
        """Take what matters most from *weights*."""
        faces, same_color, bluff = [], [], []
        for danger in range(DANGERS):
            bases = weights.base[danger * len(KINDS) : (danger + 1) * len(KINDS)]
            slopes = [weights.slopes[danger * 2 + takes] for takes in TAKES_TURN]
            faces.append(
                tuple(
                    bases[kind] + slope[_POINTS] * points
                    for kind, slope, points in zip(KIND_OF, slopes, FACE_POINTS, strict=True)
                )
            )
            same_color.append(tuple(slope[_SAME_COLOR] for slope in slopes))
            bluff.append(bases[_BLUFF] - bases[_HONEST])
        return cls(tuple(faces), tuple(same_color), tuple(bluff))

    def best(self, position: Position, faces: list[int]) -> tuple[int, int]:
        """Return which of *faces* to play, and its colour."""
        hand, following = position.hands[position.place], position.following()
        danger = min(len(position.hands[following]), DANGERS) - 1
        held = [0] * COLORS
        for face in hand:
            held[COLOR_OF[face]] += 1
        most = max(held[:NO_COLOR])
        favourite = held.index(most)
        per = 1 / max(1, len(hand) - 1)
        worth, slopes = self.faces[danger], self.same_color[danger]
        best, best_worth = faces[0], float("-inf")
        for face in faces:
            same = most if face >= WILD_FACE else held[COLOR_OF[face]] - 1
            total = worth[face] + slopes[face] * same * per
            if face == WILD_DRAW_FOUR_FACE and held[position.color]:
                total += self.bluff[danger]
            if total > best_worth:
                best, best_worth = face, total
        return best, favourite if best >= WILD_FACE else COLOR_OF[best]

    def move(self, position: Position) -> None:
        """Make the next move."""
        faces = position.playable()
        if not faces:
            position.give_up()
        elif len(faces) == 1 and faces[0] < WILD_FACE:
            position.play(faces[0], COLOR_OF[faces[0]])
        else:
            position.play(*self.best(position, faces))


def finish(position: Position, habit: Habit, place: int) -> float:
    """Play *position* to its end; return 1 if *place* wins, 0 if not."""
    while position.winner is None:
        habit.move(position)
    return float(position.winner == place)


def look_ahead(
    position: Position, habit: Habit, place: int, value: Value, turns: int, errs: float = 0.0
) -> float:
    """Play *turns* turns of a game between two; return the chance that *place* wins then.

    Args:
        position: Where to begin; it is played on.
        habit: How both play.
        place: Whose chance is asked for.
        value: Of the position at the end.
        turns: How many turns, fewer if the game ends.
        errs: Share of moves in which the other one plays whatever fits.
    """
    chance = position.rng.random
    while position.winner is None:
        if not position.drew:
            if not turns:
                won = value.chance(position)
                return won if position.place == place else 1 - won
            turns -= 1
        if errs and position.place != place and chance() < errs:
            any_move(position)
        else:
            habit.move(position)
    return float(position.winner == place)


def any_move(position: Position) -> None:
    """Play a card that fits, whichever, a wild in whatever colour; give up without one."""
    faces, chance = position.playable(), position.rng.random
    if not faces:
        position.give_up()
        return
    face = faces[int(chance() * len(faces))]
    position.play(face, int(chance() * NO_COLOR) if face >= WILD_FACE else COLOR_OF[face])
