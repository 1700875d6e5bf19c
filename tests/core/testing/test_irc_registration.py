"""How a TCP connection becomes a user."""

from __future__ import annotations

import base64
import hashlib
import ssl
import subprocess

import pytest

from gamebot.testing import ALL_CAPS, IrcClient, IrcServer, Sasl

ACCOUNTS = {"anna": "secret", "long": "x" * 600}


async def raw(server: IrcServer, *lines: str) -> IrcClient:
    """Connect and send *lines*, without registration."""
    client = IrcClient("raw", port=server.port)
    await client.connect()
    for line in lines:
        client.send(line)
    return client


def plain(account: str, password: str) -> str:
    return base64.b64encode(f"{account}\0{account}\0{password}".encode()).decode()


async def test_the_welcome_tells_what_a_client_needs():
    async with (
        IrcServer(name="beta", casemapping="ascii") as server,
        IrcClient("anna", port=server.port) as anna,
    ):
        commands = [message.command for message in anna.messages]
        assert commands[:5] == ["001", "002", "003", "004", "005"]
        assert commands[-3:] == ["375", "372", "376"]
        tokens = {t for m in anna.messages if m.command == "005" for t in m.params}
        assert {"CASEMAPPING=ascii", "NETWORK=beta", "PREFIX=(ov)@+", "CHANTYPES=#"} <= tokens
        assert server.clients == ["anna"]
        assert server.user("anna").mask == "anna!anna@127.0.0.1"


async def test_the_host_shown_can_be_chosen_for_each_nick():
    async with (
        IrcServer(hosts={"anna": "home.example"}) as server,
        IrcClient("anna", port=server.port, user="ann"),
    ):
        assert server.user("anna").mask == "anna!ann@home.example"


async def test_several_servers_live_in_one_loop():
    async with IrcServer(name="alpha") as one, IrcServer(name="beta") as two:
        assert one.port != two.port
        async with IrcClient("anna", port=one.port), IrcClient("anna", port=two.port) as other:
            assert one.clients == two.clients == ["anna"]
            assert other.messages[0].source == "irc.beta.example"


async def test_nothing_but_registration_is_allowed_before_it():
    async with IrcServer() as server:
        client = await raw(server, "JOIN #x", "BOGUS", "USER a", "PING :here")
        await client.wait_for("PONG .* :here")
        errors = [m.command for m in client.messages]
        assert errors == ["451", "451", "461", "PONG"]
        client.send("QUIT")
        await client.wait_for("ERROR :Closing link: ")
        await client.wait_closed()


async def test_a_nick_that_is_taken_can_be_replaced_by_another():
    async with IrcServer() as server, IrcClient("anna", port=server.port):
        client = await raw(server, "NICK Anna", "USER a 0 * :A", "NICK", "NICK 1", "NICK dora")
        await client.wait_for(" 001 dora ")
        assert [m.command for m in client.messages[:3]] == ["433", "431", "432"]
        await client.quit()


async def test_the_second_of_two_who_want_the_same_nick_is_told():
    async with IrcServer() as server:
        first = await raw(server, "NICK anna")
        await first.sync()
        second = await raw(server, "NICK anna", "USER a 0 * :A")
        await second.wait_for(" 001 anna ")
        first.send("USER a 0 * :A")
        await first.wait_for(" 433 ")
        first.send("NICK anna2")
        await first.wait_for(" 001 anna2 ")
        await first.quit()
        await second.quit()


@pytest.mark.parametrize("password", [None, "wrong"])
async def test_a_wrong_password_ends_the_connection(password):
    async with IrcServer(password="right") as server:
        client = IrcClient("anna", port=server.port, password=password)
        with pytest.raises(ConnectionError, match="464"):
            async with client:
                pass
        await client.wait_closed()
        async with IrcClient("anna", port=server.port, password="right"):
            assert server.clients == ["anna"]


