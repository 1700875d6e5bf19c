"""`gamebot init`: a first configuration from a few questions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
from attrs import frozen

from gamebot.config import (
    LANGUAGES,
    ChannelDefaults,
    Config,
    NetworkConfig,
    ServerConfig,
    load_config,
)
from gamebot.config.structure import show_path
from gamebot.errors import ConfigError

if TYPE_CHECKING:
    _Type = click.ParamType[str]
else:
    _Type = click.ParamType  # not generic before click 8.2


@frozen(kw_only=True)
class Answers:
    """What was asked.

    Attributes:
        network: Name of the network.
        server: Host name.
        port: TCP port.
        tls: Whether the connection is encrypted.
        nick: The bot's nick.
        channels: Channels to join.
        language: Language of the answers.
        game: Plugin to play with.
        owner: Services account of the bot's owner, "" for nobody.
        account: Services account of the bot, "" for none.
    """

    network: str
    server: str
    port: int
    tls: bool
    nick: str
    channels: tuple[str, ...]
    language: str
    game: str
    owner: str
    account: str


class Checked(_Type):
    """An answer that is checked as the configuration will be, and asked again at once.

    Args:
        kind: Class of the configuration.
        key: Its field whose validator is asked.
        wrap: Turns the answer into a value of that field.
    """

    name = "text"

    def __init__(self, kind: type, key: str, wrap: Callable[[str], Any] = str) -> None:
        self._attribute, self._wrap = attrs.fields_dict(kind)[key], wrap

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the answer as it is, or fail."""
        if value and self._attribute.validator:
            try:
                self._attribute.validator(None, self._attribute, self._wrap(value))
            except ConfigError as error:
                self.fail("; ".join(error.faults), param, ctx)
            except ValueError as error:
                self.fail(str(error), param, ctx)
        return value


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


@frozen
class Question:
    """One question, which is an option as well.

    Attributes:
        key: Field of `Answers`.
        text: What is asked.
        default: Answer if there is none.
        type: What checks it.
    """

    key: str
    text: str
    default: object
    type: click.ParamType[Any] = click.STRING


QUESTIONS = (
    Question(
        "network",
        "Name of the network",
        "libera",
        Checked(Config, "networks", lambda text: {text: None}),
    ),
    Question("server", "Server", "irc.libera.chat", Checked(ServerConfig, "host")),
    Question("tls", "Encrypted (TLS)", default=True, type=click.BOOL),
    Question("port", "Port", 6697, click.IntRange(1, 65_535)),
    Question("nick", "Nick of the bot", "gamebot", Checked(NetworkConfig, "nick")),
    Question(
        "channels",
        "Channels, with spaces between",
        "#gamebot",
        Checked(NetworkConfig, "channels", lambda text: dict.fromkeys(_split(text))),
    ),
    Question("language", "Language", "en", click.Choice(LANGUAGES)),
    Question("game", "Game", "kniffel", Checked(ChannelDefaults, "plugins", lambda text: (text,))),
    Question(
        "owner",
        "Your own services account (empty: none)",
        "",
        Checked(NetworkConfig, "owners", lambda text: (text,)),
    ),
    Question(
        "account",
        "The bot's services account (empty: none)",
        "",
        Checked(NetworkConfig, "sasl_user"),
    ),
)


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for question in reversed(QUESTIONS):
        names = f"--{question.key}"
        if question.type is click.BOOL:
            names += f"/--no-{question.key}"
        text = f"{question.text}  [default: {question.default}]"
        option = click.option(names, type=question.type, default=None, help=text)
        command = option(command)
    return command


