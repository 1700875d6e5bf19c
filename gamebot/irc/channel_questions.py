"""What the server is asked about a channel that the bot has come into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gamebot.events import ChannelUp
from gamebot.irc.tracker import WHOX_TOKEN

_WHO_LIMIT: Final = 200
_WHOX_LIMIT: Final = 2000


def questions(event: ChannelUp, *, tells_accounts: bool, whox: bool) -> Iterator[tuple[str, ...]]:
    """Ask for the channel's modes, and for accounts or hosts that NAMES did not tell.

    Args:
        event: The channel and who is in it.
        tells_accounts: Whether the server tells accounts at all.
        whox: Whether it answers WHO with fields.

    Yields:
        Verb and parameters of each command.
    """
    yield "MODE", event.channel
    unknown_host = any(not person.host for person in event.members)
    if whox:
        wanted = bool(event.members) and (unknown_host or tells_accounts)
        if wanted and len(event.members) <= _WHOX_LIMIT:
            yield "WHO", event.channel, f"%tcuhnaf,{WHOX_TOKEN}"
    elif unknown_host and len(event.members) <= _WHO_LIMIT:
        yield "WHO", event.channel
