"""One channel with people in it: the shortest way to test a plugin.

```python
async def test_tea(open_room):
    room = await open_room("tea.py")
    await room.says("anna", "!tea 5m")
    await room.nick("anna", "anja")
    await room.passes("5m")
    assert room.heard("anja: your tea is ready")
```
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from gamebot.config.profile import ChannelProfile
from gamebot.events import LeftHow
from gamebot.plugin.commands import parse_duration
from gamebot.plugin.loading import load_file, register
from gamebot.plugin.registry import Registry
from gamebot.testing.session import Session
from gamebot.testing.transcript import text_settings

CHANNEL = "#room"


@define(eq=False)
class Room:
    """A channel with the bot in it; `open_room` makes one.

    Attributes:
        session: The session around it, for whatever is not here.
        plugin: Name of the plugin under test.
    """

    session: Session
    plugin: str
    _since: int = field(default=0)

    async def says(self, nick: str, text: str) -> None:
        """Let *nick* say *text*; who is not there yet joins first."""
        self._mark()
        self.session.link().say(nick, text, CHANNEL)
        await self.session.settle()

    async def asks(self, nick: str, text: str) -> None:
        """Let *nick* send *text* in a query to the bot."""
        self._mark()
        self.session.link().say(nick, text, None)
        await self.session.settle()

    async def joins(self, *nicks: str) -> None:
        """Let people join."""
        self._mark()
        for nick in nicks:
            self.session.link().join(nick, CHANNEL)
        await self.session.settle()

    async def nick(self, old: str, new: str) -> None:
        """Let *old* change nick to *new*."""
        self._mark()
        self.session.link().nick(old, new)
        await self.session.settle()

    async def parts(self, nick: str) -> None:
        """Let *nick* leave the channel."""
        self._mark()
        self.session.link().leave(nick, CHANNEL, LeftHow.PART)
        await self.session.settle()

    async def quits(self, nick: str, reason: str = "") -> None:
        """Let *nick* leave the network."""
        self._mark()
        self.session.link().quit(nick, reason)
        await self.session.settle()

    async def kicks(self, nick: str, victim: str) -> None:
        """Let *nick* kick *victim*."""
        self._mark()
        self.session.link().leave(victim, CHANNEL, LeftHow.KICK, by=nick)
        await self.session.settle()

    def op(self, nick: str) -> None:
        """Give op to *nick*."""
        self.session.link().op(nick, CHANNEL)

    async def passes(self, span: str) -> None:
        """Let time pass: `90s`, `5m`, `1h`; timers fire in order."""
        self._mark()
        await self.session.pass_time(parse_duration(span))

    async def restarts(self) -> None:
        """Kill the bot as `kill -9` does and start it again."""
        self._mark()
        await self.session.restart()

    def _mark(self) -> None:
        self._since = len(self.session.heard)

    @property
    def lines(self) -> list[str]:
        """What the bot said since the last thing that happened, formatting codes removed."""
        return [heard.plain for heard in self.session.heard[self._since :]]

    def heard(self, pattern: str) -> bool:
        """Whether the bot said something that *pattern* finds since the last thing happened."""
        return any(re.search(pattern, line) for line in self.lines)

    @property
    def view(self) -> dict[str, Any]:
        """The public view of the plugin's game."""
        return self.session.channel(CHANNEL).view(self.plugin)


def load(plugin: str | Path | object) -> Registry:
    """Load the plugin under test: a file, a folder, or a module with the hook.

    Raises:
        PluginError: It cannot be loaded.
    """
    if isinstance(plugin, str | Path):
        path = Path(plugin)
        file = path / "__init__.py" if path.is_dir() else path
        return register(path.stem, load_file(path.stem, file))
    name = str(getattr(plugin, "__name__", "plugin")).rpartition(".")[2]
    return register(name.removeprefix("gamebot_"), plugin)


async def open_room(
    plugin: str | Path | object,
    *,
    language: str = "en",
    prefix: str | None = None,
    seed: str = "0",
    settings: Mapping[str, str] | None = None,
) -> Room:
    """Start a bot with one plugin in one channel; whoever calls this calls `session.stop`.

    Args:
        plugin: A file, a folder, or a module with the hook.
        language: Language of the channel.
        prefix: Command prefix; None is the game's own, else `!`.
        seed: Decides everything that chance decides.
        settings: The plugin's settings, as text.
    """
    registry = load(plugin)
    session = Session({registry.plugin: registry}, seed=seed)
    session.add_network("testnet")
    session.add_channel(
        "testnet",
        ChannelProfile(
            name=CHANNEL,
            language=language,
            prefix=prefix,
            plugins=(registry.plugin,),
            settings=text_settings([registry], settings or {}),
        ),
    )
    await session.start()
    return Room(session, registry.plugin)
