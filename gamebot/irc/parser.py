"""Lines of the IRC protocol: parse any bytes, format any values, never raise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import field, frozen

_UNESCAPED: Final = {":": ";", "s": " ", "\\": "\\", "r": "\r", "n": "\n"}
_ESCAPED: Final = str.maketrans({";": "\\:", " ": "\\s", "\\": "\\\\", "\r": "\\r", "\n": "\\n"})
_ESCAPE: Final = re.compile(r"\\(.?)", re.DOTALL)
_LINE_BREAKERS: Final = str.maketrans("", "", "\r\n\0")
_CUT_FROM_BYTES: Final = 400
_NOT_A_VERB: Final = re.compile(r"[^A-Za-z0-9]")


@frozen
class Message:
    """One protocol line.

    Attributes:
        verb: Command or numeric as written.
        params: Parameters; the last may hold spaces.
        source: Who sent it (`nick!user@host` or a server), "" if not told.
        tags: Message tags, unescaped; a tag without a value is "".
    """

    verb: str
    params: tuple[str, ...] = ()
    source: str = ""
    tags: Mapping[str, str] = field(factory=dict)

    @property
    def command(self) -> str:
        """The verb in upper case."""
        return self.verb.upper()

    @property
    def nick(self) -> str:
        """Nick (or server name) of the source, "" if there is none."""
        return self.source.partition("@")[0].partition("!")[0]

    def param(self, index: int) -> str:
        """Parameter *index*, "" if the line has fewer."""
        return self.params[index] if index < len(self.params) else ""

    def __str__(self) -> str:
        return format_message(self.verb, self.params, self.source, self.tags)


def decode(line: bytes) -> str:
    """Decode *line* as UTF-8, or as Latin-1 if it is something else.

    A character that a server cut in half at its length limit is dropped, so that one lost byte
    does not turn a whole Chinese line into Latin-1. A short line of nothing but ASCII before its
    last letter was not cut: that letter is Latin-1.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        whole = line[: error.start]
        is_cut = len(line) >= _CUT_FROM_BYTES or not whole.isascii()
        if error.reason == "unexpected end of data" and is_cut:
            return whole.decode()
        return line.decode("latin-1")


def parse_message(line: bytes | str) -> Message | None:
    """Parse one line with or without its ending; None if it holds no command."""
    text = (decode(line) if isinstance(line, bytes) else line).rstrip("\r\n")
    tags: Mapping[str, str] = {}
    source = ""
    if text.startswith("@"):
        raw_tags, _, text = text[1:].partition(" ")
        tags = _parse_tags(raw_tags)
    text = text.lstrip(" ")
    if text.startswith(":"):
        source, _, text = text[1:].partition(" ")
    verb, _, rest = text.lstrip(" ").partition(" ")
    if not verb:
        return None
    return Message(verb, _parse_params(rest), source, tags)


def _parse_params(text: str) -> tuple[str, ...]:
    middle, colon, trailing = (" " + text).partition(" :")
    params = [param for param in middle.split(" ") if param]
    return (*params, trailing) if colon else tuple(params)


def _parse_tags(text: str) -> dict[str, str]:
    tags = {}
    for tag in text.split(";"):
        key, _, value = tag.partition("=")
        if key:
            tags[key] = _ESCAPE.sub(_unescape, value) if "\\" in value else value
    return tags


def _unescape(match: re.Match[str]) -> str:
    return _UNESCAPED.get(match[1], match[1])


def split_source(source: str) -> tuple[str, str, str]:
    """Split `nick!user@host` into its parts; a missing part is ""."""
    head, _, host = source.partition("@")
    nick, _, user = head.partition("!")
    return nick, user, host


def format_message(
    verb: str,
    params: Iterable[str] = (),
    source: str = "",
    tags: Mapping[str, str] | None = None,
) -> str:
    """Write one line without its ending.

    The result is one line with the given number of parameters whatever they hold: CR, LF and NUL
    are removed everywhere, and what cannot stand in a middle parameter is removed from it.
    """
    words = [_format_tags(tags)] if tags else []
    if source:
        words.append(":" + _word(source))
    words.append(_NOT_A_VERB.sub("", verb) or "*")
    *middle, last = params if (params := list(params)) else [None]
    words += [_word(param).lstrip(":") or "*" for param in middle if param is not None]
    if last is not None:
        words.append(_trailing(last))
    return " ".join(words)


def _word(text: str) -> str:
    return text.translate(_LINE_BREAKERS).replace(" ", "")


def _trailing(text: str) -> str:
    text = text.translate(_LINE_BREAKERS)
    return ":" + text if not text or " " in text or text[0] == ":" else text


def _format_tags(tags: Mapping[str, str]) -> str:
    return "@" + ";".join(
        _word(key) + ("=" + value.replace("\0", "").translate(_ESCAPED) if value else "")
        for key, value in tags.items()
    )


class LineBuffer:
    """Cut a stream of bytes into lines, whatever the sizes in which it comes.

    A line longer than *limit_bytes* is dropped up to its end and counted, so that a server that
    never ends a line cannot fill the memory.

    Attributes:
        dropped: Lines that were too long.
    """

    def __init__(self, limit_bytes: int = 16_384) -> None:
        self._limit = limit_bytes
        self._rest = b""
        self._skipping = False
        self.dropped = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take *data* and return the lines that it completes, without their endings."""
        *complete, self._rest = (self._rest + data).split(b"\n")
        if complete and self._skipping:
            self._skipping = False
            del complete[0]
        lines = [line.rstrip(b"\r") for line in complete if len(line) <= self._limit]
        self.dropped += len(complete) - len(lines)
        if self._skipping or len(self._rest) > self._limit:
            self.dropped += not self._skipping
            self._skipping = True
            self._rest = b""
        return [line for line in lines if line]
