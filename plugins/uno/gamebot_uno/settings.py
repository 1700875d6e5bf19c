"""Settings of UNO in one channel."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from attrs import field, frozen

from gamebot import BadValue, Between, ConfigError, TableSettings
from gamebot_uno.engine.rules import LIMITS, Rules, RulesError
from gamebot_uno.rules_text import parse_rules
from gamebot_uno.texts import rule_faults

DAY_S = 86_400.0
HALF_A_DAY_S = DAY_S / 2
"""Half of the longest turn, seconds."""

_read = lru_cache(maxsize=256)(parse_rules)


@frozen(kw_only=True)
class UnoSettings(TableSettings):
    """Settings of UNO in one channel.

    Attributes:
        rules: Rule set and overrides of single fields: `cuciolo,hand_size=5`.
        turn_timeout_s: Length of a turn, seconds; then the player draws and passes.
        warn_before_s: Warn when so many seconds are left, but not before half the time is over;
            by default at half, however long a turn is; 0 for no warning.
        lobby_timeout_s: Countdown of the enrolment, seconds.
        join_extra_s: Each enrolment leaves at least so many seconds of it.
        return_grace_s: A player who left keeps the seat so long, seconds.
        colors: Cards in colour: `background`, `foreground` or `off`.
        max_players: Seats at the table; the rules may allow fewer.
    """

    rules: str = "cuciolo"
    turn_timeout_s: float = field(default=120.0, validator=Between(1, DAY_S))
    warn_before_s: float = field(default=HALF_A_DAY_S, validator=Between(0, DAY_S))
    lobby_timeout_s: float = field(default=60.0, validator=Between(1, DAY_S))
    join_extra_s: float = field(default=10.0, validator=Between(0, DAY_S))
    return_grace_s: float = field(default=60.0, validator=Between(0, DAY_S))
    colors: Literal["background", "foreground", "off"] = "foreground"
    max_players: int = field(default=LIMITS["max_players"][1], validator=Between(1, 100))

    def __attrs_post_init__(self) -> None:
        """Refuse rules that cannot be read, or whose fields contradict each other.

        Raises:
            ConfigError: They cannot.
        """
        try:
            _read(self.rules)
        except RulesError as error:
            raise ConfigError(
                [BadValue("{name}: {why}", name="rules", why=why) for why in rule_faults(error)]
            ) from error

    @property
    def parsed(self) -> Rules:
        """The engine's rules."""
        return _read(self.rules)
