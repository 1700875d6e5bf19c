"""What the bot does as an operator while a game is on: voice for its players, the topic.

Both are settings of every game (`voice`, `topic`). What was done is kept with the table and only
that is taken back, also after a restart: a voice that somebody had before, and a topic that
somebody else has set since, stay. Without operator status nothing is sent; what is missing is made
up for with the next thing that happens at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gamebot.table.table import Chair, Phase, Table

if TYPE_CHECKING:
    from gamebot.desk.desk import Desk

TOPIC_EVERY_S = 60.0
"""While people come and go the topic follows them no faster than this, seconds."""

_NICKS_BYTES = 300
"""Nicks of one MODE line; a server passes it on behind our own prefix."""


def has_op(desk: Desk) -> bool:
    """Whether the bot is an operator of the table's channel."""
    link = desk.channel.link
    return link.is_op(desk.channel.name, link.own_nick)


def show(desk: Desk, table: Table) -> None:
    """Bring voices and the topic in line with *table*."""
    if table.phase is Phase.LOBBY or not has_op(desk):
        return
    playing, settings = table.phase is Phase.PLAYING, desk.ctx.settings
    _show_voices(desk, table, wanted=playing and settings.voice)
    if playing and settings.topic:
        _show_topic(desk, table)
    elif table.topics:
        _restore_topic(desk, table)


def recheck(desk: Desk, table: Table) -> None:
    """Forget what is not so any more; the bot was away, and what it sent may never have arrived."""
    link, name = desk.channel.link, desk.channel.name
    for chair in (*table.chairs, *table.gone):
        chair.voiced = chair.voiced and link.has_voice(name, chair.nick)
    if link.topic(name) == table.topic_before:
        table.topics.clear()


def succeed(desk: Desk, over: Table, table: Table) -> None:
    """Tidy up for the game that is *over*, now or, without operator status, after *table*'s."""
    show(desk, over)
    if over.topics and _is_ours(desk, over):
        table.topics, table.topic_before = over.topics, over.topic_before


def hand_over(desk: Desk, chair: Chair) -> None:
    """Take the voice of a player whose seat somebody else gets."""
    if chair.voiced and has_op(desk):
        _set_voice(desk, "-", [chair.nick])
    chair.voiced = False


# -- voice ----------------------------------------------------------------------------------


def _show_voices(desk: Desk, table: Table, *, wanted: bool) -> None:
    here = {desk.fold(person.nick) for person in desk.ctx.members}
    former = (*table.gone, *(() if wanted else table.chairs))
    taken = [chair for chair in former if chair.voiced]
    given = [chair for chair in table.humans if wanted and _lacks_voice(desk, chair)]
    for chair in taken:
        chair.voiced = False
    for chair in given:
        chair.voiced = True
    _set_voice(desk, "-", [chair.nick for chair in taken if desk.fold(chair.nick) in here])
    _set_voice(desk, "+", [chair.nick for chair in given])


def _lacks_voice(desk: Desk, chair: Chair) -> bool:
    known = chair.present and chair.verified and not chair.voiced
    return known and not desk.channel.link.has_voice(desk.channel.name, chair.nick)


def _set_voice(desk: Desk, sign: str, nicks: Sequence[str]) -> None:
    for group in _groups(nicks, desk.channel.link.modes_per_line):
        desk.ctx.protocol("MODE", desk.channel.name, sign + "v" * len(group), *group)


def _groups(nicks: Sequence[str], most: int) -> Iterator[list[str]]:
    group: list[str] = []
    for nick in nicks:
        if len(group) == most or len(" ".join([*group, nick]).encode()) > _NICKS_BYTES:
            yield group
            group = []
        group.append(nick)
    if group:
        yield group


# -- topic ----------------------------------------------------------------------------------


def _show_topic(desk: Desk, table: Table) -> None:
    text, now = desk.kind.topic_line(desk.ctx, table.game), desk.ctx.now()
    if not table.topics:
        table.topic_before = desk.channel.link.topic(desk.channel.name)
    elif text == table.topics[-1] or not _may_change(desk, table, now):
        return
    table.topics, table.topic_at = [*table.topics[-1:], text], now
    desk.ctx.protocol("TOPIC", desk.channel.name, text)


def _restore_topic(desk: Desk, table: Table) -> None:
    if _is_ours(desk, table):
        desk.ctx.protocol("TOPIC", desk.channel.name, table.topic_before)
    table.topics.clear()


def _may_change(desk: Desk, table: Table, now: float) -> bool:
    return now - table.topic_at >= TOPIC_EVERY_S and _is_ours(desk, table)


def _is_ours(desk: Desk, table: Table) -> bool:
    """Whether the bot set the topic: it may be cut short, or be still on its way there."""
    topic = desk.channel.link.topic(desk.channel.name)
    cut = bool(topic) and any(text.startswith(topic) for text in table.topics)
    return cut or topic == table.topic_before
