"""People on the server who have no connection: a test moves them by hand."""

from __future__ import annotations

from collections import deque

from attrs import define, field

from gamebot.testing.ircd.dispatch import dispatch
from gamebot.testing.ircd.wire import ENCODING, ERRORS, parse
from gamebot.testing.ircd.world import User, World

_REMEMBERED_LINES = 100_000


@define(eq=False)
class Puppet:
    """Somebody on the network who does what a test says.

    Attributes:
        user: The user that the others see.
        lines: What the server sent to it, without line ends.
        gone: The ERROR that ended it, None while it is there.
    """

    world: World = field(repr=False)
    user: User
    lines: deque[str] = field(factory=lambda: deque(maxlen=_REMEMBERED_LINES), repr=False)
    gone: str | None = None

    def does(self, line: str) -> None:
        """Handle *line* as if this person's client had sent it.

        Raises:
            ValueError: There is no command in it.
            RuntimeError: This person has left the network.
        """
        message = parse(line)
        if message is None:
            raise ValueError(f"no command in {line!r}")
        if self.gone is not None:
            raise RuntimeError(f"{self.user.nick} is gone: {self.gone}")
        dispatch(self.world, self.user, message)

    def says(self, target: str, text: str) -> None:
        """Send a PRIVMSG."""
        self.does(f"PRIVMSG {target} :{text}")

    def joins(self, *channels: str) -> None:
        """Join channels."""
        self.does(f"JOIN {','.join(channels)}")

    # ircd.world.Link

    def deliver(self, data: bytes) -> None:
        """Remember a line."""
        self.lines.append(data.decode(ENCODING, ERRORS).removesuffix("\r\n"))

    def close(self, error: str) -> None:
        """Be thrown off the network."""
        self.gone = error

    @property
    def fingerprint(self) -> str:
        """No certificate."""
        return ""
