"""The bot behind a context, for the bundled plugins that look after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamebot.bot.bot import Bot
from gamebot.channel.channel import Channel

if TYPE_CHECKING:
    from gamebot.plugin.context import Context


def channel_of(ctx: Context) -> Channel:
    """Return the channel where *ctx* runs.

    Raises:
        TypeError: It runs in no channel of a bot.
    """
    if not isinstance(ctx.channel, Channel):
        raise TypeError("this plugin needs a channel of a bot")
    return ctx.channel


def bot_of(ctx: Context) -> Bot:
    """Return the bot where *ctx* runs.

    Raises:
        TypeError: It runs in none.
    """
    bot = channel_of(ctx).bot
    if not isinstance(bot, Bot):
        raise TypeError("this plugin needs a bot")
    return bot
