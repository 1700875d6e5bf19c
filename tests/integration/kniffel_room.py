"""A channel full of people who play one game of Kniffel to its end, whatever happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from attrs import Factory, define

from . import channel_talk as talk
from .players import Player
from .scorekeeper import Sheet

CHANNEL = "#kniffel"
PATIENCE_S = 45.0
REROLL_ROUNDS = (1, 2)
LOOK_ROUND = 4

Surprise = Callable[["Room", talk.Turn], Awaitable[bool]]


@define(eq=False)
class Room:
    """One game in one channel.

    Attributes:
        bot: The bot's nick.
        watcher: Somebody who does not play: joins first, so is the channel's operator, and hears
            every line.
        players: Name at the table -> who plays under it, in the order of enrolment.
        surprises: Round -> what happens when its first turn begins; it says whether the player
            goes on with the turn (if not, the bot's next line about the turn does).
        sheets: Name -> the points that the players counted themselves.
        turn: The present turn.
        dice: Dice that lie on the table, None before the first roll.
        kept: Positions that the last roll must have left alone.
        pending: The box that was named to the bot and not confirmed yet.
        over: The bot's last line, once it came.
        happened: Rounds whose surprise is past.
    """

    bot: str
    watcher: Player
    players: Mapping[str, Player]
    surprises: Mapping[int, Surprise]
    sheets: dict[str, Sheet] = Factory(dict)
    turn: talk.Turn | None = None
    dice: talk.Dice | None = None
    kept: Mapping[int, int] = Factory(dict)
    pending: str | None = None
    over: talk.Over | None = None
    happened: set[int] = Factory(set)

    @property
    def actor(self) -> Player:
        """Who is to act."""
        assert self.turn is not None
        return self.players[self.turn.name]

    @property
    def everybody(self) -> list[Player]:
        """The players, and the one who watches."""
        return [self.watcher, *self.players.values()]

    async def enrol(self) -> None:
        """Let everybody join the game; the first one starts it."""
        for name, player in self.players.items():
            own = "" if name == player.nick else f" {name}"
            player.say(CHANNEL, talk.JOIN + own)
            await self.watcher.hear(rf"^{name}\b", source=self.bot, target=CHANNEL)
        next(iter(self.players.values())).say(CHANNEL, talk.START)
        self.sheets = {name: Sheet() for name in self.players}

    async def play(self) -> None:
        """Play until the bot says that the game is over, and compare every figure."""
        while self.over is None:
            await self.step()
        totals = {name: sheet.total for name, sheet in self.sheets.items()}
        assert all(not sheet.open for sheet in self.sheets.values()), self.watcher.recent()
        assert self.over.totals == totals, self.watcher.recent()
        best = max(totals.values())
        assert set(self.over.winners) == {name for name in totals if totals[name] == best}
        assert self.happened == set(self.surprises)

    async def step(self) -> None:
        """Wait for one line of the bot and do what it asks for."""
        line = await self.watcher.next_line(self.bot, CHANNEL, PATIENCE_S)
        for event in talk.read(line):
            await self._react(event)

    async def _react(self, event: talk.Talk) -> None:
        match event:
            case talk.Turn():
                await self._turn(event)
            case talk.Rolled():
                self._rolled(event)
            case talk.Entered():
                self._entered(event)
            case talk.Over():
                self.over = event

    async def _turn(self, turn: talk.Turn) -> None:
        before, self.turn = self.turn, turn
        if self.pending is not None:
            assert turn.resumed, f"a turn, but {self.pending} was not confirmed: {turn}"
            assert before is not None
            if (before.name, before.round) != (turn.name, turn.round):
                # It was entered, and the line that said so was lost with the bot's life.
                self._enter(before.name, self.pending)
            self.pending = None
        self.dice, self.kept = turn.dice, {}
        expected = len(self.sheets[turn.name].entered) + 1
        assert turn.round == expected, f"{turn} instead of round {expected}"
        surprise = self.surprises.get(turn.round)
        if surprise is not None and turn.round not in self.happened:
            self.happened.add(turn.round)
            if not await surprise(self, turn):
                return
        self.act()

    def act(self) -> None:
        """Do what the player to act does next."""
        assert self.turn is not None
        if self.dice is None:
            self.actor.say(CHANNEL, talk.ROLL)
            return
        if self.turn.round == LOOK_ROUND:
            self.actor.say(CHANNEL, talk.ENTER)
        self.pending = self.sheets[self.turn.name].best(self.dice)
        self.actor.say(CHANNEL, f"{talk.ENTER} {self.pending}")

    def _rolled(self, event: talk.Rolled) -> None:
        assert self.turn is not None
        assert event.name == self.turn.name, f"{event} in {self.turn}"
        for position, face in self.kept.items():
            assert event.dice[position - 1] == face, f"{event}: kept were {self.kept}"
        self.dice, self.kept = event.dice, {}
        if self.pending is not None:
            return  # a roll said twice, around the bot's return; the box is named already
        if self.turn.round in REROLL_ROUNDS and event.rolls_left == 2:
            self._reroll(event.dice)
        else:
            self.act()

    def _reroll(self, dice: talk.Dice) -> None:
        face = Counter(dice).most_common(1)[0][0]
        self.kept = {at: each for at, each in enumerate(dice, 1) if each == face}
        others = [str(at) for at in range(1, 6) if at not in self.kept]
        if others:
            self.actor.say(CHANNEL, " ".join([talk.ROLL, *others]))
        else:
            self.act()

    def _entered(self, event: talk.Entered) -> None:
        assert self.turn is not None
        assert event.name == self.turn.name, f"{event} in {self.turn}"
        assert event.box == self.pending, f"{event}, but named was {self.pending}"
        points = self._enter(event.name, event.box)
        assert (event.points, event.total) == (points, self.sheets[event.name].total), event
        self.pending = None

    def _enter(self, name: str, box: str) -> int:
        assert self.dice is not None
        return self.sheets[name].enter(box, self.dice)