async def test_a_cookie_must_be_returned_where_the_server_asks_for_one():
    async with IrcServer(ping_cookie=True) as server:
        async with IrcClient("anna", port=server.port):
            assert server.clients == ["anna"]
        await server.wait_until(lambda: not server.connections)
        client = await raw(server, "NICK bert", "USER b 0 * :B")
        await client.wait_for("PING")
        # IrcClient has answered; a wrong answer before it would not have been enough.
        await client.wait_for(" 001 ")
        await client.quit()


# Capabilities


async def test_capabilities_are_listed_with_values_from_302_on():
    async with IrcServer(caps={"sasl", "server-time"}) as server:
        client = await raw(server, "CAP LS", "CAP LS 302", "CAP LIST", "CAP BOGUS", "CAP")
        await client.wait_for("461")
        assert [m.line() for m in client.messages[:4]] == [
            ":irc.alpha.example CAP * LS :sasl server-time",
            ":irc.alpha.example CAP * LS :sasl=PLAIN server-time",
            ":irc.alpha.example CAP * LIST :",
            ":irc.alpha.example 410 * BOGUS :Invalid CAP subcommand",
        ]
        await client.abort()


async def test_a_long_list_can_be_spread_over_lines():
    async with (
        IrcServer(multiline_cap_ls=True) as server,
        IrcClient("anna", port=server.port, caps=ALL_CAPS) as anna,
    ):
        answers = [m for m in anna.messages if m.command == "CAP" and m.params[1] == "LS"]
        assert len(answers) == 5
        assert [m.params[2] == "*" for m in answers] == [True] * 4 + [False]
        assert set(anna.offered) == ALL_CAPS
        assert anna.acknowledged == ALL_CAPS


async def test_a_request_is_acknowledged_as_a_whole_or_not_at_all():
    async with IrcServer() as server, IrcClient("anna", port=server.port) as anna:
        anna.send("CAP REQ :server-time bogus")
        await anna.wait_for("CAP anna NAK :server-time bogus")
        anna.send("CAP REQ :server-time echo-message")
        await anna.wait_for("CAP anna ACK :server-time echo-message")
        anna.send("CAP REQ :-server-time")
        await anna.wait_for("CAP anna ACK :?-server-time")
        anna.send("CAP LIST")
        await anna.wait_for("CAP anna LIST :?echo-message$")


async def test_registration_waits_for_the_end_of_the_negotiation():
    async with IrcServer() as server:
        client = await raw(server, "CAP REQ :server-time", "NICK anna", "USER a 0 * :A")
        await client.sync()
        assert server.clients == []
        client.send("CAP END")
        await client.wait_for(" 001 ")
        await client.quit()


async def test_capabilities_come_and_go():
    async with IrcServer(caps={"cap-notify", "sasl", "server-time"}) as server:
        caps = ["cap-notify", "server-time"]
        async with IrcClient("anna", port=server.port, caps=caps) as anna:
            server.drop_sasl()
            await anna.wait_for("CAP anna DEL :?sasl")
            server.remove_caps("server-time")
            await anna.wait_for("CAP anna DEL :?server-time")
            server.add_caps("sasl", "setname")
            await anna.wait_for("CAP anna NEW :sasl=PLAIN setname")
            anna.send("CAP LIST")
            await anna.wait_for("CAP anna LIST :?cap-notify$")


# SASL


@pytest.mark.parametrize("account", ["anna", "long"])
async def test_a_login_by_password(account):
    async with (
        IrcServer(accounts=ACCOUNTS) as server,
        IrcClient("somebody", port=server.port, sasl=(account, ACCOUNTS[account])) as client,
    ):
        assert server.user("somebody").account == account
        assert next(m for m in client.messages if m.command == "900").params[2] == account


@pytest.mark.parametrize(
    ("sasl", "error"),
    [(("anna", "wrong"), "904"), (("nobody", "secret"), "904"), (("nobody", ""), "904")],
)
async def test_a_wrong_login_is_refused(sasl, error):
    async with IrcServer(accounts=ACCOUNTS) as server:
        with pytest.raises(ConnectionError, match=error):
            async with IrcClient("anna", port=server.port, sasl=sasl):
                pass


