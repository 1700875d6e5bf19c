"""What one handler asked for, made durable in one transaction and only then sent."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve, field

from gamebot.ports import OutLine, ResultRow, SettingRow, TimerRow


@define
class Effects:
    """What one handler asked for; merged into the input's transaction if it did not raise.

    Attributes:
        lines: Lines to send.
        protocol: Protocol commands (verb, parameters) to send behind chat.
        timers: (plugin, name) -> timer to arm, None to cancel.
        results: Results of games that ended.
        settings: Settings given over IRC.
        after: Called in order once everything else is durable and on its way.
    """

    lines: list[OutLine] = field(factory=list)
    protocol: list[tuple[str, ...]] = field(factory=list)
    timers: dict[tuple[str, str], TimerRow | None] = field(factory=dict)
    results: list[ResultRow] = field(factory=list)
    settings: list[SettingRow] = field(factory=list)
    after: list[Callable[[], None]] = field(factory=list)

    def merge(self, other: Effects) -> None:
        """Add what *other* holds."""
        self.lines += other.lines
        self.protocol += other.protocol
        self.timers |= other.timers
        self.results += other.results
        self.settings += other.settings
        self.after += other.after

    def rekeyed(self, channel: str) -> None:
        """Let everything belong to another folded channel name."""
        self.lines = [evolve(line, channel=channel) for line in self.lines]
        self.results = [evolve(row, channel=channel) for row in self.results]
        self.timers = {
            name: row and evolve(row, channel=channel) for name, row in self.timers.items()
        }
