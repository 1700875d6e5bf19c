"""UNO in a channel with people: what they type, what may be shown to whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from gamebot_uno.engine.cards import CARD_FACES, CODES, FACE_COLORS, Card
from gamebot_uno.engine.game import Game, Move
from gamebot_uno.engine.moves import Challenge, ChooseColor, Draw, PassTurn, Play
from gamebot_uno.notation import ITALIAN, Spoken

from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.table.table import Table
from gamebot.testing.session import Heard, Session

CHANNEL = "#u"
CARD = re.compile(r"\b(?:[BVRG](?:[0-9]|S|C|D2)|JD4|J)\b")
HAND = re.compile(r"Le tue carte: (.*)")


@cache
def uno() -> Any:
    return load_plugins().registries["uno"]


def session_with(channels: Sequence[str] = (CHANNEL,), seed: str = "0", **settings: Any) -> Session:
    """Make a session with Italian UNO channels; the caller starts and stops it."""
    session = Session({"uno": uno()}, seed=seed)
    session.add_network("n")
    for name in channels:
        session.add_channel(
            "n",
            ChannelProfile(
                name=name,
                language="it",
                plugins=("uno",),
                settings={"uno": uno().settings(**settings)},
            ),
        )
    return session


def table_of(session: Session, channel: str = CHANNEL) -> Table | None:
    return session.channel(channel).tables.get("uno")


def view_of(session: Session, channel: str = CHANNEL) -> dict[str, Any]:
    return session.channel(channel).view("uno")


def hands_of(session: Session) -> dict[str, list[str]]:
    """Return every hand, by the player's name, of those who left too."""
    table = table_of(session)
    if table is None or table.game is None:
        return {}
    hands = {**table.game.set_aside, **table.game.hands}
    return {table.name(seat): [CODES[card] for card in cards] for seat, cards in hands.items()}


def typed(move: Move) -> str:
    """Write a move as an Italian player does."""
    match move:
        case Play(cards, color, said_uno):
            faces = tuple(CARD_FACES[card] for card in cards)
            called = color if FACE_COLORS[faces[0]] is None else None
            return ITALIAN.play(Spoken(faces, called, said_uno))
        case Draw():
            return "pe"
        case PassTurn():
            return "pa"
        case ChooseColor(color):
            return ITALIAN.letter(color)
        case Challenge():
            return "sfida"


def moves_of(game: Game) -> list[str]:
    """List what the player to act may type."""
    return [typed(move) for move in game.legal_moves(game.to_act)]


class Watch:
    """Looks at every line of the bot: no card that must not be seen, no hand for the wrong one."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.open: set[str] = set()
        self.faults: list[str] = []
        session.on_heard, session.on_event = self._heard, self._event

    def begin(self) -> None:
        """Forget what was open before the next input; the top card stays."""
        self.open = {code for code in (view_of(self.session).get("top"),) if code}

    def _event(self, _channel: Any, _plugin: str, event: Any) -> None:
        cards: Iterable[Any] = getattr(event, "cards", ())
        shown = [card[1] if isinstance(card, tuple) else card for card in cards]
        if (card := getattr(event, "card", None)) is not None:
            shown.append(card)
        self.open |= {CODES[Card(card)] for card in shown}

    def _heard(self, line: Heard) -> None:
        if line.to.startswith("#"):
            table = table_of(self.session)
            tops = {CODES[table.game.top_card]} if table and table.game else set()
            hidden = set(CARD.findall(line.plain)) - self.open - tops
            if hidden:
                self.faults.append(f"{hidden} shown: {line.plain}")
        elif hand := HAND.search(line.plain):
            self._hand(line, hand[1])

    def _hand(self, line: Heard, shown: str) -> None:
        table, fold = table_of(self.session), self.session.link().fold
        chairs = [c for c in table.chairs if fold(c.nick) == fold(line.to)] if table else []
        if len(chairs) != 1 or not chairs[0].present or chairs[0].is_bot:
            self.faults.append(f"no such player: {line.to}: {line.plain}")
            return
        hand = table.game.hands[chairs[0].seat]
        if Counter(shown.split()) != Counter(CODES[card] for card in hand):
            self.faults.append(f"not the hand of {line.to}: {line.plain}")
