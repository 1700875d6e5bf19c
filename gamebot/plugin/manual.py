"""What a manual says of every plugin: where and when a command works, topics, a table's rules.

Everything comes from declarations: commands, `GameType.topics` and settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gamebot.plugin.access import Rights, When, Where
from gamebot.plugin.commands import Command

if TYPE_CHECKING:
    from gamebot.plugin.game import GameType
    from gamebot.plugin.voice import Block, Voice

RULES, COMMANDS = "rules", "commands"

PLACES = {
    Where.CHANNEL: "in the channel",
    Where.QUERY: "in a query",
    Where.ANY: "in the channel and in a query",
}
PHASES = {
    When.ALWAYS: "at any time",
    When.NO_GAME: "while no game runs",
    When.LOBBY: "while players enrol",
    When.GAME: "during a game",
    When.SEATED: "for whoever is in",
    When.PLAYING: "for the players of a running game",
    When.MY_TURN: "when it is your turn",
}
HOLDERS = {
    Rights.PLAYER: "players only",
    Rights.OPERATOR: "operators of the channel only",
    Rights.ADMIN: "admins of the bot only",
    Rights.OWNER: "owners of the bot only",
}


def place(voice: Voice, command: Command) -> str:
    """Write where and when *command* works, and for whom."""
    t = voice.t
    spots = [(command.where, command.when)]
    if command.when_in_channel is not None and command.where is Where.ANY:
        spots = [(Where.QUERY, command.when), (Where.CHANNEL, command.when_in_channel)]
    phrases = [
        t("{place}, {phase}", place=t(PLACES[where]), phase=t(PHASES[when]))
        for where, when in spots
    ]
    if command.rights in HOLDERS:
        phrases.append(t(HOLDERS[command.rights]))
    text = voice.translator.clauses(phrases)
    return text[:1].upper() + text[1:]


def by_place(voice: Voice, commands: Sequence[Command]) -> dict[str, list[Command]]:
    """Group *commands* by where, when and for whom they work, in the order of registration."""
    groups: dict[str, list[Command]] = {}
    for command in commands:
        groups.setdefault(place(voice, command), []).append(command)
    return groups


def title(voice: Voice, topic: str) -> str:
    """Write the heading of *topic*."""
    word = topic_words(voice, topic)[0]
    return word[:1].upper() + word[1:]


def topic_words(voice: Voice, topic: str) -> list[str]:
    """Return the words for *topic*, the one that help shows first and the English one last."""
    return [*voice.translator.word(topic).split(), topic]


def topics(voice: Voice) -> dict[str, list[Block]]:
    """Return the topics of a plugin in the order in which a manual has them."""
    found: dict[str, list[Block]] = {}
    for kind in voice.registry.games:
        found = {topic: list(blocks) for topic, blocks in kind.topics(voice).items()}
        if RULES not in found:
            found = {RULES: [], **found}
        found[RULES] += table_rules(voice, kind)
    found[COMMANDS] = [
        voice.t(
            "{place}: {commands}",
            place=where,
            commands=[voice.typed(voice.usage(command)) for command in group],
        )
        for where, group in by_place(voice, voice.registry.commands).items()
    ]
    return found


def table_rules(voice: Voice, kind: GameType[Any]) -> list[str]:
    """Say what holds at every table: seats and enrolment, clock, coming and going."""
    settings, t, sentences = voice.settings, voice.t, voice.translator.sentences
    least, most = kind.room(settings)
    if least > 1:
        seats = t("{least} to {most} players.", least=least, most=most)
    else:
        seats = voice.n("{n} player at most.", "{n} players at most.", most)
    if settings.return_grace_s:
        away = t(
            "Whoever leaves the channel keeps the seat for {time}; coming back is enough.",
            time=voice.span(settings.return_grace_s),
        )
    else:
        away = t(
            "Whoever leaves the channel keeps the seat until the time for the own turn is up; "
            "coming back is enough."
        )
    if settings.kick:
        away = sentences((away, t("Whoever runs out of time is kicked from the channel.")))
    return [sentences((seats, kind.lobby_rule(voice))), kind.clock_rule(voice), away]
