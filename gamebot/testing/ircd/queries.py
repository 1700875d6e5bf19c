"""Commands that only ask: NAMES, WHO, WHOIS, LIST, LUSERS, MOTD, ISON, USERHOST and friends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

from gamebot.testing.ircd.commands import CommandTable
from gamebot.testing.ircd.wire import ENCODING, ERRORS, LINE_LIMIT_BYTES, Message, matches
from gamebot.testing.ircd.world import Channel, User, World

TABLE = CommandTable()

#: Order in which WHOX sends its fields (the token first), whatever the order of the question.
_WHOX_ORDER = "cuihsnfdlaor"
_VERSION = "gamebot-testing"


@TABLE.command("MOTD")
def on_motd(world: World, user: User, _message: Message) -> None:
    """Send the message of the day."""
    send_motd(world, user)


def send_motd(world: World, user: User) -> None:
    """Send 375, 372 and 376, or 422 if there is none."""
    if not world.settings.motd:
        world.fail(user, "422")
        return
    world.reply(user, "375", f"- {world.settings.server_name} message of the day -")
    for line in world.settings.motd:
        world.reply(user, "372", f"- {line}")
    world.reply(user, "376", "End of /MOTD command.")


@TABLE.command("LUSERS")
def on_lusers(world: World, user: User, _message: Message) -> None:
    """Send the counts."""
    send_lusers(world, user)


def send_lusers(world: World, user: User) -> None:
    """Send 251, 254, 255, 265 and 266."""
    users, channels = len(world.users), len(world.channels)
    world.reply(user, "251", f"There are {users} users and 0 invisible on 1 servers")
    world.reply(user, "254", str(channels), "channels formed")
    world.reply(user, "255", f"I have {users} clients and 0 servers")
    for numeric, where in (("265", "local"), ("266", "global")):
        world.reply(
            user, numeric, str(users), str(users), f"Current {where} users {users}, max {users}"
        )


@TABLE.command("VERSION")
def on_version(world: World, user: User, _message: Message) -> None:
    """Name the server and its 005 tokens."""
    world.reply(user, "351", _VERSION, world.settings.server_name, "a server for tests")
    for tokens in world.settings.isupport_lines():
        world.reply(user, "005", *tokens, "are supported by this server")


@TABLE.command("TIME")
def on_time(world: World, user: User, _message: Message) -> None:
    """Send the server's time."""
    now = datetime.fromtimestamp(world.now(), UTC)
    world.reply(user, "391", world.settings.server_name, f"{now:%Y-%m-%d %H:%M:%S} UTC")


# NAMES and LIST


@TABLE.command("NAMES")
def on_names(world: World, user: User, message: Message) -> None:
    """List the members of channels."""
    for name in message.params[0].split(",") if message.params else ():
        channel = world.channel(name)
        if channel is None:
            world.reply(user, "366", name, "End of /NAMES list.")
        else:
            send_names(world, user, channel)
    if not message.params:
        world.reply(user, "366", "*", "End of /NAMES list.")


def send_names(world: World, user: User, channel: Channel) -> None:
    """Send 353 and 366, as multi-prefix and userhost-in-names ask."""
    every, full = "multi-prefix" in user.caps, "userhost-in-names" in user.caps
    names = (
        channel.symbols(member, every=every) + (member.mask if full else member.nick)
        for member in channel.members
    )
    room = _room(world, user, "353", "=", channel.name, "")
    for line in _packed(names, room):
        world.reply(user, "353", "=", channel.name, line)
    world.reply(user, "366", channel.name, "End of /NAMES list.")


def _room(world: World, user: User, *params: str) -> int:
    head = Message(params[0], (user.nick, *params[1:]), world.settings.server_name).line()
    return LINE_LIMIT_BYTES - 2 - len(head.encode(ENCODING, ERRORS))


def _packed(words: Iterable[str], room: int) -> Iterator[str]:
    line: list[str] = []
    used = 0
    for word in words:
        size = len(word.encode(ENCODING, ERRORS)) + 1
        if line and used + size > room:
            yield " ".join(line)
            line, used = [], 0
        line.append(word)
        used += size
    if line:
        yield " ".join(line)


@TABLE.command("LIST")
def on_list(world: World, user: User, message: Message) -> None:
    """List channels with their sizes and topics."""
    masks = message.params[0].split(",") if message.params else ["*"]
    world.reply(user, "321", "Channel", "Users  Name")
    for key, channel in world.channels.items():
        if any(matches(world.fold(mask), key) for mask in masks):
            size = str(len(channel.members))
            world.reply(user, "322", channel.name, size, channel.topic)
    world.reply(user, "323", "End of /LIST")


# WHO and WHOIS


@TABLE.command("WHO")
def on_who(world: World, user: User, message: Message) -> None:
    """List users of a channel, or by nick or mask; with fields if WHOX is on."""
    mask = message.params[0] if message.params else "*"
    options = message.params[1] if len(message.params) > 1 else ""
    _, percent, asked = options.partition("%")
    channel = world.channel(mask)
    extended = percent and world.settings.whox
    read = _whox_reader(world, user, channel, asked)
    for member in _who_finds(world, channel, mask):
        if extended:
            world.reply(user, "354", *read(member))
        else:
            world.reply(user, "352", *_who_fields(world, user, channel, member))
    world.reply(user, "315", mask, "End of /WHO list.")


