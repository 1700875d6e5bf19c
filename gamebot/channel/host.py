"""What a channel asks of the bot that it belongs to; the bot hands itself in."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from random import Random

    from gamebot.channel.channel import Channel
    from gamebot.config.profile import ChannelProfile
    from gamebot.people.certificate_queries import CertificateQueries
    from gamebot.people.nick_history import NickHistory
    from gamebot.people.rights import RightsBook
    from gamebot.plugin.registry import Registry
    from gamebot.plugin.settings_book import SettingsBook
    from gamebot.ports import Clock, Link, SettingRow, Store


class HandlerWatch(Protocol):
    """Notes which plugin has the event loop."""

    def enter(self, plugin: str) -> None:
        """Note that a handler of *plugin* begins."""

    def leave(self) -> None:
        """Note that the handler ended."""

    def watched(self, plugin: str, awaitable: Awaitable[object]) -> Awaitable[object]:
        """Return *awaitable*, with *plugin* noted whenever it has the loop and only then."""


class ChannelHost(Protocol):
    """The bot, as far as one of its channels may see it.

    Attributes:
        queue_limit: Inputs that may wait in a channel before chat is dropped.
        dropped: Lines dropped so far.
    """

    queue_limit: int
    dropped: int

    @property
    def clock(self) -> Clock:
        """Time."""

    @property
    def store(self) -> Store:
        """Durable memory."""

    @property
    def chance(self) -> Random:
        """Chance for everything that is no game of its own."""

    @property
    def registries(self) -> Mapping[str, Registry]:
        """The loaded plugins."""

    @property
    def disabled(self) -> Collection[str]:
        """Plugins that were switched off because they held the event loop."""

    @property
    def watchdog(self) -> HandlerWatch:
        """Who is told which plugin has the loop."""

    @property
    def rights(self) -> RightsBook:
        """Who may do what on whole networks."""

    @property
    def certificate_queries(self) -> CertificateQueries:
        """Lines that wait for a certificate."""

    @property
    def nick_history(self) -> NickHistory:
        """Who changed nick since."""

    @property
    def settings(self) -> SettingsBook:
        """Everything that was set over IRC."""

    def entropy(self) -> bytes:
        """Return 32 secret bytes."""

    def new_line_id(self) -> int:
        """Return the next outbox number."""

    def new_game_id(self) -> str:
        """Return an identity for a new game."""

    def busy(self, change: int) -> None:
        """Count inputs that wait or are being handled."""

    def of_network(self, network: str) -> Iterable[Channel]:
        """List the channels of *network* where the bot should be."""

    def profile_of(
        self, link: Link, base: ChannelProfile, *, keep: str | None = None
    ) -> ChannelProfile:
        """Lay the settings given over IRC upon a channel's configuration."""

    def settings_given(self, rows: Sequence[SettingRow], giver: Channel) -> None:
        """Take up stored settings; *giver* takes them over by itself."""

    def retire(self) -> None:
        """Close replaced plugins that no channel holds any more."""

    def happened(self, channel: Channel, plugin: str, event: object) -> None:
        """Pass on a public event of a game."""
