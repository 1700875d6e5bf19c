"""Engine reasons and boxes as msgids; nothing else in the plugin names a text twice."""

from __future__ import annotations

import unicodedata

from gamebot import Context, UsageError, Voice
from gamebot_kniffel import notation
from gamebot_kniffel.engine.reasons import Reason
from gamebot_kniffel.engine.scoring import CATEGORIES, Category

REASONS = {
    Reason.GAME_OVER: "The game is over.",
    Reason.NOT_SEATED: "You do not play here.",
    Reason.NOT_YOUR_TURN: "It is not your turn.",
    Reason.NO_ROLLS_LEFT: "No roll is left: enter the dice with {list}.",
    Reason.POSITIONS_BEFORE_FIRST_ROLL: "First roll all five with {roll}.",
    Reason.BAD_POSITION: "The dice have the positions 1 to 5, as in {roll} 1 4.",
    Reason.REPEATED_POSITION: "Name each position once, as in {roll} 1 4.",
    Reason.NOT_ROLLED: "Roll first, with {roll}.",
    Reason.CATEGORY_FILLED: "That box is filled already; {list} shows the open ones.",
}

#: Boxes as English channels write them; the other languages have them in their catalogs.
CODES = {
    Category.THREE_OF_A_KIND: "3K",
    Category.FOUR_OF_A_KIND: "4K",
    Category.SMALL_STRAIGHT: "SS",
    Category.LARGE_STRAIGHT: "LS",
}


def code(ctx: Context | Voice, box: Category) -> str:
    """Write *box* as this channel does."""
    english = CODES.get(box)
    return ctx.translator.word(english) if english else box.value


def parse_category(text: str, ctx: Context) -> Category:
    """Read a box: the channel's code, one of the source's, or its name as people say it.

    Raises:
        UsageError: It is none.
    """
    wanted = unicodedata.normalize("NFKC", text).casefold()
    for box in CATEGORIES:
        if wanted in (code(ctx, box).casefold(), box.value.casefold()):
            return box
    if (named := notation.named(text, ctx.translator.language)) is not None:
        return named
    raise UsageError(
        "“{text}” is no box. The boxes are {boxes}; a name such as {example} will do too.",
        text=text,
        boxes=" ".join(code(ctx, box) for box in CATEGORIES),
        example=ctx.translator.word("full house"),
    )
