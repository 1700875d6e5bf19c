"""What waits in a channel's queue, besides the network's events."""

from __future__ import annotations

from attrs import frozen

from gamebot.events import Event, Person
from gamebot.ports import TimerRow
from gamebot.table.table import Fixed


@frozen
class Spoken:
    """A line said in the channel, or in a query to this channel's table."""

    person: Person
    text: str
    in_query: bool


@frozen
class Fired:
    """A timer ran out."""

    row: TimerRow


@frozen
class Unsaved:
    """Something that happened could not be stored yet; time to try again."""


@frozen
class Fix:
    """A transcript fixes the next dice of a running game."""

    plugin: str
    fixed: Fixed


@frozen
class Rekeyed:
    """The network folds this channel's name in another way than before."""

    key: str


@frozen
class Refreshed:
    """Settings or plugins have changed."""


Input = Spoken | Fired | Fix | Unsaved | Rekeyed | Refreshed | Event
