"""The sample session of a guide: a game's declared lines, played by a real bot in no time."""

from __future__ import annotations

from attrs import asdict, evolve

from gamebot.guide.model import Line
from gamebot.profile import ChannelProfile
from gamebot.registry import Registry
from gamebot.testing.session import Session
from gamebot.voice import Voice

NETWORK = "sample"


async def play(registry: Registry, profile: ChannelProfile, voice: Voice) -> list[Line]:
    """Play the sample of *registry*'s game as the channel of *profile* has it.

    Args:
        registry: The plugin; its game has a sample.
        profile: The channel; only this plugin is enabled for the sample.
        voice: The plugin in the channel's own language.
    """
    sample = registry.games[0].sample
    if sample is None:
        return []
    session = Session({registry.plugin: registry})
    link = session.add_network(NETWORK)
    name = profile.name or "#sample"
    alone = evolve(profile, name=name, prefix=voice.prefix, plugins=(registry.plugin,))
    session.add_channel(NETWORK, alone)
    lines: list[Line] = []
    async with session:
        session.fix(name, **asdict(sample.fixed, recurse=False))
        for nick, command, arguments in sample.lines:
            word = voice.spellings(registry.find(command))[0].shown(voice.prefix)
            typed = f"{word} {voice.translator.word(arguments) if arguments else ''}".rstrip()
            lines.append(Line(nick, typed))
            heard = len(session.heard)
            link.say(nick, typed, name)
            await session.settle()
            lines += [
                Line(link.own_nick, said.plain, by_bot=True, to="" if said.to == name else said.to)
                for said in session.heard[heard:]
            ]
    return lines
