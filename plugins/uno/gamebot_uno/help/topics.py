"""What help and guides say of UNO, from the rules and the letters of the channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gamebot import Block, Fixed, Rows, Sample, Voice
from gamebot_uno.engine.cards import POINTS, Color, Rank, cards_of_face, face_of
from gamebot_uno.help.cards import cards, deck
from gamebot_uno.help.house import House
from gamebot_uno.help.rules import rules

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


def topics(voice: Voice) -> Mapping[str, Sequence[Block]]:
    """Explain the game in the order of the rule documents."""
    house = House(voice)
    joined = voice.translator.sentences
    return {
        "rules": list(filter(None, map(joined, rules(house)))),
        "cards": [deck(house), *filter(None, map(joined, cards(house)))],
        "scoring": [points(house), *filter(None, map(joined, scoring(house)))],
    }


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
    return voice.translator.sentences(sentences)


def lobby_rule(voice: Voice) -> str:
    """Tell how a game is opened and when it begins."""
    return voice.t(
        "{open} opens a game, {join} joins it within {time}, then it begins; {open} once more "
        "begins at once. A single player gets a bot player for company.",
        open=voice.how("open"),
        join=voice.how("join"),
        time=voice.span(voice.settings.lobby_timeout_s),
    )
