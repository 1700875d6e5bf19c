"""What the server can do wrong on demand."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest

from gamebot.testing import (
    NGIRCD_FLOOD,
    FloodLimit,
    IrcClient,
    IrcServer,
    LongLine,
    VirtualClock,
)


async def test_a_silent_link_stays_open_and_tells_nothing_until_it_is_resumed():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        bert = server.person("bert")
        bert.joins("#x")
        await anna.join("#x")
        server.silence("anna")
        anna.say("#x", "into the void")
        bert.says("#x", "where are you?")
        with pytest.raises(TimeoutError, match="latest lines"):
            await anna.sync(timeout_s=0.1)
        assert anna.connected
        assert "into the void" not in bert.lines[-1]
        assert anna.said() == []
        server.resume("anna")
        await anna.wait_for("PRIVMSG #x :where are you")
        await server.wait_until(lambda: "into the void" in bert.lines[-1])


async def test_the_server_stops_cleanly_while_links_are_silent():
    async with IrcServer() as server:
        anna = IrcClient("anna", port=server.port)
        await anna.connect()
        await anna.register()
        server.silence("anna")
    await anna.wait_closed()


async def test_a_reset_is_seen_as_a_reset_and_told_to_the_others():
    async with IrcServer() as server:
        bert = server.person("bert")
        bert.joins("#x")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"NICK anna\r\nUSER a 0 * :A\r\nJOIN #x\r\n")
        await server.wait_until(lambda: "anna" in server.channel("#x"))
        await reader.readuntil(b" 366 ")
        server.reset("anna")
        with pytest.raises(ConnectionResetError):
            while True:
                await reader.readuntil(b"\n")
        writer.close()
        await server.wait_until(lambda: "anna" not in server.channel("#x"))
        assert bert.lines[-1] == ":anna!a@127.0.0.1 QUIT :Remote host closed the connection"


async def test_a_client_that_vanishes_is_told_to_the_others():
    async with IrcServer() as server:
        bert = server.person("bert")
        bert.joins("#x")
        anna = IrcClient("anna", port=server.port)
        await anna.connect()
        await anna.register()
        await anna.join("#x")
        await anna.abort()
        await server.wait_until(lambda: server.channel("#x").nicks() == ["bert"])
        assert server.clients == []


async def test_raw_bytes_arrive_as_they_are():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        server.raw("anna", b":x!y@z\r\n:foo\r\n\xff\xfe\x00 bad\r\nPING :after\r\n")
        await anna.wait_for("PING :?after")
        assert anna.lines[-2].encode("utf-8", "surrogateescape") == b"\xff\xfe\x00 bad"
        await server.wait_line("PONG :after", nick="anna")


async def test_bytes_that_are_no_utf8_are_relayed_unchanged_and_nul_is_dropped():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        bert = server.person("bert")
        anna.say("bert", b"caf\xe9\x00!".decode("utf-8", "surrogateescape"))
        await anna.sync()
        assert bert.lines[-1].encode("utf-8", "surrogateescape").endswith(b":caf\xe9!")


async def test_connections_can_be_refused_with_error_and_numeric():
    async with IrcServer() as server:
        server.refuse("Throttled", numeric="465")
        client = IrcClient("anna", port=server.port)
        with pytest.raises(ConnectionError, match="465"):
            async with client:
                pass
        await client.wait_closed()
        assert client.lines == [
            ":irc.alpha.example 465 * Throttled",
            "ERROR :Closing link: (unknown@127.0.0.1) [Throttled]",
        ]
        server.accept()
        async with IrcClient("anna", port=server.port):
            assert len(server.attempts) == 2


async def test_new_connections_can_be_taken_but_never_answered():
    async with IrcServer() as server:
        server.mute()
        client = IrcClient("anna", port=server.port, timeout_s=0.1)
        with pytest.raises(TimeoutError):
            async with client:
                pass
        server.accept()
        async with IrcClient("anna", port=server.port):
            assert server.clients == ["anna"]


async def test_a_closed_port_refuses_and_keeps_who_is_there():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        port = server.port
        await server.close_port()
        await server.close_port()
        with pytest.raises(ConnectionRefusedError):
            await IrcClient("bert", port=port).connect()
        await anna.sync()
        await server.open_port()
        await server.open_port()
        async with IrcClient("bert", port=port):
            assert server.clients == ["anna", "bert"]


@pytest.mark.parametrize("reset", [False, True])
async def test_a_restart_keeps_the_port_and_the_reserved_nicks_and_nothing_else(reset):
    async with IrcServer() as server:
        port = server.port
        server.reserve("bot")
        bert = server.person("bert")
        bert.joins("#x")
        anna = IrcClient("anna", port=port)
        await anna.connect()
        await anna.register()
        await server.restart(reset=reset)
        await anna.wait_closed()
        assert ("ERROR" in anna.lines[-1]) is not reset
        assert bert.gone is not None
        assert server.port == port
        assert server.world.users == server.world.channels == {}
        async with IrcClient("bert", port=port) as again:
            with pytest.raises(ConnectionError, match="433"):
                await again.change_nick("bot")


async def test_a_link_can_be_closed_with_a_reason():
    async with IrcServer() as server:
        client = IrcClient("anna", port=server.port)
        await client.connect()
        await client.register()
        server.close_link("anna", "Ping timeout: 240 seconds")
        await client.wait_for(r"ERROR :Closing link: \(anna@127.0.0.1\) \[Ping timeout: 240")
        await client.wait_closed()
        with pytest.raises(LookupError, match="anna"):
            server.connection("anna")


async def test_lines_can_be_delayed_and_keep_their_order():
    clock = VirtualClock()
    async with IrcServer(clock=clock) as server, IrcClient("anna", port=server.port) as anna:
        server.delay("anna", 3.0)
        server.raw("anna", b"NOTICE anna one\r\n")
        await clock.advance(1)
        server.delay("anna", 0.0)
        server.raw("anna", b"NOTICE anna two\r\n")
        await clock.advance(1.5)
        assert anna.said() == []
        await clock.advance(0.5)
        await anna.wait_for("two")
        assert anna.said() == ["one", "two"]
        server.delay("anna", 3.0)
        server.raw("anna", b"NOTICE anna three\r\n")
        server.close_link("anna", "enough")
        await anna.wait_for("ERROR")
        assert anna.said()[-1] == "three"


async def test_a_reset_that_the_server_sees_is_told_as_one():
    async with IrcServer() as server:
        bert = server.person("bert")
        bert.joins("#x")
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"NICK anna\r\nUSER a 0 * :A\r\nJOIN #x\r\n")
        await server.wait_until(lambda: "anna" in server.channel("#x"))
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        await server.wait_until(lambda: "anna" not in server.channel("#x"))
        assert bert.lines[-1] == ":anna!a@127.0.0.1 QUIT :Read error: Connection reset by peer"


async def test_a_client_that_does_not_close_its_end_is_cut_off_when_the_server_stops():
    async with IrcServer() as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.transport.pause_reading()
        await server.wait_until(lambda: server.connections)
    assert server.connections == []
    writer.close()


async def test_a_taken_port_is_an_error_and_free_ones_are_searched(monkeypatch):
    async with IrcServer() as server:
        with pytest.raises(OSError, match="in use"):
            await IrcServer(port=server.port).start()
        async with IrcServer() as stopped:
            pass
        monkeypatch.setattr("random.sample", lambda *_: [stopped.port, server.port])
        async with IrcServer() as other:
            assert other.port == stopped.port


async def test_empty_lines_and_lines_without_a_command_are_ignored():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        for line in ("", "   ", ":anna", "@x=y", "\0"):
            anna.send(line)
        await anna.sync()
        assert anna.lines[-2].split()[1] in {"376", "422"}


# Limits


async def test_a_flooding_client_is_killed_like_on_inspircd():
    clock = VirtualClock()
    limit = FloodLimit(burst_lines=9, lines_per_s=1.0, recvq_bytes=8192)
    async with IrcServer(clock=clock) as server:
        bert = server.person("bert")
        anna = IrcClient("anna", port=server.port)
        await anna.connect()
        await anna.register()
        server.flood = limit
        for number in range(20):
            anna.say("bert", f"{number:03}" + "x" * 380)
        await server.wait_until(lambda: len(bert.lines) == 9)
        await clock.advance(5)
        assert len(bert.lines) == 14
        for number in range(20, 60):
            anna.say("bert", f"{number:03}" + "x" * 380)
        await anna.wait_for(r"ERROR :Closing link: .*RecvQ exceeded")
        await anna.wait_closed()
        assert [line.split(":", 2)[2][:3] for line in bert.lines] == [
            f"{number:03}" for number in range(len(bert.lines))
        ]


async def test_a_polite_client_is_not_killed():
    clock = VirtualClock()
    async with IrcServer(clock=clock) as server, IrcClient("anna", port=server.port) as anna:
        bert = server.person("bert")
        server.flood = FloodLimit()
        for _ in range(30):
            anna.say("bert", "x" * 380)
            await anna.sync()
            await clock.advance(2)
        assert len(bert.lines) == 30


async def test_a_flooding_client_is_only_slowed_down_like_on_ngircd():
    clock = VirtualClock()
    async with IrcServer(clock=clock, flood=NGIRCD_FLOOD) as server:
        bert = server.person("bert")
        anna = IrcClient("anna", port=server.port)
        await anna.connect()
        anna.send("NICK anna")
        anna.send("USER a 0 * :A")
        for number in range(100):
            anna.say("bert", f"{number}" + "x" * 380)
        await server.wait_until(lambda: server.clients == ["anna"])

        async def settle() -> None:
            for _ in range(5):
                await asyncio.sleep(0)

        await clock.advance(60, settle)
        assert len(bert.lines) == 100
        await anna.quit()


async def test_a_silent_link_also_stops_the_queue_of_a_flooding_client():
    clock = VirtualClock()
    async with IrcServer(clock=clock) as server, IrcClient("anna", port=server.port) as anna:
        bert = server.person("bert")
        server.flood = FloodLimit(burst_lines=1)
        for number in range(3):
            anna.say("bert", str(number))
        await server.wait_until(lambda: len(bert.lines) == 1)
        server.silence("anna")
        await clock.advance(10)
        assert len(bert.lines) == 1
        server.resume("anna")
        await server.wait_until(lambda: len(bert.lines) == 2)
        await clock.advance(10)
        assert len(bert.lines) == 3


@pytest.mark.parametrize(
    ("policy", "answer"),
    [(LongLine.TRUNCATE, None), (LongLine.REFUSE, " 417 anna "), (LongLine.CLOSE, "too long")],
)
async def test_long_lines(policy, answer):
    async with IrcServer(long_lines=policy) as server:
        bert = server.person("bert")
        anna = IrcClient("anna", port=server.port)
        await anna.connect()
        await anna.register()
        anna.say("bert", "y" * 496)
        await anna.sync()
        assert len(bert.lines) == 1
        anna.say("bert", "x" * 497)
        if answer is None:
            await anna.sync()
            assert len(bert.lines) == 2
        else:
            await anna.wait_for(answer)
            assert len(bert.lines) == 1
        await anna.quit()


async def test_tags_have_a_limit_of_their_own():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        anna.send(f"@+x={'y' * 4000} PRIVMSG anna :{'z' * 400}")
        await anna.wait_for("PRIVMSG anna :z{400}$")
        anna.send(f"@+x={'y' * 4100} PRIVMSG anna :hi")
        await anna.wait_for(" 417 ")


async def test_an_endless_line_costs_no_memory():
    async with IrcServer(long_lines=LongLine.REFUSE) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(100):
            writer.write(b"x" * 10_000)
            await writer.drain()
        writer.write(b"\r\nPING :alive\r\n")
        assert b" 417 " in await reader.readline()
        assert b"alive" in await reader.readline()
        assert len(server.connections[0]._in) < 100_000
        writer.close()
        await server.wait_until(lambda: not server.connections)


async def test_who_does_not_read_is_dropped():
    async with IrcServer(sendq_bytes=100_000) as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"NICK anna\r\nUSER a 0 * :A\r\n")
        await server.wait_until(lambda: server.clients == ["anna"])
        server.silence("anna")
        for _ in range(300):
            server.raw("anna", b"NOTICE anna :" + b"x" * 400 + b"\r\n")
        await server.wait_until(lambda: not server.connections)
        writer.close()


async def test_dead_clients_are_pinged_and_dropped():
    clock = VirtualClock()
    async with IrcServer(clock=clock, ping_interval_s=120.0) as server:
        async with IrcClient("anna", port=server.port), IrcClient("bert", port=server.port):
            server.silence("anna")
            await clock.advance(120)
            await server.wait_line("PONG", nick="bert")
            await clock.advance(119)
            assert server.clients == ["anna", "bert"]
            await clock.advance(1)
            await server.wait_until(lambda: server.clients == ["bert"])
        server.ping_interval_s = None
        await clock.advance(120)
        assert clock.pending == 0


# Waiting


async def test_waiting_gives_up_with_a_description():
    async with IrcServer(name="beta") as server:
        with pytest.raises(TimeoutError, match="beta; clients"):
            await server.wait_until(lambda: server.clients, timeout_s=0.01)
        with pytest.raises(TimeoutError, match=r"PRIV\.\*"):
            await server.wait_line(r"PRIV.*", timeout_s=0.01)


async def test_a_condition_that_fails_fails_for_who_waits():
    async with IrcServer() as server:
        bert = server.person("bert")

        def condition() -> bool:
            return bert.lines[-1] == "x" if server.clients else False

        waiting = asyncio.create_task(server.wait_until(condition))
        await asyncio.sleep(0)
        bert.lines.clear()
        async with IrcClient("anna", port=server.port):
            with pytest.raises(IndexError):
                await waiting


async def test_what_puppets_do_wakes_who_waits():
    async with IrcServer() as server:
        bert = server.person("bert")
        waiting = asyncio.create_task(server.wait_until(lambda: "bert" in server.channel("#x")))
        await asyncio.sleep(0)
        bert.joins("#x")
        await waiting


async def test_habits_of_real_servers():
    ngircd, inspircd = IrcServer.like_ngircd("n"), IrcServer.like_inspircd("i")
    ngircd.flood = None  # three lines at once would make this test slow
    async with ngircd, inspircd:
        async with IrcClient("anna", port=ngircd.port, caps=["sasl", "multi-prefix"]) as anna:
            assert anna.acknowledged == {"multi-prefix"}
        async with IrcClient("anna", port=inspircd.port) as anna:
            assert inspircd.clients == ["anna"]


async def test_a_thousand_lines_a_second_to_fifty_members():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        listeners = [IrcClient(f"n{number}", port=server.port) for number in range(50)]
        for client in listeners:
            await client.connect()
            await client.register()
            await client.join("#x")
        await anna.join("#x")
        async with asyncio.timeout(10):
            for number in range(1000):
                anna.say("#x", f"line {number}")
            for client in listeners:
                await client.wait_for("line 999")
        for client in listeners:
            assert len(client.said("#x")) == 1000
            await client.quit()
