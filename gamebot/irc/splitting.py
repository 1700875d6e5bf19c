"""Cut text into pieces of at most so many bytes, where a reader would cut it.

The borders are spaces. A `GLUE` is a space that is none: what it joins (a card with its padding)
stays in one piece. A word too long for a piece is cut between grapheme clusters; a character's
UTF-8 is never cut. Formatting that is open at a cut is opened again in the next piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field, frozen

from gamebot.irc import formatting
from gamebot.irc.graphemes import graphemes

GLUE: Final = "\u00a0"
"""A space that is not a border; it is sent as an ordinary space."""

_LONGEST_CHARACTER_BYTES: Final = 4
_TOGGLES: Final = (
    formatting.BOLD,
    formatting.MONOSPACE,
    formatting.REVERSE,
    formatting.ITALIC,
    formatting.STRIKETHROUGH,
    formatting.UNDERLINE,
)


def glue(text: str) -> str:
    """Make *text* one word for `split_text`, though it holds spaces."""
    return text.replace(" ", GLUE)


def split_text(text: str, limit_bytes: int) -> list[str]:
    """Cut *text* into pieces of at most *limit_bytes* bytes of UTF-8; blank text gives none.

    Raises:
        ValueError: *limit_bytes* does not even hold one character.
    """
    if limit_bytes < _LONGEST_CHARACTER_BYTES:
        raise ValueError(f"a piece of {limit_bytes} bytes cannot hold every character")
    tokens = list(_tokens(text, limit_bytes))
    pieces = []
    style = _Style()
    start = 0
    while start < len(tokens):
        opening = style.opening(tokens[start].text)
        if len(opening) + tokens[start].size > limit_bytes:
            opening = ""
        end, following = _cut(tokens, start, limit_bytes - len(opening))
        body = "".join(token.text for token in tokens[start:end])
        if formatting.strip_formatting(body).strip(" "):
            pieces.append(opening + body)
        style.read(tokens[start:following])
        start = following
    return pieces


@frozen
class _Token:
    text: str
    size: int
    is_code: bool = False
    is_border: bool = False


def _tokens(text: str, limit: int) -> Iterator[_Token]:
    at = 0
    for match in formatting.FORMATTING_CODE.finditer(text):
        yield from _visible(text[at : match.start()], limit)
        yield _Token(match[0], len(match[0]), is_code=True)
        at = match.end()
    yield from _visible(text[at:], limit)


def _visible(text: str, limit: int) -> Iterator[_Token]:
    for cluster in graphemes(text):
        if cluster == " ":
            yield _Token(" ", 1, is_border=True)
            continue
        sent = cluster.replace(GLUE, " ")
        size = len(sent.encode(errors="replace"))
        if size <= limit:
            yield _Token(sent, size)
        else:  # a character under hundreds of accents
            yield from (_Token(one, len(one.encode(errors="replace"))) for one in sent)


def _cut(tokens: Sequence[_Token], start: int, room: int) -> tuple[int, int]:
    """Find where the piece from *start* ends, and where the next one begins."""
    used = 0
    border = 0
    seen_text = False
    for at in range(start, len(tokens)):
        token = tokens[at]
        if token.is_border and seen_text and (at == start or not tokens[at - 1].is_border):
            border = at
        used += token.size
        if used > room:
            if border:
                return border, _skip_borders(tokens, border)
            # A code that fits nowhere is left out of the text, but it still counts as read.
            return at, at + (at == start)
        seen_text = seen_text or not (token.is_code or token.is_border)
    return len(tokens), len(tokens)


def _skip_borders(tokens: Sequence[_Token], at: int) -> int:
    while at < len(tokens) and tokens[at].is_border:
        at += 1
    return at


@define
class _Style:
    """The formatting in force at a point of the text."""

    toggles: set[str] = field(factory=set)
    kind: str = ""
    foreground: str = ""
    background: str = ""

    def read(self, tokens: Sequence[_Token]) -> None:
        for token in tokens:
            if token.is_code:
                self._apply(token.text)

    def _apply(self, code: str) -> None:
        if code == formatting.RESET:
            self.toggles.clear()
            self.foreground = self.background = ""
        elif code in _TOGGLES:
            self.toggles ^= {code}
        else:
            self._paint(code[0], code[1:])

    def _paint(self, kind: str, colors: str) -> None:
        foreground, _, background = colors.partition(",")
        keeps_ground = foreground and kind == self.kind
        self.background = background or (self.background if keeps_ground else "")
        self.kind, self.foreground = kind, foreground

    def opening(self, following: str) -> str:
        """Write the codes that bring this style back in front of *following*."""
        codes = "".join(code for code in _TOGGLES if code in self.toggles)
        if not self.foreground:
            return codes
        width = 2 if self.kind == formatting.COLOR else 6
        codes += self.kind + self.foreground.zfill(width)
        if self.background:
            return codes + "," + self.background.zfill(width)
        return codes + (formatting.BOLD * 2 if following.startswith(",") else "")
