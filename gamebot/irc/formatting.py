"""mIRC formatting codes: write them, read them, take them away; and clean what goes out."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

BOLD: Final = "\x02"
COLOR: Final = "\x03"
HEX_COLOR: Final = "\x04"
RESET: Final = "\x0f"
MONOSPACE: Final = "\x11"
REVERSE: Final = "\x16"
ITALIC: Final = "\x1d"
STRIKETHROUGH: Final = "\x1e"
UNDERLINE: Final = "\x1f"

FORMATTING_CODE: Final = re.compile(
    r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?"
    r"|\x04(?:[0-9A-Fa-f]{6}(?:,[0-9A-Fa-f]{6})?)?"
    r"|[\x02\x0f\x11\x16\x1d-\x1f]"
)

# Two toggles show nothing and keep a digit or comma that follows out of the colour code.
_FENCE: Final = BOLD + BOLD
_LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_FORBIDDEN: Final = str.maketrans("", "", "\0\x01")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NOT_IN_A_WORD: Final = re.compile(r"[\s\0\x01\x07]")


class Color(IntEnum):
    """The sixteen colours that every client shows."""

    WHITE = 0
    BLACK = 1
    BLUE = 2
    GREEN = 3
    RED = 4
    BROWN = 5
    PURPLE = 6
    ORANGE = 7
    YELLOW = 8
    LIGHT_GREEN = 9
    CYAN = 10
    LIGHT_CYAN = 11
    LIGHT_BLUE = 12
    PINK = 13
    GREY = 14
    LIGHT_GREY = 15


def bold(text: str) -> str:
    """Show *text* in bold."""
    return f"{BOLD}{text}{BOLD}"


def italic(text: str) -> str:
    """Show *text* in italics."""
    return f"{ITALIC}{text}{ITALIC}"


def underline(text: str) -> str:
    """Show *text* underlined."""
    return f"{UNDERLINE}{text}{UNDERLINE}"


def color(text: str, foreground: int, background: int | None = None) -> str:
    """Show *text* in a colour, on *background* if it is given.

    Other formatting around and inside it stays, and digits or commas at either end are safe.
    """
    ground = "" if background is None else f",{background:02d}"
    fence = _FENCE if not ground and text.startswith(",") else ""
    return f"{COLOR}{foreground:02d}{ground}{fence}{text}{COLOR}{_FENCE}"


def strip_formatting(text: str) -> str:
    """Remove every formatting code."""
    return FORMATTING_CODE.sub("", text)


def clean_text(text: str) -> str:
    """Make *text* one line that any server takes.

    Line breaks become spaces; NUL and the CTCP mark go; a lone surrogate, which has no UTF-8,
    becomes the replacement character.
    """
    text = _LINE_BREAK.sub(" ", text).translate(_FORBIDDEN)
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def text_lines(text: str) -> list[str]:
    """Split *text* into clean lines; unlike `str.splitlines` it takes no code for a line break."""
    return [clean_text(line) for line in _LINE_BREAK.split(text)]


def clean_target(target: str) -> str:
    """Return *target* if it can be one channel or nick on the wire, else ""."""
    usable = target and target[0] != ":" and "," not in target
    if not usable or _NOT_IN_A_WORD.search(target) or _SURROGATE.search(target):
        return ""
    return target
