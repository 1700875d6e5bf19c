"""MODE, for channels (b, c, i, k, l, m, n, o, S, t, v) and for oneself (B, i, w)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import Factory, define

from gamebot.testing.ircd.commands import CommandTable
from gamebot.testing.ircd.settings import (
    FLAG_MODES,
    KEY_MODES,
    LIMIT_MODES,
    LIST_MODES,
    STATUS_MODES,
    USER_MODES,
)
from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import Channel, User, World

TABLE = CommandTable()

#: Modes whose parameter must be given to set them, and to remove them.
_PARAM_TO_SET = {*STATUS_MODES, *KEY_MODES, *LIMIT_MODES, *LIST_MODES}
_PARAM_TO_REMOVE = {*STATUS_MODES, *LIST_MODES}
_OPTIONAL_TO_REMOVE = set(KEY_MODES)

#: One change that was made: "+" or "-", the letter, its parameter ("" if none).
Change = tuple[str, str, str]


@define
class _Request:
    """A MODE command under way; *user* is None when the server itself sets modes."""

    world: World
    channel: Channel
    user: User | None
    done: list[Change] = Factory(list)

    def fail(self, numeric: str, *params: str) -> None:
        if self.user is not None:
            self.world.fail(self.user, numeric, *params)


@TABLE.command("MODE", params=1)
def on_mode(world: World, user: User, message: Message) -> None:
    """Show or change modes: 221, 324, 329, 367, 368, 403, 441, 472, 482, 501, 502."""
    target, *rest = message.params
    if not target.startswith("#"):
        _user_modes(world, user, target, rest)
        return
    channel = world.channel(target)
    if channel is None:
        world.fail(user, "403", target)
    elif not rest:
        _send_modes(world, user, channel)
    elif _asks_for_bans(rest):
        _send_bans(world, user, channel)
    elif not channel.has_status(user, "o"):
        world.fail(user, "482", channel.name)
    else:
        change_modes(world, channel, user, rest)


def change_modes(world: World, channel: Channel, user: User | None, words: Sequence[str]) -> None:
    """Apply *words* ("+ov-t", parameters) and tell the channel what has changed.

    Args:
        world: Where.
        channel: The channel.
        user: Who asked and gets the errors; None is the server itself.
        words: The mode string and its parameters.
    """
    request = _Request(world, channel, user)
    for sign, letter, param in _read(words):
        apply = _applier(letter)
        if apply is None:
            request.fail("472", letter)
        elif param is None:
            if letter in LIST_MODES and user is not None:
                _send_bans(world, user, channel)
        else:
            apply(request, sign, letter, param)
    if request.done:
        params = (channel.name, *_written(request.done))
        message = (
            world.server_message("MODE", *params)
            if user is None
            else world.message(user, "MODE", *params)
        )
        world.broadcast(channel.listeners, message)


def _read(words: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """Yield sign, letter and parameter: "" where none is due, None where it is missing."""
    params = iter(words[1:])
    sign = "+"
    for letter in words[0]:
        if letter in "+-":
            sign = letter
        elif letter in (_PARAM_TO_SET if sign == "+" else _PARAM_TO_REMOVE):
            yield sign, letter, next(params, None)
        elif sign == "-" and letter in _OPTIONAL_TO_REMOVE:
            next(params, None)
            yield sign, letter, ""
        else:
            yield sign, letter, ""


def _written(changes: Sequence[Change]) -> list[str]:
    """Write changes as MODE's parameters: ["+ov-t", "anna", "bert"]."""
    letters, last = "", ""
    for sign, letter, _ in changes:
        letters += letter if sign == last else sign + letter
        last = sign
    return [letters, *(param for _, _, param in changes if param)]


_Applier = Callable[[_Request, str, str, str], None]


def _applier(letter: str) -> _Applier | None:
    tables: tuple[tuple[str, _Applier], ...] = (
        ("".join(STATUS_MODES), _status),
        (LIST_MODES, _ban),
        (KEY_MODES, _key),
        (LIMIT_MODES, _limit),
        (FLAG_MODES, _flag),
    )
    return next((apply for letters, apply in tables if letter in letters), None)


