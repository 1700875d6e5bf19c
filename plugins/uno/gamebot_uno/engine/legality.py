"""Which cards may be played now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gamebot_uno.engine.cards import (
    ALL_CARDS,
    COLOR_CARDS,
    COLORS,
    MATCHES,
    RANK_CARDS,
    RANK_COUNT,
    RANKS,
    WILDS,
    Card,
    Color,
    Rank,
)
from gamebot_uno.engine.choices import AfterTakenDrawTwo, DrawnCard, LastCard, SkipOnD2, Wd4LegalIf
from gamebot_uno.engine.reasons import Reason
from gamebot_uno.engine.rules import Rules
from gamebot_uno.engine.state import Phase, State

_PAIR = 2
_SKIP, _REVERSE, _DRAW_TWO = Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO
_WILD, _WILD_DRAW_FOUR = Rank.WILD, Rank.WILD_DRAW_FOUR
_COLOR_PHASE, _ANY = Phase.COLOR, LastCard.ANY
_NONE: frozenset[Card] = frozenset()


def playable(game: State) -> frozenset[Card]:
    """Return every card that fits what lies there, whoever holds it."""
    color, top = game.color, RANKS[game.discard_pile[-1]]
    if game.pending_draw:
        return _answers(game, top)
    if game.taken_rank is not None:
        return _after_taken(game.rules, game.taken_rank, color, top)
    return ALL_CARDS if color is None else MATCHES[color * RANK_COUNT + top]


def _answers(game: State, top: Rank) -> frozenset[Card]:
    """Return what may be played on a pending sum."""
    rules = game.rules
    wilds = _pick(rules.wild_on_pending, _WILD)
    if game.pending_rank is _WILD_DRAW_FOUR:
        return wilds | _pick(rules.d2_on_wd4, _DRAW_TWO) | _pick(rules.wd4_on_wd4, _WILD_DRAW_FOUR)
    wilds |= _pick(rules.wd4_on_d2, _WILD_DRAW_FOUR)
    skips = rules.skip_on_d2 is SkipOnD2.NEXT or (
        rules.skip_on_d2 is SkipOnD2.NEXT_BUT_ONE and len(game.seats) > _PAIR
    )
    return wilds | _coloured_answers(
        game.color, top is _DRAW_TWO, rules.d2_on_d2, rules.reverse_on_d2, skips
    )


def _pick(allowed: bool, rank: Rank) -> frozenset[Card]:  # noqa: FBT001  reads as "pick if"
    return RANK_CARDS[rank] if allowed else _NONE


@cache
def _coloured_answers(
    color: Color | None,
    on_top: bool,  # noqa: FBT001  keys of a cache
    draw_two: bool,  # noqa: FBT001  keys of a cache
    reverse: bool,  # noqa: FBT001  keys of a cache
    skip: bool,  # noqa: FBT001  keys of a cache
) -> frozenset[Card]:
    """Return the coloured answers to a Draw Two.

    Args:
        color: Its colour, which a Skip or Reverse must have (zh:38-39).
        on_top: Whether it lies on top, so that any Draw Two follows it (it:36, zh:36).
        draw_two: Whether a Draw Two may follow.
        reverse: Whether a Reverse may.
        skip: Whether a Skip may.
    """
    same = ALL_CARDS if color is None else COLOR_CARDS[color]
    draw_twos = RANK_CARDS[_DRAW_TWO] if on_top else RANK_CARDS[_DRAW_TWO] & same
    return (
        (draw_twos if draw_two else _NONE)
        | (RANK_CARDS[_REVERSE] & same if reverse else _NONE)
        | (RANK_CARDS[_SKIP] & same if skip else _NONE)
    )


def _after_taken(rules: Rules, taken: Rank, color: Color | None, top: Rank) -> frozenset[Card]:
    """Return what may follow a sum that was taken (zh:41, zh:43, zh:81)."""
    assert color is not None  # noqa: S101  a sum is taken after its colour was called
    after = rules.after_taken_draw_two
    if taken is _WILD_DRAW_FOUR or after is AfterTakenDrawTwo.NORMAL:
        allowed = MATCHES[color * RANK_COUNT + top]
    elif after is AfterTakenDrawTwo.COLOR:
        return COLOR_CARDS[color] | RANK_CARDS[_WILD_DRAW_FOUR]
    else:
        allowed = COLOR_CARDS[color] | WILDS
    return allowed if rules.wild_on_taken_draw else allowed - RANK_CARDS[_WILD]


def refusal(
    game: State,
    hand: Sequence[Card],
    cards: tuple[Card, ...],
    after_draw: bool,  # noqa: FBT001  called for every card of every move
) -> Reason | None:
    """Tell why who holds *hand* may not play *cards*; None if it may.

    Args:
        game: Only read.
        hand: Cards of the player.
        cards: What it wants to play.
        after_draw: Whether the player has drawn in this turn.
    """
    card = cards[0]
    if game.phase is _COLOR_PHASE:
        return Reason.COLOR_DUE
    if card not in hand:
        return Reason.NOT_HELD
    if len(cards) > 1 and (reason := _no_pair(game, hand, cards)):
        return reason
    if card not in playable(game):
        return _why_not(game)
    if after_draw and (reason := _after_draw(game, cards)):
        return reason
    return _by_hand(game, hand, cards)


def _why_not(game: State) -> Reason:
    if game.phase is Phase.CHALLENGE:
        return Reason.ACCEPT_OR_CHALLENGE
    return Reason.ANSWER_OR_TAKE if game.pending_draw else Reason.DOES_NOT_FIT


def _no_pair(game: State, hand: Sequence[Card], cards: tuple[Card, ...]) -> Reason | None:
    first, second, *more = cards
    if not game.rules.pair_play:
        return Reason.NO_PAIRS
    if more or RANKS[first] is not RANKS[second] or COLORS[first] is not COLORS[second]:
        return Reason.NOT_IDENTICAL
    return None if second in hand and first != second else Reason.NOT_HELD


def _after_draw(game: State, cards: tuple[Card, ...]) -> Reason | None:
    """Only the card just drawn may be played, if that (it:6, zh:22, zh:104)."""
    if game.rules.drawn_card is DrawnCard.KEPT:
        return Reason.NO_PLAY_AFTER_DRAW
    return None if cards == (game.drawn_card,) else Reason.ONLY_DRAWN_CARD


def _by_hand(game: State, hand: Sequence[Card], cards: tuple[Card, ...]) -> Reason | None:
    """Tell what the rest of the hand has against *cards*, which fit."""
    rules, rank = game.rules, RANKS[cards[0]]
    if len(hand) == len(cards) and rank >= _SKIP and rules.last_card is not _ANY:
        return Reason.LAST_CARD_IS_NO_NUMBER
    if rank is _WILD_DRAW_FOUR and not rules.wd4_bluff and not is_honest(game, hand):
        return Reason.WILD_DRAW_FOUR_NOT_ALLOWED
    return None


def is_honest(game: State, hand: Sequence[Card]) -> bool:
    """Tell whether a Wild Draw Four played from *hand* now is no bluff.

    Wilds never count as a colour; Skip, Reverse and Draw Two do.
    """
    condition = game.rules.wd4_legal_if
    if condition is Wd4LegalIf.FREE:
        return True
    if condition is Wd4LegalIf.NO_OTHER:
        fits = playable(game)
        return not any(card in fits and RANKS[card] is not _WILD_DRAW_FOUR for card in hand)
    if game.pending_draw and condition is Wd4LegalIf.NO_COLOR_OR_ANSWER:
        return True
    color = game.color
    return color is None or not any(COLORS[card] is color for card in hand)


def can_play(game: State, hand: Sequence[Card]) -> bool:
    """Tell whether any card of the seat to act may be played."""
    return any(refusal(game, hand, (card,), game.drew) is None for card in hand)
