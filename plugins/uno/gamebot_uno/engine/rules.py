"""House rules as data: one frozen `Rules` per preset, every field of which can be overridden.

`it:N` and `zh:N` are lines of the two rule documents that `docs/rules/uno.md` goes through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, field, fields, frozen

from gamebot_uno.engine.cards import DECK
from gamebot_uno.engine.choices import (
    MAX_DECKS,
    AfterTakenDrawTwo,
    AfterWonChallenge,
    ChallengeTarget,
    DeckOut,
    DrawIfNone,
    DrawnCard,
    DrawTwo,
    FirstCard,
    GuiltyDraws,
    HandReveal,
    JoinMidGame,
    LastCard,
    Match,
    NothingLeft,
    Pass,
    Points,
    ReverseWithTwo,
    SkipOnD2,
    Starter,
    UnoCallDue,
    UnoCaller,
    UnoWindowCloses,
    Wd4LegalIf,
)


@frozen
class Problem:
    """What is wrong with fields.

    Attributes:
        text: A sentence, or a part of one, with named placeholders.
        values: What stands there.
    """

    text: str
    values: Mapping[str, object] = field(factory=dict)

    def __str__(self) -> str:
        shown = {
            name: ", ".join(value) if isinstance(value, tuple) else value
            for name, value in self.values.items()
        }
        return self.text.format(**shown)


class RulesError(ValueError):
    """Refuse rules that cannot be read, or that contradict each other.

    Attributes:
        problems: For each fault the fields it is about, as players type them, and what is wrong.
    """

    def __init__(self, problems: Mapping[tuple[str, ...], Problem]) -> None:
        self.problems = dict(problems)
        super().__init__("; ".join(f"{', '.join(k)}: {v}" for k, v in self.problems.items()))

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field that a fault is about, once."""
        return tuple(dict.fromkeys(name for names in self.problems for name in names))


