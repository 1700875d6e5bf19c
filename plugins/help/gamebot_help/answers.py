"""What help answers: an overview, a command, a topic, or the nearest word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from gamebot import Block, Command, Context, Refused, Rights, Rows, Voice, Where
from gamebot_help.pages import pack

NEAR = 0.6
"""How alike a word must be to be proposed, 0 to 1."""


def answer(ctx: Context, subject: str) -> list[str]:
    """Return the lines that answer `help` *subject*.

    Raises:
        Refused: It is no command, topic or game of this channel.
    """
    words = [ctx.voice.heard(word) for word in subject.split()]
    named = [name for name in _games(ctx) if _names(ctx, name) & set(words)]
    rest = [word for word in words if not any(word in _names(ctx, name) for name in named)]
    plugins = named or ctx.plugins
    if not rest:
        return [*overview(ctx, plugins, whole=not named)]
    about = [line for name in plugins for line in topic(ctx, name, rest[0])]
    if not named and rest[0] in map(ctx.voice.heard, ctx.voice.topic_words("commands")):
        about += _commands(ctx, [name for name in plugins if name not in _games(ctx)])
    commands = [
        command
        for name in plugins
        for command in ctx.of(name).registry.commands
        if rest[0] in _forms(ctx.of(name).voice, command)
        and not (about and command.plugin == ctx.registry.plugin)  # a topic's word for help itself
    ]
    lines = [line for command in commands for line in explain(ctx, command)]
    if not lines and not about:
        raise _unknown(ctx, rest[0])
    return lines + about


def _games(ctx: Context) -> list[str]:
    return [name for name in ctx.plugins if ctx.of(name).registry.games]


def _title(ctx: Context, plugin: str) -> str:
    mine = ctx.of(plugin)
    return " ".join(mine.t(kind.title) for kind in mine.registry.games)


def _names(ctx: Context, plugin: str) -> set[str]:
    return {plugin, *(ctx.voice.heard(word) for word in _title(ctx, plugin).split())}


def _forms(voice: Voice, command: Command) -> set[str]:
    return {form for word in voice.spellings(command) for form in word.forms}


def _unknown(ctx: Context, word: str) -> Refused:
    voices = [ctx.of(name).voice for name in ctx.plugins]
    known = {form for v in voices for command in v.registry.commands for form in _forms(v, command)}
    known |= {v.heard(word) for v in voices for name in v.topics() for word in v.topic_words(name)}
    near = get_close_matches(word, sorted(known), 1, NEAR)
    if not near:
        return Refused("I do not know “{word}”.", word=word[:40])
    how = f"{ctx.how('help')} {near[0]}"
    return Refused("I do not know “{word}”. Did you mean {near}?", word=word[:40], near=how)


# -- the overview ---------------------------------------------------------------------------


def overview(ctx: Context, plugins: Sequence[str], *, whole: bool = True) -> Iterator[str]:
    """Say what the speaker can do now, where the rest is explained, and what else there is.

    Args:
        ctx: The line that asks.
        plugins: Whose commands.
        whole: Whether it is about the channel, not about one game.
    """
    here, there, later, barred = _sorted(ctx, plugins)
    games = [_title(ctx, name) for name in plugins if name in _games(ctx)]
    where = ctx.channel_name or ctx.network
    if games:
        where = ctx.translator.aside(ctx.channel_name, games)
    if not whole:
        yield from _about(ctx, plugins)
    yield ctx.t("{where} – now: {commands}", where=where, commands=here or "–")
    yield _hint(ctx, plugins)
    if there:
        yield ctx.t("Possible now {place}: {commands}", place=_other_place(ctx), commands=there)
    if later:
        yield ctx.t("Not now: {commands}", commands=later)
    if barred:
        yield ctx.t("With more rights: {commands}", commands=barred)


def _about(ctx: Context, plugins: Sequence[str]) -> Iterator[str]:
    for mine in map(ctx.of, plugins):
        yield from (mine.t(kind.about) for kind in mine.registry.games if kind.about)


def _sorted(ctx: Context, plugins: Sequence[str]) -> list[str]:
    """Sort commands by what can be done here, in the other place, later, or not by the speaker."""
    groups: list[list[str]] = [[], [], [], []]
    for name in plugins:
        mine, other = ctx.of(name), ctx.of(name, in_query=not ctx.in_query)
        for command in mine.registry.commands:
            shown = Voice.typed(mine.voice.spellings(command)[0].manual(ctx.prefix))
            if command.rights is not Rights.PLAYER and not ctx.may(command.rights):
                groups[3].append(shown)
            elif mine.refusal(command) is None:
                groups[0].append(shown)
            elif other.refusal(command) is None:
                groups[1].append(shown)
            else:
                groups[2].append(shown)
    return [" ".join(group) for group in groups]


def _hint(ctx: Context, plugins: Sequence[str]) -> str:
    voices = [ctx.of(name).voice for name in plugins]
    topics = [(topic, voice.topic_words(topic)[0]) for voice in voices for topic in voice.topics()]
    topics.sort(key=lambda topic: topic[0] == "commands")  # the last one, as in a manual
    command = next(c for voice in voices for c in voice.registry.commands)
    return ctx.t(
        "Explained: {help} {topics} – or a command: {help} {command}",
        help=ctx.how("help"),
        topics=" | ".join(dict.fromkeys(word for _, word in topics)),
        command=ctx.of(command.plugin).voice.spellings(command)[0].shown(""),
    )


# -- one command, one topic -----------------------------------------------------------------


def explain(ctx: Context, command: Command) -> Iterator[str]:
    """Explain *command*: how it is typed, what it does, where and when, with an example."""
    voice = ctx.of(command.plugin).voice
    yield ctx.translator.dashed((voice.usage(command), voice.t(command.help)))
    yield ctx.t("{place}. {possible}", place=voice.place(command), possible=_possible(ctx, command))
    if notes := ctx.translator.sentences(_notes(ctx, command)):
        yield notes


def _possible(ctx: Context, command: Command) -> str:
    """Say whether the speaker can give *command* now, and where, or why not."""
    here = Where.QUERY if ctx.in_query else Where.CHANNEL
    elsewhere = ctx.of(command.plugin, in_query=not ctx.in_query)
    refusal = ctx.refusal(command)
    if refusal is None:
        return ctx.t("Possible now.")
    if elsewhere.refusal(command) is None:
        return ctx.t("Possible now {place}.", place=_other_place(ctx))
    if here not in command.where:
        refusal = elsewhere.refusal(command) or refusal
    return ctx.t("Not now: {why}", why=ctx.of(command.plugin).t(refusal.msgid, **refusal.values))


def _other_place(ctx: Context) -> str:
    if ctx.in_query:
        return ctx.t("in {channel}", channel=ctx.channel_name)
    return ctx.t("in a query")


def _notes(ctx: Context, command: Command) -> Iterator[str]:
    voice = ctx.of(command.plugin).voice
    first, *others = voice.spellings(command)
    if first.rest:
        short = Voice.typed(f"{ctx.prefix if first.prefixed else ''}{first.short}")
        yield ctx.t("What is in brackets may be left off: {short}.", short=short)
    if others:
        words = " ".join(word.manual(ctx.prefix) for word in others)
        yield ctx.t("Also: {words}.", words=words)
    if example := voice.example(command):
        means = [voice.t(command.example_means)] if command.example_means else []
        yield ctx.translator.dashed([ctx.t("Example: {example}", example=example), *means])


def topic(ctx: Context, plugin: str, wanted: str) -> Iterator[str]:
    """Explain a topic of one plugin; nothing if it has no topic of that name."""
    if plugin not in _games(ctx):
        return
    voice = ctx.of(plugin).voice
    for name, blocks in voice.topics().items():
        if wanted in map(voice.heard, voice.topic_words(name)):
            about = [f"{ctx.channel_name} {_title(ctx, plugin)}", voice.title(name)]
            lead = ctx.translator.headed(about, "")
            for block in blocks:
                yield from _lines(ctx, block, lead)
                lead = ""


def _lines(ctx: Context, block: Block, lead: str) -> Iterator[str]:
    """Write a paragraph as it is, a table as lines of whole rows."""
    if not isinstance(block, Rows):
        yield lead + block
        return
    texts = ctx.translator
    rows = [texts.headed(first, texts.dashed(others)) for first, *others in block.rows]
    yield from pack([lead + rows[0], *rows[1:]])


def _commands(ctx: Context, plugins: Sequence[str]) -> Iterator[str]:
    """List the commands of plugins without a game that the speaker may give, by place."""
    groups: dict[str, list[str]] = {}
    for mine in map(ctx.of, plugins):
        for command in mine.registry.commands:
            if ctx.may(command.rights):
                usage = mine.voice.usage(command)
                groups.setdefault(mine.voice.place(command), []).append(usage)
    for place, usages in groups.items():
        yield ctx.t("{place}: {commands}", place=place, commands=usages)
