"""The sample session of a guide: a game's declared lines, played by a real bot in no time."""

from __future__ import annotations

from attrs import asdict, evolve

from gamebot.config.profile import ChannelProfile
from gamebot.guide.model import Line
from gamebot.plugin.game import Sample
from gamebot.plugin.registry import Registry
from gamebot.plugin.voice import Voice
from gamebot.testing.session import Session

NETWORK = "sample"


async def play(registry: Registry, profile: ChannelProfile, voice: Voice) -> list[Line]:
    """Play a sample of *registry*'s game as the channel of *profile* has it.

    It is the first one in which the channel's rules refuse no line.

    Args:
        registry: The plugin.
        profile: The channel; only this plugin is enabled for the sample.
        voice: The plugin in the channel's own language.

    Returns:
        What was said, nothing if there is no such sample.
    """
    for sample in registry.games[0].samples:
        if lines := await _play(sample, registry, profile, voice):
            return lines
    return []


async def _play(
    sample: Sample, registry: Registry, profile: ChannelProfile, voice: Voice
) -> list[Line]:
    session = Session({registry.plugin: registry})
    link = session.add_network(NETWORK)
    name = profile.name or "#sample"
    alone = evolve(profile, name=name, prefix=voice.prefix, plugins=(registry.plugin,))
    session.add_channel(NETWORK, alone)
    lines: list[Line] = []
    async with session:
        session.fix(name, **asdict(sample.fixed, recurse=False))
        for nick, command, arguments in sample.lines:
            lines.append(Line(nick, typed := voice.line(command, arguments)))
            since = len(session.heard)
            link.say(nick, typed, name)
            await session.settle()
            heard = session.heard[since:]
            if all(said.to != name for said in heard):
                return []  # refused: only the speaker was told
            lines += [
                Line(link.own_nick, said.plain, by_bot=True, to="" if said.to == name else said.to)
                for said in heard
            ]
    return lines
