"""The table primitive: lobby, seats that follow people, turn clock, end, restart.

A `Desk` is one plugin's table in one channel, seen by one handler. What game plugins may call is
declared in `gamebot.plugin.game_desk`; the channel calls the rest for timers and people.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import evolve

from gamebot.chance import draw_key
from gamebot.desk import enrolment, turn_clock, voice_and_topic
from gamebot.desk.player_names import check_free, check_name
from gamebot.desk.results import result_rows
from gamebot.desk.turn_clock import BOT, GRACE, LOBBY, TURN, WARN, cancel_all
from gamebot.errors import Refused
from gamebot.plugin.game import GameType
from gamebot.plugin.typed import completed, same_name
from gamebot.ports import TimerRow, Urgency
from gamebot.table.saved import chance_of
from gamebot.table.table import Chair, Fixed, Outcome, Phase, Seat, Table

if TYPE_CHECKING:
    from gamebot.desk.host import TableHost
    from gamebot.events import Person
    from gamebot.plugin.context import Context


class Desk:
    """One plugin's table in one channel, for the span of one handler."""

    def __init__(self, ctx: Context, kind: GameType[Any], host: TableHost) -> None:
        self.ctx, self.kind, self.channel = ctx, kind, host
        self.plugin = ctx.registry.plugin
        self.fold = host.link.fold

    # -- what is there ----------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        """The table: an open lobby, a running game, or the last game that ended."""
        return self.channel.tables.get(self.plugin)

    @property
    def phase(self) -> Phase | None:
        """The table's phase, None when idle."""
        return self.table.phase if self.table else None

    @property
    def open(self) -> Table:
        """The table while a lobby is open or a game runs.

        Raises:
            Refused: There is neither.
        """
        table = self.table
        if table is None or table.phase is Phase.OVER:
            raise Refused("Nobody plays here now.")
        return table

    @property
    def playing(self) -> Table:
        """The table while a game runs.

        Raises:
            Refused: None runs.
        """
        if self.phase is not Phase.PLAYING or self.table is None:
            raise Refused("No game is running.")
        return self.table

    @property
    def game(self) -> Any:  # noqa: ANN401  each plugin's own engine
        """The running game.

        Raises:
            Refused: None runs.
        """
        return self.playing.game

    def chair_of(self, person: Person | None) -> Chair | None:
        """Return the chair of *person* in a lobby or a running game."""
        table = self.table
        if person is None or table is None or table.phase is Phase.OVER:
            return None
        key = self.fold(person.nick)
        for chair in table.humans:
            if chair.present and self.fold(chair.nick) == key:
                known = chair.verified and self.channel.up  # else the nick may be another's by now
                if known or not person.user or chair.belongs_to(person, self.fold):
                    return chair
                return None
        return None

    def seated(self, person: Person | None) -> Chair:
        """Return the chair of *person*.

        Raises:
            Refused: That person has none.
        """
        chair = self.chair_of(person)
        if chair is None:
            raise Refused("You do not play here.")
        return chair

    def chair_named(self, name: str) -> Chair:
        """Return the chair whose name, else whose nick, is *name* under the casemapping.

        Raises:
            Refused: There is none.
        """
        chairs = self.open.chairs
        for typed in (name, completed(name)):
            nick, chosen = self.fold(typed), self.fold(same_name(typed))
            for chair in chairs:
                if self.fold(same_name(chair.name)) == chosen:
                    return chair
            for chair in chairs:
                if self.fold(chair.nick) == nick:
                    return chair
        raise Refused("Nobody here is called {name}.", name=name)

    def left_s(self, name: str = TURN) -> float | None:
        """Return how many seconds a timer of the table has left, None if it is not armed."""
        return self.channel.left_s(self.plugin, name, self.ctx.effects)

    # -- lobby: see `enrolment` -------------------------------------------------------------

    def open_lobby(self, seconds: float | None = None) -> Table:
        """Open enrolment; see `GameDesk.open_lobby`."""
        return enrolment.open_lobby(self, seconds)

    def lobby(self) -> Table:
        """Return the open lobby, opening one if nobody plays; see `GameDesk.lobby`."""
        return enrolment.lobby(self)

    def enrol(self, person: Person, name: str = "") -> Chair:
        """Seat *person* in the lobby; see `GameDesk.enrol`."""
        return enrolment.enrol(self, person, name)

    def enrol_bot(self, strength: str = "") -> Chair:
        """Seat a bot player; see `GameDesk.enrol_bot`."""
        return enrolment.add(self, enrolment.new_bot(self, strength))

    def rename(self, chair: Chair, name: str) -> None:
        """Give *chair* another name; see `GameDesk.rename`."""
        shown = check_name(name)
        check_free(self, shown, None, chair)
        chair.name = shown

    # -- the game ---------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the game with the players enrolled; see `GameDesk.start`."""
        table = self.table
        if table is None or table.phase is not Phase.LOBBY:
            raise Refused("Nobody is enrolled.")
        if len(table.chairs) < self.kind.min_players:
            raise Refused("Too few players: {n} are needed.", n=self.kind.min_players)
        fixed = self.channel.take_fixed()
        table.phase = Phase.PLAYING
        table.key = draw_key(bytes.fromhex(table.seed), table.game_id, ()).hex()
        table.loaded = list(fixed.dice)
        self.ctx.cancel(LOBBY)
        table.game, events = self.kind.new_game(
            [chair.seat for chair in table.chairs],
            self.ctx.settings,
            chance_of(table),
            self._folded(fixed),
            {self.fold(chair.nick): chair.seat for chair in table.chairs},
        )
        self.publish(events)

    def _folded(self, fixed: Fixed) -> Fixed:
        hands = {self.fold(nick): cards for nick, cards in fixed.hands.items()}
        return evolve(fixed, starter=self.fold(fixed.starter), hands=hands)

    def fix(self, fixed: Fixed) -> None:
        """Fix the next dice of a running game (transcripts only)."""
        self.playing.game.rng.loaded.extend(fixed.dice)

    def publish(self, events: Sequence[object]) -> None:
        """Say what the engine answered."""
        for event in events:
            if getattr(event, "to", None) is None:
                self.channel.happened(self.plugin, event)
        if events:
            self.kind.publish(self.ctx, self.playing.game, events)

    def leave(self, chair: Chair) -> None:
        """Take *chair* out of the lobby or the game, at once."""
        table = self.open
        turn_clock.keep_no_longer(self, chair)
        if table.phase is Phase.LOBBY:
            table.chairs.remove(chair)
            if not any(table.humans) and not self.ctx.settings.bots_alone:
                enrolment.close(self)
            return
        self.publish(table.game.leave(chair.seat))

    def take_out(self, chair: Chair) -> None:
        """Take *chair* out at once, and for this game; see `GameDesk.take_out`."""
        chair.barred = True
        self.leave(chair)

    def stop(self) -> None:
        """End the lobby or the game without a winner."""
        table = self.open
        if table.phase is Phase.LOBBY:
            enrolment.close(self)
            return
        self._end(table, {})

    def _end(self, table: Table, outcomes: dict[Seat, Outcome]) -> None:
        table.phase = Phase.OVER
        cancel_all(self)
        if outcomes:
            self.ctx.effects.results += result_rows(self.ctx, table, outcomes)

    def settle(self) -> None:
        """Bring people, clock and end in line with what the engine says; runs after each input."""
        table = self.table
        if table is None:
            return
        if table.phase is Phase.PLAYING:
            self._settle(table)
        voice_and_topic.show(self, table)

    def _settle(self, table: Table) -> None:
        game = table.game
        seats = self.kind.seats(game)
        for chair in [c for c in table.chairs if c.seat not in seats]:
            table.chairs.remove(chair)
            table.gone.append(chair)
            turn_clock.keep_no_longer(self, chair)
        if game.to_act is None:
            self._end(table, dict(self.kind.outcomes(game)))
        elif not any(table.humans) and not self.ctx.settings.bots_alone:
            self.ctx.say(self.ctx.t("Only bot players are left: the game ends."))
            self._end(table, {})
        else:
            turn_clock.arm(self, table)

    # -- timers -----------------------------------------------------------------------------

    def fired(self, row: TimerRow) -> Awaitable[None] | None:
        """Do what a timer of the table was armed for; one of another turn does nothing.

        Returns:
            What must still be awaited: a bot player that thinks off the event loop.
        """
        if row.name == LOBBY:
            if self.phase is Phase.LOBBY:
                self.kind.lobby_over(self.ctx)
        elif self.phase is not Phase.PLAYING or self.table is None:
            return None
        elif row.name.startswith(GRACE):
            self._grace_over(self.table, Seat(int(row.name.removeprefix(GRACE))))
        elif row.name == BOT:
            return self._bot_acts(self.table)
        elif row.clock_id == self.table.game.clock_id:
            self._clock(self.table, row)
        return None

    def _clock(self, table: Table, row: TimerRow) -> None:
        chair = table.chair(table.game.to_act)
        if row.name == WARN:
            self.kind.warn(self.ctx, chair, self.left_s() or 0.0)
            return
        seats = set(self.kind.seats(table.game))
        self.publish(table.game.expire(row.clock_id))
        removed = chair.seat in seats and chair.seat not in self.kind.seats(table.game)
        if removed and self.ctx.settings.kick and self._can_kick(chair):
            chair.voiced = False  # it goes with the player
            self.ctx.protocol("KICK", self.channel.name, chair.nick, self.ctx.t("Time is up."))

    def _can_kick(self, chair: Chair) -> bool:
        return chair.present and not chair.is_bot and voice_and_topic.has_op(self)

    def _grace_over(self, table: Table, seat: Seat) -> None:
        chair = table.chair(seat)
        if chair in table.chairs and not chair.present:
            self.leave(chair)

    async def _bot_thinks(self, acting: Awaitable[Sequence[object]]) -> None:
        self.publish(await acting)

    def _bot_acts(self, table: Table) -> Awaitable[None] | None:
        chair = table.chair(table.game.to_act)
        if not chair.is_bot:
            return None
        rng = Random(  # noqa: S311  a bot player's taste, repeatable
            f"{table.key}:{table.game.clock_id}:{table.position}"
        )
        acted = self.kind.bot_move(table.game, chair.seat, chair.strength, rng)
        if isinstance(acted, Awaitable):
            return self._bot_thinks(acted)
        self.publish(acted)
        return None

    # -- the bot was away -------------------------------------------------------------------

    def resume(self) -> None:
        """Tell the channel that the game goes on."""
        table = self.table
        if table is not None and table.phase is Phase.PLAYING:
            self.kind.resume(self.ctx, table.game)
        elif table is not None and table.phase is Phase.LOBBY and table.chairs:
            self.ctx.say(
                self.ctx.t(
                    "I am back; enrolment is still open: {names}.",
                    names=[chair.name for chair in table.chairs],
                ),
                urgency=Urgency.TURN,
            )
