"""The connection against a scripted server: registration, chat, losses."""

import asyncio

import pytest
from structlog.testing import capture_logs

from gamebot.clock import VirtualClock
from gamebot.events import (
    ChannelDown,
    ChannelGivenUp,
    ChannelUp,
    Left,
    LinkDown,
    LinkUp,
    NickChanged,
    Said,
)
from gamebot.irc import ServerAddress
from gamebot.ports import OutLine

ANNA = ":anna!a@host.a"


async def joined(server, bot, **registration):
    session = await server.session()
    await session.register(**registration)
    await bot.event(LinkUp)
    await session.answer_joins(names="anna!a@host.a")
    await bot.event(ChannelUp)
    return session


async def test_from_connection_to_chat(server, start):
    bot = start(realname="a bot", username="cards")
    session = await server.session()
    assert await session.line() == "CAP LS 302"
    assert await session.line() == "NICK bot"
    assert await session.line() == "USER cards 0 * :a bot"
    session.send(":srv CAP * LS :", ":srv 001 bot :Hi", ":srv 422 bot :No MOTD")
    assert await bot.event(LinkUp) == LinkUp("net")
    await session.answer_joins(names="+anna")
    up = await bot.event(ChannelUp)
    assert (up.channel, [one.nick for one in up.members]) == ("#uno", ["anna"])
    session.send(f"{ANNA} PRIVMSG #uno :!uno")
    said = await bot.event(Said)
    assert (said.channel, said.text, said.person.userhost) == ("#uno", "!uno", "a@host.a")
    done = asyncio.Event()
    bot.network.send(OutLine("net", "#uno", "hello\r\nQUIT"), done.set)
    assert await session.expect("PRIVMSG") == "PRIVMSG #uno :hello QUIT"
    assert done.is_set()
    network = bot.network
    assert (network.name, network.own_nick, network.connected) == ("net", "bot", True)
    assert network.is_op("#UNO", "Bot")
    assert network.fold("A[") == "a{"
    assert network.is_channel("&x")
    assert [one.nick for one in network.members("#uno")] == ["anna"]
    assert network.members("#nowhere") == ()
    assert not network.has_accounts


async def test_close_says_quit_and_waits(server, start):
    bot = start()
    session = await joined(server, bot)
    closing = asyncio.create_task(bot.network.close("see\r\nyou"))
    assert await session.expect("QUIT") == "QUIT :see you"
    session.send("ERROR :Closing link")
    session.close()
    await closing
    assert (await bot.event(LinkDown)).reason == "Closing link"
    await asyncio.wait_for(bot.task, 1)
    assert not bot.network.connected


async def test_close_before_and_during_connecting(server, start):
    bot = start()
    await bot.network.close("at once")
    await asyncio.wait_for(bot.task, 1)
    bot = start()
    await server.session()
    await bot.network.close("not registered yet")
    await asyncio.wait_for(bot.task, 1)


async def test_cancelling_run_ends_the_connection(server, start):
    bot = start()
    session = await joined(server, bot)
    bot.task.cancel()
    await session.ended()
    await asyncio.wait({bot.task})
    assert bot.task.cancelled()
    bot.task = asyncio.create_task(asyncio.sleep(0))


async def test_ping_is_answered_before_anything_else(server, start):
    bot = start()
    session = await joined(server, bot)
    for number in range(20):
        bot.network.send(OutLine("net", "#uno", str(number)))
    session.send("PING :a token")
    assert await session.expect("PONG") == "PONG :a token"


async def test_a_long_chinese_line_arrives_whole(server, start):
    bot = start()
    session = await joined(server, bot)
    text = "红桃" * 85
    bot.network.send(OutLine("net", "#uno", text))
    pieces = [await session.expect("PRIVMSG") for _ in range(2)]
    assert "".join(piece.partition(" #uno ")[2].lstrip(":") for piece in pieces) == text
    frame = len(":bot!gamebot@bot.host  \r\n")
    assert all(len(piece.encode()) + frame <= 512 for piece in pieces)
    assert len(pieces[0].encode()) + frame > 508


async def test_formatting_is_left_out_where_the_channel_refuses_it(server, start):
    bot = start()
    session = await joined(server, bot)
    session.send(f"{ANNA} MODE #uno +c", f"{ANNA} PRIVMSG #uno :x")
    await bot.event(Said)
    assert bot.network.strips_colors("#uno")
    bot.network.send(OutLine("net", "#uno", "\x0304red\x03"))
    assert await session.expect("PRIVMSG") == "PRIVMSG #uno red"


