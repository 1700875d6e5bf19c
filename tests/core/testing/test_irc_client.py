from __future__ import annotations

import asyncio
import re

import pytest

from gamebot.testing import IrcClient, IrcServer, Pacing


async def test_a_conversation():
    async with IrcServer() as server:
        async with (
            IrcClient("anna", port=server.port) as anna,
            IrcClient("bert", port=server.port) as bert,
        ):
            await anna.join("#x")
            await bert.join("#x")
            anna.say("#x", "hello")
            message = await bert.wait_for(r"PRIVMSG #x :hel+o")
            assert (message.nick, message.text) == ("anna", "hello")
            bert.notice("anna", "psst")
            assert (await anna.wait_for(re.compile("NOTICE"))).text == "psst"
            await anna.change_nick("dora")
            assert anna.nick == "dora"
            await bert.wait_for(lambda m: m.command == "NICK" and m.text == "dora")
            await anna.part("#x", "bye")
            await bert.wait_for("PART #x :bye")
            assert bert.said("#x") == ["hello"]
            assert anna.said() == ["psst"]
        await server.wait_until(lambda: not server.connections)


async def test_waiting_goes_on_behind_what_was_found():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        for text in ("one", "two", "one"):
            anna.say("anna", text)
        await anna.sync()
        await anna.wait_for("PRIVMSG anna :one")
        first = anna.cursor
        await anna.wait_for("PRIVMSG anna :one")
        assert anna.cursor == first + 2
        with pytest.raises(TimeoutError, match="PRIVMSG anna :one at anna; latest lines"):
            await anna.wait_for("PRIVMSG anna :one", timeout_s=0.01)
        assert (await anna.wait_for("PRIVMSG anna", since=0)).text == "one"


async def test_refusals_are_errors():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        with pytest.raises(ConnectionError, match="433"):
            async with IrcClient("Anna", port=server.port):
                pass
        with pytest.raises(ConnectionError, match="403"):
            await anna.join("no-channel")
        bert = server.person("bert")
        bert.joins("#k")
        bert.does("MODE #k +k key")
        with pytest.raises(ConnectionError, match="475"):
            await anna.join("#k")
        await anna.join("#k key", "#l")
        with pytest.raises(ConnectionError, match="433"):
            await anna.change_nick("bert")
        assert anna.nick == "anna"


async def test_a_closed_link_ends_every_wait():
    async with IrcServer() as server:
        anna = IrcClient("anna", port=server.port)
        with pytest.raises(ConnectionError, match="not connected"):
            anna.send("PING x")
        await anna.quit()
        await anna.abort()
        await anna.wait_closed()
        await anna.connect()
        await anna.register()
        waiting = asyncio.create_task(anna.wait_for("never"))
        await asyncio.sleep(0)
        server.reset("anna")
        with pytest.raises(ConnectionError, match="closed"):
            await waiting
        with pytest.raises(ConnectionError, match="closed"):
            await anna.wait_for("never")
        with pytest.raises(ConnectionError, match="not connected"):
            anna.say("x", "y")
        await anna.quit()


async def test_a_server_that_does_not_answer_quit_is_left_anyway(monkeypatch):
    monkeypatch.setattr("gamebot.testing.client._CLOSE_TIMEOUT_S", 0.01)
    async with IrcServer() as server:
        async with IrcClient("anna", port=server.port) as anna:
            server.silence("anna")
        assert not anna.connected


async def test_a_server_without_cap_is_enough_unless_a_login_is_wanted():
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            if line.startswith(b"CAP"):
                writer.write(b":old.example 421 * CAP :Unknown command\r\n")
            elif line.startswith(b"USER"):
                writer.write(b":old.example 001 anna :Hi\r\n:old.example 422 anna :No MOTD\r\n")
            elif line.startswith(b"QUIT"):
                break
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with IrcClient("anna", port=port, caps=["server-time"]) as anna:
        assert anna.acknowledged == set()
    with pytest.raises(ConnectionError, match="SASL"):
        async with IrcClient("anna", port=port, sasl=("a", "b")):
            pass
    server.close()


async def test_pacing_holds_lines_back_but_answers_pings_at_once():
    async with IrcServer() as server:
        pacing = Pacing(burst_lines=3, lines_per_s=50.0)
        async with IrcClient("anna", port=server.port, pacing=pacing) as anna:
            bert = server.person("bert")
            for number in range(5):
                anna.say("bert", str(number))
            server.raw("anna", b"PING :now\r\n")
            await server.wait_line("PONG :now")
            assert len(bert.lines) < 5
            await server.wait_until(lambda: len(bert.lines) == 5)
            assert [line[-1] for line in bert.lines] == list("01234")
            for _ in range(50):
                anna.say("bert", "late")
        assert len(bert.lines) < 55
