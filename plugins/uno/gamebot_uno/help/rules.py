"""How a game of UNO goes, for help and guides: one short sentence for each value of a field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamebot_uno.engine.cards import CODE_FACES
from gamebot_uno.engine.choices import (
    DrawIfNone,
    DrawnCard,
    FirstCard,
    JoinMidGame,
    LastCard,
    Pass,
    Starter,
    UnoCallDue,
    UnoWindowCloses,
)
from gamebot_uno.help.house import House
from gamebot_uno.rules_text import render_rules

STARTERS = {
    Starter.RANDOM: "Chance decides who begins.",
    Starter.FIRST: "Whoever joined first begins.",
    Starter.LEFT_OF_DEALER: (
        "Everybody draws a card openly: the highest one deals, the next player begins."
    ),
}
FIRST_CARDS = {
    FirstCard.NUMBER: "The first card on the table is a number.",
    FirstCard.EFFECT: "The first card on the table acts on whoever begins; {wd4} is put back.",
    FirstCard.NO_EFFECT: "The first card on the table may be any and has no effect.",
}
DRAWS = {
    DrawIfNone.ONE: "If you cannot play you draw a card with {draw}.",
    DrawIfNone.UNTIL_PLAYABLE: "If you cannot play you draw until a card fits, with {draw}.",
}
DRAWN = {
    DrawnCard.PLAYABLE: "The card drawn, and no other, may be played if it fits.",
    DrawnCard.SNAP: (
        "The turn passes at once, but a number drawn may still be played, if it fits, until the "
        "next player acts."
    ),
    DrawnCard.KEPT: "The card drawn may not be played in the same turn.",
    DrawnCard.FORCED: "The card drawn must be played if it fits.",
}
CALLS = {
    UnoCallDue.AT_ONE_CARD: (
        "Whoever has one card left says {uno}, behind the card ({example}) or in a line of its own."
    ),
    UnoCallDue.WITH_PLAY: (
        "Whoever plays the last card but one says {uno}, behind the card ({example}) or in a line "
        "of its own."
    ),
    UnoCallDue.AFTER_PLAY: (
        "Whoever has played the last card but one says {uno} at once, behind the card ({example}) "
        "or in a line of its own."
    ),
}
WINDOWS = {
    UnoWindowCloses.NEXT_PLAYS_OR_DRAWS: (
        "When the next player has played or drawn, it is too late for that."
    ),
    UnoWindowCloses.OWN_NEXT_ACTION: (
        "When the player in question has acted again, it is too late for that."
    ),
    UnoWindowCloses.NEXT_ACTS: "When the next player has acted, it is too late for that.",
    UnoWindowCloses.NEXT_TURN_BEGINS: (
        "When the next player has played, drawn or passed, it is too late for that."
    ),
}
JOINS = {
    JoinMidGame.OFF: "Nobody may join a running game.",
    JoinMidGame.HAND_SIZE: (
        "{enter} joins a running game with a whole hand, until somebody has only one card left."
    ),
    JoinMidGame.AVERAGE: (
        "{enter} joins a running game with as many cards as the others hold on average, until "
        "somebody has only one left."
    ),
}


def rules(house: House) -> Iterator[Iterable[str]]:
    """Tell how a game goes."""
    yield _goal(house)
    yield _deal(house)
    yield _draw(house)
    yield _call(house)
    yield _extras(house)
    yield _fines(house)
    yield _pile(house)
    yield _people(house)
    yield [
        house.voice.t(
            "The rules here are {rules}; {command} shows a single one.",
            rules=house.voice.typed(render_rules(house.rules)),
            command=house.voice.how("rules", "hand_size"),
        )
    ]


def _goal(house: House) -> Iterator[str]:
    t = house.voice.t
    yield t("The first to have no cards left wins.")
    yield t(
        "A card goes on the colour or the value of the one on top: on {top} goes {same_color}, "
        "{same_value} or any wild.",
        top=house.cards("R5"),
        same_color=house.cards("R8"),
        same_value=house.cards("B5"),
    )
    yield t(
        "{card} alone plays a card, and so does {play}.",
        card=house.cards("R8"),
        play=house.voice.how("play", house.letters.show(CODE_FACES["R8"])),
    )
    if house.rules.last_card is LastCard.NUMBER:
        yield t("The last card must be a number; if it is none, you draw.")


def _deal(house: House) -> Iterator[str]:
    n, decks = house.voice.n, house.rules.decks
    if decks > 1:
        yield n("{n} deck is used.", "{n} decks are used, shuffled together.", decks)
    size = house.rules.hand_size
    yield n("Everybody gets {n} card.", "Everybody gets {n} cards.", size)
    yield house.t(STARTERS[house.rules.starter])
    yield house.t(FIRST_CARDS[house.rules.first_card])


def _draw(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.voice.t
    yield house.t(DRAWS[chosen.draw_if_none])
    if chosen.voluntary_draw:
        yield t("You may also draw if you could play.")
    else:
        yield t("If you can play you must.")
    yield house.t(DRAWN[chosen.drawn_card])
    if chosen.pass_ is Pass.EXPLICIT:
        yield house.t("{pass} ends the turn.")
    elif chosen.drawn_card is DrawnCard.KEPT:
        yield t("The turn then ends by itself.")
    elif chosen.drawn_card is not DrawnCard.SNAP:
        yield t("If it cannot be played the turn ends by itself.")


def _call(house: House) -> Iterator[str]:
    chosen, n = house.rules, house.voice.n
    yield house.t(CALLS[chosen.uno_call_due])
    if chosen.uno_penalty:
        yield n(
            "If another player writes {uno} first, whoever forgot it draws {n} card.",
            "If another player writes {uno} first, whoever forgot it draws {n} cards.",
            chosen.uno_penalty,
            uno=house.values["uno"],
        )
        yield house.t(WINDOWS[chosen.uno_window_closes])
    if chosen.false_call_penalty:
        yield n(
            "{uno} for nothing costs {n} card, once a turn.",
            "{uno} for nothing costs {n} cards, once a turn.",
            chosen.false_call_penalty,
            uno=house.values["uno"],
        )


def _extras(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.voice.t
    if chosen.pair_play:
        yield t(
            "Two identical cards may be played at once, as in {pair}: cards to draw add up, a Skip "
            "or a Reverse acts once.",
            pair=house.written("R5", "R5"),
        )
    if chosen.jump_in:
        yield t("Whoever holds the same coloured card as the one on top may play it out of turn.")
    if chosen.seven_zero:
        yield t("A 7 swaps hands with whoever holds the fewest cards, a 0 hands all hands on.")


def _fines(house: House) -> Iterator[str]:
    chosen, n = house.rules, house.voice.n
    if chosen.misplay_penalty:
        yield n(
            "A card that does not fit costs {n} card.",
            "A card that does not fit costs {n} cards.",
            chosen.misplay_penalty,
        )
    if chosen.hint_penalty:
        yield n(
            "Whoever advises another player draws {n} card when an operator writes {hint}.",
            "Whoever advises another player draws {n} cards when an operator writes {hint}.",
            chosen.hint_penalty,
            hint=house.values["hint"],
        )


def _pile(house: House) -> Iterator[str]:
    t = house.voice.t
    yield t("When the draw pile is used up, all played cards but the top one are shuffled.")
    yield t("When nobody can draw or play any more, the fewest points win.")


def _people(house: House) -> Iterator[str]:
    yield house.t(JOINS[house.rules.join_mid_game])
    yield house.t("{leave} leaves the game; the cards left behind count for the winner.")
