"""Long answers in small portions: a few lines, and the rest when the person asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from attrs import define, field, frozen

from gamebot import Context, Refused, Urgency, pieces, unmarked

PAGE_LINES = 4
"""Lines told at once."""

LINE_BYTES = 350
"""Length of a line; with the hint behind it, it fits into a message everywhere."""

KEPT_S = 600.0
"""The rest of an answer is kept so long, seconds."""

KEPT_PEOPLE = 50
"""The rest is kept for so many people of a channel, the latest ones."""


def wrap(text: str, limit_bytes: int = LINE_BYTES) -> Iterator[str]:
    """Cut *text* at spaces, or between Chinese characters, into lines of at most *limit_bytes*.

    What is typed stays whole, and so does a single word that is longer.
    """
    line = ""
    for piece in pieces(text.strip()):
        if line and len((line + piece).rstrip().encode()) > limit_bytes:
            yield line.rstrip()
            line = piece
        else:
            line += piece
    if line:
        yield line.rstrip()


def pack(parts: Iterable[str], limit_bytes: int = LINE_BYTES) -> Iterator[str]:
    """Join *parts* into lines of at most *limit_bytes*; each part stays whole."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if line and len(unmarked(longer).encode()) > limit_bytes:
            yield line
            line = part
        else:
            line = longer
    if line:
        yield line


@frozen
class _Rest:
    lines: tuple[str, ...]
    until: float


@define
class Pages:
    """What people have not read yet: channel -> folded nick -> the rest of the last answer."""

    _kept: WeakKeyDictionary[object, dict[str, _Rest]] = field(factory=WeakKeyDictionary)

    def tell(self, ctx: Context, lines: Iterable[str]) -> None:
        """Tell the speaker the first lines and keep the others."""
        short = [piece for line in lines for piece in wrap(line)]
        page, rest = short[:PAGE_LINES], short[PAGE_LINES:]
        if rest:
            page[-1] = ctx.n(
                "{text} [{n} more line: {more}]",
                "{text} [{n} more lines: {more}]",
                len(rest),
                text=page[-1],
                more=_how_more(ctx),
            )
        self._keep(ctx, rest)
        for line in page:
            ctx.tell(line, urgency=Urgency.LISTING)

    def more(self, ctx: Context) -> None:
        """Tell the speaker the next lines.

        Raises:
            Refused: There are none, and it was not just the everyday word.
        """
        rest = self._of(ctx).get(ctx.fold(ctx.nick))
        if rest is not None and rest.until > ctx.now():
            self.tell(ctx, rest.lines)
        elif not ctx.bare:
            raise Refused("There is nothing more to read; {help} explains.", help=ctx.how("help"))

    def _of(self, ctx: Context) -> dict[str, _Rest]:
        return self._kept.setdefault(ctx.channel, {})

    def _keep(self, ctx: Context, lines: list[str]) -> None:
        kept, now = self._of(ctx), ctx.now()
        kept.pop(ctx.fold(ctx.nick), None)
        for nick in [nick for nick, rest in kept.items() if rest.until <= now]:
            del kept[nick]
        if lines:
            while len(kept) >= KEPT_PEOPLE:
                del kept[next(iter(kept))]
            kept[ctx.fold(ctx.nick)] = _Rest(tuple(lines), now + KEPT_S)


def _how_more(ctx: Context) -> str:
    """Write what to type; a query may be about another channel too, so it is named."""
    how = ctx.how("more")
    return f"{how} {ctx.channel_name}".rstrip() if ctx.in_query else how
