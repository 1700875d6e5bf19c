"""Voice and topic on real servers, over a kill in the middle of the game."""

from __future__ import annotations

from pathlib import Path

from .bot_process import BOT, BotNetwork, make_bot
from .players import Player, people
from .servers import Daemon, IrcServer, running

CHANNEL = "#uno"
START_S = 90.0
"""What a bot may take to be back on a busy machine, seconds."""
DEFAULTS = {
    "language": "en",
    "prefix": "!",
    "plugins": ["uno"],
    "uno": {"voice": True, "topic": True},
}


async def topic(watcher: Player, text: str) -> None:
    await watcher.wait_for(
        lambda m: m.command == "TOPIC" and m.params[-1] == text and m.nick == BOT
    )


async def modes(watcher: Player, change: str, *nicks: str) -> None:
    await watcher.wait_for(
        lambda m: m.command == "MODE" and list(m.params) == [CHANNEL, change, *nicks]
    )


async def test_on_ngircd(ngircd: IrcServer, tmp_path: Path, daemons: list[Daemon]) -> None:
    await play(ngircd, tmp_path, daemons)


async def test_on_inspircd(inspircd: IrcServer, tmp_path: Path, daemons: list[Daemon]) -> None:
    await play(inspircd, tmp_path, daemons)


async def play(server: IrcServer, tmp_path: Path, daemons: list[Daemon]) -> None:
    """Begin a game, kill the bot, let it come back without op, end the game."""
    network = BotNetwork(name="net", server=server, tls=False, channels=(CHANNEL,))
    bot = make_bot(tmp_path / "bot", network, defaults=DEFAULTS)
    daemons.append(bot)
    async with people(server, "oskar", "anna", "bert") as (oskar, anna, bert):
        for each in (oskar, anna, bert):
            await each.join(CHANNEL)
        oskar.send(f"TOPIC {CHANNEL} :Rules: be kind")
        oskar.send(f"MODE {CHANNEL} +t")
        async with running(bot):
            await give_op(oskar)
            anna.say(CHANNEL, "!unoon")
            anna.say(CHANNEL, "join")
            await oskar.hear("anna plays", source=BOT, target=CHANNEL)
            bert.say(CHANNEL, "join")
            await oskar.hear("bert plays", source=BOT, target=CHANNEL)
            anna.say(CHANNEL, "!unoon")
            await modes(oskar, "+vv", "anna", "bert")
            await topic(oskar, "UNO: anna, bert")
            await bot.kill()
            await oskar.until_gone(CHANNEL, BOT)
            await bot.start()
            await oskar.hear("I am back", source=BOT, target=CHANNEL, timeout_s=START_S)
            await give_op(oskar)
            oskar.say(CHANNEL, "!unooff")
            await modes(oskar, "-vv", "anna", "bert")
            await topic(oskar, "Rules: be kind")
            assert await bot.terminate() == 0
    assert "Traceback" not in bot.log_text(), bot.log_tail()


async def give_op(oskar: Player) -> None:
    await oskar.until_member(CHANNEL, BOT)
    oskar.send(f"MODE {CHANNEL} +o {BOT}")
    await modes(oskar, "+o", BOT)
