"""What help and guides say of Kniffel, from the rules' numbers and the channel's settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gamebot import Block, Fixed, Rows, Sample, Voice
from gamebot_kniffel.engine.rules import DICE, ROLLS, ROUNDS
from gamebot_kniffel.engine.scoring import (
    FULL_HOUSE_POINTS,
    LARGE_STRAIGHT_POINTS,
    LOWER_SECTION,
    SMALL_STRAIGHT_POINTS,
    UPPER_BONUS,
    UPPER_BONUS_FROM,
    UPPER_SECTION,
    YAHTZEE_BONUS,
    YAHTZEE_POINTS,
    Category,
)
from gamebot_kniffel.texts import code

ABOUT = (
    "Kniffel is the German Yahtzee: five dice, and a scorecard whose boxes are filled one by one."
)

#: A full house in three lines of one player, then the next one's turn.
SAMPLE = Sample(
    lines=(
        ("anna", "join", ""),
        ("bert", "join", ""),
        ("anna", "start", ""),
        ("anna", "roll", ""),
        ("anna", "roll", "1 4"),
        ("anna", "list", ""),
        ("anna", "list", "FH"),
        ("bert", "roll", ""),
    ),
    fixed=Fixed(dice=(1, 5, 3, 2, 5, 3, 5, 2, 6, 4, 6, 1)),
)

#: The options of the rules and what each of them does.
OPTIONS = {
    "joker": "a further Kniffel counts as a full house and as either straight",
    "bonus_once": "only the first further Kniffel of a player earns the extra points",
    "bonus_in_upper": "a further Kniffel earns the extra points in the boxes 1 to 6 too",
    "first_roll_only": "the clock asks for the first roll of a turn only",
}

_PATTERNS = (Category.FULL_HOUSE, Category.SMALL_STRAIGHT, Category.LARGE_STRAIGHT)
_UPPER = f"{UPPER_SECTION[0]}-{UPPER_SECTION[-1]}"


def topics(voice: Voice) -> Mapping[str, Sequence[Block]]:
    """Explain the game in the order of the rule document."""
    return {
        "rules": rules(voice),
        "boxes": [boxes(voice)],
        "scoring": scoring(voice),
        "options": [options(voice)],
    }


def rules(voice: Voice) -> list[str]:
    """Tell how a game goes."""
    t, how = voice.t, voice.how
    return [
        t(
            "{rounds} rounds with {dice} dice, up to {rolls} rolls in each: {roll} throws all of "
            "them, {again} throws the first and the fourth again, the others stay.",
            rounds=ROUNDS,
            dice=DICE,
            rolls=ROLLS,
            roll=how("roll"),
            again=how("roll", "1 4"),
        ),
        t(
            "After any roll you may enter the dice in a box, as in {list}; after the last one you "
            "must. You choose the box, and each is filled once. Dice that do not fit count 0: the "
            "box is struck.",
            list=how("list", code(voice, Category.FULL_HOUSE)),
        ),
        t(
            "The highest total wins; a tie is a win for each. Whoever leaves with {leave} loses "
            "all points.",
            leave=how("leave"),
        ),
    ]


def _codes(voice: Voice, categories: Iterable[Category]) -> str:
    return " ".join(voice.typed(code(voice, box)) for box in categories)


def boxes(voice: Voice) -> Rows:
    """List the boxes: what each needs, and what it counts."""
    t = voice.t
    anything, everything = t("any dice"), t("sum of all dice")
    lower = {
        Category.THREE_OF_A_KIND: (t("three alike"), everything),
        Category.FOUR_OF_A_KIND: (t("four alike"), everything),
        Category.FULL_HOUSE: (t("three alike, and two of another number"), FULL_HOUSE_POINTS),
        Category.SMALL_STRAIGHT: (
            t("four in a row, as {dice}", dice=voice.typed("2 3 4 5 3")),
            SMALL_STRAIGHT_POINTS,
        ),
        Category.LARGE_STRAIGHT: (
            t("five in a row, as {dice}", dice=voice.typed("2 3 4 5 6")),
            LARGE_STRAIGHT_POINTS,
        ),
        Category.YAHTZEE: (t("five alike, a Kniffel"), YAHTZEE_POINTS),
        Category.CHANCE: (anything, everything),
    }
    return Rows(
        head=(t("box"), t("needs"), t("points")),
        rows=(
            (voice.typed(_UPPER), anything, t("sum of the dice that show the number")),
            *(
                (voice.typed(code(voice, box)), needs, str(points))
                for box, (needs, points) in lower.items()
            ),
        ),
    )


def scoring(voice: Voice) -> list[str]:
    """Tell what counts beside the boxes, as the options of the channel have it."""
    t, settings = voice.t, voice.settings
    kniffel = voice.typed(code(voice, Category.YAHTZEE))
    extra = _codes(voice, (box for box in LOWER_SECTION if box is not Category.YAHTZEE))
    if settings.bonus_in_upper:
        extra = f"{voice.typed(_UPPER)} {extra}"
    values = {
        "kniffel": kniffel,
        "points": YAHTZEE_POINTS,
        "bonus": YAHTZEE_BONUS,
        "boxes": extra,
    }
    if settings.bonus_once:
        further = t(
            "A player's first further Kniffel, five alike while {kniffel} holds {points}, earns "
            "{bonus} in any of {boxes}, beside what the box counts; later ones earn nothing.",
            **values,
        )
    else:
        further = t(
            "Each further Kniffel, five alike while {kniffel} holds {points}, earns {bonus} in "
            "any of {boxes}, beside what the box counts.",
            **values,
        )
    patterns = _codes(voice, _PATTERNS)
    if settings.joker:
        joker = t(
            "In {boxes} it counts {full}, {small} and {large}.",
            boxes=patterns,
            full=FULL_HOUSE_POINTS,
            small=SMALL_STRAIGHT_POINTS,
            large=LARGE_STRAIGHT_POINTS,
        )
    else:
        joker = t("In {boxes} it counts 0 itself: five alike are none of these.", boxes=patterns)
    return [
        t(
            "{bonus} more as soon as the boxes {boxes} hold {sum} together, which is three dice "
            "of each number.",
            bonus=UPPER_BONUS,
            boxes=voice.typed(_UPPER),
            sum=UPPER_BONUS_FROM,
        ),
        voice.translator.sentences((further, joker)),
        t(
            "While {kniffel} is open or struck there is no further Kniffel.",
            kniffel=kniffel,
        ),
    ]


def options(voice: Voice) -> Rows:
    """List the options of the rules as the channel has them."""
    t = voice.t
    return Rows(
        head=(t("option"), t("here"), t("if it is on")),
        rows=tuple(
            (voice.typed(name), voice.switch(on=getattr(voice.settings, name)), t(meaning))
            for name, meaning in OPTIONS.items()
        ),
    )


def clock_rule(voice: Voice) -> str:
    """Tell how long a turn may take."""
    t, settings = voice.t, voice.settings
    time = voice.span(settings.turn_timeout_s)
    if settings.first_roll_only:
        rule = t(
            "For the first roll of your turn you have {time}; then you are out of this game and "
            "your points are void.",
            time=time,
        )
    else:
        rule = t(
            "You have {time}, counted anew from each roll; then you are out of this game and "
            "your points are void.",
            time=time,
        )
    if settings.warning_s:
        warning = t("The bot reminds you {time} before.", time=voice.span(settings.warning_s))
        return voice.translator.sentences((rule, warning))
    return rule
