"""Refusals of the engine and faults of the notation as msgids."""

from __future__ import annotations

from gamebot import BadValue, Context, Refused, UsageError
from gamebot_uno.card_text import top_text
from gamebot_uno.engine.cards import CODE_FACES
from gamebot_uno.engine.reasons import IllegalMove, Reason
from gamebot_uno.engine.rules import CONTRADICTIONS, OUT_OF_RANGE, WRONG_TYPE, RulesError
from gamebot_uno.notation import Fault, NotationError, notation_of
from gamebot_uno.rules_text import NO_CHOICE, NO_FIELD, NO_SET, ONE_SET

REASONS = {
    Reason.GAME_OVER: "The game is over.",
    Reason.NOT_SEATED: "You do not play here.",
    Reason.NOT_YOUR_TURN: "It is not your turn; {turn} is to act.",
    Reason.COLOR_DUE: "First choose a colour: {colors}.",
    Reason.NO_COLOR_DUE: "There is no colour to choose now.",
    Reason.NOT_HELD: "You do not hold that card; {cards} shows your hand.",
    Reason.DOES_NOT_FIT: "That does not fit on {top}.",
    Reason.ANSWER_OR_TAKE: "{n} cards are pending: answer them, or {draw} takes them.",
    Reason.ACCEPT_OR_CHALLENGE: "{n} cards are pending: {ok} takes them, {challenge} doubts them.",
    Reason.ONLY_DRAWN_CARD: "After drawing only the drawn card may be played; {pass_} passes.",
    Reason.NO_PLAY_AFTER_DRAW: "After drawing nothing may be played; {pass_} passes.",
    Reason.LAST_CARD_IS_NO_NUMBER: "The last card must be a number here; {draw} draws.",
    Reason.WILD_DRAW_FOUR_NOT_ALLOWED: "You hold another card that fits; play that one.",
    Reason.NO_PAIRS: "Play one card at a time here.",
    Reason.NOT_IDENTICAL: "Only two identical cards go together.",
    Reason.BAD_SWAP: "You cannot swap hands with that player.",
    Reason.ALREADY_DREW: "You have drawn already: play the card, or {pass_}.",
    Reason.MUST_PLAY: "You hold a card that fits, and must play it.",
    Reason.MUST_PLAY_DRAWN_CARD: "The drawn card fits, and you must play it.",
    Reason.DRAW_FIRST: "Draw a card first, with {draw}.",
    Reason.NOTHING_PENDING: "Nothing is pending.",
    Reason.NO_CHALLENGE: "There is nothing to doubt.",
    Reason.NOBODY_TO_CATCH: "Nobody forgot to say UNO.",
    Reason.JOIN_OFF: "Nobody may join a running game here.",
    Reason.ALREADY_SEATED: "You are in already.",
    Reason.TABLE_FULL: "The table is full.",
    Reason.CHALLENGE_OPEN: "A moment, please: a challenge is open.",
    Reason.SOMEBODY_HAS_ONE_CARD: "Too late: somebody has one card left.",
    Reason.NOT_ENOUGH_CARDS: "Too few cards are left for a new hand.",
    Reason.RULE_OFF: "That rule is off here.",
    Reason.NOTHING_TO_DRAW: "No card is left to draw.",
}

#: What does not fit in the own turn, before and after a draw: what else can be done.
NOT_FITTING = {
    False: "That does not fit on {top}; {draw} draws a card.",
    True: "That does not fit on {top}; play the drawn card if that one does, or {pass_}.",
}

#: Why rules cannot be.
RULE_FAULTS = {
    why: why
    for why in (NO_FIELD, NO_SET, ONE_SET, NO_CHOICE, OUT_OF_RANGE, WRONG_TYPE, *CONTRADICTIONS)
}

LONGEST_ECHO = 30
"""Characters of a text that is no card, as far as the answer repeats it."""

#: Everyday words: where they mean nothing they are met with silence.
SILENT = {Reason.NOTHING_PENDING, Reason.NO_CHALLENGE, Reason.NOBODY_TO_CATCH}

FAULTS = {
    Fault.EMPTY: "Name a card, as in {play} {card}.",
    Fault.NO_CARD: "“{text}” is no card; write it as {card}.",
    Fault.NO_COLOR: "“{text}” is no colour; the colours are {colors}.",
    Fault.DIFFERENT_CARDS: "Play one card, or two identical ones.",
    Fault.COLOR_OF_COLORED: "Only a wild calls a colour.",
}


def refused(ctx: Context, error: IllegalMove) -> Refused:
    """Say why the engine refuses a move, and what to type instead."""
    game, letters = ctx.desk.game, notation_of(ctx.translator.language)
    chair = ctx.desk.chair_of(ctx.person)
    values = {
        "turn": ctx.desk.playing.name(game.to_act) if game.to_act is not None else "",
        "top": top_text(game.top_card, game.color, letters, "off"),
        "colors": " ".join(letters.colors.values()),
        "n": game.pending_draw,
        "draw": ctx.how("draw"),
        "ok": ctx.how("ok"),
        "challenge": ctx.how("challenge"),
        "pass_": ctx.how("pass"),
        "cards": ctx.how("cards"),
    }
    if error.reason is Reason.DOES_NOT_FIT and chair is not None and chair.seat == game.to_act:
        return Refused(NOT_FITTING[game.drew], **values)
    return Refused(REASONS[error.reason], **values)


def unread(ctx: Context, error: NotationError) -> UsageError:
    """Say why a text is no card."""
    letters = notation_of(ctx.translator.language)
    return UsageError(
        FAULTS[error.fault],
        text=error.text[:LONGEST_ECHO],
        card=letters.show(CODE_FACES["R5"]),
        colors=" ".join(letters.colors.values()),
        play=ctx.how("play"),
    )


def rule_faults(error: RulesError) -> list[BadValue]:
    """Say why rules cannot be: the fields that each fault is about, and what is wrong."""
    return [
        BadValue(
            "{name}: {why}", name=names, why=BadValue(RULE_FAULTS[problem.text], **problem.values)
        )
        for names, problem in error.problems.items()
    ]
