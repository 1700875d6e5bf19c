"""A bot with everything it comes with, among people who may and who may not."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, evolve, field

from gamebot.config.grants import Grants, parse_trusted_mask
from gamebot.testing.session import Session

CHANNEL = "#dice"

GRANTS = Grants(
    owners=("olga_account",),
    admins=("adam_account",),
    owner_masks=(parse_trusted_mask("maria!*@home.example"),),
    admin_masks=(parse_trusted_mask("*!*@office.example"),),
)


@define(eq=False)
class House:
    """One network with people in and around a channel.

    Attributes:
        session: Everything else.
    """

    session: Session
    _since: int = field(default=0)

    @property
    def link(self):
        return self.session.link()

    @property
    def channel(self):
        return self.session.channel(CHANNEL)

    async def says(self, nick: str, text: str, channel: str = CHANNEL) -> list[str]:
        """Let *nick* speak in a channel; return what the bot answers."""
        return await self._do(lambda: self.link.say(nick, text, channel))

    async def asks(self, nick: str, text: str) -> list[str]:
        """Let *nick* speak in a query; return what the bot answers."""
        return await self._do(lambda: self.link.say(nick, text, None))

    async def _do(self, act: Callable[[], None]) -> list[str]:
        since = len(self.session.heard)
        act()
        await self.session.settle()
        return [heard.plain for heard in self.session.heard[since:]]

    async def restart(self) -> None:
        await self.session.restart()

    def from_host(self, nick: str, userhost: str) -> None:
        """Let *nick* come from *userhost*."""
        user, _, host = userhost.partition("@")
        self.link.change(nick, evolve(self.link.person(nick), user=user, host=host))


def said(answers: list[str], pattern: str) -> bool:
    """Whether one of *answers* is found by *pattern*."""
    return any(re.search(pattern, line) for line in answers)
