"""What a context asks of the channel that it runs in; the channel hands itself in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from random import Random

    from gamebot.config.profile import ChannelProfile
    from gamebot.events import Person
    from gamebot.i18n import Translator
    from gamebot.plugin.access import Standing
    from gamebot.plugin.context import Context
    from gamebot.plugin.game_desk import GameDesk
    from gamebot.plugin.registry import Registry
    from gamebot.plugin.state import State
    from gamebot.ports import Clock, Link, Store


class Host(Protocol):
    """One channel, as far as a plugin's handler may see it."""

    @property
    def name(self) -> str:
        """The channel as the network spells it; "" for the console."""

    @property
    def key(self) -> str:
        """The folded name, under which everything is stored."""

    @property
    def link(self) -> Link:
        """The network's connection."""

    @property
    def profile(self) -> ChannelProfile:
        """What is set for the channel."""

    @property
    def prefix(self) -> str:
        """The command prefix."""

    @property
    def registries(self) -> Mapping[str, Registry]:
        """The enabled plugins."""

    @property
    def disabled(self) -> Collection[str]:
        """Plugins that were switched off because they held the event loop."""

    @property
    def clock(self) -> Clock:
        """Time."""

    @property
    def chance(self) -> Random:
        """Chance for everything that is no game of its own."""

    @property
    def store(self) -> Store:
        """Durable memory, for reading."""

    def translator_of(self, plugin: str) -> Translator:
        """Return the texts of *plugin* in the channel's language."""

    def standing(self, person: Person) -> Standing:
        """Tell what *person* may do here, and why."""

    def unsure(self, person: Person) -> bool:
        """Whether *person* may have more rights, by a certificate not asked for yet."""

    def is_certain(self, nick: str, speaker: Person | None) -> bool:
        """Whether *nick* is no player's here, or certainly the player's."""

    def plays_elsewhere(self, person: Person) -> bool:
        """Whether *person* has a seat in another channel of this network."""

    def busy_plugin(self) -> str | None:
        """Return the plugin that has a lobby or a game on, None if the channel is free."""

    def state(self, plugin: str) -> State:
        """Return the durable values of *plugin*."""

    def desk(self, ctx: Context) -> GameDesk:
        """Return the table of *ctx*'s plugin."""
