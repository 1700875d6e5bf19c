"""Every error that gamebot raises on purpose.

```
GamebotError
├── ConfigError    a configuration that cannot be used; lists every fault with its path
├── PluginError    a plugin that cannot be loaded
│   └── WordClashError      two commands of one channel that want the same word
├── StoreError     the database could not take a transaction (full disk, lock)
│   └── NewerVersionError   a stored game or schema that a newer gamebot wrote
└── Told           a message to the person who wrote a line, in the channel's language
    ├── UsageError     text that cannot be parsed as a command
    ├── Refused        a command that is understood but not possible now
    ├── BadValue       why a setting cannot have a value; validators raise it
    └── UnsureError    a command that has to wait until the network has told who gave it
```

`IllegalMove` (parsed, but forbidden by the rules) belongs to each engine.
"""

from __future__ import annotations

from collections.abc import Sequence


class GamebotError(Exception):
    """Base class of the errors below."""


class ConfigError(GamebotError):
    """Report every fault of a configuration at once.

    Args:
        faults: One line per fault, each with the full path of its key; a `BadValue` where players
            may read it too.

    Attributes:
        faults: The lines in English.
        reasons: What was given.
    """

    def __init__(self, faults: Sequence[str | Told]) -> None:
        self.reasons = tuple(faults)
        self.faults = tuple(map(str, faults))
        super().__init__("\n".join(self.faults))


class PluginError(GamebotError):
    """Name the plugin that cannot be used and say why."""


class WordClashError(PluginError):
    """Two commands of one channel want the same word.

    Args:
        word: The word.
        command: The one that came later, as plugin.name.
        other: The one that has it.
    """

    def __init__(self, word: str, command: str, other: str) -> None:
        self.word, self.command, self.other = word, command, other
        super().__init__(f"the word {word!r} of {command} is already that of {other}")


class StoreError(GamebotError):
    """Say that a transaction was not stored; nothing of it took effect."""


class NewerVersionError(StoreError):
    """Refuse data that a newer version wrote; it stays untouched."""


class Told(GamebotError):  # noqa: N818  an answer to a person, not a fault
    """Carry a message to the person who wrote a line; the base of the two below.

    Args:
        msgid: English text, the key of the catalogs; may hold named placeholders.
        **values: The placeholders' values; one that is such a message is translated too, and a
            list is written with the language's commas.
    """

    def __init__(self, msgid: str, **values: object) -> None:
        self.msgid = msgid
        self.values = values
        shown = {name: plain(value) for name, value in values.items()}
        super().__init__(msgid.format(**shown) if shown else msgid)


class UsageError(Told):
    """Say that a line could not be parsed; the command's usage is shown with it."""


class Refused(Told):
    """Say that a command is understood but not possible now."""


class BadValue(Told, ValueError):  # noqa: N818  named like the two above
    """Say why a setting cannot have a value: `BadValue("must be even, not {value}", value=7)`.

    Who types the value reads it in the channel's language, the log and the command line in English.
    """


def plain(value: object) -> object:
    """Write a list as English does; everything else is as it is."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


class UnsureError(Told):
    """Let a command wait until the network has told who gave it; shown to nobody."""

    def __init__(self) -> None:
        super().__init__("")
