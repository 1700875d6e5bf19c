"""A line to say as protocol lines that arrive whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gamebot.irc import formatting
from gamebot.irc.parser import format_message
from gamebot.irc.splitting import split_text
from gamebot.ports import OutLine

_LONGEST_HOST: Final = 64


def longest_source(nick: str, username: str) -> str:
    """Return the longest source that a server may put before our lines."""
    return f"{nick}!~{username}@{'x' * _LONGEST_HOST}"


def render(line: OutLine, source: str, limit_bytes: int, *, plain: bool) -> Sequence[str]:
    """Write *line* as protocol lines, the source that the server adds counted.

    Args:
        line: What is said, to whom.
        source: Our own `nick!user@host` as others see it.
        limit_bytes: The longest line that the server passes on, its end included.
        plain: Whether formatting codes are left out.
    """
    text = formatting.clean_text(line.text)
    if plain:
        text = formatting.strip_formatting(text)
    frame = f":{source} {line.verb} {line.target} :\r\n"
    room = limit_bytes - len(frame.encode())
    return [format_message(line.verb, (line.target, one)) for one in split_text(text, room)]
