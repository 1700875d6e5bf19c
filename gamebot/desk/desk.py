"""The table primitive: lobby, seats that follow people, turn clock, end, restart.

A `Desk` is one plugin's table in one channel, seen by one handler. Its public methods are what
game plugins call; `Channel` calls those for timers and people.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import evolve

from gamebot.chance import draw_key
from gamebot.desk import voice_and_topic
from gamebot.desk.player_names import check_name, skeleton
from gamebot.errors import Refused
from gamebot.events import Person
from gamebot.plugin.game import GameType
from gamebot.ports import ResultRow, TimerRow, Urgency
from gamebot.table.saved import chance_of
from gamebot.table.table import Chair, Fixed, Outcome, Phase, Seat, Table

if TYPE_CHECKING:
    from gamebot.desk.host import TableHost
    from gamebot.plugin.context import Context

TURN, WARN, LOBBY, BOT, GRACE = (
    "table.turn",
    "table.warn",
    "table.lobby",
    "table.bot",
    "table.grace:",
)
_AWAY_MATTERS = (TURN, LOBBY, GRACE)
AT_LEAST_S = 60.0
"""Time that a clock has at least when the bot comes back, seconds."""


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
        key, table = self.fold(name), self.open
        for shown in ("name", "nick"):
            for chair in table.chairs:
                if self.fold(getattr(chair, shown)) == key:
                    return chair
        raise Refused("Nobody here is called {name}.", name=name)

    def left_s(self, name: str = TURN) -> float | None:
        """Return how many seconds a timer of the table has left, None if it is not armed."""
        return self.channel.left_s(self.plugin, name, self.ctx.effects)

    # -- lobby ------------------------------------------------------------------------------

    def open_lobby(self, seconds: float | None = None) -> Table:
        """Open enrolment; it ends by itself after *seconds* (default: `lobby_timeout_s`).

        Raises:
            Refused: A lobby or a game is there already, of this game or of another.
        """
        busy = self.channel.busy_plugin()
        if busy is not None:
            raise Refused("Another game is on in this channel.")
        if self.channel.refuses(self.plugin):
            raise Refused("A game that a newer version stored is kept here; it must end first.")
        table = Table(
            plugin=self.plugin,
            game_id=self.channel.new_game_id(),
            seed=self.channel.entropy().hex(),
            starter=self.ctx.nick,
            starter_account=self.ctx.person.account if self.ctx.person else None,
        )
        if self.table is not None:
            voice_and_topic.succeed(self, self.table, table)
        self.channel.tables[self.plugin] = table
        self.ctx.arm(LOBBY, seconds or self.ctx.settings.lobby_timeout_s)
        return table

    def lobby(self) -> Table:
        """Return the open lobby, opening one if nobody plays.

        Raises:
            Refused: A game runs, or another game is on.
        """
        if self.phase is Phase.PLAYING:
            raise Refused("The game is running already.")
        if self.table is not None and self.phase is Phase.LOBBY:
            return self.table
        return self.open_lobby()

    def enrol(self, person: Person, name: str = "") -> Chair:
        """Seat *person* in the lobby under *name* (default: the nick).

        Raises:
            Refused: Already seated, table full, name taken, or a game runs.
            UsageError: The name cannot be used.
        """
        shown = check_name(name) if name else person.nick
        if self.chair_of(person) is not None:
            raise Refused("You are in already.")
        self.check_free(shown, None if name else person.nick)
        return self._add(
            Chair(
                seat=Seat(0),
                name=shown,
                nick=person.nick,
                userhost=person.userhost,
                account=person.account,
            )
        )

    def enrol_bot(self, strength: str = "") -> Chair:
        """Seat a bot player, called like the bot itself.

        Raises:
            Refused: Table full, unknown strength, or a game runs.
        """
        return self._add(self.new_bot(strength))

    def new_bot(self, strength: str = "") -> Chair:
        """Return a chair with a bot player, which has no seat yet.

        Raises:
            Refused: The strength is unknown.
        """
        strengths = self.kind.strengths()
        if strength and strength not in strengths:
            raise Refused(
                "A bot player is one of: {allowed}.",
                allowed=[self.ctx.t(name) for name in strengths],
            )
        own, n = self.channel.link.own_nick, 1
        name = own
        while not self.is_free(name):
            n += 1
            name = f"{own}{n}"
        return Chair(
            seat=Seat(0),
            name=name,
            nick=name,
            is_bot=True,
            strength=strength or self.kind.default_strength(),
        )

    def _add(self, chair: Chair) -> Chair:
        table = self.table if self.phase is Phase.LOBBY else None
        if len(table.chairs if table else ()) >= self.ctx.settings.max_players:
            raise Refused("The table is full: {n} play.", n=self.ctx.settings.max_players)
        table = self.lobby()
        chair.seat = Seat(table.next_seat)
        table.next_seat += 1
        table.chairs.append(chair)
        return chair

    def is_free(self, name: str, but: Chair | None = None) -> bool:
        """Whether nobody at the table, leaving *but* aside, has *name* as a name or nick.

        One that only looks like it is the same.
        """
        key = self._look(name)
        chairs = self.table.chairs if self.table and self.phase is not Phase.OVER else []
        return not any(
            key in (self._look(chair.name), self._look(chair.nick))
            for chair in chairs
            if chair is not but
        )

    def _look(self, name: str) -> str:
        return self.fold(skeleton(name))

    def check_free(self, name: str, nick: str | None, but: Chair | None = None) -> None:
        """Refuse *name* if it, as a name or a nick, belongs to somebody else.

        Args:
            name: The name wanted.
            nick: The person's nick if that is the name wanted, None for a chosen one.
            but: The chair that wants it.

        Raises:
            Refused: It is taken.
        """
        look, own = self._look(name), self._look(self.channel.link.own_nick)
        someone = {self._look(p.nick) for p in self.ctx.members} - {self._look(self.ctx.nick)}
        if not self.is_free(name, but) or look == own or (nick is None and look in someone):
            raise Refused("The name {name} is taken; choose another one.", name=name)

    def rename(self, chair: Chair, name: str) -> None:
        """Give *chair* another name.

        Raises:
            Refused: The name is taken.
            UsageError: The name cannot be used.
        """
        shown = check_name(name)
        self.check_free(shown, None, chair)
        chair.name = shown

    # -- the game ---------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the game with the players enrolled.

        Raises:
            Refused: No lobby is open, or too few are in.
        """
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
            evolve(
                fixed,
                starter=self.fold(fixed.starter),
                hands={self.fold(nick): cards for nick, cards in fixed.hands.items()},
            ),
            {self.fold(chair.nick): chair.seat for chair in table.chairs},
        )
        self.publish(events)

    def fix(self, fixed: Fixed) -> None:
        """Fix the next dice of a running game (transcripts only)."""
        table = self.playing
        table.game.rng.loaded.extend(fixed.dice)

    def publish(self, events: Sequence[object]) -> None:
        """Say what the engine answered."""
        for event in events:
            if getattr(event, "to", None) is None:
                self.channel.happened(self.plugin, event)
        if events:
            self.kind.publish(self.ctx, self.playing.game, events)

    def keep_no_longer(self, chair: Chair) -> None:
        """End the grace of a player who is back, or was replaced."""
        self.ctx.cancel(f"{GRACE}{chair.seat}")

    def leave(self, chair: Chair) -> None:
        """Take *chair* out of the lobby or the game, at once."""
        table = self.open
        self.keep_no_longer(chair)
        if table.phase is Phase.LOBBY:
            table.chairs.remove(chair)
            if not any(table.humans) and not self.ctx.settings.bots_alone:
                self._close_lobby()
            return
        self.publish(table.game.leave(chair.seat))

    def stop(self) -> None:
        """End the lobby or the game without a winner."""
        table = self.open
        if table.phase is Phase.LOBBY:
            self._close_lobby()
            return
        self._end(table, {})

    def _close_lobby(self) -> None:
        self.channel.tables.pop(self.plugin, None)
        self._cancel_all()

    def _cancel_all(self) -> None:
        for plugin, name in self.channel.timer_names(self.ctx.effects):
            if plugin == self.plugin and name.startswith("table."):
                self.ctx.cancel(name)

    def _end(self, table: Table, outcomes: dict[Seat, Outcome]) -> None:
        table.phase = Phase.OVER
        self._cancel_all()
        with_bots = any(chair.is_bot for chair in (*table.chairs, *table.gone))
        if outcomes:
            played = [(chair, outcomes.get(chair.seat)) for chair in (*table.chairs, *table.gone)]
            self.ctx.effects.results += [
                self._result(table, chair, outcome, with_bots=with_bots)
                for chair, outcome in played
            ]

    def _result(
        self, table: Table, chair: Chair, outcome: Outcome | None, *, with_bots: bool
    ) -> ResultRow:
        account = chair.account
        identity = f"a:{account}" if account else f"n:{self.fold(chair.nick)}"
        return ResultRow(
            network=self.ctx.network,
            channel=self.channel.key,
            plugin=self.plugin,
            game_id=table.game_id,
            player=chair.name,
            identity=f"b:{chair.strength}" if chair.is_bot else identity,
            account=account,
            points=outcome.points if outcome else 0,
            won=bool(outcome and outcome.won),
            forfeited=outcome is None,
            is_bot=chair.is_bot,
            with_bots=with_bots,
            ended_at=self.ctx.now(),
            details=json.dumps(dict(outcome.details) if outcome else {}),
        )

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
            self.keep_no_longer(chair)
        if game.to_act is None:
            self._end(table, dict(self.kind.outcomes(game)))
        elif not any(table.humans) and not self.ctx.settings.bots_alone:
            self.ctx.say(self.ctx.t("Only bot players are left: the game ends."))
            self._end(table, {})
        else:
            self._arm(table)

    def _arm(self, table: Table) -> None:
        game = table.game
        if game.clock_id != table.armed:
            table.armed = game.clock_id
            self._arm_turn(game.clock_id, self.ctx.settings.turn_timeout_s)
        if not self.kind.clock_runs(game):
            self.ctx.cancel(TURN)
            self.ctx.cancel(WARN)
        if table.chair(game.to_act).is_bot:
            if self.channel.timer_row(self.plugin, BOT, self.ctx.effects) is None:
                self.ctx.arm(BOT, self.ctx.settings.bot_delay_s, clock_id=game.clock_id)
        else:
            self.ctx.cancel(BOT)

    def _arm_turn(self, clock_id: int, left_s: float) -> None:
        self.ctx.arm(TURN, left_s, clock_id=clock_id)
        before = self.ctx.settings.warning_s
        if 0 < before < left_s:
            self.ctx.arm(WARN, left_s - before, clock_id=clock_id)
        else:
            self.ctx.cancel(WARN)

    # -- timers -----------------------------------------------------------------------------

    def fired(self, row: TimerRow) -> Awaitable[None] | None:
        """Do what a timer of the table was armed for; one of another turn does nothing.

        Returns:
            What must still be awaited: a bot player that thinks off the event loop.
        """
        if row.name == LOBBY:
            self._lobby_over()
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

    def _lobby_over(self) -> None:
        if self.phase is Phase.LOBBY:
            self.kind.lobby_over(self.ctx)

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

    # -- the bot was away ------------------------------------------------------------------

    def rearm(self) -> None:
        """Arm the clocks anew after the bot was away: at least 60 s, at most their length."""
        for plugin, name in self.channel.timer_names(self.ctx.effects):
            row = self.channel.timer_row(plugin, name, self.ctx.effects)
            if row is None or plugin != self.plugin or not name.startswith(_AWAY_MATTERS):
                continue
            left = min(row.limit_s, max(self.left_s(name) or 0.0, AT_LEAST_S))
            if name == TURN:
                self._arm_turn(row.clock_id, left)
            else:
                self.ctx.arm(name, left)
            self._keep_limit(name, row.limit_s)

    def retime(self, before: Any) -> None:  # noqa: ANN401  each game's own settings class
        """Let running clocks follow settings that were *before*: what has passed counts."""
        for name, setting in ((TURN, "turn_timeout_s"), (LOBBY, "lobby_timeout_s")):
            row = self.channel.timer_row(self.plugin, name, self.ctx.effects)
            length = getattr(self.ctx.settings, setting)
            if row is None or length == getattr(before, setting, length):
                continue
            passed = row.limit_s - (self.left_s(name) or 0.0)
            left = min(length, max(length - passed, AT_LEAST_S))
            if name == TURN:
                self._arm_turn(row.clock_id, left)
            else:
                self.ctx.arm(name, left)
            self._keep_limit(name, length)

    def _keep_limit(self, name: str, limit_s: float) -> None:
        row = self.ctx.effects.timers[self.plugin, name]
        assert row is not None  # noqa: S101  it was armed on the line before
        self.ctx.effects.timers[self.plugin, name] = evolve(row, limit_s=limit_s)

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
