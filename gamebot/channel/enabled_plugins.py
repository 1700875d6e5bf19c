"""What a channel understands and how it speaks: made from a profile, replaced as a whole."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import structlog
from attrs import evolve

from gamebot.errors import WordClashError
from gamebot.events import Said
from gamebot.i18n import CORE_DOMAIN, CORE_LOCALE, Translator, languages
from gamebot.plugin.near_words import NearWords
from gamebot.plugin.word_table import Spelling, WordTable
from gamebot.plugin.words import normal, spelling

log = structlog.get_logger()

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gamebot.config.profile import ChannelProfile
    from gamebot.plugin.registry import Registry


class EnabledPlugins:
    """The plugins of one channel with their words and texts.

    Args:
        profile: What is set for the channel.
        registries: Every loaded plugin.

    Attributes:
        registries: The enabled plugins.
        prefix: The channel's command prefix.
        translators: Plugin -> its texts in the channel's language.
        words: Every command word.
        listening: Whether a plugin looks at whole messages.
        other_words: Words that other bots of the channel answer, folded.

    Raises:
        WordClashError: Two commands want the same word.
    """

    def __init__(self, profile: ChannelProfile, registries: Mapping[str, Registry]) -> None:
        self.registries = {name: registries[name] for name in profile.plugins if name in registries}
        games = [kind for registry in self.registries.values() for kind in registry.games]
        self.prefix = profile.prefix or (games[0].prefix if games else "!")
        self.translators = {
            name: translator_for(profile.language, registry)
            for name, registry in self.registries.items()
        }
        self.words = WordTable(
            [
                Spelling(
                    command,
                    spelling(self.translators[name], command.words),
                    spelling(self.translators[name], command.also) if command.also else "",
                )
                for name, registry in self.registries.items()
                for command in registry.commands
            ]
        )
        self.listening = any(
            registry.bare_readers or Said in registry.handlers
            for registry in self.registries.values()
        )
        self.other_words = frozenset(map(normal, profile.other_words))
        self._loaded = registries

    @cached_property
    def near(self) -> NearWords:
        """What words that nobody has may mean; made when the first one is typed."""
        texts = {name: _in_every_language(each) for name, each in self.registries.items()}
        others = [each for name, each in self._loaded.items() if each.games and name not in texts]
        return NearWords(
            self.words.owners(),
            texts,
            [command for each in self.registries.values() for command in each.commands],
            [(command, _in_every_language(each)) for each in others for command in each.commands],
        )


def _in_every_language(registry: Registry) -> list[Translator]:
    return [translator_for(language, registry) for language in languages()]


def fit(
    profile: ChannelProfile, registries: Mapping[str, Registry]
) -> tuple[ChannelProfile, EnabledPlugins]:
    """Make what fits; of two plugins that clash the later one is left out and named."""
    try:
        return profile, EnabledPlugins(profile, registries)
    except WordClashError as error:
        plugin = error.command.partition(".")[0]
        log.error("plugin_clash", plugin=plugin, channel=profile.name, why=str(error))  # noqa: TRY400  the message says it all
        rest = tuple(name for name in profile.plugins if name != plugin)
        return fit(evolve(profile, plugins=rest), registries)


def core_translator(language: str) -> Translator:
    """Return the core's own texts."""
    return Translator(language, [(CORE_DOMAIN, CORE_LOCALE)])


def translator_for(language: str, registry: Registry) -> Translator:
    """Return a plugin's texts, with the core's behind them."""
    sources = [(CORE_DOMAIN, CORE_LOCALE)]
    if registry.locale is not None:
        sources.insert(0, (registry.domain, registry.locale))
    return Translator(language, sources)