def _status(request: _Request, sign: str, letter: str, nick: str) -> None:
    channel, member = request.channel, request.world.user(nick)
    if member is None:
        request.fail("401", nick)
    elif member not in channel.members:
        request.fail("441", member.nick, channel.name)
    else:
        before = set(channel.members[member])
        after = before | {letter} if sign == "+" else before - {letter}
        if after != before:
            channel.members[member] = "".join(sorted(after))
            request.done.append((sign, letter, member.nick))


def _ban(request: _Request, sign: str, letter: str, mask: str) -> None:
    channel, world = request.channel, request.world
    full = _full_mask(mask)
    known = next((ban for ban in channel.bans if world.fold(ban) == world.fold(full)), None)
    if sign == "-" and known is not None:
        del channel.bans[known]
        request.done.append((sign, letter, known))
    elif sign == "+" and known is None:
        if len(channel.bans) >= world.settings.max_bans:
            request.fail("478", channel.name, full)
            return
        by = request.user.mask if request.user else world.settings.server_name
        channel.bans[full] = (by, world.now())
        request.done.append((sign, letter, full))


def _full_mask(mask: str) -> str:
    nick, bang, rest = mask.partition("!")
    if not bang:
        nick, rest = ("*", mask) if "@" in mask else (mask, "*@*")
    user, at, host = rest.partition("@")
    return f"{nick or '*'}!{user or '*'}@{host if at and host else '*'}"


def _key(request: _Request, sign: str, letter: str, key: str) -> None:
    modes = request.channel.modes
    if sign == "-" and letter in modes:
        request.done.append((sign, letter, modes.pop(letter)))
    elif sign == "+" and key and " " not in key and "," not in key:
        modes[letter] = key
        request.done.append((sign, letter, key))


def _limit(request: _Request, sign: str, letter: str, limit: str) -> None:
    modes = request.channel.modes
    if sign == "-" and letter in modes:
        del modes[letter]
        request.done.append((sign, letter, ""))
    elif sign == "+" and limit.isascii() and limit.isdecimal() and int(limit) > 0:
        modes[letter] = limit
        request.done.append((sign, letter, limit))


def _flag(request: _Request, sign: str, letter: str, _param: str) -> None:
    modes = request.channel.modes
    if (sign == "+") == (letter in modes):
        return
    if sign == "+":
        modes[letter] = ""
    else:
        del modes[letter]
    request.done.append((sign, letter, ""))


def _asks_for_bans(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].lstrip("+-") in set(LIST_MODES)


def _send_modes(world: World, user: User, channel: Channel) -> None:
    shown = sorted(channel.modes)
    params = [channel.modes[letter] for letter in shown if channel.modes[letter]]
    if user not in channel.members:
        params = ["*" if "k" in channel.modes else param for param in params]
    world.reply(user, "324", channel.name, "+" + "".join(shown), *params)
    world.reply(user, "329", channel.name, str(int(channel.created_at)))


def _send_bans(world: World, user: User, channel: Channel) -> None:
    for mask, (by, at) in channel.bans.items():
        world.reply(user, "367", channel.name, mask, by, str(int(at)))
    world.reply(user, "368", channel.name, "End of channel ban list")


def _user_modes(world: World, user: User, target: str, words: Sequence[str]) -> None:
    found = world.user(target)
    if found is None:
        world.fail(user, "401", target)
        return
    if found is not user:
        world.fail(user, "502")
        return
    if not words:
        world.reply(user, "221", "+" + "".join(sorted(user.modes)))
        return
    done: list[Change] = []
    for sign, letter, _ in _read(words[:1]):
        if letter not in USER_MODES:
            world.fail(user, "501")
        elif (sign == "+") != (letter in user.modes):
            (user.modes.add if sign == "+" else user.modes.discard)(letter)
            done.append((sign, letter, ""))
    if done:
        world.send(user, world.message(user, "MODE", user.nick, *_written(done)))
