"""Read and write rules as players type them: `cuciolo,hand_size=5`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from attrs import fields

from gamebot_uno.engine.rules import (
    CUCIOLO,
    LIMITS,
    PRESETS,
    Problem,
    Rules,
    RulesError,
    out_of_range,
    typed_name,
)

NO_FIELD, ONE_SET = "no such field", "only one rule set at a time"
NO_SET = "no such field; rule sets: {sets}"
NO_CHOICE = "{choices}, not {value}"
LONGEST_ECHO = 30
"""Characters of a value that will not do, as far as the answer repeats it."""

_SWITCH = {
    **dict.fromkeys(("on", "yes", "true", "1"), True),
    **dict.fromkeys(("off", "no", "false", "0"), False),
}
_ATTRIBUTES = {typed_name(attribute.name): attribute for attribute in fields(Rules)}

#: Every field as players type it, in the order of the documentation.
FIELDS = tuple(_ATTRIBUTES)


def values_of(name: str) -> tuple[str, ...]:
    """Return what may be typed for the field *name*; a number has no list.

    Raises:
        KeyError: There is no such field.
    """
    default = _ATTRIBUTES[name].default
    if isinstance(default, bool):
        return ("on", "off")
    if isinstance(default, StrEnum):
        return tuple(choice.value for choice in type(default))
    return ()


def limits_of(name: str) -> tuple[int, int] | None:
    """Return the least and the most of the field *name*, None if it is no number.

    Raises:
        KeyError: There is no such field.
    """
    return LIMITS.get(_ATTRIBUTES[name].name)


def parse_rules(text: str, base: Rules = CUCIOLO) -> Rules:
    """Read a preset and overrides of single fields, separated by commas or blanks.

    A field alone is switched on; `off` is 0 for a number. Without a preset *base* is changed.

    Raises:
        RulesError: Something cannot be read, or fields contradict each other; all faults of one
            kind are told at once.
    """
    problems: dict[tuple[str, ...], Problem] = {}
    overrides: dict[str, object] = {}
    presets = []
    for part in text.casefold().replace(",", " ").split():
        name, equals, value = part.partition("=")
        if name in PRESETS and not equals:
            presets.append(name)
        elif name not in _ATTRIBUTES:
            known = Problem(NO_SET, {"sets": tuple(PRESETS)})
            problems[name[:LONGEST_ECHO],] = Problem(NO_FIELD) if equals else known
        else:
            _override(name, value if equals else "on", overrides, problems)
    if len(set(presets)) > 1:
        problems[tuple(presets)] = Problem(ONE_SET)
    if problems:
        raise RulesError(problems)
    return (PRESETS[presets[0]] if presets else base).with_overrides(**overrides)


def _override(
    name: str, text: str, overrides: dict[str, object], problems: dict[tuple[str, ...], Problem]
) -> None:
    try:
        overrides[_ATTRIBUTES[name].name] = _value(name, text)
    except (KeyError, ValueError):
        choices, echo = " | ".join(values_of(name)), text[:LONGEST_ECHO]
        problem = Problem(NO_CHOICE, {"choices": choices, "value": echo})
        problems[name,] = problem if choices else out_of_range(name, echo)


def _value(name: str, text: str) -> object:
    default = _ATTRIBUTES[name].default
    if isinstance(default, bool):
        return _SWITCH[text]
    if isinstance(default, StrEnum):
        return type(default)(text)
    return 0 if text == "off" else int(text)


def render_value(rules: Rules, name: str) -> str:
    """Write the value of the field *name* as players type it."""
    value = getattr(rules, _ATTRIBUTES[name].name)
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def differences(rules: Rules, base: Rules) -> Mapping[str, str]:
    """Return the fields in which *rules* differ from *base*, with their values."""
    shown = {name: render_value(rules, name) for name in FIELDS}
    return {name: value for name, value in shown.items() if value != render_value(base, name)}


def render_rules(rules: Rules) -> str:
    """Write *rules* so that `parse_rules` reads them: the nearest preset and what differs."""
    preset = min(PRESETS, key=lambda name: len(differences(rules, PRESETS[name])))
    changed = differences(rules, PRESETS[preset])
    return ",".join([preset, *(f"{name}={value}" for name, value in changed.items())])
