"""The console of `gamebot demo`: a small IRC client with colours, to play in at once."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.patch_stdout import patch_stdout

from gamebot.demo.demo import CHANNEL, GAME, Demo
from gamebot.plugin.words import parse_words, spelling
from gamebot.testing.client import IrcClient
from gamebot.testing.ircd.wire import Message

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_RESET = "\x1b[0m"
_TOGGLES = {"\x02": "\x1b[1m", "\x1d": "\x1b[3m", "\x1f": "\x1b[4m", "\x16": "\x1b[7m"}
_CODES = re.compile("\x03(?:(\\d{1,2})(?:,(\\d{1,2}))?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]")
#: mIRC's sixteen colours as ANSI numbers of the foreground.
_ANSI = (97, 30, 34, 32, 91, 31, 35, 33, 93, 92, 36, 96, 94, 95, 90, 37)
_BOT, _NOTICE, _FAINT = "\x1b[1;36m", "\x1b[33m", "\x1b[2m"

HELP = (
    "Type what you would type in the channel. /msg bot TEXT asks in private, "
    "/nick NAME changes your nick, /quit ends."
)


def to_ansi(text: str) -> str:
    """Turn mIRC formatting into a terminal's."""
    on: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        code = match[0]
        if code in _TOGGLES:
            on.symmetric_difference_update({code})
            return _RESET + "".join(_TOGGLES[c] for c in sorted(on))
        if code == "\x0f" or code == "\x03":
            on.clear()
            return _RESET
        if code[0] == "\x03":
            foreground = f"\x1b[{_ANSI[int(match[1]) % 16]}m"
            return foreground + (f"\x1b[{_ANSI[int(match[2]) % 16] + 10}m" if match[2] else "")
        return ""

    return _CODES.sub(replace, text) + _RESET


def render(message: Message, own_nick: str) -> str | None:
    """Write a message for the terminal; None for what a player need not see."""
    text = to_ansi(message.text)
    match message.command:
        case "PRIVMSG":
            color = _BOT if message.nick == "bot" else ""
            return f"{color}<{message.nick}>{_RESET} {text}"
        case "NOTICE" if "!" in message.source:
            return f"{_NOTICE}-{message.nick}-{_RESET} {text}"
        case "JOIN" | "PART" | "QUIT" | "NICK" | "KICK" if message.nick != own_nick:
            return f"{_FAINT}* {message.nick} {message.command.lower()} {message.text}{_RESET}"
    return None


async def play(stage: Demo, nick: str = "player") -> None:
    """Let the person at the terminal play until `/quit` or the end of the input."""
    async with stage, stage.client(nick) as client:
        await client.join(CHANNEL)
        await stage.bot_is_in()
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
        with _printing(interactive=interactive) as show:
            show(HELP)
            where = f"127.0.0.1 port {stage.server.port}, {CHANNEL}"
            show(f"{_FAINT}Any IRC client may join: {where}{_RESET}")
            reader = asyncio.create_task(_show_lines(client, show))
            try:
                await _begin(stage, client, show)
                await _type(_typed(stage, interactive=interactive), client, show)
                await stage.all_sent()
                await client.sync()
            finally:
                await asyncio.sleep(0.1)
                reader.cancel()
                await asyncio.gather(reader, return_exceptions=True)


async def _begin(stage: Demo, client: IrcClient, show: Callable[[str], None]) -> None:
    """Open a game against a bot player, so that one plays at once."""
    for name in ("join", "add_bot", "start"):
        line = _how(stage, name)
        show(f"<{client.nick}> {line}")
        client.say(CHANNEL, line)


def _how(stage: Demo, name: str) -> str:
    channel = stage.bot.channels["demo", CHANNEL]
    command = channel.registries[GAME].find(name)
    words = spelling(channel.translator_of(GAME), command.words)
    return parse_words(words)[0].shown(channel.prefix)


def _printing(*, interactive: bool) -> AbstractContextManager[Callable[[str], None]]:
    if not interactive:
        return nullcontext(lambda text: print(_ESCAPES.sub("", text)))  # noqa: T201  a console prints

    class Above:
        """Print above the prompt."""

        def __enter__(self) -> Callable[[str], None]:
            self._patch = patch_stdout(raw=True)
            self._patch.__enter__()
            return lambda text: print_formatted_text(ANSI(text))

        def __exit__(self, *error: object) -> None:
            self._patch.__exit__(None, None, None)

    return Above()


async def _show_lines(client: IrcClient, show: Callable[[str], None]) -> None:
    shown = len(client.messages)
    while client.connected:
        for message in client.messages[shown:]:
            text = render(message, client.nick)
            if text is not None:
                show(text)
        shown = len(client.messages)
        await asyncio.sleep(0.03)


async def _typed(stage: Demo, *, interactive: bool) -> AsyncIterator[str]:
    """Yield what the person types, line by line."""
    if not interactive:
        while line := await asyncio.to_thread(sys.stdin.readline):
            yield line.rstrip("\n")
        return
    words = [_how(stage, command.name) for command in stage.bot.registries[GAME].commands]
    session: PromptSession[str] = PromptSession(
        completer=WordCompleter(words, sentence=True), complete_while_typing=False
    )
    while True:
        try:
            yield await session.prompt_async("> ")
        except (EOFError, KeyboardInterrupt):
            return


async def _type(lines: AsyncIterator[str], client: IrcClient, show: Callable[[str], None]) -> None:
    async for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "/quit":
            return
        if word == "/nick" and rest:
            client.send(f"NICK {rest}")
        elif word == "/msg" and rest:
            target, _, text = rest.partition(" ")
            client.say(target, text)
        elif word.startswith("/"):
            show(HELP)
        elif word:
            client.say(CHANNEL, line)
