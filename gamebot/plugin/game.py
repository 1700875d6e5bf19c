"""What a game gives to the core: a pure engine, and a thin adapter (`GameType`).

The table owns people, the engine owns seats and turns, the core owns the clock and re-arms it
exactly when `clock_id` changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Collection, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from attrs import field, frozen

from gamebot.config.validators import Between
from gamebot.errors import Refused
from gamebot.table.table import Fixed, Json, Outcome, Seat

if TYPE_CHECKING:
    from gamebot.plugin.context import Context
    from gamebot.plugin.voice import Block, Voice
    from gamebot.table.table import Chair, Table


DAY_S = 86_400.0


class TableGame(Protocol):
    """An engine's stored object; cattrs saves it as JSON.

    Attributes:
        version: Schema version of the stored form.
        to_act: The seat whose turn it is, None when the game is over.
        clock_id: Grows each time the turn clock is armed.
        rng: Chance, put back in place after loading.
    """

    version: ClassVar[int]
    clock_id: int
    rng: Random

    @property
    def seats(self) -> Collection[Any]:
        """Seats that are still in the game."""

    @property
    def to_act(self) -> Any:  # noqa: ANN401  each engine defines its own Seat type
        """The seat whose turn it is, None when the game is over."""

    def leave(self, seat: Any) -> Sequence[object]:  # noqa: ANN401  as above
        """Take *seat* out of the game."""

    def expire(self, clock_id: int) -> Sequence[object]:
        """End the turn whose clock ran out; a stale id is a no-op."""

    def view(self) -> Mapping[str, Any]:
        """Return what everybody may know."""


G = TypeVar("G", bound=TableGame)


@frozen(kw_only=True)
class TableSettings:
    """What every game's settings hold; a game's own class extends it.

    Attributes:
        turn_timeout_s: Length of a turn clock, seconds.
        warn_before_s: Warn when so many seconds are left, but not before half the time is over;
            0 for no warning.
        lobby_timeout_s: An open lobby ends after so many seconds.
        return_grace_s: A player who left keeps the seat so long, seconds; 0: until the turn
            clock runs out.
        bot_delay_s: A bot player answers after so many seconds.
        max_players: Seats at the table.
        bots_alone: Whether bot players may play without a human.
        kick: Whether a player who timed out is also kicked from the channel (needs op).
        voice: Whether players get voice while they play (needs op).
        topic: Whether the topic shows the running game (needs op).
    """

    turn_timeout_s: float = field(default=300.0, validator=Between(1, DAY_S))
    warn_before_s: float = field(default=60.0, validator=Between(0, DAY_S))
    lobby_timeout_s: float = field(default=600.0, validator=Between(1, DAY_S))
    return_grace_s: float = field(default=0.0, validator=Between(0, DAY_S))
    bot_delay_s: float = field(default=2.0, validator=Between(0, 600))
    max_players: int = field(default=10, validator=Between(1, 100))
    bots_alone: bool = False
    kick: bool = False
    voice: bool = False
    topic: bool = False

    @property
    def warning_s(self) -> float:
        """Seconds left of a turn when the player is warned, 0 for no warning."""
        return min(self.warn_before_s, self.turn_timeout_s / 2)


@frozen
class Sample:
    """A few lines of a game for the guides; they are played anew for every guide.

    The bot answers each of them in the channel.

    Attributes:
        lines: Nick, command and arguments (a msgid with context `word`) of each line said; the
            command "" is for arguments that are typed alone.
        fixed: What is not left to chance.
    """

    lines: tuple[tuple[str, str, str], ...]
    fixed: Fixed = field(factory=Fixed)


class GameType(ABC, Generic[G]):
    """A kind of game: what the core asks of a game plugin.

    Attributes:
        plugin: The plugin that registered it; set by the registry.
        title: Name as players know it; a msgid.
        about: One sentence that says what is played; a msgid.
        samples: Short examples; a guide shows the first one that the channel's rules allow.
        settings: Frozen attrs class that extends `TableSettings`.
        engine: Class of the stored game.
        min_players: Seats that must be taken for a start.
        prefix: The prefix that players of this game expect, where the channel names none.
        names_follow_nicks: Whether a player who never chose a name is shown by the new nick.
        rules: Names of the settings that are rules: `new_game` takes them, a running game does
            not look at them again, so that a change counts from the next game.
    """

    plugin: str = ""
    title: ClassVar[str]
    about: ClassVar[str] = ""
    samples: ClassVar[tuple[Sample, ...]] = ()
    settings: ClassVar[type[TableSettings]] = TableSettings
    engine: ClassVar[type[Any]]
    min_players: ClassVar[int] = 1
    prefix: ClassVar[str] = "!"
    names_follow_nicks: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def new_game(
        self,
        seats: Sequence[Seat],
        settings: Any,  # noqa: ANN401  each game's own settings class
        rng: Random,
        fixed: Fixed,
        names: Mapping[str, Seat],
    ) -> tuple[G, Sequence[object]]:
        """Begin a game.

        Args:
            seats: Taken seats in the order of enrolment.
            settings: An instance of `settings`.
            rng: The game's chance.
            fixed: What a transcript fixed.
            names: Folded nick -> seat, to read *fixed*.

        Returns:
            The game and its first events.
        """

    @abstractmethod
    def publish(self, ctx: Context, game: G, events: Sequence[object]) -> None:
        """Say what happened, in the channel's language."""

    @abstractmethod
    def resume(self, ctx: Context, game: G) -> None:
        """Say in one line that the game goes on and whose turn it is; hand out hands again."""

    @abstractmethod
    def view(self, table: Table, game: G | None, left_s: float | None) -> dict[str, Json]:
        """Return the public view in the transcripts' terms, seats replaced by names."""

    @abstractmethod
    def bot_move(
        self, game: G, seat: Seat, strength: str, rng: Random
    ) -> Sequence[object] | Awaitable[Sequence[object]]:
        """Let a bot player act once; it sees only what its seat may see.

        A player that thinks for longer than some milliseconds returns an awaitable and thinks in
        a thread; nothing else happens at the table meanwhile.
        """

    @abstractmethod
    def outcomes(self, game: G) -> Mapping[Seat, Outcome]:
        """Return the result of every seat that stayed to the end."""

    def hand(self, game: G, seat: Seat) -> Sequence[str] | None:  # noqa: ARG002  an optional hook
        """Return a seat's cards in the canonical notation, None where a game has no hands."""
        return None

    def warn(self, ctx: Context, chair: Chair, left_s: float) -> None:
        """Remind the player to act that the clock runs out."""
        ctx.say(
            ctx.translator.plural(
                "{name}: {n} second left.",
                "{name}: {n} seconds left.",
                round(left_s),
                name=chair.name,
            )
        )

    def clock_runs(self, game: G) -> bool:  # noqa: ARG002  an optional hook
        """Whether the turn clock runs; a rule may stop it in the middle of a turn."""
        return True

    def read_rules(self, text: str) -> dict[str, str]:
        """Read a rules setting: field names or `field=value`, separated by commas."""
        pairs = (part.partition("=") for part in text.split(",") if part)
        return {name.strip(): value.strip() or "on" for name, _, value in pairs}

    def house_rules(self, settings: Any) -> Mapping[str, str]:  # noqa: ANN401, ARG002  an optional hook
        """Return the single rules that stand inside the setting `rules`, with their values.

        For a game whose `rules` is one text such as `preset,name=value`; each of them can then be
        set by its own name.
        """
        return {}

    def house_rule_choices(self, name: str) -> Sequence[str]:  # noqa: ARG002  an optional hook
        """Return what may be typed for one of `house_rules`; a number has no list."""
        return ()

    def house_rule_range(self, name: str) -> tuple[int, int] | None:  # noqa: ARG002  an optional hook
        """Return the least and the most for one of `house_rules` that is a number."""
        return None

    def check_fixed(self, settings: Any, fixed: Fixed) -> None:  # noqa: ANN401  an optional hook
        """Refuse what a transcript cannot fix in this game.

        Raises:
            ValueError: Why it cannot.
        """

    def topic_line(self, ctx: Context, game: G) -> str:
        """Return the channel's topic while the game is on: what is played, and who plays."""
        kind, names = ctx.desk.kind, ctx.desk.playing.names(self.seats(game))
        return ctx.translator.headed(ctx.t(kind.title), names)

    # -- what help and guides say -----------------------------------------------------------

    def room(self, settings: Any) -> tuple[int, int]:  # noqa: ANN401  as in `new_game`
        """Return how many play at least and at most."""
        return self.min_players, settings.max_players

    def topics(self, voice: Voice) -> Mapping[str, Sequence[Block]]:  # noqa: ARG002  an optional hook
        """Explain the game as the channel has it set, in the order of a manual.

        Every paragraph is short and comes from rules and settings. What holds at every table is
        added to `rules`; `commands` is written from the commands.

        Args:
            voice: The channel's language, words and settings.

        Returns:
            Topic -> its paragraphs and tables. A topic is called as players ask for it, `rules`
            or `cards`: a msgid with context `word`, whose translation may hold several words.
        """
        return {}

    def clock_rule(self, voice: Voice) -> str:
        """Say how long a turn may take, and what happens then."""
        return voice.t("A turn may take {time}.", time=voice.span(voice.settings.turn_timeout_s))

    def lobby_rule(self, voice: Voice) -> str:
        """Say how long an enrolment stays open."""
        return voice.t(
            "An enrolment that nobody starts is closed after {time}.",
            time=voice.span(voice.settings.lobby_timeout_s),
        )

    def strengths(self) -> tuple[str, ...]:
        """Return the strengths of the bot players, weakest first."""
        return ("strong",)

    def default_strength(self) -> str:
        """Return the strength of a bot player that nobody chose one for."""
        return self.strengths()[-1]

    def bot_players(self) -> tuple[str, ...]:
        """Return what `bot_move` takes as a strength; some may be for simulations only."""
        return self.strengths()

    def turns(self, events: Sequence[object]) -> int:  # noqa: ARG002  an optional hook
        """Return how many turns begin with *events*, the answer to one move."""
        return 1

    def seats(self, game: G) -> Collection[Seat]:
        """Return the seats that are still in the game."""
        return game.seats

    def nobody(self, ctx: Context) -> Refused:
        """Return the answer to a command that needs a table where none is."""
        return Refused("No game is on in {channel}.", channel=ctx.channel_name)

    def lobby_over(self, ctx: Context) -> None:
        """Close a lobby whose time is up."""
        ctx.desk.stop()
        ctx.say(ctx.t("Nobody started: the enrolment is closed."))

    def lobby_left(self, ctx: Context, chair: Chair) -> None:
        """Say that somebody who was enrolled has left the channel."""
        if ctx.desk.table is None:
            ctx.say(ctx.t("{name} has left, nobody is enrolled any more.", name=chair.name))
        else:
            ctx.say(ctx.t("{name} has left and is no longer enrolled.", name=chair.name))

    def away(self, ctx: Context, game: G, chair: Chair) -> None:
        """Say what happens to the seat of a player who left the channel."""
        if chair.seat != game.to_act:
            return
        left = ctx.desk.left_s(f"table.grace:{chair.seat}") or ctx.desk.left_s() or 0.0
        ctx.say(
            ctx.translator.plural(
                "{name} has left; the seat is kept for {n} second.",
                "{name} has left; the seat is kept for {n} seconds.",
                round(left),
                name=chair.name,
            )
        )

    def back(self, ctx: Context, game: G, chair: Chair) -> None:
        """Greet a player who is back on the kept seat."""
        if chair.seat == game.to_act:
            ctx.say(ctx.t("{name} is back and to act.", name=chair.name))

    def recognised(self, ctx: Context, game: G, chair: Chair) -> None:
        """Give a player what was held back until it was certain whose nick it is.

        After a reconnect `resume` reaches nobody in private whose host is not known yet.
        """

    @property
    def version(self) -> int:
        """Schema version of the stored game."""
        return int(self.engine.version)
