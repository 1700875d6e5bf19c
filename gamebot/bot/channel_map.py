"""Every channel of the bot by network and folded name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import structlog
from attrs import define, field

from gamebot.channel.casemapping_change import widest_key

if TYPE_CHECKING:
    from gamebot.channel.channel import Channel
    from gamebot.ports import Link

log = structlog.get_logger()


@define
class ChannelMap:
    """The channels.

    Attributes:
        channels: (network, folded name) -> channel, those that the bot was told to leave too.
        consoles: Network -> its console, which answers in queries only.
        aliases: (network, folded name) -> folded name that was asked for, where they differ.
    """

    channels: dict[tuple[str, str], Channel] = field(factory=dict)
    consoles: dict[str, Channel] = field(factory=dict)
    aliases: dict[tuple[str, str], str] = field(factory=dict)

    def find(self, link: Link, name: str) -> Channel | None:
        """Return the channel called *name*, None if the bot should not be there."""
        key = link.fold(name)
        channel = self.channels.get((link.name, self.aliases.get((link.name, key), key)))
        return None if channel is None or channel.left else channel

    def rename(self, link: Link, asked: str, name: str) -> None:
        """Find the channel *asked* for under the *name* that the server gave it, too."""
        self.aliases[link.name, link.fold(name)] = link.fold(asked)

    def of_network(self, network: str) -> list[Channel]:
        """List the channels of *network* where the bot should be."""
        return [
            channel
            for (name, _), channel in self.channels.items()
            if name == network and not channel.left
        ]

    def every(self) -> list[Channel]:
        """List every channel, consoles and those that the bot was told to leave too."""
        return [*self.channels.values(), *self.consoles.values()]

    def rekey(self, link: Link) -> Iterator[tuple[Channel, str]]:
        """Move the channels of *link* to the names that its network's casemapping gives them.

        Yields:
            A channel and its new folded name; "" if it keeps the one it has but had the settings of
            two channels while they could not be told apart.
        """
        mine = [(key, each) for (name, key), each in self.channels.items() if name == link.name]
        alike = Counter(widest_key(each.base.name) for _, each in mine if not each.left)
        network = link.name
        for key, channel in mine:
            new = link.fold(channel.base.name)
            if new == key:
                if alike[widest_key(channel.base.name)] > 1:
                    yield channel, ""
            elif other := self.channels.get((network, new)):
                # What is stored for it waits under the old key until the network tells the two apart.
                log.error(
                    "channels_are_one", network=network, channel=channel.name, other=other.name
                )
            else:
                del self.channels[network, key]
                self.channels[network, new] = channel
                yield channel, new
