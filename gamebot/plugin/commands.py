"""Commands: the declaration, and the parser that a handler's signature is."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NewType, Protocol, get_args, get_origin

from attrs import field, frozen

from gamebot.errors import PluginError, UsageError
from gamebot.plugin.access import Rights, When, Where
from gamebot.plugin.words import normal, parse_words, spelling

if TYPE_CHECKING:
    from gamebot.i18n import Translator
    from gamebot.plugin.context import Context

Rest = NewType("Rest", str)
"""Annotation for the rest of the line, spaces included."""

Duration = NewType("Duration", float)
"""Annotation for a span of time in seconds, written `90`, `90s`, `5m` or `1h`."""


class Handler(Protocol):
    """A plain or async function whose first parameter is the context."""

    __name__: str

    def __call__(self, ctx: Context, /, *args: Any) -> object:  # noqa: ANN401  any signature
        """Run the command."""


Converter = Callable[[str, "Context"], object]

_DURATION = re.compile(r"(\d{1,7})([smhd]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> float:
    """Read `90`, `90s`, `5m`, `1h` or `2d` as seconds.

    Raises:
        UsageError: It is none of these.
    """
    match = _DURATION.fullmatch(normal(text))
    if match is None:
        raise UsageError("“{text}” is not a time; write 90s, 5m or 1h.", text=text)
    return float(int(match[1]) * _SECONDS[match[2]])


def _integer(text: str, _ctx: Context) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", normal(text)):
        raise UsageError("“{text}” is not a whole number.", text=text)
    return int(normal(text))


@frozen
class Choice:
    """Read one of a few values, written in English or in the channel's language.

    Attributes:
        values: What is typed, folded, with what it stands for; a msgid with context `word`.
    """

    values: Mapping[str, object]

    def __call__(self, text: str, ctx: Context) -> object:
        """Return what *text* stands for.

        Raises:
            UsageError: It is none of the values.
        """
        words = {value: _forms(ctx.translator, value) for value in self.values}
        typed = normal(text)
        for value, forms in words.items():
            if typed == value or typed in map(normal, forms):
                return self.values[value]
        allowed = [forms[0] for forms in words.values()]
        raise UsageError("“{text}” is none of: {allowed}.", text=text, allowed=allowed)


def _forms(texts: Translator, value: str) -> list[str]:
    return texts.word(value).split() or [value]


def _builtin_converter(annotation: object) -> Converter | None:
    if annotation is int:
        return _integer
    if annotation in (str, Rest, inspect.Parameter.empty):
        return lambda text, _ctx: text
    if annotation is Duration:
        return lambda text, _ctx: parse_duration(text)
    if get_origin(annotation) is Literal:
        return Choice({normal(str(value)): value for value in get_args(annotation)})
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return Choice({normal(str(member.value)): member for member in annotation})
    return None


@frozen
class Parameter:
    """One argument of a command.

    Attributes:
        name: As help shows it; a msgid.
        convert: Text to value.
        required: Whether it must be given.
        repeated: Whether it takes all remaining words, one value each.
        rest: Whether it takes the rest of the line as one text.
        default: Value when left off.
    """

    name: str
    convert: Converter
    required: bool
    repeated: bool
    rest: bool
    default: object = None

    @property
    def choices(self) -> tuple[str, ...]:
        """What may be typed, in English; nothing if it is not one of a few values."""
        return tuple(self.convert.values) if isinstance(self.convert, Choice) else ()

    def usage(self, texts: Translator) -> str:
        """Write the parameter as a usage line does: its name, or what there is to choose from."""
        choices = (_forms(texts, value)[0] for value in self.choices)
        name = "|".join(choices) or texts.text(self.name)
        if self.repeated:
            return f"[{name} …]"
        return name if self.required else f"[{name}]"


def _strip_optional(annotation: object) -> object:
    if get_origin(annotation) in (types.UnionType, typing.Union):
        inner = [part for part in get_args(annotation) if part is not type(None)]
        if len(inner) == 1:
            return inner[0]
    return annotation


def check_handler(handler: object) -> None:
    """Refuse what nothing would come of when it is called.

    Raises:
        PluginError: It cannot be called, or is a generator, which nobody would go through.
    """
    if not callable(handler):
        raise PluginError(f"{handler!r} cannot be called")
    if inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler):
        name = getattr(handler, "__qualname__", "a partial")
        raise PluginError(f"{name}: a handler is a plain or async function, no generator")


def _behind_the_context(handler: Handler) -> list[inspect.Parameter]:
    check_handler(handler)
    try:
        signature = inspect.signature(handler, eval_str=True)
    except NameError as error:
        raise PluginError(
            f"{handler.__name__}: {error}; annotations are read when the plugin is loaded"
        ) from error
    parameters = list(signature.parameters.values())
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    if not parameters or any(parameter.kind in by_name for parameter in parameters):
        raise PluginError(f"{handler.__name__}: a handler takes the context, then arguments")
    return parameters[1:]


def read_parameters(
    handler: Handler, converters: Mapping[object, tuple[Converter, bool]]
) -> tuple[Parameter, ...]:
    """Turn a handler's signature into its parser.

    Args:
        handler: The function; its first parameter is the context.
        converters: The plugin's own, annotation -> (converter, takes the rest of the line).

    Raises:
        PluginError: A parameter's annotation has no converter, or no text can fill it.
    """
    parameters: list[Parameter] = []
    for parameter in _behind_the_context(handler):
        if parameters and parameters[-1].rest:
            raise PluginError(f"{handler.__name__}: nothing can follow the rest of the line")
        annotation = _strip_optional(parameter.annotation)
        if annotation in converters:
            convert, rest = converters[annotation]
        else:
            found = _builtin_converter(annotation)
            if found is None:
                raise PluginError(
                    f"{handler.__name__}: no converter for parameter {parameter.name!r}"
                )
            convert, rest = found, annotation is Rest
        repeated = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        empty = parameter.default is inspect.Parameter.empty
        parameters.append(
            Parameter(
                name=parameter.name.replace("_", " "),
                convert=convert,
                required=empty and not repeated,
                repeated=repeated,
                rest=rest,
                default=None if empty else parameter.default,
            )
        )
    return tuple(parameters)


@frozen
class Command:
    """A command as a plugin declares it.

    Attributes:
        plugin: Name of the plugin that owns it.
        name: Its stable English name.
        handler: What runs.
        words: Words in the manuals' notation; a msgid with context `word`. "" for a command
            that only a reader of whole messages finds.
        also: Further words for it, as other games and bots have them: they count where no other
            command has them, and help does not show them; a msgid with context `word`.
        parameters: The parser.
        where: Channel, query or both.
        when: The phase in which it exists.
        when_in_channel: The phase for a channel, where it differs from a query.
        when_bare: The phase for a bare word, an everyday one, where it differs from the prefixed.
        shouted: Whether a bare word may be followed by full stops, exclamation or question marks.
        rights: Who may give it.
        help: One sentence, the msgid of the help text.
        example: Arguments as they are typed, a msgid with context `word`; "" for none.
        example_means: What the example does, a msgid; "" if it speaks for itself.
    """

    plugin: str
    name: str
    handler: Handler = field(eq=False)
    words: str
    parameters: tuple[Parameter, ...]
    also: str = ""
    where: Where = Where.ANY
    when: When = When.ALWAYS
    when_in_channel: When | None = None
    when_bare: When | None = None
    shouted: bool = False
    rights: Rights = Rights.ANYBODY
    help: str = ""
    example: str = ""
    example_means: str = ""

    def __attrs_post_init__(self) -> None:
        """Refuse words that cannot be read, at load and not at the first use."""
        for words in filter(None, (self.words, self.also)):
            parse_words(words)

    def phase(self, *, in_query: bool, bare: bool = False) -> When:
        """Tell which phase counts where the line was said, and whether the word was *bare*."""
        if bare and self.when_bare is not None:
            return self.when_bare
        if in_query or self.when_in_channel is None:
            return self.when
        return self.when_in_channel

    def usage(self, ctx: Context) -> str:
        """Write how the command is typed in this channel."""
        first = parse_words(spelling(ctx.translator, self.words))[0]
        return " ".join(
            [
                first.shown(ctx.prefix),
                *(part.usage(ctx.translator) for part in self.parameters),
            ]
        )

    def parse(self, text: str, ctx: Context) -> list[object]:
        """Read the arguments from the text behind the word.

        Raises:
            UsageError: Something is missing, too much, or cannot be read.
        """
        rest, values = text.strip(), []
        for parameter in self.parameters:
            if parameter.repeated:
                values += [parameter.convert(word, ctx) for word in rest.split()]
                return values
            word, rest = (rest, "") if parameter.rest else _first_word(rest)
            if word:
                values.append(parameter.convert(word, ctx))
            elif parameter.required:
                raise UsageError("Something is missing: {name}.", name=ctx.t(parameter.name))
            else:
                values.append(parameter.default)
        if rest:
            raise UsageError("“{text}” is too much.", text=rest)
        return values


def _first_word(text: str) -> tuple[str, str]:
    word, rest = [*text.split(maxsplit=1), "", ""][:2]  # a Chinese keyboard has a space of its own
    return word, rest


@frozen
class Invocation:
    """A command found in a line, with its arguments still as text or already read.

    Attributes:
        command: The command.
        arguments: The text behind the word.
        values: Arguments that a bare reader has read already, else None.
        bare: Whether it was written without the prefix: everyday words, never answered with a
            refusal in a channel.
        word: The word as it was typed, folded; "" if a reader found the command.
    """

    command: Command
    arguments: str = ""
    values: Sequence[object] | None = None
    bare: bool = True
    word: str = ""