@frozen(kw_only=True)
class Rules:
    """The rules of one game; the defaults are those of the preset `cuciolo`.

    Attributes:
        decks: Decks shuffled together, 1-8 (it:13-33, zh:7-15, zh:63-91).
        min_players: Seats that must be taken for a start, 2 at least (zh:18).
        max_players: Seats there are, 20 at most (zh:18).
        hand_size: Cards dealt to each player, 1-50 (zh:18, zh:96).
        starter: `random`; `first`: the first enrolled (zh:18); `left_of_dealer`: everybody draws
            a card openly, the highest deals and the next one begins (zh:95, zh:97). Later rounds
            of a game begin one seat further each.
        first_card: `number`: other cards are put back and another one is turned up (zh:96);
            `effect`: any but a Wild Draw Four, and it acts on who begins; `no_effect`: any.
        match: `color_or_rank`: a card follows its colour or its value; a wild follows anything
            (it:5, it:41, zh:18, zh:33-36, zh:68, zh:98-103).
        draw_if_none: `1` (it:6, zh:22, zh:104), or `until_playable`: until a card comes that
            fits.
        voluntary_draw: Whether who could play may draw (zh:22).
        drawn_card: `playable`: the drawn card, and no other, may be played (it:6); `snap`: the
            turn passes, but a drawn number that fits may still be played until the next player
            acts (zh:22); `kept`: it may not be played in this turn (zh:104); `forced`: it must be
            played if it fits.
        pass_: `explicit`: a turn in which a card was drawn ends when the player passes (it:6,
            it:58); `automatic`: it ends by itself when the drawn card cannot be played (zh:22,
            zh:104). Typed as `pass`.
        draw_two: `loses_turn`: the next player draws two and loses the turn (it:36, zh:36,
            zh:81, zh:109).
        d2_on_d2: A Draw Two of any colour answers a pending one; the sum goes on (it:36, zh:37,
            zh:81).
        wd4_on_d2: A Wild Draw Four answers a pending Draw Two, likewise (zh:40, zh:81, zh:92).
        d2_on_wd4: A Draw Two answers a pending Wild Draw Four (zh:45 and zh:91 know none).
        wd4_on_wd4: A Wild Draw Four answers a pending one (zh:45, zh:91, zh:92).
        reverse_on_d2: A Reverse of its colour sends a pending Draw Two back (zh:39).
        skip_on_d2: `off`; `next_but_one`: a Skip of its colour sends a pending Draw Two to the
            responder's next but one (zh:38); `next`: to the responder's next.
        wild_on_pending: A Wild sends a pending sum on (zh:43 says no, it:36 does not know it).
        wild_on_taken_draw: A Wild may follow a Draw Two or Wild Draw Four that somebody has
            taken (it:41; zh:43 says no); after a Draw Two only if `after_taken_draw_two` does
            not ask for its colour.
        after_taken_draw_two: `normal` match (it:5); `color`: its colour or a Wild Draw Four
            (zh:41); `color_or_wild`: its colour or any wild (zh:81).
        wd4_legal_if: When a Wild Draw Four is no bluff. `free`: always; `no_color`: who plays it
            has no card of the active colour (it:42); `no_color_or_answer`: the same, or it
            answers a pending sum (zh:92); `no_other`: no other card could be played (zh:47).
            Without `challenge` a bluff has no consequences (zh:45).
        wd4_bluff: Whether a Wild Draw Four may be played as a bluff (it:43, zh:47); off: refused.
        challenge: Whether the next player may challenge a Wild Draw Four (it:43, zh:47, zh:92).
        challenge_target: Whose hand is examined where Wild Draw Fours were piled up: the `last`
            player's (it:44, zh:92) or the `first` one's (zh:47).
        guilty_draws: What a caught bluffer draws: `four` (it:44, zh:92), or the whole sum,
            `pending` (zh:47).
        innocent_extra: Cards that a challenger in the wrong draws on top of the sum (it:44,
            zh:47, zh:92).
        after_won_challenge: `challenger_plays`: with the called colour (it:44, zh:47).
        hand_reveal: Who sees the examined hand: `none`, the bot judges (it:44); `challenger`
            (zh:47, zh:92).
        reverse_with_two: Between two players a Reverse is a `skip` (it:37) or `inert`.
        pair_play: Two identical cards may be played at once (zh:20).
        jump_in: Who holds the card on top once more may play it out of turn.
        seven_zero: A 7 swaps hands with another player, a 0 hands all hands on.
        uno_call_due: `at_one_card`: whoever is left with one card must call (it:9), after a swap
            of hands too; `with_play` (zh:26), `after_play` (zh:105): who plays the last card but
            one must. In a chat the line of the play and any later one count alike.
        uno_window_closes: Until when who has not called can be caught: `next_plays_or_draws`
            (it:10); `own_next_action`: until that player acts again (zh:26 knows no limit);
            `next_acts`: until the next player does anything (zh:105); `next_turn_begins`: the
            same, but taking or challenging what lies there is no turn yet.
        uno_caller: `seated`: any other player of the game (it:9, zh:26).
        uno_penalty: Cards that who is caught draws (it:9, zh:26, zh:105).
        false_call_penalty: Cards for a call while nobody can be caught, at most once a turn and
            player.
        last_card: `any`; `number`: an action or a wild cannot be played last (zh:24).
        last_card_draw_applies: A Draw Two or Wild Draw Four played last is still drawn (zh:110).
        deck_out: `reshuffle`: all but the top card becomes the new draw pile (zh:27, zh:111).
        nothing_left: `pass`: everybody draws what there is and may then pass; a round without a
            card drawn or played ends the game.
        points: `winner_takes_sum`: numbers count their face, actions 20, wilds 50, and the
            winner gets what the others hold (zh:49-55, zh:113-118).
        target: Points that end a game of several rounds, 0 for games of one round.
        misplay_penalty: Cards for playing a card that does not fit (zh:30).
        hint_penalty: Cards for advising another player, on an operator's word (zh:29).
        join_mid_game: Whether and how a running game can be joined: `off`; `hand_size`: with so
            many cards (it:54); `average`: with as many as the others hold on average.
    """

    decks: int = 1
    min_players: int = 2
    max_players: int = 10
    hand_size: int = 7
    starter: Starter = Starter.RANDOM
    first_card: FirstCard = FirstCard.NUMBER
    match: Match = Match.COLOR_OR_RANK
    draw_if_none: DrawIfNone = DrawIfNone.ONE
    voluntary_draw: bool = True
    drawn_card: DrawnCard = DrawnCard.PLAYABLE
    pass_: Pass = Pass.EXPLICIT
    draw_two: DrawTwo = DrawTwo.LOSES_TURN
    d2_on_d2: bool = True
    wd4_on_d2: bool = False
    d2_on_wd4: bool = False
    wd4_on_wd4: bool = False
    reverse_on_d2: bool = False
    skip_on_d2: SkipOnD2 = SkipOnD2.OFF
    wild_on_pending: bool = False
    wild_on_taken_draw: bool = True
    after_taken_draw_two: AfterTakenDrawTwo = AfterTakenDrawTwo.NORMAL
    wd4_legal_if: Wd4LegalIf = Wd4LegalIf.NO_COLOR
    wd4_bluff: bool = True
    challenge: bool = True
    challenge_target: ChallengeTarget = ChallengeTarget.LAST
    guilty_draws: GuiltyDraws = GuiltyDraws.FOUR
    innocent_extra: int = 2
    after_won_challenge: AfterWonChallenge = AfterWonChallenge.CHALLENGER_PLAYS
    hand_reveal: HandReveal = HandReveal.NONE
    reverse_with_two: ReverseWithTwo = ReverseWithTwo.SKIP
    pair_play: bool = False
    jump_in: bool = False
    seven_zero: bool = False
    uno_call_due: UnoCallDue = UnoCallDue.AT_ONE_CARD
    uno_window_closes: UnoWindowCloses = UnoWindowCloses.NEXT_PLAYS_OR_DRAWS
    uno_caller: UnoCaller = UnoCaller.SEATED
    uno_penalty: int = 2
    false_call_penalty: int = 0
    last_card: LastCard = LastCard.ANY
    last_card_draw_applies: bool = True
    deck_out: DeckOut = DeckOut.RESHUFFLE
    nothing_left: NothingLeft = NothingLeft.PASS
    points: Points = Points.WINNER_TAKES_SUM
    target: int = 0
    misplay_penalty: int = 0
    hint_penalty: int = 0
    join_mid_game: JoinMidGame = JoinMidGame.HAND_SIZE

    def __attrs_post_init__(self) -> None:
        problems = {**_type_problems(self)} or _contradictions(self)
        if problems:
            raise RulesError(problems)

    @property
    def wd4_is_free(self) -> bool:
        """Whether a bluff with a Wild Draw Four cannot have consequences."""
        return self.wd4_legal_if is Wd4LegalIf.FREE or (self.wd4_bluff and not self.challenge)

    @property
    def draw_two_can_be_answered(self) -> bool:
        """Whether any card may be played on a pending Draw Two."""
        return (
            self.d2_on_d2
            or self.wd4_on_d2
            or self.reverse_on_d2
            or self.wild_on_pending
            or self.skip_on_d2 is not SkipOnD2.OFF
        )

    def with_overrides(self, **overrides: Any) -> Rules:  # noqa: ANN401  each field has its type
        """Return these rules with single fields replaced.

        Raises:
            RulesError: A value is of the wrong kind or out of range, or fields contradict each
                other.
            TypeError: There is no such field.
        """
        return evolve(self, **overrides)