@click.command()
@click.argument(
    "path", type=click.Path(path_type=Path, dir_okay=False), default=Path("gamebot.toml")
)
@click.option("--yes", is_flag=True, help="Ask nothing; what no option says has its default.")
@click.option("--force", is_flag=True, help="Overwrite PATH.")
@_options
def init(path: Path, *, yes: bool, force: bool, **given: object) -> None:
    """Write a first configuration to PATH (gamebot.toml), after a few questions."""
    if path.exists() and not force:
        raise click.ClickException(f"{path} exists; --force overwrites it")
    answers = ask(given, yes=yes)
    # A password is never an option: the list of processes would show it.
    password = click.prompt("Its password", hide_input=True) if answers.account else ""
    write(path, answers, password)
    click.echo(f"{path} is written. Next: gamebot check {path}, then gamebot run {path}")


def ask(given: Mapping[str, object], *, yes: bool) -> Answers:
    """Take what the options say, and ask for the rest unless *yes*."""
    values: dict[str, Any] = {}
    for question in QUESTIONS:
        value, default = given[question.key], question.default
        if question.key == "port" and not values["tls"]:
            default = 6667
        if value is None and yes:
            value = default
        elif value is None:
            value = click.prompt(question.text, default=default, type=question.type)
        values[question.key] = value
    return Answers(**values | {"channels": _split(values["channels"])})


def write(path: Path, answers: Answers, password: str) -> None:
    """Write the file, and the password into one beside it; both for the owner's eyes only.

    Raises:
        ConfigError: The answers do not make a valid configuration; nothing is left behind.
    """
    secret = path.with_name(f"{path.stem}.password")
    draft, secret_draft = (file.with_name(f".{file.name}.new") for file in (path, secret))
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write_private(secret_draft, f"{password}\n")
        _write_private(draft, compose(answers, secret_draft.name))
        load_config(draft, {})
        _write_private(draft, compose(answers, secret.name))
        if password:
            secret_draft.replace(secret)
        draft.replace(path)
    finally:
        for file in (draft, secret_draft):
            file.unlink(missing_ok=True)


def _write_private(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def compose(answers: Answers, secret: str) -> str:
    """Write the answers as commented TOML.

    Args:
        answers: What was asked.
        secret: Name of the file that holds the password.
    """
    login = [
        "# Log in to services (SASL); the password is in a file of its own.",
        *_login(answers, secret),
    ]
    channels = [
        f"[{show_path(['networks', answers.network, 'channels', channel])}]"
        for channel in answers.channels
    ]
    return "\n".join(
        [
            "# Configuration of gamebot. Every key is described in docs/operating.md;",
            "# `gamebot check` finds mistakes. Paths are relative to this file's folder.",
            "",
            'database = "gamebot.sqlite3"',
            'log_level = "info"',
            "",
            "# What channels do unless they say otherwise.",
            "[defaults]",
            f"language = {_quoted(answers.language)}  # {', '.join(LANGUAGES)}",
            f"plugins = [{_quoted(answers.game)}]",
            '# prefix = "!"  # without it each game has its own',
            "",
            "# Settings of a game are a table of its name.",
            f"# [defaults.{answers.game}]",
            "",
            f"[{show_path(['networks', answers.network])}]",
            "servers = [",
            f"    {{ host = {_quoted(answers.server)}, port = {answers.port}, "
            f"tls = {_word(on=answers.tls)} }},",
            "]",
            f"nick = {_quoted(answers.nick)}",
            "# Services accounts that own the bot.",
            f"owners = [{_quoted(answers.owner) if answers.owner else ''}]",
            *login,
            "",
            "# Each channel may have a language, a prefix, plugins, a key, ops and settings.",
            *channels,
            "",
        ]
    )


def _login(answers: Answers, secret: str) -> Sequence[str]:
    if not answers.account:
        return [
            '# sasl = "required"',
            '# sasl_user = ""',
            f"# sasl_password_file = {_quoted(secret)}",
        ]
    return [
        'sasl = "required"',
        f"sasl_user = {_quoted(answers.account)}",
        f"sasl_password_file = {_quoted(secret)}",
    ]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _word(*, on: bool) -> str:
    return "true" if on else "false"
