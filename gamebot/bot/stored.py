"""What a start reads from the store, by the channel that it belongs to."""

from __future__ import annotations

from collections import defaultdict

from gamebot.ports import GameRow, Snapshot, StateRow, TimerRow

Row = GameRow | StateRow | TimerRow


class Stored:
    """The rows of a snapshot in the order in which a channel takes them up.

    Args:
        snapshot: What was stored.

    Attributes:
        rows: (network, folded channel) -> its rows.
        keys: Network -> folded channels under which anything is stored.
        taken: Network -> exact keys of the channels that the bot has there.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.rows: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        self.keys: defaultdict[str, set[str]] = defaultdict(set)
        self.taken: defaultdict[str, set[str]] = defaultdict(set)
        rows: tuple[Row, ...] = (*snapshot.games, *snapshot.states, *snapshot.timers)
        for row in rows:
            self.rows[row.network, row.channel].append(row)
            self.keys[row.network].add(row.channel)
