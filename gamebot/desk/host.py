"""What a desk asks of the channel whose table it works on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from gamebot.plugin.host import Host

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk
    from gamebot.plugin.context import Context
    from gamebot.plugin.effects import Effects
    from gamebot.ports import TimerRow
    from gamebot.table.table import Fixed, Table


class TableHost(Host, Protocol):
    """A channel with its tables and their timers."""

    @property
    def tables(self) -> dict[str, Table]:
        """Plugin -> its table."""

    @property
    def up(self) -> bool:
        """Whether the bot is in the channel."""

    def desk(self, ctx: Context) -> Desk:
        """Return the table of *ctx*'s plugin."""

    def refuses(self, plugin: str) -> bool:
        """Whether a game of *plugin* is stored that cannot be read here."""

    def new_game_id(self) -> str:
        """Return an identity for a new game."""

    def entropy(self) -> bytes:
        """Return 32 secret bytes, for the seed of a game."""

    def take_fixed(self) -> Fixed:
        """Return what a transcript fixed for the next game, and forget it."""

    def happened(self, plugin: str, event: object) -> None:
        """Pass on a public event of a game."""

    def timer_row(self, plugin: str, name: str, effects: Effects) -> TimerRow | None:
        """Return the timer as *effects*, this input, or the store have it."""

    def left_s(self, plugin: str, name: str, effects: Effects) -> float | None:
        """Return how many seconds a timer has left, None if it is not armed."""

    def timer_names(self, effects: Effects) -> Iterable[tuple[str, str]]:
        """List (plugin, name) of every timer that is armed or about to be."""