async def test_a_line_that_nobody_can_get_is_done_at_once(server, start):
    bot = start()
    done = []
    bot.network.send(OutLine("net", "#uno", "before the link"), lambda: done.append(1))
    session = await joined(server, bot)
    bot.network.send(OutLine("net", "#elsewhere", "x"), lambda: done.append(2))
    bot.network.send(OutLine("net", "#uno,#w", "x", keep=True), lambda: done.append(3))
    bot.network.send(OutLine("net", "", "x"))
    bot.network.send(OutLine("net", "anna", " "), lambda: done.append(4))
    assert done == [1, 2, 3, 4]
    bot.network.send(OutLine("net", "anna", "x", verb="NOTICE"))
    assert await session.expect("NOTICE") == "NOTICE anna x"


@pytest.mark.parametrize(
    "leaving", ["QUIT :bye", "PART #uno", "KICK #uno anna :out", "QUIT :hub.example leaf.example"]
)
async def test_what_waits_for_somebody_who_left_reaches_nobody(server, start, leaving):
    """The next one of that nick may be another person, and the line a hand of cards."""
    bot = start()
    session = await joined(server, bot)
    done = []
    for number in range(8):
        bot.network.send(OutLine("net", "#uno", str(number)))
    for keep in (False, True):
        line = OutLine("net", "Anna", "your cards", "NOTICE", channel="#uno", keep=keep)
        bot.network.send(line, lambda: done.append("done"))
    assert done == []
    session.send(f"{ANNA} {leaving}")
    await bot.event(Left)
    assert done == ["done", "done"]
    assert bot.network.backlog > 0


@pytest.mark.parametrize("leaving", [":ops!o@host.o KICK #uno bot :out", ":bot!b@host PART #uno"])
async def test_what_waits_for_who_is_out_of_sight_since_the_bot_left_reaches_nobody(
    server, start, leaving
):
    """From then on nobody tells who has the nick; what the console told still goes out."""
    bot = start()
    session = await joined(server, bot)
    done = []
    for number in range(8):
        bot.network.send(OutLine("net", "#uno", str(number)), lambda: done.append("public"))
    for nick, channel in (("Anna", "#UNO"), ("admin", "")):
        line = OutLine("net", nick, "your cards", "NOTICE", channel=channel)
        bot.network.send(line, lambda nick=nick: done.append(nick))
    sent = len(done)
    session.send(leaving)
    await bot.event(ChannelDown)
    assert done[sent:].count("Anna") == 1
    assert "admin" not in done


async def test_what_waits_for_somebody_follows_the_nick(server, start):
    bot = start(flood_burst=2, flood_rate=20.0)
    session = await joined(server, bot)
    for number in range(6):
        bot.network.send(OutLine("net", "#uno", str(number)))
    bot.network.send(OutLine("net", "anna", "your cards", "NOTICE", channel="#uno"))
    session.send(f"{ANNA} NICK anja")
    await bot.event(NickChanged)
    assert await session.expect("NOTICE") == "NOTICE anja :your cards"


async def test_kept_lines_wait_for_link_and_channel(server, start):
    bot = start()
    bot.network.send(OutLine("net", "#uno", "result", keep=True))
    session = await server.session()
    await session.register()
    await bot.event(LinkUp)
    assert bot.network.backlog == 1
    await session.answer_joins()
    assert await session.expect("PRIVMSG") == "PRIVMSG #uno result"


async def test_pydle_messages_take_the_same_way(server, start):
    bot = start()
    session = await joined(server, bot)
    client = bot.network._client
    await client.message("#uno", "one\ntwo")
    await client.notice("anna", "three")
    await client.rawmsg("MODE", "#uno", "+m")
    assert await session.expect("PRIVMSG") == "PRIVMSG #uno :one two"
    assert await session.expect("NOTICE") == "NOTICE anna three"
    assert await session.expect("MODE #uno +m")


async def test_the_channel_is_asked_about_behind_chat(server, start):
    bot = start(flood_rate=50.0)
    session = await joined(
        server, bot, caps="account-notify userhost-in-names", isupport="WHOX NICKLEN=9"
    )
    assert await session.expect("MODE") == "MODE #uno"
    assert await session.expect("WHO") == "WHO #uno %tcuhnaf,417"
    session.send(":srv 354 bot 417 #uno a host.a anna H acc", f"{ANNA} PRIVMSG bot :hi")
    await bot.event(object)
    assert (await bot.event(Said)).person.account == "acc"
    assert bot.network.has_accounts


