"""From a client's line to the handler of its command."""

from __future__ import annotations

from gamebot.testing.ircd import channels, modes, queries, registration, talk
from gamebot.testing.ircd.commands import Command, Stage
from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import User, World

COMMANDS: dict[str, Command] = {
    **registration.TABLE,
    **channels.TABLE,
    **modes.TABLE,
    **talk.TABLE,
    **queries.TABLE,
}

#: What still works on the other side of a netsplit.
_DURING_SPLIT = frozenset({"PING", "PONG", "QUIT"})


def dispatch(world: World, user: User, message: Message) -> None:
    """Do what *message* of *user* asks, or answer why not."""
    entry = COMMANDS.get(message.command)
    if user in world.split and message.command not in _DURING_SPLIT:
        return
    if not user.registered and (entry is None or entry.stage is Stage.REGISTERED):
        world.fail(user, "451")
    elif entry is None:
        world.fail(user, "421", message.command)
    elif user.registered and entry.stage is Stage.BEFORE:
        world.fail(user, "462")
    elif len(message.params) < entry.params:
        world.fail(user, "461", message.command)
    else:
        entry.handler(world, user, message)
