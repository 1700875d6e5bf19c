"""What a server says about itself (numeric 005), with safe defaults for what it does not say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import structlog

from gamebot.irc.casemapping import DEFAULT_CASEMAPPING, UNKNOWN_CASEMAPPING, fold, is_known

log = structlog.get_logger()

_DEFAULT_PREFIX: Final = "(ov)@+"
_DEFAULT_CHANMODES: Final = "beI,k,l,imnpst"
_LINE_LIMIT: Final = 512
_DEFAULT_MODES: Final = 3
_MOST_MODES: Final = 20

_FIELDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "ACCEPT": ("callerid",),
    "CALLERID": ("callerid",),
    "CHANMODES": ("list_modes", "param_modes", "set_param_modes"),
    "CHANTYPES": ("chantypes",),
    "LINELEN": ("line_limit_bytes",),
    "MODES": ("modes_per_line",),
    "NICKLEN": ("nicklen",),
    "PREFIX": ("prefixes",),
    "STATUSMSG": ("statusmsg",),
    "TARGMAX": ("max_join_targets",),
    "WHOX": ("whox",),
}
"""What each token sets."""


class Isupport:
    """The ISUPPORT tokens that matter here, each with a meaning whatever the server sent.

    Args:
        network: Name of the network, for the log.
        casemapping: Mapping to keep until the server names one that is known.

    Attributes:
        casemapping: Token of the mapping in force.
        chantypes: First characters of channel names.
        prefixes: Status symbol to mode letter, highest first.
        list_modes: Channel modes that keep a list; they take a parameter.
        param_modes: Channel modes that take a parameter when set and when unset.
        set_param_modes: Channel modes that take a parameter only when set.
        statusmsg: Symbols that may stand before a channel in a target.
        nicklen: Longest nick, 0 if not told.
        line_limit_bytes: Longest line with its ending; never above 512.
        whox: Whether WHO takes field lists.
        callerid: Whether people can refuse private lines of those whom they did not accept.
        max_join_targets: Channels that one JOIN may name, 0 if not told.
        modes_per_line: Changes with a parameter that one MODE line may carry.
    """

    def __init__(self, network: str = "", casemapping: str = DEFAULT_CASEMAPPING) -> None:
        self._network = network
        self.casemapping = casemapping
        self.chantypes = "#&"
        self.prefixes: dict[str, str] = {}
        self.list_modes: frozenset[str] = frozenset()
        self.param_modes: frozenset[str] = frozenset()
        self.set_param_modes: frozenset[str] = frozenset()
        self.statusmsg = ""
        self.nicklen = 0
        self.line_limit_bytes = _LINE_LIMIT
        self.whox = False
        self.callerid = False
        self.max_join_targets = 0
        self.modes_per_line = _DEFAULT_MODES
        self._setters: Mapping[str, Callable[[str], None]] = {
            "ACCEPT": self._set_callerid,
            "CALLERID": self._set_callerid,
            "CASEMAPPING": self._set_casemapping,
            "CHANMODES": self._set_chanmodes,
            "CHANTYPES": self._set_chantypes,
            "LINELEN": self._set_linelen,
            "MODES": self._set_modes,
            "NICKLEN": self._set_nicklen,
            "PREFIX": self._set_prefix,
            "STATUSMSG": self._set_statusmsg,
            "TARGMAX": self._set_targmax,
            "WHOX": self._set_whox,
        }
        self._set_prefix(_DEFAULT_PREFIX)
        self._set_chanmodes(_DEFAULT_CHANMODES)

    def fold(self, text: str) -> str:
        """Fold *text* by the mapping in force."""
        return fold(text, self.casemapping)

    def is_channel(self, target: str) -> bool:
        """Tell whether *target* begins like a channel."""
        return bool(target) and target[0] in self.chantypes

    def without_status(self, target: str) -> str:
        """Return the channel of a STATUSMSG target (`@#room`), or *target* as it is."""
        channel = target.lstrip(self.statusmsg)
        return channel if self.is_channel(channel) else target

    def channel_of(self, target: str) -> str:
        """Return the channel that a line to *target* is said in, "" if it is private."""
        channel = self.without_status(target)
        return channel if self.is_channel(channel) else ""

    @property
    def operator_modes(self) -> frozenset[str]:
        """Status modes that are op or higher."""
        modes = "".join(self.prefixes.values())
        return frozenset(modes[: modes.index("o") + 1]) if "o" in modes else frozenset()

    def takes_param(self, mode: str, *, adding: bool) -> bool:
        """Tell whether a channel mode comes with a parameter."""
        if mode in self.list_modes or mode in self.param_modes or mode in self.prefixes.values():
            return True
        return adding and mode in self.set_param_modes

    def update(self, tokens: Iterable[str]) -> bool:
        """Take the tokens of one 005 line; tell whether the casemapping changed.

        A token whose value makes no sense is logged and leaves what was there.
        """
        before = self.casemapping
        for token in tokens:
            name, _, value = token.partition("=")
            if name.startswith("-"):
                self._take_back(name[1:].upper())
                continue
            setter = self._setters.get(name.upper())
            try:
                if setter:
                    setter(value)
            except ValueError:
                log.warning("isupport_value_ignored", network=self._network, token=token[:80])
        return self.casemapping != before

    def _take_back(self, name: str) -> None:
        """Go back to what holds where a server does not send *name*; nicks stay folded as they are."""
        if name != "CASEMAPPING" and name in self._setters:
            fresh = Isupport(self._network)
            for field in _FIELDS_OF[name]:
                setattr(self, field, getattr(fresh, field))

    def _set_casemapping(self, value: str) -> None:
        known = is_known(value.lower())
        self.casemapping = value.lower() if known else UNKNOWN_CASEMAPPING
        if not known:
            raise ValueError(value)

    def _set_chantypes(self, value: str) -> None:
        self.chantypes = value

    def _set_prefix(self, value: str) -> None:
        if not value:
            self.prefixes = {}
            return
        modes, closing, symbols = value.removeprefix("(").partition(")")
        if not closing or value[0] != "(" or len(modes) != len(symbols):
            raise ValueError(value)
        self.prefixes = dict(zip(symbols, modes, strict=True))

    def _set_chanmodes(self, value: str) -> None:
        groups = value.split(",")
        if len(groups) < 4:
            raise ValueError(value)
        self.list_modes, self.param_modes, self.set_param_modes = map(frozenset, groups[:3])

    def _set_statusmsg(self, value: str) -> None:
        self.statusmsg = value

    def _set_nicklen(self, value: str) -> None:
        self.nicklen = _at_least(1, value)

    def _set_linelen(self, value: str) -> None:
        self.line_limit_bytes = min(_LINE_LIMIT, _at_least(256, value))

    def _set_modes(self, value: str) -> None:
        unlimited = not value
        self.modes_per_line = _MOST_MODES if unlimited else min(_MOST_MODES, _at_least(1, value))

    def _set_whox(self, _: str) -> None:
        self.whox = True

    def _set_callerid(self, _: str) -> None:
        self.callerid = True

    def _set_targmax(self, value: str) -> None:
        for entry in value.split(","):
            command, _, limit = entry.partition(":")
            if command.upper() == "JOIN":
                self.max_join_targets = _at_least(1, limit) if limit else 0


def _at_least(least: int, value: str) -> int:
    if not value.isdecimal() or len(value) > 6 or int(value) < least:
        raise ValueError(value)
    return int(value)
