"""Who is who, on servers with services and without."""

from __future__ import annotations

from pathlib import Path

from .bot_process import BOT, BotNetwork, make_bot
from .players import Player, people, player
from .servers import Daemon, IrcServer, running

CHANNEL = "#kniffel"
ENGLISH = {"language": "en", "prefix": ".", "plugins": ["kniffel"]}
PASSWORD = "secret-of-anna"


async def asks(somebody: Player, text: str, answer: str) -> None:
    """Let *somebody* ask in a query and wait for the answer, the first that comes from now on."""
    somebody.pass_all()
    somebody.say(BOT, text)
    line = await somebody.next_line(BOT, somebody.nick)
    assert answer in line, somebody.recent()


async def test_an_owner_is_known_by_the_services_account(
    inspircd_with_services: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """At once after a join and after a nick change, not after logout; the nick alone is nothing."""
    server = inspircd_with_services
    bot = make_bot(
        tmp_path / "bot",
        BotNetwork(name="services", server=server, more={"owners": ["anna"]}),
        defaults=ENGLISH,
    )
    daemons.append(bot)
    async with player(server, "anna") as anna:
        await anna.register_account(PASSWORD, "anna@inspircd.test")
    async with running(bot), people(server, "watcher") as (watcher,):
        await watcher.join(CHANNEL)
        await watcher.until_member(CHANNEL, BOT)
        async with player(server, "ann", sasl=("anna", PASSWORD)) as owner:
            await asks(owner, "networks", "services: connected as")  # shares no channel
            await owner.join(CHANNEL)
            await asks(owner, "whoami", "You are an owner of the bot: your services account is")
            await owner.change_nick("annie")
            await asks(owner, "whoami", "You are an owner of the bot")
            async with player(server, "anna") as impostor:
                await impostor.join(CHANNEL)
                await asks(impostor, "whoami", "not logged in to services")
                await asks(impostor, "shutdown", "Only an owner of the bot may do that")
            owner.say("NickServ", "LOGOUT")
            await owner.hear("logged out", source="NickServ")
            await asks(owner, "whoami", "no rights beyond playing")
            await asks(owner, "shutdown", "Only an owner of the bot may do that")
            owner.say("NickServ", f"IDENTIFY anna {PASSWORD}")
            await owner.hear("now identified|logged in", source="NickServ")
            await asks(owner, "shutdown", "I end now")
            assert await bot.ended() == 0
    log = bot.log_text()
    assert "command_refused" in log
    assert "admin_command" in log
    assert "Traceback" not in log, bot.log_tail()


async def test_who_was_there_before_the_bot_is_known_too(
    inspircd_with_services: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """No JOIN told the account; the bot asks for it."""
    server = inspircd_with_services
    bot = make_bot(
        tmp_path / "bot",
        BotNetwork(name="services", server=server, more={"owners": ["anna"]}),
        defaults=ENGLISH,
    )
    daemons.append(bot)
    async with player(server, "anna") as anna:
        await anna.register_account(PASSWORD, "anna@inspircd.test")
        await anna.join(CHANNEL)
        async with running(bot):
            await anna.until_member(CHANNEL, BOT)
            await asks(anna, "whoami", "You are an owner of the bot")


async def test_without_services_masks_give_rights(
    ngircd: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """ngircd tells no accounts: the bot says so; a mask with the literal host works."""
    async with people(ngircd, "anna", "mallory") as (anna, mallory):
        for each in (anna, mallory):
            await each.join(CHANNEL)
        source = next(m.source for m in anna.messages if m.command == "JOIN" and m.nick == "anna")
        host = source.rpartition("@")[2]
        more = {"owner_masks": [f"anna!*@{host}"], "owners": ["mallory"]}
        bot = make_bot(
            tmp_path / "bot",
            BotNetwork(name="plain", server=ngircd, tls=False, more=more),
            defaults=ENGLISH,
        )
        daemons.append(bot)
        async with running(bot):
            await anna.until_member(CHANNEL, BOT)
            await asks(mallory, "whoami", "account features are off")
            await asks(mallory, "shutdown", "Only an owner of the bot may do that")
            await asks(anna, "whoami", "owner of the bot: you match the mask anna!*@")
            await anna.change_nick("annie")
            await asks(anna, "networks", "Only an admin of the bot may do that")
            await mallory.change_nick("mall")
            await anna.change_nick("anna")
            await asks(anna, "networks", "plain: connected as")
            anna.pass_all()
            anna.say(CHANNEL, ".set turn_timeout_s 90")
            await anna.hear("kniffel.turn_timeout_s is 90s", source=BOT, target=CHANNEL)
            await bot.kill()
            await anna.until_gone(CHANNEL, BOT)
            await bot.start()
            await anna.until_member(CHANNEL, BOT)
            await asks(anna, "set turn_timeout_s", "is 90s, set for this channel by anna")
            await asks(anna, "join #more", "I go to #more")
            await anna.join("#more")
            await anna.until_member("#more", BOT)
            assert await bot.terminate() == 0
    assert "Traceback" not in bot.log_text(), bot.log_tail()


async def test_an_owner_is_known_by_the_client_certificate(
    inspircd: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """At once after a join and after a nick change; who takes the nick next is nobody."""
    more = {"owner_certificates": [inspircd.authority.fingerprint()]}
    bot = make_bot(
        tmp_path / "bot",
        BotNetwork(name="certified", server=inspircd, more=more),
        defaults=ENGLISH,
    )
    daemons.append(bot)
    known = "You are an owner of the bot: your client certificate is"
    refused = "Only an owner of the bot may do that"
    async with running(bot), people(inspircd, "mallory", tls=True) as (mallory,):
        await mallory.join(CHANNEL)
        await mallory.until_member(CHANNEL, BOT)
        await asks(mallory, "shutdown", refused)
        async with player(inspircd, "anna", certified=True) as anna:
            await asks(anna, "networks", "certified: connected as")  # shares no channel
            await anna.join(CHANNEL)
            await asks(anna, "whoami", known)
            await anna.change_nick("annie")
            await asks(anna, "whoami", known)
            await asks(mallory, "shutdown", refused)
            since = len(mallory.messages)
            await anna.quit()
            await mallory.answer(lambda m: m.command == "QUIT" and m.nick == "annie", since=since)
        await mallory.change_nick("annie")
        await asks(mallory, "shutdown", refused)
        await asks(mallory, "whoami", "You are an operator of #kniffel")
        await mallory.hear("shows me no client certificate of yours", source=BOT)
        async with player(inspircd, "anna", certified=True) as anna:
            await anna.join(CHANNEL)
            anna.say(BOT, "shutdown")
            assert await bot.ended(30.0) == 0
    assert "Traceback" not in bot.log_text(), bot.log_tail()


async def test_ngircd_tells_nobody_elses_certificate(
    ngircd: IrcServer, tmp_path: Path, daemons: list[Daemon]
) -> None:
    """It tells a fingerprint to its owner alone, so the bot says that it sees none."""
    more = {"owner_certificates": [ngircd.authority.fingerprint()]}
    bot = make_bot(
        tmp_path / "bot", BotNetwork(name="plain", server=ngircd, more=more), defaults=ENGLISH
    )
    daemons.append(bot)
    async with running(bot), player(ngircd, "anna", certified=True) as anna:
        await anna.join(CHANNEL)
        await anna.until_member(CHANNEL, BOT)
        await asks(anna, "shutdown", "Only an owner of the bot may do that")
        await asks(anna, "whoami", "You are anna")
        await anna.hear("This network shows me no client certificate of yours", source=BOT)
    assert "Traceback" not in bot.log_text(), bot.log_tail()
