"""Lines of the IRC protocol: parse, write, fold names, match masks.

Text is UTF-8 with `surrogateescape`, so whatever bytes a client sends reach the others unchanged.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from attrs import frozen

ENCODING = "utf-8"
ERRORS = "surrogateescape"

#: Bytes of a line without its tags, CR LF included.
LINE_LIMIT_BYTES = 512
#: Bytes of the tags that a client may send, "@" and the space included.
CLIENT_TAGS_LIMIT_BYTES = 4096
MAX_PARAMS = 15

NO_TAGS: Mapping[str, str] = MappingProxyType({})

_WITH_TEXT = (
    "PRIVMSG NOTICE TOPIC QUIT PART KICK ERROR NICK PONG AWAY SETNAME WALLOPS KILL "
    "301 302 303 319 332 353 372 375"
)
#: Their last parameter is text: written after a colon even if it is one word.
_TEXT_COMMANDS = frozenset(_WITH_TEXT.split())
_TAG_ESCAPES = {";": r"\:", " ": r"\s", "\\": r"\\", "\r": r"\r", "\n": r"\n"}
_TAG_UNESCAPES = {escape[1]: char for char, escape in _TAG_ESCAPES.items()}

_FOLDED_PAIRS = {
    "ascii": ("", ""),
    "strict-rfc1459": ("[]\\", "{}|"),
    "rfc1459": ("[]\\~", "{}|^"),
}


@frozen
class Message:
    """One line, parsed.

    Attributes:
        command: Command in upper case, or a numeric.
        params: Parameters; the last one may hold spaces.
        source: What stands after the first colon: nick!user@host or a server; "" if nothing.
        tags: Unescaped tags by name.
    """

    command: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = NO_TAGS

    @property
    def nick(self) -> str:
        """The nick of the source (a server's name if it is one)."""
        return self.source.partition("!")[0]

    @property
    def text(self) -> str:
        """The last parameter, "" if there is none."""
        return self.params[-1] if self.params else ""

    def line(self) -> str:
        """Write the line without tags and line end."""
        head = f":{self.source} {self.command}" if self.source else self.command
        if not self.params:
            return head
        *middle, last = self.params
        if self.command in _TEXT_COMMANDS or not last or last[0] == ":" or " " in last:
            last = ":" + last
        return " ".join((head, *middle, last))


def parse(line: str) -> Message | None:
    """Parse *line* (no line end); None if it holds no command."""
    tags: Mapping[str, str] = NO_TAGS
    source = ""
    rest = line.lstrip(" ")
    if rest.startswith("@"):
        raw_tags, _, rest = rest[1:].partition(" ")
        tags = parse_tags(raw_tags)
        rest = rest.lstrip(" ")
    if rest.startswith(":"):
        source, _, rest = rest[1:].partition(" ")
    rest, colon, trailing = (" " + rest).partition(" :")
    words = [word for word in rest.split(" ") if word]
    if not words:
        return None
    params = words[1:]
    if colon:
        params.append(trailing)
    if len(params) > MAX_PARAMS:
        params[MAX_PARAMS - 1 :] = [" ".join(params[MAX_PARAMS - 1 :])]
    return Message(words[0].upper(), tuple(params), source, tags)


def parse_tags(text: str) -> dict[str, str]:
    """Parse what stands between "@" and the first space."""
    tags = {}
    for item in text.split(";"):
        name, _, value = item.partition("=")
        if name:
            tags[name] = _unescape(value)
    return tags


def format_tags(tags: Mapping[str, str]) -> str:
    """Write *tags* with "@" and the space, "" if there are none."""
    if not tags:
        return ""
    items = (f"{name}={_escape(value)}" if value else name for name, value in tags.items())
    return f"@{';'.join(items)} "


def to_bytes(tags: str, line: str) -> bytes:
    """Encode a line for the socket; like a real server, cut what is over 512 bytes."""
    data = line.encode(ENCODING, ERRORS)[: LINE_LIMIT_BYTES - 2]
    return tags.encode(ENCODING, ERRORS) + data + b"\r\n"


def folder(casemapping: str) -> Callable[[str], str]:
    """Return the function that folds names by *casemapping*.

    Raises:
        ValueError: The casemapping is not known.
    """
    try:
        upper, lower = _FOLDED_PAIRS[casemapping]
    except KeyError:
        raise ValueError(f"unknown casemapping {casemapping!r}") from None
    table = str.maketrans(string.ascii_uppercase + upper, string.ascii_lowercase + lower)
    return lambda text: text.translate(table)


def matches(mask: str, text: str) -> bool:
    """Whether *text* matches *mask* with its `*` and `?`; fold both before."""
    return _mask_pattern(mask).fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _mask_pattern(mask: str) -> re.Pattern[str]:
    wild = {"*": ".*", "?": "."}
    return re.compile("".join(wild.get(char, re.escape(char)) for char in mask), re.DOTALL)


def _escape(value: str) -> str:
    return "".join(_TAG_ESCAPES.get(char, char) for char in value)


def _unescape(value: str) -> str:
    if "\\" not in value:
        return value
    return re.sub(r"\\(.?)", lambda m: _TAG_UNESCAPES.get(m[1], m[1]), value, flags=re.DOTALL)
