"""What a card does when it is played, and how turns pass."""

from __future__ import annotations

from gamebot_uno.engine import voids
from gamebot_uno.engine.cards import COLORS, RANKS, Card, Color, Rank
from gamebot_uno.engine.choices import DrawIfNone, DrawnCard, Pass, ReverseWithTwo, SkipOnD2
from gamebot_uno.engine.events import (
    CardPlayed,
    ColorChosen,
    DirectionReversed,
    Event,
    HandDealt,
    HandsPassed,
    HandsSwapped,
    How,
    TurnPassed,
    TurnSkipped,
    Why,
)
from gamebot_uno.engine.legality import refusal
from gamebot_uno.engine.moves import Play
from gamebot_uno.engine.penalty import DRAWS, add, examine, press
from gamebot_uno.engine.rounds import end_round
from gamebot_uno.engine.scoring import fewest_points
from gamebot_uno.engine.seat import Seat
from gamebot_uno.engine.state import Phase, State
from gamebot_uno.engine.unocall import hands_moved, one_left

_TWO = 2
_SKIP, _REVERSE, _DRAW_TWO, _WILD = Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO, Rank.WILD
_WILD_DRAW_FOUR = Rank.WILD_DRAW_FOUR


def put_down(game: State, seat: Seat, play: Play, how: How, events: list[Event]) -> None:
    """Play what was found legal, with all that follows."""
    hand, cards = game.hands[seat], play.cards
    rank, color = RANKS[cards[0]], COLORS[cards[0]]
    if rank is _WILD_DRAW_FOUR:
        examine(game, seat, hand, cards)
    elif game.challenge is not None:
        game.challenge = None
    for card in cards:
        hand.remove(card)
    game.discard_pile += cards
    game.color = color = play.color if color is None else color
    game.taken_rank = None
    game.silent_passes = 0
    left = len(hand)
    if seat in game.voids:
        voids.played(game, seat, cards)
    events.append(CardPlayed(seat, cards, color, left, how))
    if rank in DRAWS:
        add(game, rank, len(cards))
    if not left:
        _go_out(game, seat, rank, events)
        return
    if game.rules.seven_zero and (rank is Rank.SEVEN or rank is Rank.ZERO):
        _move_hands(game, seat, rank, play, events)
    elif left == 1:
        one_left(game, seat, events, said_uno=play.said_uno)
    if color is None:
        game.phase = Phase.COLOR
        game.clock_id += 1
    else:
        resolve(game, seat, rank, events)


def resolve(game: State, seat: Seat, rank: Rank, events: list[Event]) -> None:
    """Let the card of *rank* that *seat* played act, and give the turn to whom it leaves it."""
    following = _follower(game, seat, rank, events)
    if game.pending_draw:
        press(game, following, events)
    else:
        game.begin_turn(following, events)


def _follower(game: State, seat: Seat, rank: Rank, events: list[Event]) -> Seat:
    """Return whose turn it is after the card of *rank* that *seat* played."""
    if rank is _SKIP:
        skipped = game.after(seat)
        if game.pending_draw and game.rules.skip_on_d2 is SkipOnD2.NEXT:
            return skipped
        events.append(TurnSkipped(skipped))
        return game.after(seat, 2)
    if rank is _REVERSE:
        game.direction = -game.direction
        events.append(DirectionReversed(game.direction))
        if (
            len(game.seats) == _TWO
            and not game.pending_draw
            and game.rules.reverse_with_two is ReverseWithTwo.SKIP
        ):
            events.append(TurnSkipped(game.after(seat)))
            return seat
    return game.after(seat)


def _go_out(game: State, seat: Seat, rank: Rank, events: list[Event]) -> None:
    """End the round for *seat*; what is pending is drawn first and counts (zh:110)."""
    if game.pending_draw and game.rules.last_card_draw_applies:
        victim = _follower(game, seat, rank, events)
        game.give(victim, game.pending_draw, Why.PENALTY, events)
    end_round(game, seat, events)


def _move_hands(game: State, seat: Seat, rank: Rank, play: Play, events: list[Event]) -> None:
    """Let a 7 swap two hands, a 0 hand all hands on."""
    hands = game.hands
    if rank is Rank.ZERO:
        moved = list(game.seats)
        taken = {game.after(giver): hands[giver] for giver in moved}
        events.append(HandsPassed(game.direction))
    else:
        other = play.swap_with if play.swap_with is not None else _shortest(game, seat)
        moved = [seat, other]
        taken = {seat: hands[other], other: hands[seat]}
        events.append(HandsSwapped(seat, other))
    hands.update(taken)
    voids.forget(game, moved)
    events += [HandDealt(owner, tuple(hands[owner])) for owner in moved]
    hands_moved(game, seat, moved, events, said_uno=play.said_uno)


def _shortest(game: State, seat: Seat) -> Seat:
    """Return who else has the fewest cards, of several the next in turn."""
    others = [game.after(seat, steps) for steps in range(1, len(game.seats))]
    return min(others, key=lambda other: len(game.hands[other]))


def call_color(
    game: State, seat: Seat, color: Color, events: list[Event], *, by_bot: bool = False
) -> None:
    """Give the wild on top its colour and go on; after the first card's, the turn begins."""
    game.color = color
    events.append(ColorChosen(seat, color, by_bot))
    if game.opening_color:
        game.opening_color = False
        game.begin_turn(seat, events)
    else:
        resolve(game, seat, RANKS[game.top_card], events)


def favourite_color(hand: list[Card]) -> Color:
    """Return the colour held most, of several the first of blue, green, red, yellow."""
    held = [COLORS[card] for card in hand]
    return max(Color, key=held.count)


def draw_card(game: State, seat: Seat, events: list[Event]) -> None:
    """Draw as the rules ask, and pass where the turn ends by itself (it:6, zh:22, zh:104)."""
    rules, hand = game.rules, game.hands[seat]
    voids.drew_instead(game, seat)
    cards = game.take_from_pile(1, events)
    if rules.draw_if_none is DrawIfNone.UNTIL_PLAYABLE:
        while cards and refusal(game, [*hand, *cards], (cards[-1],), after_draw=False):
            more = game.take_from_pile(1, events)
            if not more:
                break
            cards += more
    game.hand_over(seat, cards, Why.TURN, events)
    game.drew, game.drawn_card = True, cards[-1] if cards else None
    if rules.pass_ is Pass.AUTOMATIC and not _may_play_drawn(game, hand):
        card = game.drawn_card
        end_turn(game, seat, events)
        if rules.drawn_card is DrawnCard.SNAP and card is not None and RANKS[card] < _SKIP:
            game.snap_seat, game.snap_card = seat, card
    else:
        game.clock_id += 1


def _may_play_drawn(game: State, hand: list[Card]) -> bool:
    """Tell whether the turn goes on because the card just drawn may be played in it."""
    card = game.drawn_card
    if card is None or game.rules.drawn_card is DrawnCard.SNAP:
        return False
    return refusal(game, hand, (card,), after_draw=True) is None


def end_turn(game: State, seat: Seat, events: list[Event]) -> None:
    """Pass; when everybody in a row has drawn nothing and passed, the round ends."""
    events.append(TurnPassed(seat))
    if game.drawn_card is not None:
        voids.kept_drawn_card(game, seat)
    else:
        game.silent_passes += 1
        if game.silent_passes >= len(game.seats):
            end_round(game, fewest_points(game), events, silent=True)
            return
    game.begin_turn(game.after(seat), events)
