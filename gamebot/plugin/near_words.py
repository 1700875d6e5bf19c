"""Words that nobody has in a channel, and what their writer may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from gamebot.plugin.words import normal, parse_words, spelling

if TYPE_CHECKING:
    from gamebot.i18n import Translator
    from gamebot.plugin.commands import Command

_MOST_LETTERS = 24
_SHORT = 4
"""A word of so many letters is taken for another one within one letter, a longer one within two."""


class Elsewhere(Enum):
    """A word that is no command here, though of a plugin that is not enabled."""

    KNOWN = "known"


class NearWords:
    """Finds the command that a mistyped word, or one of another language, may mean.

    Args:
        forms: What is understood in the channel, folded -> its command.
        texts: Each language's texts of each enabled plugin.
        commands: The commands of the enabled plugins.
        others: Commands of plugins that are not enabled, each with the texts of its plugin.
    """

    def __init__(
        self,
        forms: Mapping[str, Command],
        texts: Mapping[str, Iterable[Translator]],
        commands: Iterable[Command],
        others: Iterable[tuple[Command, Iterable[Translator]]],
    ) -> None:
        self._forms = forms
        self._foreign: dict[str, Command] = {}
        for command in commands:
            for form in _spoken(command, texts[command.plugin]):
                self._foreign.setdefault(form, command)
        self._elsewhere = {form for command, some in others for form in _spoken(command, some)}

    def find(self, word: str) -> Command | Elsewhere | None:
        """Return what *word*, without a prefix, may mean; None if it is like nothing known."""
        form = normal(word)
        if not form or len(form) > _MOST_LETTERS or not form[0].isalpha():
            return None
        if (command := self._foreign.get(form)) is not None:
            return command
        within = 1 if len(form) <= _SHORT else 2
        near = [(distance(form, known, within), known) for known in self._forms if len(known) > 1]
        best = min((pair for pair in near if pair[0] <= within), default=None)
        if best is not None:
            return self._forms[best[1]]
        return Elsewhere.KNOWN if form in self._elsewhere else None


def _spoken(command: Command, texts: Iterable[Translator]) -> Iterable[str]:
    """Go through every form of *command*'s own words in each language, single letters left out."""
    for each in texts:
        for word in parse_words(spelling(each, command.words)):
            yield from (form for form in word.forms if len(form) > 1)


def distance(one: str, other: str, most: int) -> int:
    """Count the letters to change, add, leave out or swap; more than *most* is *most* + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)
