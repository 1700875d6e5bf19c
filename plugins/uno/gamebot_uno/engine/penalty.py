"""Pending sums: who must answer or take them, and the challenge of a Wild Draw Four."""

from __future__ import annotations

from collections.abc import Sequence

from gamebot_uno.engine.cards import Card, Rank
from gamebot_uno.engine.choices import ChallengeTarget, GuiltyDraws, HandReveal, Wd4LegalIf
from gamebot_uno.engine.events import Challenged, Event, HandRevealed, Why
from gamebot_uno.engine.legality import is_honest
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, Snapshot, State

#: What one card adds to the pending sum (it:36, it:42, zh:36, zh:45).
DRAWS = {Rank.DRAW_TWO: 2, Rank.WILD_DRAW_FOUR: 4}


def add(game: State, rank: Rank, copies: int) -> None:
    """Add *copies* cards of *rank* to the pending sum."""
    game.pending_draw += DRAWS[rank] * copies
    game.pending_rank = rank


def press(game: State, seat: Seat, events: list[Event]) -> None:
    """Ask *seat* to answer the pending sum or take it.

    A Draw Two that the rules let nobody answer is taken at once. Nobody doubts the own Wild Draw
    Four, when it comes round as the first one of a chain.
    """
    if game.challenge is not None and game.challenge.seat != seat:
        game.begin_turn(seat, events, Phase.CHALLENGE)
    elif game.pending_rank is Rank.DRAW_TWO and not game.rules.draw_two_can_be_answered:
        take(game, seat, events)
    else:
        game.begin_turn(seat, events)


def settle(game: State) -> int:
    """Clear the pending sum, remembering what kind it was; return how much it was."""
    count, game.pending_draw = game.pending_draw, 0
    game.taken_rank, game.pending_rank = game.pending_rank, None
    game.challenge = None
    return count


def take(
    game: State, seat: Seat, events: list[Event], *, why: Why = Why.PENALTY, extra: int = 0
) -> None:
    """Let *seat* draw the pending sum, or what there is of it, and lose its turn (it:36)."""
    game.give(seat, settle(game) + extra, why, events)
    game.begin_turn(game.after(seat), events)


def examine(game: State, seat: Seat, hand: Sequence[Card], cards: tuple[Card, ...]) -> None:
    """Keep what a challenge of the Wild Draw Four *cards*, about to be played, will judge by.

    Neither a fine nor a reshuffle nor the player's leaving can change the verdict later.
    """
    rules = game.rules
    if not rules.challenge:
        return
    if game.pending_draw and rules.wd4_legal_if is Wd4LegalIf.NO_COLOR_OR_ANSWER:
        game.challenge = None
        return
    if game.challenge is not None and rules.challenge_target is ChallengeTarget.FIRST:
        return
    rest = tuple(card for card in hand if card not in cards)
    game.challenge = Snapshot(seat, rest, guilty=not is_honest(game, hand))


def judge(game: State, challenger: Seat, snapshot: Snapshot, events: list[Event]) -> None:
    """Decide a challenge (it:44, zh:47, zh:92)."""
    rules, offender = game.rules, snapshot.seat
    events.append(Challenged(challenger, offender, snapshot.guilty))
    if rules.hand_reveal is HandReveal.CHALLENGER:
        events.append(HandRevealed(challenger, offender, snapshot.hand))
    if not snapshot.guilty:
        take(game, challenger, events, why=Why.CHALLENGE, extra=rules.innocent_extra)
        return
    pending = settle(game)
    four = rules.guilty_draws is GuiltyDraws.FOUR
    game.give(offender, DRAWS[Rank.WILD_DRAW_FOUR] if four else pending, Why.BLUFF, events)
    game.begin_turn(challenger, events)
