"""Named values that fields of `Rules` can have; players type the values, not the names here."""

from __future__ import annotations

from enum import StrEnum

#: Decks that can be shuffled together.
MAX_DECKS = 8


class Starter(StrEnum):
    """Who begins the first round of a game."""

    RANDOM = "random"
    FIRST = "first"
    LEFT_OF_DEALER = "left_of_dealer"


class FirstCard(StrEnum):
    """What may be turned up first."""

    NUMBER = "number"
    EFFECT = "effect"
    NO_EFFECT = "no_effect"


class Match(StrEnum):
    """What a card must have in common with the one on top."""

    COLOR_OR_RANK = "color_or_rank"


class DrawIfNone(StrEnum):
    """How many cards a player draws who cannot or will not play."""

    ONE = "1"
    UNTIL_PLAYABLE = "until_playable"


class DrawnCard(StrEnum):
    """What may happen with a card just drawn."""

    PLAYABLE = "playable"
    SNAP = "snap"
    KEPT = "kept"
    FORCED = "forced"


class Pass(StrEnum):
    """How a turn ends after a draw."""

    EXPLICIT = "explicit"
    AUTOMATIC = "automatic"


class DrawTwo(StrEnum):
    """What a Draw Two does."""

    LOSES_TURN = "loses_turn"


class SkipOnD2(StrEnum):
    """Whether a Skip of its colour sends a pending Draw Two on, and to whom."""

    OFF = "off"
    NEXT_BUT_ONE = "next_but_one"
    NEXT = "next"


class AfterTakenDrawTwo(StrEnum):
    """What may follow a Draw Two that somebody has taken."""

    NORMAL = "normal"
    COLOR = "color"
    COLOR_OR_WILD = "color_or_wild"


class Wd4LegalIf(StrEnum):
    """When a Wild Draw Four is no bluff."""

    FREE = "free"
    NO_COLOR = "no_color"
    NO_COLOR_OR_ANSWER = "no_color_or_answer"
    NO_OTHER = "no_other"


class ChallengeTarget(StrEnum):
    """Whose Wild Draw Four a challenge examines."""

    LAST = "last"
    FIRST = "first"


class GuiltyDraws(StrEnum):
    """What a caught bluffer draws."""

    FOUR = "four"
    PENDING = "pending"


class AfterWonChallenge(StrEnum):
    """What follows a won challenge."""

    CHALLENGER_PLAYS = "challenger_plays"


class HandReveal(StrEnum):
    """Who sees the hand that a challenge examines."""

    NONE = "none"
    CHALLENGER = "challenger"


class ReverseWithTwo(StrEnum):
    """What a Reverse does between two players."""

    SKIP = "skip"
    INERT = "inert"


class UnoCallDue(StrEnum):
    """What obliges a player to call."""

    AT_ONE_CARD = "at_one_card"
    WITH_PLAY = "with_play"
    AFTER_PLAY = "after_play"


class UnoWindowCloses(StrEnum):
    """Until when a player who has not called can be caught."""

    NEXT_PLAYS_OR_DRAWS = "next_plays_or_draws"
    OWN_NEXT_ACTION = "own_next_action"
    NEXT_ACTS = "next_acts"
    NEXT_TURN_BEGINS = "next_turn_begins"


class UnoCaller(StrEnum):
    """Who may catch."""

    SEATED = "seated"


class LastCard(StrEnum):
    """What may be played last."""

    ANY = "any"
    NUMBER = "number"


class DeckOut(StrEnum):
    """What happens when the draw pile is used up."""

    RESHUFFLE = "reshuffle"


class NothingLeft(StrEnum):
    """What happens when there is nothing to reshuffle either."""

    PASS = "pass"  # noqa: S105  no password: the player may pass


class Points(StrEnum):
    """Who gets which points."""

    WINNER_TAKES_SUM = "winner_takes_sum"


class JoinMidGame(StrEnum):
    """Whether a running game can be joined, and with how many cards."""

    OFF = "off"
    HAND_SIZE = "hand_size"
    AVERAGE = "average"