async def test_services_can_fail_be_silent_or_be_away():
    async with IrcServer(accounts=ACCOUNTS, sasl=Sasl.FAILS) as server:
        client = IrcClient("anna", port=server.port, sasl=("anna", "secret"), timeout_s=0.2)
        with pytest.raises(ConnectionError, match="904"):
            async with client:
                pass
        server.sasl = Sasl.SILENT
        with pytest.raises(TimeoutError, match="latest lines"):
            async with client:
                pass
        server.drop_sasl()
        with pytest.raises(ConnectionError, match="does not offer SASL"):
            async with IrcClient("anna", port=server.port, sasl=("anna", "secret")):
                pass


@pytest.mark.parametrize(
    ("lines", "numerics"),
    [
        (["AUTHENTICATE BOGUS"], ["908", "904"]),
        (["AUTHENTICATE PLAIN", "AUTHENTICATE *"], ["906"]),
        (["AUTHENTICATE PLAIN", "AUTHENTICATE !!!"], ["904"]),
        (["AUTHENTICATE PLAIN", "AUTHENTICATE +"], ["904"]),
        (["AUTHENTICATE PLAIN", "AUTHENTICATE " + "A" * 401], ["905"]),
        (["AUTHENTICATE PLAIN", *["AUTHENTICATE " + "A" * 400] * 12], ["905"]),
        (
            ["AUTHENTICATE plain", f"AUTHENTICATE {plain('anna', 'secret')}", "AUTHENTICATE PLAIN"],
            ["900", "903", "907"],
        ),
    ],
)
async def test_sasl_numerics(lines, numerics):
    async with IrcServer(accounts=ACCOUNTS) as server:
        client = await raw(server, "CAP REQ sasl", *lines)
        await client.sync()
        assert [m.command for m in client.messages if m.command[0] == "9"][: len(numerics)] == (
            numerics
        )
        await client.abort()


async def test_authenticate_without_the_capability_is_not_answered():
    async with IrcServer(accounts=ACCOUNTS) as server:
        client = await raw(server, "AUTHENTICATE PLAIN")
        await client.sync()
        assert [m.command for m in client.messages] == ["PONG"]
        await client.abort()


async def test_a_login_after_registration_is_told_to_the_channel():
    async with IrcServer(accounts=ACCOUNTS) as server:
        bert = server.person("bert", caps={"account-notify"})
        bert.joins("#x")
        async with IrcClient("anna", port=server.port, caps=["sasl"]) as anna:
            await anna.join("#x")
            anna.send("AUTHENTICATE PLAIN")
            await anna.wait_for(r"AUTHENTICATE \+")
            anna.send(f"AUTHENTICATE {plain('anna', 'secret')}")
            await anna.wait_for(" 903 ")
            assert bert.lines[-1].endswith("ACCOUNT anna")


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A self-signed certificate for localhost: (certificate file, key file, fingerprint)."""
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        f" -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout {path}.key -out {path}"
    )
    try:
        subprocess.run(command.split(), check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    der = ssl.PEM_cert_to_DER_cert(path.read_text())
    return str(path), f"{path}.key", hashlib.sha256(der).hexdigest()


async def test_tls_with_a_client_certificate(certificate):
    *files, fingerprint = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    context.verify_mode = ssl.CERT_OPTIONAL
    context.load_verify_locations(files[0])
    trusting = ssl.create_default_context(cafile=files[0])
    trusting.load_cert_chain(*files)
    async with IrcServer(ssl_context=context, certificates={fingerprint: "anna"}) as server:
        client = IrcClient(
            "anna",
            port=server.port,
            ssl_context=trusting,
            server_hostname="localhost",
            caps=["sasl"],
        )
        async with client:
            assert client.offered["sasl"] == "EXTERNAL,PLAIN"
            client.send("AUTHENTICATE EXTERNAL")
            await client.wait_for(r"AUTHENTICATE \+")
            client.send("AUTHENTICATE +")
            await client.wait_for(" 903 ")
            assert server.user("anna").account == "anna"
            server.reset("anna")
            await client.wait_closed()
        with pytest.raises(ssl.SSLCertVerificationError):
            await IrcClient(
                "bert", port=server.port, ssl_context=ssl.create_default_context()
            ).connect()
