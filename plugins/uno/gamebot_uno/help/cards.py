"""What the cards are and do, for help and guides; what goes without saying has no sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamebot import Rows
from gamebot_uno.engine.cards import FACE_RANKS, FACES, WILD_FACE, Color, Rank, cards_of_face
from gamebot_uno.engine.choices import (
    AfterTakenDrawTwo,
    ChallengeTarget,
    GuiltyDraws,
    HandReveal,
    ReverseWithTwo,
    SkipOnD2,
    Wd4LegalIf,
)
from gamebot_uno.help.house import House

COLORS = {
    Color.BLUE: "blue",
    Color.GREEN: "green",
    Color.RED: "red",
    Color.YELLOW: "yellow",
}
SKIPS = {
    SkipOnD2.NEXT_BUT_ONE: "A Skip of its colour, such as {skip}, hands them to the next but one.",
    SkipOnD2.NEXT: "A Skip of its colour, such as {skip}, hands them on.",
}
AFTER_TAKEN = {
    AfterTakenDrawTwo.COLOR: "When {d2} has been taken, only its colour or {wd4} goes on it.",
    AfterTakenDrawTwo.COLOR_OR_WILD: (
        "When {d2} has been taken, only its colour or a wild goes on it."
    ),
}
LEGAL = {
    Wd4LegalIf.NO_COLOR: "{wd4} is for hands without a card of the colour that counts.",
    Wd4LegalIf.NO_COLOR_OR_ANSWER: (
        "{wd4} is for hands without a card of the colour that counts, and for answers."
    ),
    Wd4LegalIf.NO_OTHER: "{wd4} is for hands of which no other card fits.",
}
GUILTY = {
    GuiltyDraws.FOUR: "If it was one, its player draws the four cards, and the doubter plays.",
    GuiltyDraws.PENDING: "If it was one, its player draws the whole sum, and the doubter plays.",
}


def deck(house: House) -> Rows:
    """List the cards: how they are written, how many there are, what they do."""
    t = house.voice.t
    if house.rules.reverse_with_two is ReverseWithTwo.SKIP:
        reverse = t("Reverse: the order of turns changes; between two players it is a Skip")
    else:
        reverse = t("Reverse: the order of turns changes; between two players nothing happens")
    wild = t(
        "Wild: you call the colour that counts, as in {example}",
        example=house.written("J", color=Color.BLUE),
    )
    wd4 = t("Wild Draw Four: a Wild, and the next player draws four and loses the turn")
    return Rows(
        head=(t("card"), t("how many"), t("meaning")),
        rows=(
            (
                " ".join(house.voice.typed(f"{house.letters.colors[c]}0-9") for c in Color),
                _count(house, *range(Rank.SKIP)),
                t("numbers"),
            ),
            _row(house, Rank.SKIP, t("Skip: the next player loses the turn")),
            _row(house, Rank.REVERSE, reverse),
            _row(
                house,
                Rank.DRAW_TWO,
                t("Draw Two: the next player draws two and loses the turn"),
            ),
            _row(house, Rank.WILD, wild),
            _row(house, Rank.WILD_DRAW_FOUR, wd4),
        ),
    )


def _count(house: House, *ranks: int) -> str:
    cards = [c for face in FACES for c in cards_of_face(face, 1) if FACE_RANKS[face] in ranks]
    return str(len(cards) * house.rules.decks)


def _row(house: House, rank: Rank, meaning: str) -> tuple[str, str, str]:
    faces = [face for face in FACES if FACE_RANKS[face] is rank]
    shown = " ".join(house.voice.typed(house.letters.show(face)) for face in faces)
    return shown, _count(house, rank), meaning


def cards(house: House) -> Iterator[Iterable[str]]:
    """Tell what the letters mean, and what answers the cards that make others draw."""
    yield _letters(house)
    yield _draw_two(house)
    yield _draw_four(house)
    yield _challenge(house)


def _letters(house: House) -> Iterator[str]:
    t = house.voice.t
    yield t(
        "Colours: {colors}.",
        colors=[
            f"{house.voice.typed(house.letters.colors[color])} {t(name)}"
            for color, name in COLORS.items()
        ],
    )
    yield t("Capitals or not, as you like.")
    yield t(
        "A wild's colour may be glued on, or called afterwards: {glued}, or {wild} and then "
        "{color}.",
        glued=house.voice.typed(
            house.letters.show(WILD_FACE) + house.letters.colors[Color.BLUE],
        ),
        wild=house.values["wild"],
        color=house.voice.typed(house.letters.colors[Color.BLUE]),
    )


def _draw_two(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.t
    if not chosen.draw_two_can_be_answered:
        yield t("Nothing answers {d2}: the cards are drawn at once.")
    else:
        yield t("Whoever faces {d2} takes the cards with {draw}, or answers.")
    if chosen.d2_on_d2:
        yield t("Another {d2} of any colour adds its own and hands them on.")
    if chosen.wd4_on_d2:
        yield t("{wd4} does so too.")
    if chosen.wild_on_pending:
        yield t("{wild} hands them on.")
    if chosen.reverse_on_d2:
        yield t("A Reverse of its colour, such as {reverse}, hands them back.")
    if chosen.skip_on_d2 in SKIPS:
        yield t(SKIPS[chosen.skip_on_d2])
    if chosen.after_taken_draw_two in AFTER_TAKEN:
        yield t(AFTER_TAKEN[chosen.after_taken_draw_two])
    if not chosen.wild_on_taken_draw:
        yield t("{wild} never goes on {d2} or {wd4}, not even when the cards have been taken.")


def _draw_four(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.t
    if chosen.wd4_is_free:
        yield t("{wd4} may be played at any time.")
    elif chosen.wd4_legal_if in LEGAL:
        yield t(LEGAL[chosen.wd4_legal_if])
        if chosen.wd4_bluff:
            yield t("Playing it all the same is a bluff.")
        else:
            yield t("Otherwise it is refused.")
    if chosen.wd4_on_wd4:
        yield t("Another {wd4} adds its own and hands the cards on.")
    if chosen.d2_on_wd4:
        yield t("{d2} on it adds its own and hands the cards on.")


def _challenge(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.t
    if not chosen.challenge:
        yield t("Whoever faces {wd4} takes the cards with {ok}.")
        return
    yield t("Whoever faces {wd4} takes the cards with {ok}, or suspects a bluff with {challenge}.")
    yield t(GUILTY[chosen.guilty_draws])
    yield house.voice.n(
        "If not, the doubter draws {n} card more.",
        "If not, the doubter draws {n} cards more.",
        chosen.innocent_extra,
    )
    if chosen.hand_reveal is HandReveal.CHALLENGER:
        yield t("The doubter sees the hand in question.")
    else:
        yield t("Only the bot sees the hand in question.")
    if chosen.wd4_on_wd4 and chosen.challenge_target is ChallengeTarget.FIRST:
        yield t("Of several {wd4} the first one counts.")
