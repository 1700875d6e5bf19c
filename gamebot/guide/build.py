"""From a channel's profile to its guide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from gamebot.channel.enabled_plugins import EnabledPlugins
from gamebot.config.profile import ChannelProfile
from gamebot.guide.model import Commands, Entry, Facts, Group, Guide, Line, Section, Talk
from gamebot.i18n import Translator
from gamebot.plugin import manual
from gamebot.plugin.access import Rights, Where
from gamebot.plugin.commands import Command
from gamebot.plugin.registry import Registry
from gamebot.plugin.voice import Voice

if TYPE_CHECKING:
    from gamebot.plugin.game import GameType

FOR_PLAYERS = (Rights.ANYBODY, Rights.PLAYER, Rights.OPERATOR)
"""Commands of other plugins appear in a guide if these may give them."""


@define
class Bilingual(Translator):
    """Texts in one language, what is typed in another: a guide for readers of any language.

    Attributes:
        typed: The channel's own language, in which words, letters and codes are.
    """

    typed: Translator = field(kw_only=True)

    @property
    def typed_in(self) -> str:
        """The channel's own language."""
        return self.typed.typed_in

    def word(self, msgid: str) -> str:
        """Translate command words and codes as the channel has them."""
        return self.typed.word(msgid)


@frozen(kw_only=True)
class Edition:
    """Which guide.

    Attributes:
        profile: The channel, with its settings; its name is "" for a guide of no channel.
        registries: Every loaded plugin.
        plugin: The game's plugin.
        language: Language of the texts; what is typed is in the channel's language.
        network: Name of the network, "" for none.
        nick: The bot's nick.
    """

    profile: ChannelProfile
    registries: Mapping[str, Registry]
    plugin: str
    language: str
    network: str = ""
    nick: str = "bot"
    enabled: EnabledPlugins = field(init=False)

    @enabled.default
    def _enabled(self) -> EnabledPlugins:
        return EnabledPlugins(self.profile, self.registries)

    @property
    def kind(self) -> GameType[Any]:
        """The game."""
        return self.registries[self.plugin].games[0]

    def voice(self, plugin: str, *, own: bool = False) -> Voice:
        """Return what *plugin* says, in the guide's language or in the channel's *own*."""
        registry = self.registries[plugin]
        translator = self.enabled.translators[plugin]
        if not own:
            translator = Bilingual(self.language, translator.sources, typed=translator)
        settings = self.profile.settings.get(plugin)
        if settings is None and registry.settings is not None:
            settings = registry.settings()
        return Voice(registry, translator, self.enabled.prefix, settings)


def build(edition: Edition, sample: Sequence[Line] = ()) -> Guide:
    """Put the guide of *edition* together.

    Args:
        edition: Which guide.
        sample: Lines of the sample session.
    """
    voice, kind = edition.voice(edition.plugin), edition.kind
    t = voice.t
    where = edition.profile.name
    if where and edition.network:
        where = t("{channel} on {network}", channel=where, network=edition.network)
    return Guide(
        language=edition.language.replace("_", "-"),
        title=t(kind.title),
        subtitle=t("Playing in {where}", where=where) if where else t("Players' guide"),
        about=t(kind.about) if kind.about else "",
        sections=tuple(_sections(edition, voice, sample)),
        contents=t("Contents"),
        heads=(t("Command"), t("What it does"), t("Example")),
        example=t("Example"),
        privately=t("privately to {nick}", nick="{nick}"),
        headed=voice.translator.headed("{head}", "{text}"),
        aside=voice.translator.aside("{text}", "{note}"),
        comma=voice.translator.listed(("", "")),
        dash=voice.translator.dashed(("", "")),
    )


def _sections(edition: Edition, voice: Voice, sample: Sequence[Line]) -> list[Section]:
    texts = Translator(edition.language, voice.translator.sources)
    found = [
        Section(topic, _heading(texts.word(topic)), tuple(blocks))
        for topic, blocks in voice.topics().items()
        if topic != manual.COMMANDS
    ]
    if sample:
        title = voice.t("An example")
        lines = tuple(evolve(s, nick=edition.nick) if s.by_bot else s for s in sample)
        found.insert(1, Section("example", title, (Talk(lines),)))
    commands = _heading(texts.word(manual.COMMANDS))
    found.append(Section(manual.COMMANDS, commands, tuple(_commands(edition, voice))))
    return [Section("here", voice.t("At a glance"), (_facts(edition, voice),)), *found]


