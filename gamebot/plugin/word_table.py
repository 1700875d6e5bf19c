"""Every word that a channel understands, in its language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from gamebot.errors import WordClashError
from gamebot.plugin.commands import Command, Invocation
from gamebot.plugin.typed import unshouted
from gamebot.plugin.words import normal, parse_words


@frozen
class Spelling:
    """How one command is typed in a channel.

    Attributes:
        command: The command.
        words: Its own words.
        also: Words of other games and bots for the same deed; they count where they are free.
    """

    command: Command
    words: str
    also: str = ""


Forms = dict[str, list[Command]]
"""Folded form -> the commands that it may stand for."""


@frozen
class _Words:
    """Forms that need the prefix, and bare ones."""

    prefixed: Forms = field(factory=dict)
    bare: Forms = field(factory=dict)

    def add(self, words: str, command: Command) -> None:
        for word in parse_words(words) if words else ():
            forms = self.prefixed if word.prefixed else self.bare
            for form in word.forms:
                held = forms.setdefault(form, [])
                if command not in held:
                    held.append(command)


class WordTable:
    """Finds the command of a line.

    Raises:
        WordClashError: Two commands want the same form.
    """

    def __init__(self, spellings: Sequence[Spelling]) -> None:
        self._own, self._also = _Words(), _Words()
        for each in spellings:
            self._own.add(each.words, each.command)
            self._also.add(each.also, each.command)
        for forms in (self._own.prefixed, self._own.bare):
            for form, held in forms.items():
                if len(held) > 1:
                    raise _clash(form, held[1], held[0])

    def find(
        self,
        text: str,
        prefix: str,
        *,
        in_query: bool,
        addressed: bool = False,
        busy: str | None = None,
    ) -> Invocation | None:
        """Find the command of a line: a prefixed word first, then a bare one.

        Args:
            text: The line, without the bot's nick if it was *addressed* by it.
            prefix: The channel's prefix. In a query and behind the bot's nick it may be left off,
                and it may stand before a bare word.
            in_query: Whether it was said in a query.
            addressed: Whether the bot's nick stood before it.
            busy: The plugin whose game is on: of several commands its own is meant.
        """
        head, rest = [*text.split(maxsplit=1), "", ""][:2]
        folded, mark = normal(head), normal(prefix)
        if mark and folded.startswith(mark):
            form = folded[len(mark) :]
            if (command := self._prefixed(form, rest, busy)) or addressed or in_query:
                return Invocation(command, rest, bare=False, word=folded) if command else None
        if in_query or addressed:
            command = self._prefixed(folded, rest, busy)
            return Invocation(command, rest, bare=False, word=folded) if command else None
        command = self._bare(folded, rest, busy)
        return Invocation(command, rest, word=folded) if command else None

    def _prefixed(self, form: str, rest: str, busy: str | None) -> Command | None:
        places = (self._own.prefixed, self._own.bare, self._also.prefixed, self._also.bare)
        return _choose(places, form, busy) or self._shouted(form, rest, busy)

    def _bare(self, form: str, rest: str, busy: str | None) -> Command | None:
        places = (self._own.bare, self._also.bare)
        return _choose(places, form, busy) or self._shouted(form, rest, busy)

    def _shouted(self, form: str, rest: str, busy: str | None) -> Command | None:
        calm = "" if rest else unshouted(form)
        if not calm or calm == form:
            return None
        command = _choose((self._own.bare, self._also.bare), calm, busy)
        return command if command and command.shouted else None

    def owners(self) -> dict[str, Command]:
        """Return every form with the command that it stands for."""
        both = {**self._own.bare, **self._own.prefixed}
        return {form: held[0] for form, held in both.items()}


def _choose(places: Iterable[Forms], form: str, busy: str | None) -> Command | None:
    first = None
    for forms in places:
        for command in forms.get(form, ()):
            if busy is None or command.plugin == busy:
                return command
            first = first or command
    return first


def _clash(form: str, one: Command, other: Command) -> WordClashError:
    return WordClashError(form, f"{one.plugin}.{one.name}", f"{other.plugin}.{other.name}")
