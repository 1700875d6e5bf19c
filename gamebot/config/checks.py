"""Checks of single values of the configuration; each takes None, "not given", as it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any

from attrs import Attribute

from gamebot.config.grants import parse_mask, parse_trusted_mask
from gamebot.config.structure import choices, expected, show, show_path
from gamebot.errors import ConfigError
from gamebot.i18n import languages
from gamebot.irc.fingerprints import parse_fingerprint

#: Languages that a channel may speak: the folders under `locale`.
LANGUAGES = languages()

Check = Callable[[Any, "Attribute[Any]", Any], None]

NICK = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]*")
CHANNEL = re.compile(r"[#&+!][^\s\0\a,]+")
CHANNEL_KEY = re.compile(r"[^\s\0,:][^\s\0,]*")
WORD = re.compile(r"[^\s\0]+")
USERNAME = re.compile(r"[^\s\0@:][^\s\0@]*")
LABEL = r"(?!-)[\w-]{1,63}(?<!-)"
HOST = re.compile(rf"{LABEL}(?:\.{LABEL})*\.?")
NETWORK = re.compile(r"[A-Za-z0-9._-]+")
PIN = re.compile(r"(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}")
LINE_BREAKS = re.compile(r"[\r\n\0]")


# Validators. Each takes None (the field's "not given") as it comes.


def matches(pattern: re.Pattern[str], what: str) -> Check:
    """Allow texts that fit *pattern*."""

    def check(_: object, _attribute: Attribute[Any], value: str | None) -> None:
        if value is not None and not pattern.fullmatch(value):
            raise expected(what, value)

    return check


def one_line(_: object, _attribute: Attribute[Any], value: str | None) -> None:
    """Allow texts without line breaks and NUL."""
    if value is not None and LINE_BREAKS.search(value):
        raise expected("a text without line breaks and NUL", value)


def between(low: float, high: float, what: str) -> Check:
    """Allow numbers from *low* to *high*."""

    def check(_: object, _attribute: Attribute[Any], value: float | None) -> None:
        if value is not None and not low <= value <= high:
            raise expected(what, value)

    return check


def each(check: Check) -> Check:
    """Check every value of a list."""

    def check_all(owner: object, attribute: Attribute[Any], values: tuple[Any, ...] | None) -> None:
        for value in values or ():
            check(owner, attribute, value)

    return check_all


def some(_: object, _attribute: Attribute[Any], values: Mapping[str, Any]) -> None:
    """Refuse an empty table."""
    if not values:
        raise ValueError("expected at least one")


def language(_: object, _attribute: Attribute[Any], value: str | None) -> None:
    """Allow languages that have catalogs."""
    if value is not None and value not in LANGUAGES:
        raise ValueError(f"unknown language {show(value)}, expected {choices(LANGUAGES)}")


def keys(pattern: re.Pattern[str], what: str, folded: Callable[[str], str]) -> Check:
    """Check the names of a table's sub-tables: their syntax, and that no two are the same."""

    def check(_: object, _attribute: Attribute[Any], values: Mapping[str, Any]) -> None:
        faults, seen = [], dict[str, str]()
        for name in values:
            other = seen.setdefault(folded(name), name)
            if not pattern.fullmatch(name):
                faults.append(f"{show_path([name])}: expected {what}, got {show(name)}")
            elif other != name:
                faults.append(f"{show_path([name])}: is the same as {show(other)}")
        if faults:
            raise ConfigError(faults)

    return check


def both(*checks: Check) -> Check:
    """Make several checks, one after the other."""

    def check_all(owner: object, attribute: Attribute[Any], value: object) -> None:
        for check in checks:
            check(owner, attribute, value)

    return check_all


def mask(_: object, _attribute: Attribute[Any], value: str) -> None:
    """Allow masks that give no rights; not one that would be everybody."""
    try:
        parts = parse_mask(value)
    except ValueError:
        raise expected("a mask nick!user@host", value) from None
    if set(f"{parts.nick}{parts.user}{parts.host}") <= set("*?."):
        raise expected("a mask nick!user@host that is not everybody's", value)


def trusted_mask(_: object, _attribute: Attribute[Any], value: str) -> None:
    """Allow masks that may give rights."""
    try:
        parse_trusted_mask(value)
    except ValueError:
        raise expected("a mask nick!user@host whose host has no wildcards", value) from None


def host(_: object, _attribute: Attribute[Any], value: str) -> None:
    """Check an address, or the form of a name; whether there is such a host is seen later."""
    try:
        ip_address(value)
    except ValueError:
        looks_like_one = set(value) <= set("0123456789.") or ":" in value
        if looks_like_one or len(value) > 253 or not HOST.fullmatch(value):
            raise expected("a host name or address", value) from None


def fingerprint(_: object, _attribute: Attribute[Any], value: str) -> None:
    """Allow fingerprints of certificates."""
    try:
        parse_fingerprint(value)
    except ValueError as error:
        raise expected(str(error), value) from None


seconds = between(0.001, 86_400.0, "seconds above 0, at most 86400")


def bind_host(owner: object, attribute: Attribute[Any], value: str) -> None:
    """Allow an address to connect from, or none."""
    if value:
        host(owner, attribute, value)


prefix = matches(re.compile(r"[^\s\0\w/]{1,5}"), "1 to 5 signs, no letter, digit, space or /")
plugin_names = each(matches(re.compile(r"\w[\w-]*"), "a plugin's name"))
nick = matches(NICK, "a nick")
accounts = each(matches(WORD, "an account"))
