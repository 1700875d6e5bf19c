"""How a connection becomes a user: PASS, NICK, USER, CAP, AUTHENTICATE, and the welcome."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence

from gamebot.testing.ircd.commands import CommandTable, Stage
from gamebot.testing.ircd.queries import send_lusers, send_motd
from gamebot.testing.ircd.settings import Sasl
from gamebot.testing.ircd.wire import LINE_LIMIT_BYTES, Message
from gamebot.testing.ircd.world import User, World

TABLE = CommandTable()

_VERSION = "gamebot-testing"
_SASL_CHUNK_BYTES = 400
_SASL_LIMIT_BYTES = 4096
_CAPS_PER_LINE = 3
_CAP_302 = 302


# NICK, USER, PASS, PING, QUIT


@TABLE.command("PASS", params=1, stage=Stage.BEFORE)
def on_pass(_world: World, user: User, message: Message) -> None:
    """Remember the password until registration is complete."""
    user.handshake.password = message.params[0]


@TABLE.command("USER", params=4, stage=Stage.BEFORE)
def on_user(world: World, user: User, message: Message) -> None:
    """Take user name and real name."""
    user.user = "".join(c for c in message.params[0] if c not in " !@\0")[:10] or "user"
    user.realname = message.params[3]
    complete(world, user)


@TABLE.command("NICK", stage=Stage.ANY)
def on_nick(world: World, user: User, message: Message) -> None:
    """Take or change the nick: 431, 432, 433."""
    nick = message.params[0] if message.params else ""
    if not nick:
        world.fail(user, "431")
    elif not world.is_nick(nick):
        world.fail(user, "432", nick)
    elif not world.nick_is_free(nick, user):
        world.fail(user, "433", nick)
    elif not user.registered:
        user.nick = nick
        complete(world, user)
    elif nick != user.nick:
        world.rename(user, nick)


@TABLE.command("PING", stage=Stage.ANY)
def on_ping(world: World, user: User, message: Message) -> None:
    """Answer with the same token."""
    if not message.params:
        world.fail(user, "409")
    else:
        name = world.settings.server_name
        world.send(user, Message("PONG", (name, message.params[0]), name))


@TABLE.command("PONG", stage=Stage.ANY)
def on_pong(world: World, user: User, message: Message) -> None:
    """Accept the cookie; otherwise any line shows that the client is alive."""
    if user.handshake.cookie and message.text == user.handshake.cookie:
        user.handshake.cookie = ""
        complete(world, user)


@TABLE.command("QUIT", stage=Stage.ANY)
def on_quit(world: World, user: User, message: Message) -> None:
    """Tell the others and close the link."""
    disconnect(world, user, f"Quit: {message.text}")


def disconnect(world: World, user: User, reason: str) -> None:
    """Take *user* off the network and close its link with ERROR."""
    world.leave(user, reason)
    if user.link is not None:
        user.link.close(f"Closing link: ({user.user or 'unknown'}@{user.host}) [{reason}]")


def complete(world: World, user: User) -> None:
    """Welcome *user* if everything that registration needs is there."""
    hand = user.handshake
    if user.nick == "*" or not user.user or hand.negotiating or hand.cookie:
        return
    if world.settings.password not in (None, hand.password):
        world.fail(user, "464")
        disconnect(world, user, "Bad password")
    elif not world.nick_is_free(user.nick, user):
        nick, user.nick = user.nick, "*"  # somebody else registered it meanwhile
        world.fail(user, "433", nick)
    else:
        user.host = world.settings.hosts.get(user.nick, user.host)
        world.enter(user)
        welcome(world, user)


def start(world: World, user: User) -> None:
    """Begin the handshake of a new connection."""
    user.connected_at = user.spoke_at = world.now()
    if world.settings.ping_cookie:
        user.handshake.cookie = f"cookie-{id(user):x}"
        world.send(user, Message("PING", (user.handshake.cookie,)))


def welcome(world: World, user: User) -> None:
    """Send 001 to 005, the counts and the message of the day."""
    settings = world.settings
    version = f"{_VERSION} {settings.name}"
    world.reply(user, "001", f"Welcome to the {settings.name} network, {user.mask}")
    world.reply(user, "002", f"Your host is {settings.server_name}, running {version}")
    world.reply(user, "003", "This server was made for tests and demonstrations")
    world.reply(user, "004", settings.server_name, _VERSION, "Biw", "Sbciklmntov", "bklov")
    for tokens in settings.isupport_lines():
        world.reply(user, "005", *tokens, "are supported by this server")
    send_lusers(world, user)
    send_motd(world, user)


# CAP


@TABLE.command("CAP", params=1, stage=Stage.ANY)
def on_cap(world: World, user: User, message: Message) -> None:
    """Negotiate capabilities."""
    subcommand = message.params[0].upper()
    if subcommand == "LS":
        _cap_ls(world, user, message.params[1:])
    elif subcommand == "LIST":
        _cap_reply(world, user, "LIST", " ".join(sorted(user.caps)))
    elif subcommand == "REQ":
        _cap_req(world, user, message.text if len(message.params) > 1 else "")
    elif subcommand == "END":
        user.handshake.negotiating = False
        if not user.registered:
            complete(world, user)
    else:
        world.fail(user, "410", message.params[0])


def _cap_ls(world: World, user: User, params: Sequence[str]) -> None:
    user.handshake.negotiating = not user.registered
    is_302 = bool(params) and params[0].isdecimal() and int(params[0]) >= _CAP_302
    if not is_302:
        _cap_reply(world, user, "LS", " ".join(sorted(world.settings.caps)))
        return
    user.caps |= {"cap-notify"} & world.settings.caps
    values = world.settings.cap_values()
    words = [f"{cap}={value}" if value else cap for cap, value in values.items()]
    lines = list(_in_lines(words, _CAPS_PER_LINE if world.settings.multiline_cap_ls else 100))
    for line in lines[:-1]:
        _cap_reply(world, user, "LS", "*", line)
    _cap_reply(world, user, "LS", lines[-1])


def _in_lines(words: Sequence[str], most: int) -> Iterator[str]:
    line: list[str] = []
    for word in words:
        too_long = sum(map(len, line)) + len(line) + len(word) > LINE_LIMIT_BYTES - 112
        if line and (too_long or len(line) == most):
            yield " ".join(line)
            line = []
        line.append(word)
    yield " ".join(line)


def _cap_req(world: World, user: User, text: str) -> None:
    if not user.registered:
        user.handshake.negotiating = True
    words = text.split()
    wanted = {word for word in words if not word.startswith("-")}
    dropped = {word[1:] for word in words if word.startswith("-")}
    if wanted | dropped <= world.settings.caps:
        user.caps = user.caps - dropped | wanted
        _cap_reply(world, user, "ACK", text)
    else:
        _cap_reply(world, user, "NAK", text)


def _cap_reply(world: World, user: User, *params: str) -> None:
    world.send(user, Message("CAP", (user.nick, *params), world.settings.server_name))


# SASL


@TABLE.command("AUTHENTICATE", params=1, stage=Stage.ANY)
def on_authenticate(world: World, user: User, message: Message) -> None:
    """Log in by PLAIN or EXTERNAL."""
    hand, word = user.handshake, message.params[0]
    if "sasl" not in user.caps or world.settings.sasl is Sasl.SILENT:
        return
    if word == "*":
        _end_sasl(world, user, "906")
    elif user.account is not None:
        world.fail(user, "907")
    elif not hand.mechanism:
        _choose_mechanism(world, user, word.upper())
    elif len(word) > _SASL_CHUNK_BYTES or len(hand.response) > _SASL_LIMIT_BYTES:
        _end_sasl(world, user, "905")
    else:
        hand.response += "" if word == "+" else word
        if len(word) < _SASL_CHUNK_BYTES:
            _judge(world, user)


def _choose_mechanism(world: World, user: User, mechanism: str) -> None:
    offered = world.settings.cap_values().get("sasl", "")
    if mechanism in offered.split(","):
        user.handshake.mechanism = mechanism
        world.send(user, Message("AUTHENTICATE", ("+",)))
    else:
        world.reply(user, "908", offered or "*", "are available SASL mechanisms")
        _end_sasl(world, user, "904")


def _judge(world: World, user: User) -> None:
    account = _account_of(world, user)
    if account is None or world.settings.sasl is Sasl.FAILS:
        _end_sasl(world, user, "904")
        return
    if user.registered:
        world.set_account(user, account)
    else:
        user.account = account
    world.reply(user, "900", user.mask, account, f"You are now logged in as {account}")
    world.reply(user, "903", "SASL authentication successful")
    _forget_sasl(user)


def _account_of(world: World, user: User) -> str | None:
    settings, hand = world.settings, user.handshake
    if hand.mechanism == "EXTERNAL":
        fingerprint = user.link.fingerprint if user.link else ""
        return settings.certificates.get(fingerprint)
    try:
        fields = base64.b64decode(hand.response, validate=True).split(b"\0")
    except binascii.Error:
        return None
    _, name, password, *rest = (*(field.decode(errors="replace") for field in fields), "", "", "")
    if any(rest[:-3]) or settings.accounts.get(name) != password or name not in settings.accounts:
        return None
    return name


def _end_sasl(world: World, user: User, numeric: str) -> None:
    _forget_sasl(user)
    world.fail(user, numeric)


def _forget_sasl(user: User) -> None:
    user.handshake.mechanism = user.handshake.response = ""
