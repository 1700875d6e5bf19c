"""The bot as its operator runs it: `python -m gamebot run CONFIG`, a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from .servers import STOP_TIMEOUT_S, Daemon, IrcServer

# ngircd, as it ships, takes nicks of at most 9 characters.
BOT = "knobel"
STALE_VARIABLES = "GAMEBOT_"


@frozen(kw_only=True)
class BotNetwork:
    """One network in the bot's configuration.

    Attributes:
        name: Its name there.
        server: Where it is.
        tls: Over TLS.
        private_ca: Whether it trusts the server's private CA instead of the system's.
        port: Another port than the server's usual one.
        nick: Nick that the bot wants.
        channels: Channels to be in.
        more: Further keys of the network, e.g. `sasl`; they win over the ones above.
    """

    name: str
    server: IrcServer
    tls: bool = True
    private_ca: bool = True
    port: int | None = None
    nick: str = BOT
    channels: Sequence[str] = ("#kniffel",)
    more: Mapping[str, Any] = field(factory=dict)

    def toml(self) -> str:
        """Write the network's table."""
        server = self.server
        port = self.port or (server.tls_port if self.tls else server.port)
        keys: dict[str, Any] = {"nick": self.nick, "channels": list(self.channels)}
        if self.tls and self.private_ca:
            keys["tls_ca_file"] = str(server.authority.ca_file)
        # The certificate names localhost and the address; a name is what operators write.
        address = f'{{ host = "localhost", port = {port}, tls = {json.dumps(self.tls)} }}'
        lines = [f"{key} = {_toml(value)}" for key, value in {**keys, **self.more}.items()]
        return "\n".join([f"[networks.{self.name}]", f"servers = [{address}]", *lines, ""])


@define(kw_only=True)
class BotProcess(Daemon):
    """A bot in its own folder: configuration, database and log stay there between its lives."""

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "gamebot.sqlite3"

    async def kill(self) -> None:
        """End the process without warning (SIGKILL)."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.wait, STOP_TIMEOUT_S)
        self.process = None

    async def terminate(self) -> int:
        """Ask the process to end (SIGTERM); return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self, timeout_s: float = STOP_TIMEOUT_S) -> int:
        """Wait until the process has ended by itself; return its exit code."""
        assert self.process is not None
        code = await asyncio.to_thread(self.process.wait, timeout_s)
        self.process = None
        return code

    async def logged(self, text: str, *, timeout_s: float = 30.0) -> str:
        """Wait until a line of the log holds *text*; return the first such line."""
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    for line in self.log_text().splitlines():
                        if text in line:
                            return line
                    await asyncio.sleep(0.1)
        except TimeoutError:
            msg = f"{text!r} was not logged within {timeout_s:g} s:\n{self.log_tail()}"
            raise TimeoutError(msg) from None

    def log_text(self) -> str:
        """Return what this life and the earlier ones have logged."""
        return self.logs[0].read_text(encoding="utf-8", errors="replace")

    def rss_mib(self) -> float:
        """Return the resident memory in MiB."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(kib) / 1024

    async def _ready(self) -> bool:
        return self.running


def make_bot(
    folder: Path, *networks: BotNetwork, defaults: Mapping[str, Any] | None = None
) -> BotProcess:
    """Write a configuration into *folder* for a bot that is not started yet.

    Args:
        folder: Its own folder.
        networks: Networks to be on.
        defaults: Keys of `[defaults]`; German Kniffel with the prefix "." if not given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    conf = folder / "gamebot.toml"
    defaults = defaults or {"language": "de", "prefix": ".", "plugins": ["kniffel"]}
    conf.write_text(
        "\n".join(
            [
                'database = "gamebot.sqlite3"',
                'log_level = "info"',
                "",
                "[defaults]",
                *(f"{key} = {_toml(value)}" for key, value in defaults.items()),
                "",
                *(network.toml() for network in networks),
            ]
        ),
        encoding="utf-8",
    )
    # A developer's own settings must not reach the bot under test.
    environment = {k: v for k, v in os.environ.items() if not k.startswith(STALE_VARIABLES)}
    return BotProcess(
        name="gamebot",
        folder=folder,
        command=[sys.executable, "-m", "gamebot", "run", str(conf)],
        environment={**environment, "PYTHONWARNINGS": "default", "NO_COLOR": "1"},
        logs=(folder / "gamebot.log",),
    )


def _toml(value: object) -> str:
    """Write a text, number, boolean or list of these, which TOML writes as JSON does."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
