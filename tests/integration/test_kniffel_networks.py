"""Two whole games of Kniffel at once on two networks, while everything goes wrong that may."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from gamebot.testing.ircd.wire import Message

from . import channel_talk as talk
from .bot_process import BOT, BotNetwork, BotProcess, make_bot
from .kniffel_room import CHANNEL, Room, Surprise
from .players import people, plain
from .servers import Daemon, IrcServer, running

RETURN_S = 90.0


@pytest.mark.long
async def test_two_games_at_once_survive_it_all(
    ngircd: IrcServer, inspircd: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """The product's main job: a channel on each of two networks, one of them over TLS."""
    bot = make_bot(
        tmp_path / "bot",
        BotNetwork(name="plain", server=ngircd, tls=False),
        BotNetwork(name="secure", server=inspircd),
    )
    daemons.append(bot)
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(people(ngircd, "wanda", "anna", "bert"))
        two = await stack.enter_async_context(
            people(inspircd, "willi", "carla", "dora", "emil", tls=True)
        )
        for each in (*one, *two):
            await each.join(CHANNEL)
        await stack.enter_async_context(running(bot))
        await asyncio.gather(*(w.until_member(CHANNEL, BOT) for w in (one[0], two[0])))
        first = Room(
            BOT,
            one[0],
            {"Maulwurf": one[1], "bert": one[2]},
            {2: change_nick, 4: quit_and_return, 6: kick_the_bot, 8: restart_the_server},
        )
        second = Room(
            BOT,
            two[0],
            {"carla": two[1], "Egon": two[2], "emil": two[3]},
            {3: change_nick, 5: everybody_asks, 7: kick_the_bot, 9: kill_the_bot(bot)},
        )
        async with asyncio.timeout(300), asyncio.TaskGroup() as games:
            games.create_task(play(first))
            games.create_task(play(second))
        print(f"the bot's memory: {bot.rss_mib():.1f} MiB")
        # The start and the kill -9 on both; a server's restart on one; no other link was lost.
        assert links(bot, "plain") == 3, bot.log_tail()
        assert links(bot, "secure") == 2, bot.log_tail()
        never_flooded(first)
        never_flooded(second)
        assert await bot.terminate() == 0
    assert "Traceback" not in bot.log_text(), bot.log_tail()


@pytest.mark.long
async def test_a_game_survives_a_kill_in_every_round(
    inspircd: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """No move that the bot acknowledged is lost, whenever its process ends; nor is the result."""
    bot = make_bot(tmp_path / "bot", BotNetwork(name="net", server=inspircd, tls=False))
    daemons.append(bot)
    async with people(inspircd, "wanda", "anna") as (wanda, anna), running(bot):
        await wanda.join(CHANNEL)
        await anna.join(CHANNEL)
        await wanda.until_member(CHANNEL, BOT)
        # By turns while the dice are thrown and, as in the last round, while they are entered.
        kills = {
            number: kill_the_bot(bot, moves=1 + number % 2, after_s=random.uniform(0, 0.02))
            for number in range(1, 14)
        }
        async with asyncio.timeout(200):
            await play(Room(BOT, wanda, {"anna": anna}, kills))
        # A result may be said twice, but not once it has been known for a second to be said.
        await asyncio.sleep(2)
        await bot.kill()
        await wanda.until_gone(CHANNEL, BOT)
        since = len(wanda.messages)
        await bot.start()
        await wanda.until_member(CHANNEL, BOT)
        wanda.say(CHANNEL, ".spieler")
        await wanda.hear("Niemand spielt", source=BOT)
        assert wanda.said(CHANNEL, since) == []
    assert "Traceback" not in bot.log_text(), bot.log_tail()


async def play(room: Room) -> None:
    await room.enrol()
    await room.play()


# Surprises: each says whether the player goes on with the turn by themselves.


async def change_nick(room: Room, turn: talk.Turn) -> bool:
    """The seat, and the name at the table, follow."""
    await room.actor.change_nick(f"{room.actor.nick}_new")
    return True


async def quit_and_return(room: Room, turn: talk.Turn) -> bool:
    """The seat is kept until the clock has run down."""
    player = room.actor
    await player.quit("back soon")
    await room.watcher.hear(rf"{turn.name} ist weg", source=room.bot, target=CHANNEL)
    await player.come()
    await player.join(CHANNEL)
    await room.watcher.hear(rf"{turn.name} ist zurück", source=room.bot, target=CHANNEL)
    return True


async def kick_the_bot(room: Room, turn: talk.Turn) -> bool:
    """The bot comes back and says where the game stands."""
    await room.watcher.kick(CHANNEL, room.bot)
    await room.watcher.until_member(CHANNEL, room.bot, timeout_s=RETURN_S)
    return False


async def everybody_asks(room: Room, turn: talk.Turn) -> bool:
    """Five people ask for all cards at once, in a query; each gets every player's total."""
    async with people(room.watcher.server, "frida") as (frida,):
        await frida.join(CHANNEL)
        askers = {each: len(each.messages) for each in [*room.everybody, frida]}
        assert len(askers) == 5
        for each in askers:
            each.say(room.bot, talk.ALL_CARDS)
        for each, since in askers.items():
            for name, sheet in room.sheets.items():
                await each.answer(told(each.nick, f"{name} {sheet.total}:"), since=since)
    return True


def told(nick: str, part: str) -> Callable[[Message], bool]:
    return lambda m: m.command == "NOTICE" and m.params[0] == nick and part in plain(m)


async def restart_the_server(room: Room, turn: talk.Turn) -> bool:
    """Everybody, the bot too, finds the way back; the game goes on."""
    await room.watcher.server.restart(down_s=2)
    for each in room.everybody:
        await each.wait_closed()
        await each.come(within_s=20)
        await each.join(CHANNEL)
    await room.watcher.until_member(CHANNEL, room.bot, timeout_s=RETURN_S)
    return False


def kill_the_bot(bot: BotProcess, *, moves: int = 2, after_s: float = 0.0) -> Surprise:
    """End the bot without warning, *after_s* behind the turn's last of *moves* commands."""

    async def surprise(room: Room, turn: talk.Turn) -> bool:
        room.act()
        for _ in range(moves - 1):
            await room.step()
        await asyncio.sleep(after_s)
        await bot.kill()
        await room.watcher.until_gone(CHANNEL, BOT)
        await bot.start()
        return False

    return surprise


def links(bot: BotProcess, network: str) -> int:
    """Count the links that the bot had to *network*."""
    lines = bot.log_text().splitlines()
    return sum("link_up" in line and f"network={network}" in line for line in lines)


def never_flooded(room: Room) -> None:
    """The server never took offence at how fast the bot spoke."""
    ends = [m.text for m in room.watcher.messages if m.command == "QUIT" and m.nick == room.bot]
    assert not [end for end in ends if re.search("flood|recvq|sendq|excess", end, re.IGNORECASE)]