#: Lowest and highest value of the fields that are numbers.
LIMITS: Mapping[str, tuple[int, int]] = {
    "decks": (1, MAX_DECKS),
    "min_players": (2, 20),
    "max_players": (2, 20),
    "hand_size": (1, 50),
    "innocent_extra": (0, 20),
    "uno_penalty": (0, 20),
    "false_call_penalty": (0, 20),
    "target": (0, 100_000),
    "misplay_penalty": (0, 20),
    "hint_penalty": (0, 20),
}


def typed_name(attribute: str) -> str:
    """Return a field's name as players type it: `pass_` is a keyword in Python only."""
    return attribute.rstrip("_")


OUT_OF_RANGE = "{lowest}-{highest}, not {value}"
WRONG_TYPE = "not {value}"


def out_of_range(name: str, value: object) -> Problem:
    """Say what the field *name*, which is a number, may be."""
    lowest, highest = LIMITS[name]
    return Problem(OUT_OF_RANGE, {"lowest": lowest, "highest": highest, "value": value})


def _type_problems(rules: Rules) -> dict[tuple[str, ...], Problem]:
    problems: dict[tuple[str, ...], Problem] = {}
    for attribute in fields(Rules):
        name, value = attribute.name, getattr(rules, attribute.name)
        lowest, highest = LIMITS.get(name, (value, value))
        if type(value) is not type(attribute.default):
            problems[typed_name(name),] = Problem(WRONG_TYPE, {"value": repr(value)})
        elif not lowest <= value <= highest:
            problems[typed_name(name),] = out_of_range(name, value)
    return problems


