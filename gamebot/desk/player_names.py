"""Names of players: what one may look like, and whether it is free at a table."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from gamebot.errors import Refused, UsageError
from gamebot.irc.formatting import strip_formatting
from gamebot.plugin.typed import same_name
from gamebot.table.table import Chair, Phase

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk

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


def is_free(desk: Desk, name: str, but: Chair | None = None) -> bool:
    """Whether nobody at the table, leaving *but* aside, has *name* as a name or nick.

    One that only looks like it is the same.
    """
    key = _look(desk, name)
    chairs = desk.table.chairs if desk.table and desk.phase is not Phase.OVER else []
    return not any(
        key in (_look(desk, chair.name), _look(desk, chair.nick))
        for chair in chairs
        if chair is not but
    )


def check_free(desk: Desk, name: str, nick: str | None, but: Chair | None = None) -> None:
    """Refuse *name* if it, as a name or a nick, belongs to somebody else.

    Args:
        desk: The table.
        name: The name wanted.
        nick: The person's nick if that is the name wanted, None for a chosen one.
        but: The chair that wants it.

    Raises:
        Refused: It is taken.
    """
    look, own = _look(desk, name), _look(desk, desk.channel.link.own_nick)
    someone = {_look(desk, p.nick) for p in desk.ctx.members} - {_look(desk, desk.ctx.nick)}
    if not is_free(desk, name, but) or look == own or (nick is None and look in someone):
        raise Refused("The name {name} is taken; choose another one.", name=name)


def _look(desk: Desk, name: str) -> str:
    return desk.fold(same_name(skeleton(name)))
