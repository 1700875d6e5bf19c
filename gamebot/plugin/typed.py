"""A line as somebody typed it: cleaned of what nobody sees, and whom it speaks to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from gamebot.irc.formatting import strip_formatting

_ENDS_OF_A_NAME = ":,;"
"""What clients put behind a nick that they complete."""

_STATUS_SIGNS = "@+%&~!"
"""What clients show before a nick, and people copy."""

_MARKS = ":,：，"
"""What stands between the nick of whom one speaks to and what is said."""

_SHOUT = re.compile(r"[.!?…。！？]+$")


def visible(text: str) -> str:
    """Return *text* without formatting codes and characters that nobody sees.

    Zero-width and bidirectional marks, byte order marks and soft hyphens do not hide a command.
    """
    text = strip_formatting(text)
    if not text.isascii():
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return text.strip()


def addressed(text: str, nick: str, fold: Callable[[str], str]) -> str | None:
    """Return what is said to *nick*, as in `nick: text` or `nick,text`; None if it is not.

    Args:
        text: A line, cleaned.
        nick: The bot's own nick.
        fold: The network's casemapping.
    """
    end = len(nick)
    if len(text) <= end or text[end] not in _MARKS or fold(text[:end]) != fold(nick):
        return None
    return text[end + 1 :].lstrip() or None


def completed(name: str) -> str:
    """Return the name that somebody completed or copied: `bob:`, `bob,`, `@bob` are bob."""
    return name.rstrip(_ENDS_OF_A_NAME).lstrip(_STATUS_SIGNS) or name


def unshouted(word: str) -> str:
    """Return *word* without the full stops, exclamation and question marks behind it."""
    return _SHOUT.sub("", word)


def same_name(text: str) -> str:
    """Fold a name that people choose: compatibility forms and case, in any alphabet."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)