def _heading(words: str) -> str:
    word = words.partition(" ")[0]
    return word[:1].upper() + word[1:]


def _facts(edition: Edition, voice: Voice) -> Facts:
    settings, t = voice.settings, voice.t
    least, most = edition.kind.room(settings)
    pairs = [(t("Channel"), edition.profile.name)] if edition.profile.name else []
    pairs += [
        (t("Commands begin with"), voice.typed(voice.prefix)),
        (t("Players"), f"{least}–{most}" if least < most else f"{most}"),
        (t("Time for a turn"), voice.span(settings.turn_timeout_s)),
        (t("Enrolment"), voice.span(settings.lobby_timeout_s)),
    ]
    return Facts(tuple(pairs))


# -- commands -------------------------------------------------------------------------------


def _commands(edition: Edition, voice: Voice) -> list[str | Commands]:
    own = voice.registry.commands
    blocks: list[str | Commands] = [*_notation(edition, voice, own), _table([(voice, own)])]
    others = [
        (edition.voice(name), [c for c in registry.commands if c.rights in FOR_PLAYERS])
        for name, registry in edition.enabled.registries.items()
        if not registry.games
    ]
    if any(commands for _, commands in others):
        blocks.append(voice.t("Beside the game:"))
        blocks.append(_table(others))
    return blocks


def _table(found: Sequence[tuple[Voice, Sequence[Command]]]) -> Commands:
    groups: dict[str, list[Entry]] = {}
    for voice, commands in found:
        for place, group in manual.by_place(voice, commands).items():
            groups.setdefault(place, []).extend(_entry(voice, command) for command in group)
    return Commands(tuple(Group(place, tuple(entries)) for place, entries in groups.items()))


def _entry(voice: Voice, command: Command) -> Entry:
    example = voice.example(command)
    return Entry(
        usage=voice.usage(command),
        also=tuple(word.manual(voice.prefix) for word in voice.spellings(command)[1:]),
        help=voice.t(command.help),
        example=example,
        means=voice.t(command.example_means) if example and command.example_means else "",
    )


def _notation(edition: Edition, voice: Voice, commands: Sequence[Command]) -> list[str]:
    """Explain how commands are written and typed, with a command of this game."""
    t = voice.t
    words = [voice.spellings(command)[0] for command in commands]
    lines = []
    asked = max(
        (command for command in commands if Where.QUERY in command.where),
        key=lambda command: voice.spellings(command)[0].prefixed,
        default=None,
    )
    if asked is not None:
        message = f"/msg {edition.nick} {voice.spellings(asked)[0].shown(voice.prefix)}"
        lines.append(
            t(
                "A query is a private message to the bot, such as {message}; there the prefix "
                "{prefix} may be left off, and the bot answers by NOTICE. If you play in several channels, name "
                "the one you mean: {named}.",
                message=voice.typed(message),
                prefix=voice.typed(voice.prefix),
                named=voice.typed(f"{message} {edition.profile.name or '#channel'}"),
            )
        )
    lines.append(
        t("What stands in square brackets may be left out. Capitals and small letters are alike.")
    )
    short = next((word for word in words if word.rest), None)
    if short is not None:
        tail = [short.short + short.rest[:n] for n in range(len(short.rest), -1, -1)]
        lines.append(
            t(
                "{command} may be shortened: {forms}.",
                command=voice.typed(short.manual(voice.prefix)),
                forms=" ".join(
                    voice.typed((voice.prefix if short.prefixed else "") + form) for form in tail
                ),
            )
        )
    if any(not word.prefixed for word in words):
        lines.append(
            t(
                "Commands that stand here without {prefix} are typed without it.",
                prefix=voice.typed(voice.prefix),
            )
        )
    return lines
