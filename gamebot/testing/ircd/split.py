"""Netsplits: a group of users is cut off from the rest, and comes back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamebot.testing.ircd.registration import disconnect
from gamebot.testing.ircd.world import Channel, User, World

_MODES_PER_LINE = 4


def cut_off(world: World, users: Sequence[User], reason: str) -> None:
    """Let *users* quit with *reason*, as the others see it, and the others as they see it."""
    away = set(users)
    for user in users:
        there = [peer for peer in world.peers(user) if peer not in away]
        world.broadcast(there, world.message(user, "QUIT", reason))
        if user.link is not None:
            for peer in _all_peers(user) - away:
                world.send(user, world.message(peer, "QUIT", reason))
    for user in users:
        world.split[user] = {channel: channel.members[user] for channel in user.channels.values()}
        del world.users[world.fold(user.nick)]
        for channel in list(user.channels.values()):
            world.take_out(user, channel)


def rejoin(world: World) -> None:
    """Bring everybody back who was cut off; whose nick was taken meanwhile is killed."""
    split, world.split = world.split, {}
    back = {user: places for user, places in split.items() if _comes_back(world, user)}
    for channel_key, statuses in _by_channel(world, back).items():
        _merge(world, world.open_channel(channel_key), statuses)


def _all_peers(user: User) -> set[User]:
    return {member for channel in user.channels.values() for member in channel.members}


def _comes_back(world: World, user: User) -> bool:
    if world.user(user.nick) is not None:
        disconnect(world, user, "Killed (Nick collision)")
        return False
    world.enter(user)
    return True


def _by_channel(world: World, back: dict[User, dict[Channel, str]]) -> dict[str, dict[User, str]]:
    """Return channel name -> returning member -> status; one spelling for each channel."""
    names: dict[str, str] = {}
    result: dict[str, dict[User, str]] = {}
    for user, places in back.items():
        for channel, status in places.items():
            name = names.setdefault(world.fold(channel.name), channel.name)
            result.setdefault(name, {})[user] = status
    return result


def _merge(world: World, channel: Channel, statuses: dict[User, str]) -> None:
    stayed = dict(channel.members)
    for user, status in statuses.items():
        channel.add(user, status)
        user.channels[world.fold(channel.name)] = channel
    _introduce(world, channel, statuses, to=stayed)
    _introduce(world, channel, stayed, to=statuses)


def _introduce(
    world: World, channel: Channel, statuses: dict[User, str], *, to: Iterable[User]
) -> None:
    listeners = [user for user in to if user in channel.listeners]
    if not listeners:
        return
    for user in statuses:
        world.announce_join(user, channel, listeners)
    pairs = [(mode, user.nick) for user, status in statuses.items() for mode in status]
    for start in range(0, len(pairs), _MODES_PER_LINE):
        some = pairs[start : start + _MODES_PER_LINE]
        modes = "+" + "".join(mode for mode, _ in some)
        nicks = (nick for _, nick in some)
        world.broadcast(listeners, world.server_message("MODE", channel.name, modes, *nicks))
