"""Tables of commands: a handler, and what has to hold before it is called."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from attrs import frozen

from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import User, World

Handler = Callable[[World, User, Message], None]


class Stage(Enum):
    """When a command may be given."""

    ANY = "any"
    BEFORE = "before"
    REGISTERED = "registered"


@frozen
class Command:
    """One entry.

    Attributes:
        handler: Called with the world, who sent the line, and the line.
        params: How many parameters it needs (461).
        stage: Whether it needs a registered connection (451) or one that is not (462).
    """

    handler: Handler
    params: int = 0
    stage: Stage = Stage.REGISTERED


class CommandTable(dict[str, Command]):
    """Commands by name."""

    def command(
        self, *names: str, params: int = 0, stage: Stage = Stage.REGISTERED
    ) -> Callable[[Handler], Handler]:
        """Enter the decorated handler under *names*."""

        def enter(handler: Handler) -> Handler:
            self.update(dict.fromkeys(names, Command(handler, params, stage)))
            return handler

        return enter
