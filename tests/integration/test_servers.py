"""The harness itself: servers start, carry clients, restart; accounts work."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest

from .certificates import Authority
from .players import people, player
from .servers import IrcServer, ServerFailed, binary


@pytest.fixture(params=["ngircd", "inspircd"])
def server(request: pytest.FixtureRequest) -> IrcServer:
    return request.getfixturevalue(request.param)


async def test_two_clients_talk(server: IrcServer) -> None:
    async with player(server, "anna") as anna, player(server, "bert", tls=True) as bert:
        await anna.join("#room")
        await bert.join("#room")
        assert await anna.members("#room") == {"anna", "bert"}
        anna.say("#room", "\x02hello\x02 \x0304,01all\x03")
        match = await bert.hear(r"^hello (\w+)$", source="anna", target="#room")
        assert match[1] == "all"
        await bert.change_nick("bertold")
        bert.say("anna", "psst")
        await anna.hear("^psst$", source="bertold", target="anna")
        await anna.kick("#room", "bertold")
        assert await anna.members("#room") == {"anna"}
        await anna.oper()


async def test_twelve_long_lines_pass_at_the_players_pace(server: IrcServer) -> None:
    async with people(server, "anna", "bert") as (anna, bert):
        await anna.join("#room")
        await bert.join("#room")
        for number in range(12):
            anna.say("#room", f"line {number} {'x' * 300}")
        await bert.hear("^line 11 ", source="anna")
        assert anna.connected


async def test_clients_return_after_a_restart(server: IrcServer) -> None:
    async with player(server, "anna") as anna:
        restart = asyncio.create_task(server.restart(down_s=1))
        await anna.wait_closed()
        await anna.come(within_s=20)
        await restart
        await anna.join("#room")
        assert await anna.members("#room") == {"anna"}


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
    async with player(server, "anna") as anna:
        await anna.register_account("secret-of-anna", "anna@inspircd.test")
    async with (
        player(server, "bert", caps=["account-tag", "message-tags"]) as bert,
        player(server, "ann", sasl=("anna", "secret-of-anna")) as ann,
    ):
        await bert.join("#room")
        ann.say("bert", "hi")
        said = await bert.wait_for("PRIVMSG bert :hi")
        assert said.tags["account"] == "anna"
    with pytest.raises(ConnectionError, match="904"):
        await player(server, "eve", sasl=("anna", "wrong")).come()


async def test_a_server_that_cannot_start_says_why(inspircd: IrcServer, tmp_path: Path) -> None:
    inspircd.command = [*inspircd.command[:-1], str(tmp_path / "missing.conf")]
    with pytest.raises(ServerFailed, match="missing"):
        await inspircd.restart()


def test_a_missing_server_skips_but_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-ircd is not installed"):
        binary("no-such-ircd")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-ircd is not installed"):
        binary("no-such-ircd")


async def test_what_did_not_come_is_told_with_what_came(ngircd: IrcServer) -> None:
    async with player(ngircd, "anna") as anna:
        anna.pass_all()
        with pytest.raises(TimeoutError, match=r"(?s)0.1 s for.*last lines.*Welcome"):
            await anna.hear("bingo", timeout_s=0.1)
