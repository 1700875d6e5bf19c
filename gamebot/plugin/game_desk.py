"""What a game's handlers may ask of their table; `gamebot.desk` does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from gamebot.events import Person
    from gamebot.plugin.context import Context
    from gamebot.plugin.game import GameType
    from gamebot.table.table import Chair, Phase, Table


class GameDesk(Protocol):
    """One plugin's table in one channel, for the span of one handler."""

    @property
    def ctx(self) -> Context:
        """The input that is handled."""

    @property
    def kind(self) -> GameType[Any]:
        """The kind of game that is played here."""

    @property
    def table(self) -> Table | None:
        """The table: an open lobby, a running game, or the last game that ended."""

    @property
    def phase(self) -> Phase | None:
        """The table's phase, None when idle."""

    @property
    def open(self) -> Table:
        """The table while a lobby is open or a game runs.

        Raises:
            Refused: There is neither.
        """

    @property
    def playing(self) -> Table:
        """The table while a game runs.

        Raises:
            Refused: None runs.
        """

    @property
    def game(self) -> Any:  # noqa: ANN401  each plugin's own engine
        """The running game.

        Raises:
            Refused: None runs.
        """

    def chair_of(self, person: Person | None) -> Chair | None:
        """Return the chair of *person* in a lobby or a running game."""

    def seated(self, person: Person | None) -> Chair:
        """Return the chair of *person*.

        Raises:
            Refused: That person has none.
        """

    def chair_named(self, name: str) -> Chair:
        """Return the chair whose name, else whose nick, is *name* under the casemapping.

        Raises:
            Refused: There is none.
        """

    def left_s(self, name: str = ...) -> float | None:
        """Return how many seconds a timer of the table has left, None if it is not armed.

        Args:
            name: The timer; by default the turn clock.
        """

    def open_lobby(self, seconds: float | None = None) -> Table:
        """Open enrolment; it ends by itself after *seconds* (default: `lobby_timeout_s`).

        Raises:
            Refused: A lobby or a game is there already, of this game or of another.
        """

    def lobby(self) -> Table:
        """Return the open lobby, opening one if nobody plays.

        Raises:
            Refused: A game runs, or another game is on.
        """

    def enrol(self, person: Person, name: str = "") -> Chair:
        """Seat *person* in the lobby under *name* (default: the nick).

        Raises:
            Refused: Already seated, table full, name taken, or a game runs.
            UsageError: The name cannot be used.
        """

    def enrol_bot(self, strength: str = "") -> Chair:
        """Seat a bot player, called like the bot itself.

        Raises:
            Refused: Table full, unknown strength, or a game runs.
        """

    def rename(self, chair: Chair, name: str) -> None:
        """Give *chair* another name.

        Raises:
            Refused: The name is taken.
            UsageError: The name cannot be used.
        """

    def start(self) -> None:
        """Begin the game with the players enrolled.

        Raises:
            Refused: No lobby is open, or too few are in.
        """

    def publish(self, events: Sequence[object]) -> None:
        """Say what the engine answered."""

    def leave(self, chair: Chair) -> None:
        """Take *chair* out of the lobby or the game, at once."""

    def take_out(self, chair: Chair) -> None:
        """Take *chair* out at once; that player does not come back to this game unforgiven."""

    def stop(self) -> None:
        """End the lobby or the game without a winner."""
