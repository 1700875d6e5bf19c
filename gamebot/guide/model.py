"""What a guide is made of, before it is a page or a text; texts are translated already.

What is typed is marked, see `gamebot.plugin.voice.MARK`.
"""

from __future__ import annotations

from attrs import frozen

from gamebot.plugin.voice import Block


@frozen
class Entry:
    """A command in a guide.

    Attributes:
        usage: How it is typed, as the manuals write it.
        also: Other words for it.
        help: What it does.
        example: The example as it is typed, "" if there is none.
        means: What the example does, "" if it speaks for itself.
    """

    usage: str
    also: tuple[str, ...]
    help: str
    example: str = ""
    means: str = ""


@frozen
class Group:
    """The commands that work in the same place and at the same time.

    Attributes:
        place: Where, when and for whom.
        entries: The commands.
    """

    place: str
    entries: tuple[Entry, ...]


@frozen
class Commands:
    """A table of commands."""

    groups: tuple[Group, ...]


@frozen
class Line:
    """A line of a sample session.

    Attributes:
        nick: Who says it.
        text: What is said.
        by_bot: Whether the bot says it.
        to: The only one who reads it, "" for all.
    """

    nick: str
    text: str
    by_bot: bool = False
    to: str = ""


@frozen
class Talk:
    """A sample session."""

    lines: tuple[Line, ...]


@frozen
class Facts:
    """A few names with their values."""

    pairs: tuple[tuple[str, str], ...]


@frozen
class Section:
    """A part of a guide.

    Attributes:
        name: Its stable name, for links.
        title: Its heading.
        blocks: What it holds.
    """

    name: str
    title: str
    blocks: tuple[Block | Commands | Talk | Facts, ...]


@frozen
class Guide:
    """A guide in one language.

    Attributes:
        language: Language tag of the texts, as the web has it (`zh-Hant`).
        title: The game's name.
        subtitle: Where it is played.
        about: One sentence about the game, "" if there is none.
        sections: The parts in order.
        contents: Heading of the table of contents.
        heads: Heads of the columns of commands.
        example: Word before an example in plain text.
        privately: What stands behind the bot's nick in a line for one reader, with `{nick}`.
        headed: How a text stands behind its `{head}`, with `{text}`.
        aside: How a `{note}` stands in brackets behind a `{text}`.
        comma: What stands between the parts of a list.
        dash: What stands between two texts.
    """

    language: str
    title: str
    subtitle: str
    about: str
    sections: tuple[Section, ...]
    contents: str
    heads: tuple[str, str, str]
    example: str
    privately: str
    headed: str = "{head}: {text}"
    aside: str = "{text} ({note})"
    comma: str = ", "
    dash: str = " – "
