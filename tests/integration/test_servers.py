"""The harness itself: servers start, carry clients, restart; accounts work."""

from __future__ import annotations

import asyncio
import ssl

import pytest

from .certificates import Authority
from .players import Player, SaslRefused
from .servers import IrcServer, ServerFailed


@pytest.fixture(params=["ngircd", "inspircd"])
def server(request: pytest.FixtureRequest) -> IrcServer:
    return request.getfixturevalue(request.param)


async def test_two_clients_talk(server: IrcServer) -> None:
    anna = await Player(server, "anna").connect()
    bert = await Player(server, "bert").connect(tls=True)
    await anna.join("#room")
    await bert.join("#room")
    assert await anna.members("#room") == {"anna", "bert"}
    await anna.say("#room", "\x02hello\x02 \x0304,01all\x03")
    match = await bert.wait_for(r"^hello (\w+)$", source="anna", target="#room")
    assert match[1] == "all"
    await bert.change_nick("bertold")
    await bert.say("anna", "psst")
    await anna.wait_for("^psst$", source="bertold", target="anna")
    await anna.kick("#room", "bertold")
    assert await anna.members("#room") == {"anna"}
    await anna.oper()
    await anna.quit()
    await bert.quit()


async def test_sixteen_lines_pass_at_the_players_pace(server: IrcServer) -> None:
    anna = await Player(server, "anna").connect()
    await anna.join("#room")
    bert = await Player(server, "bert").connect()
    await bert.join("#room")
    for number in range(16):
        await anna.say("#room", f"line {number} {'x' * 300}")
    await bert.wait_for("^line 15 ", source="anna")
    assert anna.connected
    await anna.quit()
    await bert.quit()


async def test_clients_return_after_a_restart(server: IrcServer) -> None:
    anna = await Player(server, "anna").connect()
    restart = asyncio.create_task(server.restart(down_s=1))
    await anna.until(lambda heard: heard.command == "ERROR")
    await anna.quit()
    await anna.connect()
    await restart
    await anna.join("#room")
    assert await anna.members("#room") == {"anna"}
    await anna.quit()


@pytest.mark.parametrize("kind", ["self_signed", "wrong_host"])
async def test_a_bad_certificate_is_seen(
    inspircd: IrcServer, authority: Authority, kind: str
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        await asyncio.open_connection(
            inspircd.host,
            inspircd.bad_tls_ports[kind],
            ssl=authority.client_context(),
            server_hostname="localhost",
        )


async def test_an_account_is_registered_used_and_shown(inspircd_with_services: IrcServer) -> None:
    server = inspircd_with_services
    anna = await Player(server, "anna").connect()
    await anna.register_account("secret-of-anna", "anna@inspircd.test")
    await anna.quit()
    bert = await Player(server, "bert").connect(caps=["account-tag", "message-tags"])
    await bert.join("#room")
    ann = await Player(server, "ann").connect(sasl=("anna", "secret-of-anna"))
    await ann.join("#room")
    await ann.say("#room", "hi")
    heard = await bert.next_spoken("ann", "#room")
    assert heard.tags["account"] == "anna"
    eve = Player(server, "eve")
    with pytest.raises(SaslRefused):
        await eve.connect(sasl=("anna", "wrong"))
    await eve.drop()
    await bert.quit()
    await ann.quit()


async def test_a_server_that_cannot_start_says_why(
    inspircd: IrcServer, tmp_path, authority: Authority
) -> None:
    inspircd.command = [*inspircd.command[:-1], str(tmp_path / "missing.conf")]
    with pytest.raises(ServerFailed, match="missing"):
        await inspircd.restart()


async def test_what_did_not_come_is_told_with_what_came(ngircd: IrcServer) -> None:
    anna = await Player(ngircd, "anna").connect()
    with pytest.raises(AssertionError, match=r"(?s)did not see 'bingo' within.*Welcome"):
        await anna.wait_for("bingo", timeout_s=0.1)
    await anna.quit()
