"""What help and guides say of UNO, from the rules and the letters of the channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen

from gamebot import Block, Fixed, Rows, Sample, Voice
from gamebot_uno.cards import (
    CODE_FACES,
    FACE_RANKS,
    FACES,
    POINTS,
    WILD_FACE,
    Color,
    Rank,
    cards_of_face,
    face_of,
)
from gamebot_uno.choices import (
    AfterTakenDrawTwo,
    ChallengeTarget,
    DrawIfNone,
    DrawnCard,
    FirstCard,
    GuiltyDraws,
    HandReveal,
    JoinMidGame,
    LastCard,
    Pass,
    ReverseWithTwo,
    SkipOnD2,
    Starter,
    UnoCallDue,
    UnoWindowCloses,
    Wd4LegalIf,
)
from gamebot_uno.notation import Notation, Spoken, notation_of
from gamebot_uno.rules import Rules
from gamebot_uno.rulestext import render_rules

ABOUT = (
    "UNO: a card goes on the colour or the value of the one before, and whoever has no cards left "
    "first wins."
)

_OPEN = (
    ("anna", "open", ""),
    ("anna", "join", ""),
    ("bert", "join", ""),
    ("carla", "join", ""),
    ("anna", "open", ""),
)

#: A card on its value, a Draw Two answered, a colour called, UNO said and forgotten, a win; then
#: the same for channels in which nothing answers a Draw Two.
SAMPLES = (
    Sample(
        lines=(
            *_OPEN,
            ("anna", "", "Y5"),
            ("bert", "", "YD2"),
            ("carla", "", "RD2"),
            ("anna", "draw", ""),
            ("bert", "", "R3 uno"),
            ("carla", "play", "W B"),
            ("anna", "uno", ""),
            ("anna", "", "B9"),
            ("bert", "", "B1"),
        ),
        fixed=Fixed(
            starter="anna",
            hands={
                "anna": ("G5", "B9", "J"),
                "bert": ("GD2", "R3", "B1"),
                "carla": ("RD2", "J", "V8"),
            },
            deck=("R5", "V4", "G6", "R9", "G1", "V2", "R4"),
        ),
    ),
    Sample(
        lines=(
            *_OPEN,
            ("anna", "", "Y5"),
            ("bert", "", "YD2"),
            ("anna", "", "Y8"),
            ("bert", "", "R8 uno"),
            ("carla", "play", "W B"),
            ("anna", "", "B9"),
            ("bert", "", "B1"),
        ),
        fixed=Fixed(
            starter="anna",
            hands={
                "anna": ("G5", "G8", "B9", "J"),
                "bert": ("GD2", "R8", "B1"),
                "carla": ("V3", "J", "V8"),
            },
            deck=("R5", "V4", "G6"),
        ),
    ),
)

_WORDS = ("draw", "pass", "enter", "leave", "uno", "ok", "challenge", "hint", "top", "stats")

COLORS = {
    Color.BLUE: "blue",
    Color.GREEN: "green",
    Color.RED: "red",
    Color.YELLOW: "yellow",
}

# One short sentence for each value of a field; what goes without saying has none.
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


@frozen
class House:
    """The rules of a channel and how its cards are written.

    Attributes:
        voice: The channel's language, words and settings.
        rules: Its rules.
        letters: Its letters.
        values: Command words and cards that sentences name.
    """

    voice: Voice
    rules: Rules = field(init=False)
    letters: Notation = field(init=False)
    values: Mapping[str, str] = field(init=False)

    @rules.default
    def _rules(self) -> Rules:
        rules: Rules = self.voice.settings.parsed
        return rules

    @letters.default
    def _letters(self) -> Notation:
        return notation_of(self.voice.translator.typed_in)

    @values.default
    def _values(self) -> Mapping[str, str]:
        return {
            **{name: self.command(name) for name in _WORDS},
            "d2": self.rank(Rank.DRAW_TWO),
            "wild": self.rank(Rank.WILD),
            "wd4": self.rank(Rank.WILD_DRAW_FOUR),
            "skip": self.cards("GS"),
            "reverse": self.cards("GC"),
            "example": self.written("R8", uno=True),
        }

    def t(self, msgid: str) -> str:
        """Translate a sentence about words and cards of the channel."""
        return self.voice.t(msgid, **self.values)

    def command(self, name: str) -> str:
        """Write a command as the manuals do: its shortest form can be told from an everyday word."""
        voice = self.voice
        return voice.typed(voice.spellings(voice.registry.find(name))[0].manual(voice.prefix))

    def rank(self, rank: Rank) -> str:
        """Write a rank alone, as in `D2`."""
        return self.voice.typed(self.letters.ranks[rank])

    def cards(self, *codes: str) -> str:
        """Write cards of the canonical codes, each by itself."""
        shown = (self.letters.show(CODE_FACES[code]) for code in codes)
        return " ".join(map(self.voice.typed, shown))

    def written(self, *codes: str, color: Color | None = None, uno: bool = False) -> str:
        """Write a play: one card or two, a colour called, UNO said."""
        faces = tuple(CODE_FACES[code] for code in codes)
        return self.voice.typed(self.letters.play(Spoken(faces, color, uno)))


def topics(voice: Voice) -> Mapping[str, Sequence[Block]]:
    """Explain the game in the order of the rule documents."""
    house = House(voice)
    return {
        "rules": list(_paragraphs(rules(house))),
        "cards": [deck(house), *_paragraphs(cards(house))],
        "scoring": [points(house), *_paragraphs(scoring(house))],
    }


def _paragraphs(paragraphs: Iterable[Iterable[str]]) -> Iterator[str]:
    """Join sentences to paragraphs; a paragraph without any is none."""
    yield from filter(None, map(_joined, paragraphs))


def _joined(sentences: Iterable[str]) -> str:
    return " ".join(sentences).replace("。 ", "。")  # Chinese has no blank between sentences


# -- rules ----------------------------------------------------------------------------------


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


# -- cards ----------------------------------------------------------------------------------


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


# -- scoring --------------------------------------------------------------------------------


def points(house: House) -> Rows:
    """List what cards count."""
    t = house.voice.t
    groups: dict[int, list[str]] = {}
    for rank in (r for r in Rank if r >= Rank.SKIP):
        card = cards_of_face(face_of(Color.BLUE, rank), 1)[0]
        groups.setdefault(POINTS[card], []).append(house.rank(rank))
    return Rows(
        head=(t("card"), t("points")),
        rows=(
            (house.voice.typed("0-9"), t("what they show")),
            *((" ".join(ranks), str(worth)) for worth, ranks in groups.items()),
        ),
    )


def scoring(house: House) -> Iterator[Iterable[str]]:
    """Tell who gets points, and how long a game goes on."""
    yield _winner(house)
    yield [
        house.t(
            "{top} shows who won most here, {stats} what somebody has won. Games with bot players "
            "are counted apart."
        )
    ]


def _winner(house: House) -> Iterator[str]:
    chosen, t = house.rules, house.voice.t
    yield t("The winner gets the points of all cards that the others still hold.")
    if chosen.last_card_draw_applies:
        yield house.t("If the last card is {d2} or {wd4}, its cards are drawn before and count.")
    else:
        yield house.t("If the last card is {d2} or {wd4}, nobody draws for it.")
    if chosen.target:
        yield t(
            "One round follows the other until somebody has {target} points.",
            target=chosen.target,
        )


# -- time -----------------------------------------------------------------------------------


def clock_rule(voice: Voice) -> str:
    """Tell how long a turn may take."""
    t, settings = voice.t, voice.settings
    sentences = [
        t(
            "A turn may take {time}; then you draw and pass, or take the cards that are pending. "
            "The second time in a row you are out.",
            time=voice.span(settings.turn_timeout_s),
        )
    ]
    if settings.warning_s:
        sentences.append(
            t("The bot reminds you {time} before.", time=voice.span(settings.warning_s))
        )
    return _joined(sentences)


def lobby_rule(voice: Voice) -> str:
    """Tell how a game is opened and when it begins."""
    return voice.t(
        "{open} opens a game, {join} joins it within {time}, then it begins; {open} once more "
        "begins at once. A single player gets a bot player for company.",
        open=voice.how("open"),
        join=voice.how("join"),
        time=voice.span(voice.settings.lobby_timeout_s),
    )