async def test_only_useful_capabilities_are_asked_for(server, start):
    bot = start()
    session = await server.session()
    await session.expect("CAP LS")
    session.send(
        ":srv CAP * LS * :away-notify invite-notify echo-message sts=port=1 extended-join",
        ":srv CAP * LS :account-tag draft/x multi-prefix",
    )
    asked = set((await session.expect("CAP REQ")).partition(":")[2].split())
    assert asked == {"extended-join", "account-tag", "multi-prefix"}
    session.send(":srv CAP * NAK :extended-join account-tag multi-prefix")
    await session.expect("CAP END")
    session.send(":srv 001 bot :Hi", ":srv 376 bot :End")
    await bot.event(LinkUp)


async def test_a_taken_nick_is_replaced_and_regained(server, start):
    bot = start(alternatives=("bot2",))
    session = await server.session()
    await session.expect("USER")
    session.send(":srv 433 * bot :Nickname is already in use")
    assert await session.expect("NICK") == "NICK bot2"
    session.send(":srv 432 * bot2 :Erroneous")
    assert await session.expect("NICK") == "NICK bot_"
    session.send(":srv 001 bot_ :Hi", ":srv 422 bot_ :No MOTD")
    await bot.event(LinkUp)
    assert bot.network.own_nick == "bot_"
    await session.answer_joins("bot_", names="bot!x@y")
    await bot.event(ChannelUp)
    session.send(":bot!x@y QUIT :gone")
    assert await session.expect("NICK") == "NICK bot"
    session.send(":bot_!gamebot@bot.host NICK :bot", f"{ANNA} PRIVMSG bot :hi")
    await bot.event(object)
    assert (await bot.event(Said)).channel is None
    assert bot.network.own_nick == "bot"


async def test_kicked_and_back(server, start):
    clock = VirtualClock()
    bot = start(clock=clock)
    session = await joined(server, bot)
    bot.network.send(OutLine("net", "#uno", "x" * 2000))
    session.send(f"{ANNA} KICK #UNO bot :out")
    assert await bot.event(ChannelDown) == ChannelDown("net", "#uno", "out")
    assert bot.network.backlog == 0 or bot.network.members("#uno") == ()
    await clock.advance(5)
    await session.answer_joins()
    await bot.event(ChannelUp)


async def test_a_channel_that_is_given_up_is_an_event(server, start):
    bot = start()
    session = await server.session()
    await session.register()
    await bot.event(LinkUp)
    await session.expect("JOIN")
    session.send(":srv 405 bot #uno :You have joined too many channels")
    assert await bot.event(ChannelGivenUp) == ChannelGivenUp("net", "#uno", "405")


async def test_commands_of_the_core(server, start):
    bot = start(flood_burst=50)
    session = await joined(server, bot)
    bot.network.command("JOIN", "#new,#x", "key")
    bot.network.command("PART", "#uno,#x", "bye all")
    bot.network.command("TOPIC", "#new", "a\r\nb")
    assert await session.expect("JOIN") == "JOIN #new,#x key"
    assert await session.expect("PART") == "PART #uno,#x :bye all"
    assert await session.expect("TOPIC") == "TOPIC #new :a b"
    session.close()
    await bot.event(LinkDown)
    session = await server.session()
    await session.register()
    assert await session.expect("JOIN") == "JOIN #new key"


async def test_ctcp_version(server, start):
    bot = start(version="gamebot 1", flood_burst=50)
    session = await joined(server, bot)
    for _ in range(5):
        session.send(f"{ANNA} PRIVMSG bot :\x01VERSION\x01")
    session.send(f"{ANNA} PRIVMSG #uno :end")
    await bot.event(Said)
    bot.network.command("TOPIC", "#uno", "end")
    answers = []
    while not (line := await session.line()).startswith("TOPIC"):
        answers.append(line)
    assert answers.count("NOTICE anna :\x01VERSION gamebot 1\x01") == 3


async def test_a_lost_link_comes_back_with_its_channels(server, start):
    bot = start(password="hunter2", allow_plaintext_password=True)
    session = await joined(server, bot)
    session.close()
    assert await bot.event(LinkDown)
    assert bot.network.members("#uno") == ()
    session = await server.session()
    await session.expect("CAP LS")
    assert await session.line() == "PASS hunter2"
    session.send(":srv CAP * LS :", ":srv 001 bot :Hi", ":srv 422 bot :No MOTD")
    await bot.event(LinkUp)
    await session.answer_joins()
    await bot.event(ChannelUp)


