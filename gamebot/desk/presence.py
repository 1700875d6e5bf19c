"""People at a table: seats follow them through nick changes, absence and return."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gamebot.desk import turn_clock
from gamebot.desk.player_names import is_free
from gamebot.events import (
    AccountChanged,
    Event,
    Identified,
    Joined,
    Left,
    LeftHow,
    NickChanged,
    Person,
)
from gamebot.table.table import Chair, Phase, Table

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk

_NETSPLIT = re.compile(r"[\w.*-]+\.[\w*-]+ [\w.*-]+\.[\w*-]+")

NETSPLIT_GRACE_S = 600.0
"""A seat lost in a netsplit is kept at least so long, seconds."""


class Presence:
    """Who of a table's players is there."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.ctx, self.kind, self.fold = desk, desk.ctx, desk.kind, desk.fold

    def moved(self, event: Event) -> None:
        """Follow what happened to somebody."""
        match event:
            case Joined():
                self.came(event.person)
            case Left():
                self.gone(event)
            case NickChanged():
                self.nick_changed(event)
            case AccountChanged():
                self.account_changed(event.person)
            case Identified():
                self.identified(event.person)
            case _:
                pass

    def nick_changed(self, event: NickChanged) -> None:
        """Let a seat, and the right to start, follow somebody's nick."""
        chair = self.desk.chair_of(event.person)
        if self.desk.table and self.fold(self.desk.table.starter) == self.fold(event.person.nick):
            self.desk.table.starter = event.new_nick
        if chair is not None:
            self.follow(chair, event.new_nick)
            return
        for left in self.desk.table.gone if self.desk.table else ():
            if left.belongs_to(event.person, self.fold):
                self.follow(left, event.new_nick)
        now = event.person
        self.came(
            Person(now.network, event.new_nick, now.user, now.host, now.account),
        )

    def follow(self, chair: Chair, nick: str) -> None:
        """Note a player's new nick; the name follows unless it was chosen, or is another's."""
        follows = self.kind.names_follow_nicks and chair.name == chair.nick
        if follows and is_free(self.desk, nick, but=chair):
            chair.name = nick
        chair.nick = nick

    def gone(self, event: Left) -> None:
        """Keep or free the seat of somebody who left the channel."""
        chair = self.desk.chair_of(event.person)
        if chair is None:
            return
        chair.voiced = False
        if event.how is LeftHow.KICK or self.desk.phase is Phase.LOBBY:
            lobby = self.desk.phase is Phase.LOBBY
            chair.barred = event.how is LeftHow.KICK
            self.desk.leave(chair)
            if lobby:
                self.kind.lobby_left(self.ctx, chair)
            return
        chair.present = False
        grace, split = self._grace_s(chair), _NETSPLIT.fullmatch(event.reason)
        if grace:
            turn_clock.keep_seat(self.desk, chair, max(NETSPLIT_GRACE_S, grace) if split else grace)
        if not split:
            self.kind.away(self.ctx, self.desk.playing.game, chair)

    def _grace_s(self, chair: Chair) -> float:
        """Return how long an absent player's seat is kept; 0: until the turn clock runs out.

        Where a rule stopped the clock in the middle of that player's turn, the grace stands in
        for it; nobody else could ever end the turn.
        """
        game, settings = self.desk.playing.game, self.ctx.settings
        stopped = game.to_act == chair.seat and not self.kind.clock_runs(game)
        return float(settings.return_grace_s or (settings.turn_timeout_s if stopped else 0.0))

    def came(self, person: Person, *, speaking: bool = False) -> None:
        """Give a player who is back the kept seat; tell a stranger of that nick why not.

        Args:
            person: Who is here now.
            speaking: Whether a line told so; a stranger is not told again at every line.
        """
        table = self.desk.table
        if table is None or table.phase is not Phase.PLAYING:
            return
        seated = self.desk.chair_of(person)
        if seated is not None:
            self._note_host(seated, person)
            self._recognise(table, seated, person)
            return
        for chair in table.humans:
            if chair.present and chair.verified:
                continue
            if chair.belongs_to(person, self.fold):
                if self._is_here(person):
                    self._sit_down(table, chair, person)
                return
        key = self.fold(person.nick)
        if not speaking and any(not c.present and self.fold(c.nick) == key for c in table.humans):
            self.ctx.notice(
                person.nick,
                self.ctx.t(
                    "The seat of {name} is kept for the player who took it, known by services "
                    "account or host.",
                    name=person.nick,
                ),
            )

    def second_nick(self, person: Person) -> None:
        """Give a seat to the nick of its services account that speaks: one account is one person."""
        table = self.desk.table
        chair = second_nick(table, person, self.fold) if table else None
        if chair is None or not self._is_here(person):
            return
        before = chair.nick
        if self.fold(table.starter) == self.fold(before):  # type: ignore[union-attr]  # as above
            table.starter = person.nick  # type: ignore[union-attr]
        self.follow(chair, person.nick)
        chair.userhost, chair.present, chair.verified = person.userhost, True, True
        turn_clock.keep_no_longer(self.desk, chair)
        self.ctx.say(
            self.ctx.t("{nick} is {before}: the seat is the same.", nick=person.nick, before=before)
        )

    def _is_here(self, person: Person) -> bool:
        """Whether *person* is in the channel: a nick changes, somebody logs in anywhere."""
        key = self.fold(person.nick)
        return any(self.fold(member.nick) == key for member in self.ctx.members)

    def _sit_down(self, table: Table, chair: Chair, person: Person) -> None:
        was_away, was_doubtful = not chair.present, not chair.verified
        chair.present = chair.verified = True
        self.follow(chair, person.nick)
        chair.userhost = person.userhost
        chair.account = person.account or chair.account
        turn_clock.keep_no_longer(self.desk, chair)
        if was_away:
            self.kind.back(self.ctx, table.game, chair)
        elif was_doubtful:
            self.kind.recognised(self.ctx, table.game, chair)

    def account_changed(self, person: Person) -> None:
        """Remember a seated player's account; somebody who logs in may get a kept seat back."""
        chair = self.desk.chair_of(person)
        if chair is None:
            self.came(person)
        elif person.account:
            chair.account = person.account

    def identified(self, person: Person) -> None:
        """Find out whether a player's nick, known without a host so far, is still the player's.

        A player whose nick was followed has a new host.
        """
        table, key = self.desk.table, self.fold(person.nick)
        if table is None or table.phase is Phase.OVER:
            return
        if (seated := self.desk.chair_of(person)) is not None:
            self._note_host(seated, person)
        for chair in list(table.humans):
            if chair.verified or not chair.present or self.fold(chair.nick) != key:
                continue
            if not chair.belongs_to(person, self.fold):
                self._missing(table, chair)
            self._recognise(table, chair, person)
        self.came(person)

    def _note_host(self, chair: Chair, person: Person) -> None:
        """Know a player by the present host after the bot's next absence."""
        if chair.verified and person.user and self.desk.channel.up:
            chair.userhost = person.userhost

    def _recognise(self, table: Table, chair: Chair, person: Person) -> None:
        if chair.verified or not person.user or not chair.belongs_to(person, self.fold):
            return
        chair.verified = True
        if table.phase is Phase.PLAYING:
            self.kind.recognised(self.ctx, table.game, chair)

    def reconcile(self, members: Sequence[Person]) -> None:
        """Compare the seats with who is in the channel, after the bot was away."""
        table = self.desk.table
        if table is None or table.phase is Phase.OVER:
            return
        here = {self.fold(person.nick): person for person in members}
        for chair in list(table.humans):
            person = here.get(self.fold(chair.nick))
            known = person is not None and bool(person.user)
            if person is None or (known and not chair.belongs_to(person, self.fold)):
                self._missing(table, chair)
            else:
                chair.present, chair.verified = True, known
                turn_clock.keep_no_longer(self.desk, chair)
        for person in members:
            self.came(person)

    def _missing(self, table: Table, chair: Chair) -> None:
        if table.phase is Phase.LOBBY:
            self.desk.leave(chair)
            return
        chair.present = chair.voiced = False
        grace = self._grace_s(chair)
        if grace and not turn_clock.is_kept(self.desk, chair):
            turn_clock.keep_seat(self.desk, chair, grace)


def second_nick(table: Table, person: Person, fold: Callable[[str], str]) -> Chair | None:
    """Return the chair of *person*'s services account under another nick, None if there is none."""
    if not person.account or table.phase is Phase.OVER:
        return None
    mine = (chair for chair in table.humans if chair.account == person.account)
    return next((chair for chair in mine if fold(chair.nick) != fold(person.nick)), None)
