"""What goes wrong on real networks, and what the bot does about it."""

from __future__ import annotations

import asyncio
import hashlib
import re
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .bot_process import BOT, BotNetwork, BotProcess, make_bot
from .players import Player, people, player
from .servers import Daemon, IrcServer, running

CHANNEL = "#kniffel"
PASSWORD = "secret-of-the-bot"

MakeBot = Callable[[BotNetwork], BotProcess]


@pytest.fixture
def make(tmp_path: Path, daemons: list[Daemon]) -> Iterator[MakeBot]:
    """Make a bot for one network; its log must hold no traceback, and is shown on a failure."""
    made: list[BotProcess] = []

    def make_one(network: BotNetwork) -> BotProcess:
        bot = make_bot(tmp_path / "bot", network)
        daemons.append(bot)
        made.append(bot)
        return bot

    yield make_one
    for bot in made:
        assert "Traceback" not in bot.log_text(), bot.log_tail()


async def answers(asker: Player, channel: str, bot: str = BOT, timeout_s: float = 10.0) -> None:
    """Ask who plays in *channel*, and wait for the answer."""
    asker.pass_all()
    asker.say(channel, ".spieler")
    await asker.hear("Niemand spielt", source=bot, timeout_s=timeout_s)


# TLS


@pytest.mark.parametrize(
    ("port", "trusted", "why"),
    [
        ("self_signed", True, "self-signed certificate"),
        ("wrong_host", True, "Hostname mismatch"),
        ("trusted", False, "unable to get local issuer certificate"),
    ],
)
async def test_a_certificate_that_proves_nothing_is_refused(
    inspircd: IrcServer, make: MakeBot, port: str, trusted: bool, why: str
) -> None:
    ports = {**inspircd.bad_tls_ports, "trusted": inspircd.tls_port}
    bot = make(BotNetwork(name="net", server=inspircd, port=ports[port], private_ca=trusted))
    async with running(bot):
        line = await bot.logged("CERTIFICATE_VERIFY_FAILED")
        assert "link_down" in line
        assert why in line
    assert "link_up" not in bot.log_text()
    assert BOT not in inspircd.log_tail()


async def test_a_pin_lets_in_one_certificate_and_no_other(
    inspircd: IrcServer, make: MakeBot
) -> None:
    pem = (inspircd.authority.folder / "self_signed.pem").read_text(encoding="ascii")
    pin = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()
    bot = make(
        BotNetwork(
            name="net",
            server=inspircd,
            more={"tls_pin": pin},
            port=inspircd.bad_tls_ports["self_signed"],
        )
    )
    async with running(bot):
        await bot.logged("link_up")
    other = make(BotNetwork(name="net", server=inspircd, more={"tls_pin": pin}))
    other.logs = (other.folder / "other.log",)
    async with running(other):
        assert "pinned" in await other.logged("link_down")


# Losing the server, the channel, the nick


@pytest.mark.long
async def test_the_bot_returns_after_the_server_was_away(
    inspircd: IrcServer, make: MakeBot
) -> None:
    """In every channel again, with at most 10 connections in 10 minutes."""
    channels = ["#one", "#two", "#three"]
    bot = make(BotNetwork(name="net", server=inspircd, channels=channels))
    async with people(inspircd, "wanda") as (wanda,), running(bot):
        for channel in channels:
            await wanda.join(channel)
            await wanda.until_member(channel, BOT)
        await inspircd.restart(down_s=10)
        await wanda.wait_closed()
        await wanda.come(within_s=20)
        for channel in channels:
            await wanda.join(channel)
            await wanda.until_member(channel, BOT, timeout_s=90)
        await answers(wanda, "#three")
    assert bot.log_text().count("connecting") <= 8


@pytest.mark.long
async def test_the_bot_returns_after_each_of_five_kicks(inspircd: IrcServer, make: MakeBot) -> None:
    """By itself, later each time; at once when it is invited."""
    bot = make(BotNetwork(name="net", server=inspircd))
    async with people(inspircd, "wanda") as (wanda,):
        await wanda.join(CHANNEL)
        async with running(bot):
            await wanda.until_member(CHANNEL, BOT)
            for number in range(5):
                await wanda.kick(CHANNEL, BOT, f"kick {number}")
                if number >= 2:
                    wanda.send(f"INVITE {BOT} {CHANNEL}")
                await wanda.until_member(CHANNEL, BOT, timeout_s=30)
                await answers(wanda, CHANNEL)
            assert bot.log_text().count("link_up") == 1