async def test_a_reset_connection_is_a_lost_link(server, start):
    bot = start()
    session = await joined(server, bot)
    session.writer.transport.abort()
    await bot.event(LinkDown)
    await server.session()


async def test_servers_take_turns_and_refused_connections_are_tried_again(server, start):
    clock = VirtualClock()
    dead = ServerAddress(host="127.0.0.1", port=1, tls=False)
    alive = ServerAddress(host="127.0.0.1", port=server.port, tls=False)
    bot = start(clock=clock, servers=(dead, dead, alive))
    for _ in range(400):
        if not server.sessions.empty():
            break
        await clock.advance(0.1, settle=lambda: asyncio.sleep(0.001))
    await joined(server, bot)


async def test_a_silent_link_is_given_up(server, start):
    clock = VirtualClock()
    bot = start(clock=clock)
    session = await joined(server, bot)
    await clock.advance(40)
    assert (await session.expect("PING")) == "PING gamebot-1"
    session.send(":srv PONG srv gamebot-1", f"{ANNA} PRIVMSG #uno :still here")
    await bot.event(Said)
    await clock.advance(40)
    assert bot.network.connected
    await clock.advance(30)
    assert (await bot.event(LinkDown)).reason == "the link is silent"


async def test_registration_has_an_end(server, start):
    clock = VirtualClock()
    bot = start(clock=clock)
    session = await server.session()
    await session.expect("USER")
    await clock.advance(60)
    await session.ended()
    for _ in range(100):
        if not server.sessions.empty():
            break
        await clock.advance(0.1, settle=lambda: asyncio.sleep(0.001))
    await joined(server, bot)


async def test_a_server_where_no_nick_is_free_is_left(server, start):
    start()
    session = await server.session()
    session.send(*[":srv 433 * x :in use"] * 100)
    tried = (await session.ended()).decode().count("NICK ")
    assert 10 < tried < 40


async def test_a_motd_without_end_is_not_waited_for_for_ever(server, start):
    clock = VirtualClock()
    bot = start(clock=clock)
    session = await server.session()
    await session.expect("USER")
    session.send(":srv 001 bot :Hi", ":srv 375 bot :MOTD", "PING x")
    await session.expect("PONG")
    await clock.advance(60)
    await bot.event(LinkUp)


async def test_a_ban_makes_the_bot_wait_longer(server, start):
    clock = VirtualClock()
    start(clock=clock)
    session = await server.session()
    await session.expect("USER")
    session.send(":srv 465 bot :You are banned", "ERROR :Closing Link")
    session.close()
    with capture_logs() as logs:
        for _ in range(40):
            await clock.advance(0.1, settle=lambda: asyncio.sleep(0.001))
        await clock.advance(290, settle=lambda: asyncio.sleep(0.001))
        assert not any(one["event"] == "connecting" for one in logs)
        await clock.advance(200, settle=lambda: asyncio.sleep(0.001))
        assert any(one["event"] == "connecting" for one in logs)


async def test_a_sink_that_raises_does_not_end_the_reader(server, start):
    bot = start()
    session = await joined(server, bot)
    put = bot.network._sink
    bot.network._sink = lambda _: 1 / 0
    session.send(f"{ANNA} PRIVMSG #uno :one", "PING x")
    with capture_logs() as logs:
        await session.expect("PONG x")
    assert [one["event"] for one in logs if one["log_level"] == "error"] == ["line_failed"]
    bot.network._sink = put
    session.send(f"{ANNA} PRIVMSG #uno :two")
    assert (await bot.event(Said)).text == "two"


async def test_no_secret_is_logged(server, start):
    with capture_logs() as logs:
        bot = start(
            password="s3cret-pass",
            sasl="optional",
            sasl_user="account",
            sasl_password="s3cret-sasl",
            channels=(("#uno", "s3cret-key"),),
            allow_plaintext_password=True,
        )
        session = await server.session()
        await session.expect("CAP LS")
        session.send(":srv CAP * LS :sasl")
        await session.expect("CAP REQ")
        session.send(":srv CAP * ACK :sasl")
        await session.expect("AUTHENTICATE PLAIN")
        session.send("AUTHENTICATE +")
        await session.expect("AUTHENTICATE")
        session.send(":srv 903 bot :ok", ":srv 001 bot :Hi", ":srv 422 bot :No MOTD")
        await bot.event(LinkUp)
        await session.answer_joins()
        await bot.event(ChannelUp)
    assert "s3cret" not in repr(logs)
    assert "s3cret-pass" not in repr(bot.network._options)
    assert "s3cret-sasl" not in repr(bot.network._options)
