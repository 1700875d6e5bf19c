"""Names that players give themselves at a table."""

from __future__ import annotations

import unicodedata

from gamebot.errors import UsageError
from gamebot.irc.formatting import strip_formatting

MAX_LENGTH = 20

#: Latin, Greek and Cyrillic letters that look the same must not be mixed in one name.
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")

_SHAPES = str.maketrans(
    "асԁеһіјкӏморԛѕтуѵԝхАВСЕНІЈКМОРԚЅТУѴԜХαγικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "acdehijklmopqstyvwxABCEHIJKMOPQSTYVWXayikvoptuxABEZHIKMNOPTYX",
)


def check_name(text: str) -> str:
    """Return *text* as a name, formatting codes removed.

    Raises:
        UsageError: It is empty, too long, or holds dots, spaces, control or invisible characters
            or a mixture of look-alike alphabets.
    """
    name = unicodedata.normalize("NFC", strip_formatting(text))
    if not name or len(name) > MAX_LENGTH:
        raise UsageError("A name has 1 to {n} characters.", n=MAX_LENGTH)
    if any(char in ".,#&" or not _visible(char) for char in name):
        raise UsageError("A name holds no dots, commas, spaces or invisible characters.")
    scripts = {s for char in name for s in _SCRIPTS if unicodedata.name(char, "").startswith(s)}
    if len(scripts) > 1:
        raise UsageError("A name does not mix alphabets that look alike.")
    return name


def skeleton(name: str) -> str:
    """Return what *name* looks like: the same text for names that a reader takes for one.

    Full-width and other dressed-up letters are their plain ones, Cyrillic and Greek letters the
    Latin ones of the same shape. Case and everything that a network folds is left to `fold`.
    """
    return unicodedata.normalize("NFKC", name).translate(_SHAPES)


def _visible(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS" and not _default_ignorable(char)


def _default_ignorable(char: str) -> bool:
    return char in "\u115f\u1160\u3164\uffa0\u2800"