@pytest.mark.parametrize(
    "shared",
    [
        pytest.param(True, id="in_sight"),
        pytest.param(False, id="out_of_sight", marks=pytest.mark.long),
    ],
)
async def test_a_taken_nick_is_regained(ngircd: IrcServer, make: MakeBot, shared: bool) -> None:
    """At once when the holder is seen to leave, else within the time of a question."""
    bot = make(BotNetwork(name="net", server=ngircd, tls=False, more={"alternatives": ["knobel2"]}))
    async with people(ngircd, "wanda", BOT) as (wanda, holder):
        await wanda.join(CHANNEL)
        if shared:
            await holder.join(CHANNEL)
        async with running(bot):
            await wanda.until_member(CHANNEL, "knobel2")
            await answers(wanda, CHANNEL, "knobel2")
            await holder.quit()
            wanted = rf"^:knobel2!\S+ NICK :?{BOT}$"
            await wanda.wait_for(wanted, 5 if shared else 45, since=0)
            await answers(wanda, CHANNEL)


# Many channels


async def test_sixty_channels_are_joined_without_a_flood(
    inspircd: IrcServer, make: MakeBot
) -> None:
    """The server never takes offence, and the first answer does not wait for the last channel."""
    loop = asyncio.get_running_loop()
    channels = [f"#room{number}" for number in range(60)]
    bot = make(BotNetwork(name="net", server=inspircd, channels=channels))
    async with people(inspircd, "wanda") as (wanda,):
        await wanda.join(channels[-1])
        async with running(bot):
            await bot.logged("link_up")
            connected = loop.time()
            await wanda.until_member(channels[-1], BOT, timeout_s=60)
            joined_s = loop.time() - connected
            await answers(wanda, channels[-1])
            print(f"in 60 channels {joined_s:.1f} s after the link was up")
            assert joined_s < 15
            assert await channels_of(wanda, BOT) >= {*channels}
            # What it asks about its channels may take longer, and must not be too fast either.
            await asyncio.sleep(10)
            await answers(wanda, channels[-1])
            assert "link_down" not in bot.log_text()


async def channels_of(asker: Player, nick: str) -> set[str]:
    """Ask with WHOIS where *nick* is."""
    since = len(asker.messages)
    asker.send(f"WHOIS {nick}")
    await asker.answer(lambda m: m.command == "318")
    replies = [m.text for m in asker.messages[since:] if m.command == "319"]
    return {name.lstrip("@+") for reply in replies for name in reply.split()}


# Services


@pytest.fixture
async def bots_account(inspircd_with_services: IrcServer) -> IrcServer:
    """A server where the bot has an account of its nick's name."""
    async with player(inspircd_with_services, BOT) as owner:
        await owner.register_account(PASSWORD, "bot@inspircd.test")
    return inspircd_with_services


def login(server: IrcServer, password: str, sasl: str = "required") -> BotNetwork:
    more = {"sasl": sasl, "sasl_user": BOT, "sasl_password": password}
    return BotNetwork(name="net", server=server, more=more)


async def test_sasl_plain_logs_in(bots_account: IrcServer, make: MakeBot) -> None:
    bot = make(login(bots_account, PASSWORD))
    async with people(bots_account, "wanda") as (wanda,), running(bot):
        await wanda.join(CHANNEL)
        await wanda.until_member(CHANNEL, BOT)
        wanda.send(f"WHOIS {BOT}")
        account = await wanda.answer(lambda m: m.command in {"330", "318"})
        assert account.params[1:3] == (BOT, BOT)
        assert account.command == "330"
    assert PASSWORD not in bot.log_text()


async def test_a_wrong_password_fails_loudly_where_a_login_is_required(
    bots_account: IrcServer, make: MakeBot
) -> None:
    bot = make(login(bots_account, "wrong-password"))
    async with running(bot):
        line = await bot.logged("login_failed")
        assert re.search(r"\[error", line)
        await bot.logged("link_down")
        await asyncio.sleep(5)
        assert bot.log_text().count("connecting") == 1, "it tried again at once"
    assert "link_up" not in bot.log_text()
    assert "wrong-password" not in bot.log_text()


async def test_a_wrong_password_is_told_where_a_login_is_optional(
    bots_account: IrcServer, make: MakeBot
) -> None:
    bot = make(login(bots_account, "wrong-password", "optional"))
    async with people(bots_account, "wanda") as (wanda,), running(bot):
        await wanda.join(CHANNEL)
        await wanda.until_member(CHANNEL, BOT)
        assert "[warning" in await bot.logged("login_failed")
        await answers(wanda, CHANNEL)


async def test_a_required_login_that_is_not_offered_fails_loudly(
    ngircd: IrcServer, make: MakeBot
) -> None:
    more = {"sasl": "required", "sasl_user": BOT, "sasl_password": PASSWORD}
    bot = make(BotNetwork(name="net", server=ngircd, more=more))
    async with running(bot):
        assert "[error" in await bot.logged("login_failed")
    assert "link_up" not in bot.log_text()


async def test_a_nick_that_is_too_long_is_shortened(ngircd: IrcServer, make: MakeBot) -> None:
    bot = make(BotNetwork(name="net", server=ngircd, tls=False, nick="kniffelbot"))
    async with people(ngircd, "wanda") as (wanda,), running(bot):
        await wanda.join(CHANNEL)
        await wanda.until_member(CHANNEL, "kniffelbo")
        await answers(wanda, CHANNEL, "kniffelbo")
