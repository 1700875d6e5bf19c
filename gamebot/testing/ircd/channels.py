"""Commands about channels: JOIN, PART, KICK, TOPIC, INVITE."""

from __future__ import annotations

from itertools import zip_longest

from gamebot.testing.ircd.commands import CommandTable
from gamebot.testing.ircd.queries import send_names
from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import Channel, User, World

TABLE = CommandTable()


@TABLE.command("JOIN", params=1)
def on_join(world: World, user: User, message: Message) -> None:
    """Join one or more channels, with keys; `JOIN 0` leaves all."""
    if message.params[0] == "0":
        for channel in list(user.channels.values()):
            part(world, user, channel)
        return
    names = message.params[0].split(",")
    keys = message.params[1].split(",") if len(message.params) > 1 else []
    for name, key in zip_longest(names, keys[: len(names)], fillvalue=""):
        if name:
            join(world, user, name, key)


def join(world: World, user: User, name: str, key: str) -> None:
    """Put *user* in the channel *name*, or answer why not."""
    if not world.is_channel(name):
        world.fail(user, "476" if name.startswith("#") else "403", name)
        return
    if world.fold(name) in user.channels:
        return
    if len(user.channels) >= world.settings.max_channels:
        world.fail(user, "405", name)
        return
    channel = world.channel(name)
    if channel is not None and (numeric := _obstacle(world, user, channel, key)):
        world.fail(user, numeric, channel.name)
        return
    channel = world.open_channel(name)
    channel.invited.discard(user)
    world.put_in(user, channel)
    send_topic(world, user, channel)
    send_names(world, user, channel)


def _obstacle(world: World, user: User, channel: Channel, key: str) -> str:
    """Return the numeric that forbids *user* to join, "" if nothing does."""
    invited = user in channel.invited
    limit = channel.modes.get("l")
    if "i" in channel.modes and not invited:
        return "473"
    if limit and len(channel.members) >= int(limit) and not invited:
        return "471"
    if channel.modes.get("k", key) != key and not invited:
        return "475"
    if world.is_banned(channel, user) and not invited:
        return "474"
    return ""


def send_topic(world: World, user: User, channel: Channel) -> None:
    """Send 332 and 333 if there is a topic."""
    if channel.topic:
        world.reply(user, "332", channel.name, channel.topic)
        world.reply(user, "333", channel.name, channel.topic_by, str(int(channel.topic_at)))


@TABLE.command("PART", params=1)
def on_part(world: World, user: User, message: Message) -> None:
    """Leave channels: 403, 442."""
    for name in message.params[0].split(","):
        if channel := joined(world, user, name):
            part(world, user, channel, *message.params[1:2])


def part(world: World, user: User, channel: Channel, *reason: str) -> None:
    """Take *user* out of *channel* and tell everybody there."""
    world.broadcast(channel.listeners, world.message(user, "PART", channel.name, *reason))
    world.take_out(user, channel)


def joined(world: World, user: User, name: str) -> Channel | None:
    """Return the channel *name* if *user* is in it; otherwise answer 403 or 442."""
    channel = world.channel(name)
    if channel is None:
        world.fail(user, "403", name)
    elif user not in channel.members:
        world.fail(user, "442", channel.name)
        return None
    return channel


def operated(world: World, user: User, name: str) -> Channel | None:
    """Return the channel *name* if *user* is its operator; otherwise answer 403, 442 or 482."""
    channel = joined(world, user, name)
    if channel is not None and not channel.has_status(user, "o"):
        world.fail(user, "482", channel.name)
        return None
    return channel


@TABLE.command("KICK", params=2)
def on_kick(world: World, user: User, message: Message) -> None:
    """Remove members: 403, 441, 442, 482."""
    name, nicks = message.params[:2]
    reason = message.params[2] if len(message.params) > 2 else user.nick
    channel = operated(world, user, name)
    for nick in nicks.split(",") if channel else ():
        victim = world.user(nick)
        if channel is None or victim is None or victim not in channel.members:
            world.fail(user, "441" if victim else "401", *([nick, name] if victim else [nick]))
        else:
            kick(world, world.message(user, "KICK", channel.name, victim.nick, reason[:255]))


def kick(world: World, message: Message) -> None:
    """Send the KICK *message* to the channel and take the victim out."""
    channel, victim = world.channel(message.params[0]), world.user(message.params[1])
    if channel is not None and victim is not None:
        world.broadcast(channel.listeners, message)
        world.take_out(victim, channel)


@TABLE.command("TOPIC", params=1)
def on_topic(world: World, user: User, message: Message) -> None:
    """Show or set the topic: 331, 332, 403, 442, 482."""
    name = message.params[0]
    if len(message.params) == 1:
        channel = world.channel(name)
        if channel is None:
            world.fail(user, "403", name)
        elif channel.topic:
            send_topic(world, user, channel)
        else:
            world.reply(user, "331", channel.name, "No topic is set.")
        return
    channel = joined(world, user, name)
    if channel is None:
        return
    if "t" in channel.modes and not channel.has_status(user, "o"):
        world.fail(user, "482", channel.name)
        return
    channel.topic = message.params[1][: world.settings.topic_length]
    channel.topic_by, channel.topic_at = user.mask, world.now()
    world.broadcast(channel.listeners, world.message(user, "TOPIC", channel.name, channel.topic))


@TABLE.command("INVITE", params=2)
def on_invite(world: World, user: User, message: Message) -> None:
    """Invite somebody: 341, 401, 403, 442, 443, 482."""
    nick, name = message.params[:2]
    channel = joined(world, user, name)
    if channel is None:
        return
    guest = world.user(nick)
    if guest is None:
        world.fail(user, "401", nick)
    elif guest in channel.members:
        world.fail(user, "443", guest.nick, channel.name)
    elif "i" in channel.modes and not channel.has_status(user, "o"):
        world.fail(user, "482", channel.name)
    else:
        channel.invited.add(guest)
        world.reply(user, "341", guest.nick, channel.name)
        world.send(guest, world.message(user, "INVITE", guest.nick, channel.name))