def _who_finds(world: World, channel: Channel | None, mask: str) -> list[User]:
    if channel is not None:
        return list(channel.members)
    if (found := world.user(mask)) is not None:
        return [found]
    if mask.startswith("#"):
        return []
    key = world.fold("*" if mask == "0" else mask)
    return [
        one
        for one in world.users.values()
        if any(matches(key, world.fold(text)) for text in (one.nick, one.user, one.host))
    ]


def _flags(user: User, channel: Channel | None, member: User) -> str:
    flags = "H" if member.away is None else "G"
    if "B" in member.modes:
        flags += "B"
    if channel is not None:
        flags += channel.symbols(member, every="multi-prefix" in user.caps)
    return flags


def _who_fields(world: World, user: User, channel: Channel | None, member: User) -> tuple[str, ...]:
    return (
        channel.name if channel else "*",
        member.user,
        member.host,
        world.settings.server_name,
        member.nick,
        _flags(user, channel, member),
        f"0 {member.realname}",
    )


_WhoxField = Callable[[World, User, Channel | None, User], str]

#: Fields of WHOX but the token (t), each from the world, who asks, the channel and the member.
_WHOX_FIELDS: dict[str, _WhoxField] = {
    "c": lambda _w, _u, channel, _m: channel.name if channel else "*",
    "u": lambda _w, _u, _c, member: member.user,
    "i": lambda _w, _u, _c, _m: "255.255.255.255",
    "h": lambda _w, _u, _c, member: member.host,
    "s": lambda world, _u, _c, _m: world.settings.server_name,
    "n": lambda _w, _u, _c, member: member.nick,
    "f": lambda _w, user, channel, member: _flags(user, channel, member),
    "d": lambda _w, _u, _c, _m: "0",
    "l": lambda world, _u, _c, member: str(int(world.now() - member.spoke_at)),
    "a": lambda _w, _u, _c, member: member.account or "0",
    "o": lambda _w, _u, _c, _m: "n/a",
    "r": lambda _w, _u, _c, member: member.realname,
}


def _whox_reader(
    world: World, user: User, channel: Channel | None, asked: str
) -> Callable[[User], list[str]]:
    """Return what gives a member's fields for *asked* ("tcnuahr,token")."""
    letters, _, token = asked.partition(",")
    head = [token or "0"] if "t" in letters else []
    fields = [_WHOX_FIELDS[letter] for letter in _WHOX_ORDER if letter in letters]
    return lambda member: [*head, *(field(world, user, channel, member) for field in fields)]


@TABLE.command("WHOIS")
def on_whois(world: World, user: User, message: Message) -> None:
    """Tell about one user: 311, 319, 312, 301, 330, 276, 335, 317, 318."""
    if not message.params:
        world.fail(user, "431")
        return
    nick = message.text.split(",")[0]
    found = world.user(nick)
    if found is None:
        world.fail(user, "401", nick)
    else:
        for numeric, *params in _whois_lines(world, user, found):
            world.reply(user, numeric, found.nick, *params)
    world.reply(user, "318", found.nick if found else nick, "End of /WHOIS list.")


def _whois_lines(world: World, user: User, found: User) -> Iterator[Sequence[str]]:
    yield "311", found.user, found.host, "*", found.realname
    names = (
        channel.symbols(found, every="multi-prefix" in user.caps) + channel.name
        for channel in found.channels.values()
    )
    for line in _packed(names, _room(world, user, "319", found.nick, "")):
        yield "319", line
    yield "312", world.settings.server_name, "a server for tests"
    if found.away is not None:
        yield "301", found.away
    if found.account is not None:
        yield "330", found.account, "is logged in as"
    fingerprint = found.fingerprint or (found.link.fingerprint if found.link else "")
    if fingerprint and (world.settings.whois_certificates or found is user):
        yield "276", f"has client certificate fingerprint {fingerprint}"
    if "B" in found.modes:
        yield "335", "is a bot"
    idle = str(int(world.now() - found.spoke_at))
    yield "317", idle, str(int(found.connected_at)), "seconds idle, signon time"


@TABLE.command("WHOWAS", params=1)
def on_whowas(world: World, user: User, message: Message) -> None:
    """Remember nobody: 406."""
    world.fail(user, "406", message.params[0])
    world.reply(user, "369", message.params[0], "End of WHOWAS")


@TABLE.command("ISON", params=1)
def on_ison(world: World, user: User, message: Message) -> None:
    """Name who of the given nicks is here."""
    nicks = " ".join(message.params).split()
    found = (world.user(nick) for nick in nicks)
    world.reply(user, "303", " ".join(one.nick for one in found if one is not None))


@TABLE.command("USERHOST", params=1)
def on_userhost(world: World, user: User, message: Message) -> None:
    """Give nick, away flag and user@host of up to five nicks."""
    found = (world.user(nick) for nick in message.params[:5])
    items = (
        f"{one.nick}={'+' if one.away is None else '-'}{one.user}@{one.host}"
        for one in found
        if one is not None
    )
    world.reply(user, "302", " ".join(items))
