"""Odd lines, and the names of pydle on which the subclass depends."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from random import Random

import pydle  # noqa: TID251  the contract with pydle is tested here
import pydle.connection  # noqa: TID251  the same
import pytest
from structlog.testing import capture_logs

import gamebot.irc
from gamebot.events import ChannelUp, LinkUp, Said
from gamebot.irc.client import _LEAST_PARAMS, Client
from gamebot.irc.connection import Connection

ANNA = ":anna!a@host.a"

ODD_LINES = [
    b":x!y@z",
    b":foo",
    b"@a=b",
    b"@a=b :foo",
    b":",
    b"@",
    b" ",
    b"\r",
    b":srv PRIVMSG\rPING :y",
    b"@t=" + b"x" * 9000 + b" :anna!a@host.a PRIVMSG bot :nine kilobytes of tags",
    b":anna!a@host.a PRIVMSG #uno :" + b"x" * 65536,
    b":anna!a@host.a NOTICE #uno :\xff\xfe\x80",
    b":anna!a@host.a NOTICE \xff :\xc3",
    b":a\0b!c@d NOTICE #uno :\0",
    b":srv 376",
    b":srv 376 bot :End of MOTD",
    b":srv 422",
    b":srv 001",
    b":srv 353 bot",
    b":srv 353 bot = #uno :",
    b":srv 353 bot = #uno :@ + @+ !",
    b":srv 366",
    b":srv 324 bot",
    b":srv 352 bot #uno",
    b":srv 354 bot 417",
    b":srv 433",
    b":srv 303",
    b":srv 471",
    b":srv 474 bot",
    b":srv 005 bot",
    b":srv 005 bot PREFIX=(ov CHANMODES=, NICKLEN=x CHANLIMIT=:: MAXLIST TARGMAX= EXTBAN :are",
    b":srv 005 bot CASEMAPPING= CASEMAPPING=rfc7613 =x -CASEMAPPING PREFIX STATUSMSG :are",
    b":anna!a@host.a MODE #uno +oooo bot",
    b":anna!a@host.a MODE #uno",
    b":anna!a@host.a MODE",
    b"MODE #uno +o",
    b":anna!a@host.a JOIN",
    b":anna!a@host.a JOIN :",
    b"JOIN #uno",
    b":anna!a@host.a PART",
    b":anna!a@host.a KICK #uno",
    b":anna!a@host.a KICK",
    b":anna!a@host.a NICK",
    b":anna!a@host.a NICK :",
    b":nobody QUIT",
    b"QUIT",
    b":anna!a@host.a TOPIC",
    b":anna!a@host.a INVITE bot",
    b":anna!a@host.a ACCOUNT",
    b":anna!a@host.a CHGHOST x",
    b":anna!a@host.a PRIVMSG",
    b":anna!a@host.a PRIVMSG bot",
    b":anna!a@host.a PRIVMSG bot :\x01",
    b":anna!a@host.a PRIVMSG bot :\x01VERSION",
    b":anna!a@host.a PRIVMSG bot :\x01DCC SEND file 2130706433 1 1\x01",
    b"CAP",
    b"CAP *",
    b":srv CAP bot LS",
    b":srv CAP bot LS *",
    b":srv CAP bot ACK",
    b":srv CAP bot DEL :account-tag",
    b":srv CAP bot NONSENSE :x",
    b":srv 410",
    b"AUTHENTICATE",
    b"AUTHENTICATE +",
    b":srv 903",
    b":srv 904",
    b":srv 908",
    b":srv 433 bot bot :in use",
    b"PING",
    b"ERROR",
    b":srv 465",
    b":srv 99999999999999999999 x",
    "١٢٣ x".encode(),
    b"on_raw x",
    b"__class__ x",
    b":srv \xc4\xb0 x",
    b"BATCH +x netsplit a b",
    b"FAIL * X :y",
]


async def joined(server, bot):
    session = await server.session()
    await session.register(caps="account-tag extended-join message-tags")
    await bot.event(LinkUp)
    await session.answer_joins(names="anna!a@host.a")
    await bot.event(ChannelUp)
    return session


async def next_said(bot, text):
    while True:
        event = await bot.event(object)
        if isinstance(event, Said) and event.text == text:
            return event


@pytest.mark.parametrize("ending", [b"", b"\r"])
async def test_no_odd_line_ends_the_reader(server, start, ending):
    bot = start()
    session = await joined(server, bot)
    with capture_logs() as logs:
        for number, line in enumerate(ODD_LINES):
            session.writer.write(line + ending + b"\n")
            session.send(f"{ANNA} PRIVMSG bot :{number}", f"PING {number}")
            await next_said(bot, str(number))
            await session.expect(f"PONG {number}")
    assert [one for one in logs if one["log_level"] == "error"] == []
    assert bot.network.connected
    assert bot.network.bad_lines > 10


@pytest.mark.parametrize("seed", range(3))
async def test_random_lines_end_nothing(server, start, seed):
    random = Random(seed)
    verbs = [*_LEAST_PARAMS, "JOIN", "MODE", "353", "366", "324", "005", "KICK", "PART", "PRIVMSG"]
    words = ["bot", "#uno", "anna", "*", "+o", ":", "=", "LS", "ACK", "sasl", "\xff", "@", "+"]
    bot = start()
    session = await joined(server, bot)
    with capture_logs() as logs:
        for _ in range(20_000):
            params = " ".join(random.choices(words, k=random.randrange(6)))
            source = random.choice(["", ":srv ", f"{ANNA} ", ":", "@a=b "])
            session.writer.write(f"{source}{random.choice(verbs)} {params}\r\n".encode("latin-1"))
        session.writer.write(random.randbytes(100_000).replace(b"\n", b"") + b"\r\n")
        session.send("PING done")
        await session.expect("PONG done")
        session.send(":zoe!z@z PRIVMSG bot :alive")
        await next_said(bot, "alive")
    assert [one for one in logs if one["event"] == "line_failed"] == []


async def test_lines_are_handled_one_after_the_other(server, start):
    bot = start()
    session = await joined(server, bot)
    for number in range(500):
        session.send(f":new{number}!u@h PRIVMSG #uno :{number}")
    said = [await bot.event(Said) for _ in range(500)]
    assert [int(one.text) for one in said] == list(range(500))


PARAMETERS = {
    # name: parameters that pydle's own method has; ours takes the same calls
    "handle_forever": ["self"],
    "on_data": ["self", "data"],
    "on_data_error": ["self", "exception"],
    "on_disconnect": ["self", "expected"],
    "on_connect": ["self"],
    "on_raw": ["self", "message"],
    "on_raw_001": ["self", "message"],
    "on_raw_376": ["self", "message"],
    "on_raw_422": ["self", "message"],
    "on_raw_432": ["self", "message"],
    "on_raw_433": ["self", "message"],
    "on_raw_nick": ["self", "message"],
    "on_raw_cap": ["self", "message"],
    "on_raw_cap_ls": ["self", "params"],
    "on_raw_authenticate": ["self", "message"],
    "on_raw_903": ["self", "message"],
    "on_raw_904": ["self", "message"],
    "on_raw_905": ["self", "message"],
    "on_raw_error": ["self", "message"],
    "on_capability_sasl_available": ["self", "value"],
    "on_capability_sasl_enabled": ["self"],
    "on_capability_away_notify_available": ["self", "value"],
    "on_capability_invite_notify_available": ["self", "value"],
    "on_capability_echo_message_available": ["self", "value"],
    "message": ["self", "target", "message"],
    "notice": ["self", "target", "message"],
    "_send": ["self", "input"],
    "_create_user": ["self", "nickname"],
    "_rename_user": ["self", "user", "new"],
    "_sync_user": ["self", "nick", "metadata"],
}

USED = {
    # what the subclass calls but does not override
    "connect": None,
    "rawmsg": ["self", "command", "args", "kwargs"],
    "set_nickname": ["self", "nickname"],
    "on_raw_ping": ["self", "message"],
    "on_raw_cap_ack": ["self", "params"],
    "on_raw_cap_nak": ["self", "params"],
    "on_raw_cap_new": ["self", "params"],
    "on_raw_cap_del": ["self", "params"],
    "on_raw_cap_list": ["self", "params"],
    "on_raw_410": ["self", "message"],
    "_register": ["self"],
    "_registration_completed": ["self", "message"],
    "_capability_negotiated": ["self", "capab"],
}


@pytest.mark.parametrize(("name", "parameters"), {**PARAMETERS, **USED}.items())
def test_pydle_has_what_the_subclass_replaces_and_calls(name, parameters):
    method = getattr(pydle.Client, name)
    assert inspect.iscoroutinefunction(method)
    if parameters:
        assert list(inspect.signature(method).parameters) == parameters


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_subclass_replaces_it(name):
    assert name in vars(Client)
    assert inspect.iscoroutinefunction(vars(Client)[name])
    assert list(inspect.signature(vars(Client)[name]).parameters)[1:] == PARAMETERS[name][1:] or (
        name.startswith("on_capability")
    )


def test_pydle_creates_messages_and_connections_where_we_expect_it():
    assert list(inspect.signature(pydle.Client._create_message).parameters)[:2] == [
        "self",
        "command",
    ]
    taken = inspect.signature(pydle.Client._connect).parameters
    assert {"hostname", "port", "tls"} <= set(taken)
    assert inspect.iscoroutinefunction(pydle.Client._connect)
    for name in ("connect", "recv", "send", "disconnect"):
        assert inspect.iscoroutinefunction(getattr(pydle.connection.Connection, name))
        assert name in vars(Connection)
    assert pydle.CAPABILITY_NEGOTIATING is True
    assert pydle.CAPABILITY_NEGOTIATED is None


def test_no_handler_can_send_whois():
    source = inspect.getsource(Client)
    names = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    assert "whois" not in names
    never = {"PRIVMSG", "NOTICE", "JOIN", "PART", "QUIT", "KICK", "MODE", "353", "354", "005"}
    assert never.isdisjoint(_LEAST_PARAMS)


@pytest.mark.parametrize(
    "module",
    [
        "gamebot.irc",
        "gamebot.irc.options",
        "gamebot.irc.casemapping",
        "gamebot.irc.formatting",
        "gamebot.irc.splitting",
        "gamebot.irc.masks",
    ],
)
def test_pure_modules_do_not_load_pydle(module):
    code = f"import sys, {module}; sys.exit('pydle' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_package_names_what_it_has():
    for name in gamebot.irc.__all__:
        assert getattr(gamebot.irc, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = gamebot.irc.nothing


def test_only_one_subclass_of_pydles_client():
    folder = Path(gamebot.irc.__file__).parent
    found = [path.name for path in folder.glob("*.py") if "(pydle.Client)" in path.read_text()]
    assert found == ["client.py"]