#: What cannot hold together: the fields, when, and why it makes no sense.
_CONTRADICTIONS: tuple[tuple[tuple[str, ...], Callable[[Rules], bool], str], ...] = (
    (
        ("min_players", "max_players"),
        lambda r: r.min_players > r.max_players,
        "the smallest table is larger than the largest",
    ),
    (
        ("hand_size", "max_players", "decks"),
        lambda r: r.hand_size * r.max_players >= r.decks * DECK,
        "too few cards to deal to a full table and turn one up",
    ),
    (
        ("drawn_card", "pass"),
        lambda r: r.drawn_card is DrawnCard.SNAP and r.pass_ is Pass.EXPLICIT,
        "a drawn card is snapped in after the turn has passed by itself",
    ),
    (
        ("draw_if_none", "drawn_card"),
        lambda r: r.draw_if_none is DrawIfNone.UNTIL_PLAYABLE and r.drawn_card is DrawnCard.KEPT,
        "who draws until a card fits must be able to play it",
    ),
    (
        ("after_taken_draw_two", "wild_on_taken_draw"),
        lambda r: (
            r.after_taken_draw_two is AfterTakenDrawTwo.COLOR_OR_WILD and not r.wild_on_taken_draw
        ),
        "one allows a Wild after a taken Draw Two, the other forbids it",
    ),
    (
        ("wild_on_pending", "wild_on_taken_draw"),
        lambda r: r.wild_on_pending and not r.wild_on_taken_draw,
        "a Wild that may answer a Draw Two may follow a taken one",
    ),
    (
        ("challenge", "wd4_legal_if"),
        lambda r: r.challenge and r.wd4_legal_if is Wd4LegalIf.FREE,
        "there is nothing to challenge where a Wild Draw Four is always legal",
    ),
    (
        ("challenge", "wd4_bluff"),
        lambda r: r.challenge and not r.wd4_bluff,
        "there is nothing to challenge where a bluff is refused",
    ),
)


#: Every reason of them.
CONTRADICTIONS = tuple(why for _, _, why in _CONTRADICTIONS)


def _contradictions(rules: Rules) -> dict[tuple[str, ...], Problem]:
    return {names: Problem(why) for names, holds, why in _CONTRADICTIONS if holds(rules)}


CUCIOLO = Rules()

STERNING = Rules(
    starter=Starter.FIRST,
    drawn_card=DrawnCard.SNAP,
    pass_=Pass.AUTOMATIC,
    wd4_on_d2=True,
    wd4_on_wd4=True,
    reverse_on_d2=True,
    skip_on_d2=SkipOnD2.NEXT_BUT_ONE,
    wild_on_taken_draw=False,
    after_taken_draw_two=AfterTakenDrawTwo.COLOR,
    wd4_legal_if=Wd4LegalIf.NO_OTHER,
    challenge=False,
    challenge_target=ChallengeTarget.FIRST,
    guilty_draws=GuiltyDraws.PENDING,
    hand_reveal=HandReveal.CHALLENGER,
    pair_play=True,
    uno_call_due=UnoCallDue.WITH_PLAY,
    uno_window_closes=UnoWindowCloses.OWN_NEXT_ACTION,
    last_card=LastCard.NUMBER,
    join_mid_game=JoinMidGame.OFF,
)

ZH2 = Rules(
    starter=Starter.LEFT_OF_DEALER,
    drawn_card=DrawnCard.KEPT,
    pass_=Pass.AUTOMATIC,
    wd4_on_d2=True,
    wd4_on_wd4=True,
    after_taken_draw_two=AfterTakenDrawTwo.COLOR_OR_WILD,
    wd4_legal_if=Wd4LegalIf.NO_COLOR_OR_ANSWER,
    hand_reveal=HandReveal.CHALLENGER,
    uno_call_due=UnoCallDue.AFTER_PLAY,
    uno_window_closes=UnoWindowCloses.NEXT_ACTS,
    join_mid_game=JoinMidGame.OFF,
)

MATTEL = Rules(
    starter=Starter.LEFT_OF_DEALER,
    first_card=FirstCard.EFFECT,
    d2_on_d2=False,
    hand_reveal=HandReveal.CHALLENGER,
    uno_call_due=UnoCallDue.WITH_PLAY,
    uno_window_closes=UnoWindowCloses.NEXT_TURN_BEGINS,
    target=500,
    join_mid_game=JoinMidGame.OFF,
)

#: The rule sets, by the name that players type.
PRESETS: Mapping[str, Rules] = {
    "cuciolo": CUCIOLO,
    "sterning": STERNING,
    "zh2": ZH2,
    "mattel": MATTEL,
}
