"""Every example of a declaration can be given, in every language, at some point of a game."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import attrs
import pytest

from gamebot.channel.channel import Channel
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.errors import Told, UsageError
from gamebot.plugin import dispatch
from gamebot.plugin.access import Where
from gamebot.plugin.commands import Command
from gamebot.plugin.context import Context
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.voice import Voice
from gamebot.testing.session import Session

CHANNEL = "#x"
REGISTRIES = load_plugins().registries
LANGUAGES = ("en", "de", "it", "zh_Hant")
EXAMPLES = [
    (plugin, command.name)
    for plugin, registry in REGISTRIES.items()
    for command in registry.commands
    if command.example
]


def spied(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    """Note every refusal that a line meets."""
    told: list[Told] = []
    original = dispatch.invoke

    async def invoke(ctx, found):
        try:
            result = original(ctx, found)
            if inspect.isawaitable(result):
                await result
        except Told as refusal:
            told.append(refusal)
            raise

    monkeypatch.setattr(dispatch, "invoke", invoke)
    return told


def profile(plugin: str, language: str) -> ChannelProfile:
    games = () if REGISTRIES[plugin].games else ("kniffel",)
    plugins = dict.fromkeys((plugin, *games, *ALWAYS_ENABLED))
    return ChannelProfile(name=CHANNEL, language=language, plugins=tuple(plugins))


def script(voice: Voice, plugin: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of the game's sample; before the first of them nothing has happened."""
    for kind in voice.registry.games:
        assert kind.samples, f"{plugin} has examples and needs a sample"
        for nick, name, arguments in kind.samples[0].lines:
            yield nick, voice.line(name, arguments)


def able(channel: Channel, command: Command, nicks: list[str]) -> str | None:
    """Return somebody who can give *command* now."""
    here = Where.CHANNEL not in command.where
    for nick in nicks:
        person = channel.link.person(nick)
        ctx = Context(channel, channel.registries[command.plugin], person, here)
        if ctx.refusal(command) is None:
            return nick
    return None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("plugin", "name"), EXAMPLES)
async def test_the_example_can_be_given(plugin, name, language, monkeypatch):
    told = spied(monkeypatch)
    command = REGISTRIES[plugin].find(name)
    session = Session(REGISTRIES)
    link = session.add_network("net")
    session.add_channel("net", profile(plugin, language))
    link.join("opa", CHANNEL)
    link.op("opa", CHANNEL)
    async with session:
        channel = session.channel(CHANNEL)
        voice = Context(channel, channel.registries[plugin]).voice
        lines = list(script(voice, plugin))
        nicks = list(dict.fromkeys([*(nick for nick, _ in lines), "opa"]))
        for nick in nicks:
            link.join(nick, CHANNEL)
        for kind in voice.registry.games:
            session.fix(CHANNEL, **attrs.asdict(kind.samples[0].fixed, recurse=False))
        for nick, line in [*lines, ("", "")]:
            speaker = able(channel, command, nicks)
            if speaker is not None:
                told.clear()
                place = CHANNEL if Where.CHANNEL in command.where else None
                link.say(speaker, voice.example(command), place)
                await session.settle()
                assert not [each for each in told if isinstance(each, UsageError)]
                if not told:
                    return
            if nick:
                link.say(nick, line, CHANNEL)
                await session.settle()
    pytest.fail(f"{voice.example(command)} was never possible: {told}")


def test_there_are_examples():
    assert ("kniffel", "roll") in EXAMPLES
    assert ("help", "help") in EXAMPLES


@pytest.mark.parametrize("plugin", [name for name, each in REGISTRIES.items() if each.games])
async def test_the_sample_of_a_game_meets_no_refusal(plugin, monkeypatch):
    told = spied(monkeypatch)
    kind = REGISTRIES[plugin].games[0]
    from gamebot.guide import Edition
    from gamebot.guide.sample import play

    edition = Edition(
        profile=ChannelProfile(name="", plugins=(plugin,)),
        registries=REGISTRIES,
        plugin=plugin,
        language="en",
    )
    lines = await play(REGISTRIES[plugin], edition.profile, edition.voice(plugin, own=True))
    assert not told
    speakers = {nick for nick, _, _ in kind.samples[0].lines}
    assert {line.nick for line in lines if not line.by_bot} == speakers
