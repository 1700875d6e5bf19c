"""What users say and tell of themselves: PRIVMSG, NOTICE, TAGMSG, AWAY, SETNAME."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from gamebot.testing.ircd.commands import CommandTable
from gamebot.testing.ircd.numerics import has_formatting, strip_formatting
from gamebot.testing.ircd.settings import MAX_TARGETS, STATUS_MODES
from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import Channel, User, World

TABLE = CommandTable()

_AWAY_LENGTH = 200


@frozen
class _Speech:
    """One message to one target."""

    world: World
    user: User
    command: str
    text: str
    tags: Mapping[str, str]

    @property
    def answers_errors(self) -> bool:
        """Whether the speaker is told what went wrong (never after a NOTICE)."""
        return self.command != "NOTICE"

    def fail(self, numeric: str, *params: str) -> None:
        if self.answers_errors:
            self.world.fail(self.user, numeric, *params)

    def to(self, target: str, text: str) -> Message:
        params = (target,) if self.command == "TAGMSG" else (target, text)
        return self.world.message(self.user, self.command, *params, tags=self.tags)


@TABLE.command("PRIVMSG", "NOTICE", "TAGMSG")
def on_message(world: World, user: User, message: Message) -> None:
    """Hand a message to channels, parts of channels (STATUSMSG) and users."""
    if message.command == "TAGMSG" and "message-tags" not in user.caps:
        world.fail(user, "421", "TAGMSG")
        return
    text = message.params[1] if len(message.params) > 1 else ""
    tags = {}
    if "message-tags" in user.caps:
        tags = {name: value for name, value in message.tags.items() if name.startswith("+")}
    speech = _Speech(world, user, message.command, text, tags)
    targets = message.params[0].split(",") if message.params else []
    if not targets or not targets[0]:
        speech.fail("411")
    elif not text and message.command != "TAGMSG":
        speech.fail("412")
    else:
        user.spoke_at = world.now()
        for target in targets[:MAX_TARGETS]:
            _deliver(speech, target)
        for target in targets[MAX_TARGETS:]:
            speech.fail("407", target)


def _deliver(speech: _Speech, target: str) -> None:
    status, name = _split_status(target)
    if name.startswith("#"):
        channel = speech.world.channel(name)
        if channel is None:
            speech.fail("403", name)
        else:
            _to_channel(speech, channel, status)
    else:
        other = speech.world.user(target)
        if other is None:
            speech.fail("401", target)
        else:
            _to_user(speech, other)


def _split_status(target: str) -> tuple[str, str]:
    for mode, symbol in STATUS_MODES.items():
        if target.startswith(symbol):
            return mode, target[1:]
    return "", target


def _to_channel(speech: _Speech, channel: Channel, status: str) -> None:
    world, user, text = speech.world, speech.user, speech.text
    if _is_silenced(world, channel, user):
        speech.fail("404", channel.name)
        return
    if "c" in channel.modes and has_formatting(text):
        speech.fail("404", channel.name)
        return
    if "S" in channel.modes:
        text = strip_formatting(text)
    symbol = STATUS_MODES.get(status, "")
    message = speech.to(symbol + channel.name, text)
    hearers = [
        member
        for member in channel.listeners
        if member is not user and (not status or channel.has_status(member, status))
    ]
    _tell(speech, hearers, message)


def _is_silenced(world: World, channel: Channel, user: User) -> bool:
    if channel.has_status(user, "v"):
        return False
    outside = user not in channel.members and "n" in channel.modes
    return outside or "m" in channel.modes or world.is_banned(channel, user)


def _to_user(speech: _Speech, other: User) -> None:
    _tell(speech, [other], speech.to(other.nick, speech.text))
    if other.away is not None and speech.command == "PRIVMSG":
        speech.world.reply(speech.user, "301", other.nick, other.away)


def _tell(speech: _Speech, hearers: list[User], message: Message) -> None:
    cap = "message-tags" if speech.command == "TAGMSG" else ""
    speech.world.broadcast(hearers, message, cap=cap)
    speech.world.broadcast([speech.user], message, cap="echo-message")


@TABLE.command("AWAY")
def on_away(world: World, user: User, message: Message) -> None:
    """Mark oneself away or back: 305, 306; away-notify tells who shares a channel."""
    user.away = message.text[:_AWAY_LENGTH] or None
    if user.away is None:
        world.reply(user, "305", "You are no longer marked as being away")
    else:
        world.reply(user, "306", "You have been marked as being away")
    params = () if user.away is None else (user.away,)
    world.broadcast(world.peers(user), world.message(user, "AWAY", *params), cap="away-notify")


@TABLE.command("SETNAME", params=1)
def on_setname(world: World, user: User, message: Message) -> None:
    """Change the real name; setname tells itself and who shares a channel."""
    if "setname" not in user.caps:
        world.fail(user, "421", "SETNAME")
        return
    user.realname = message.text
    notice = world.message(user, "SETNAME", user.realname)
    world.broadcast((user, *world.peers(user)), notice, cap="setname")
