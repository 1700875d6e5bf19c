"""SASL, TLS, and the options that go with them."""

import base64
import hashlib
import shutil
import ssl
import subprocess

import pytest

from gamebot.clock import VirtualClock
from gamebot.events import LinkUp
from gamebot.irc import NetworkOptions, ServerAddress, sasl
from gamebot.irc.network import Network

from .scripted import ScriptedServer

PLAIN = {
    "sasl_user": "account",
    "sasl_password": "pässword",
    "allow_plaintext_password": True,
}


def options(**changes):
    server = ServerAddress(host="irc.example.org")
    return NetworkOptions(**{"name": "net", "servers": (server,), "nick": "bot", **changes})


async def offer(session, caps, mechanism="PLAIN"):
    await session.expect("CAP LS")
    session.send(f":srv CAP * LS :{caps}")
    await session.expect("CAP REQ")
    session.send(":srv CAP * ACK :sasl")
    assert await session.expect("AUTHENTICATE") == f"AUTHENTICATE {mechanism}"
    session.send("AUTHENTICATE +")
    return (await session.expect("AUTHENTICATE")).partition(" ")[2]


def welcome(session):
    session.send(":srv 001 bot :Hi", ":srv 422 bot :No MOTD")


async def test_plain(server, start):
    bot = start(sasl="required", **PLAIN)
    session = await server.session()
    answer = await offer(session, "sasl=EXTERNAL,PLAIN")
    assert base64.b64decode(answer).decode() == "\0account\0pässword"
    session.send(":srv 900 bot x account :logged in", ":srv 903 bot :ok")
    await session.expect("CAP END")
    welcome(session)
    await bot.event(LinkUp)
    session.send("AUTHENTICATE +", ":srv 904 bot :late", "PING x")
    assert await session.expect("") != "AUTHENTICATE"
    await session.expect("PONG x")


async def test_external(server, start, tmp_path):
    bot = start(sasl="required", sasl_mechanism="EXTERNAL", client_certificate=tmp_path / "c.pem")
    session = await server.session()
    assert await offer(session, "sasl", "EXTERNAL") == "+"
    session.send(":srv 903 bot :ok")
    await session.expect("CAP END")
    welcome(session)
    await bot.event(LinkUp)


@pytest.mark.parametrize("numeric", ["902", "904", "905", "906"])
async def test_a_required_login_that_fails_ends_the_connection(server, start, numeric):
    start(sasl="required", **PLAIN)
    session = await server.session()
    await offer(session, "sasl")
    session.send(":srv 908 bot EXTERNAL :are available", f":srv {numeric} bot :no")
    assert b"CAP END" not in await session.ended()


@pytest.mark.parametrize("caps", ["", "multi-prefix", "sasl=EXTERNAL"])
async def test_a_required_login_that_is_not_offered_ends_the_connection(server, start, caps):
    start(sasl="required", **PLAIN)
    session = await server.session()
    await session.expect("CAP LS")
    session.send(f":srv CAP * LS :{caps}")
    await session.ended()


async def test_a_server_that_lets_the_bot_in_without_the_required_login(server, start):
    bot = start(sasl="required", **PLAIN)
    session = await server.session()
    await session.expect("CAP LS")
    session.send(":srv 421 bot CAP :Unknown command")
    welcome(session)
    await session.ended()
    assert bot.queue.empty()


async def test_an_optional_login_may_fail(server, start):
    bot = start(sasl="optional", **PLAIN)
    session = await server.session()
    await offer(session, "sasl")
    session.send(":srv 904 bot :no")
    await session.expect("CAP END")
    welcome(session)
    await bot.event(LinkUp)


async def test_an_optional_login_without_an_answer_is_given_up(server, start):
    clock = VirtualClock()
    bot = start(clock=clock, sasl="optional", **PLAIN)
    session = await server.session()
    await offer(session, "sasl")
    await clock.advance(15)
    assert await session.expect("AUTHENTICATE") == "AUTHENTICATE *"
    await session.expect("CAP END")
    welcome(session)
    await bot.event(LinkUp)


def test_long_answers_are_cut_and_ended():
    assert sasl.encode("") == ["+"]
    assert [len(piece) for piece in sasl.encode("x" * 300)] == [400, 1]
    assert [len(piece) for piece in sasl.encode("x" * 301)] == [400, 4]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"nick": "a b"}, "nick: 'a b' is not a nick"),
        ({"nick": "1up"}, "is not a nick"),
        ({"alternatives": ("#x",)}, "alternatives"),
        ({"name": ""}, "name"),
        ({"servers": ()}, "servers"),
        ({"channels": (("uno", ""),)}, "'uno' is not a channel name"),
        ({"channels": (("#uno", "a,b"),)}, "the key of #uno"),
        ({"sasl": "yes"}, "sasl"),
        ({"sasl": "required"}, "PLAIN needs sasl_user and sasl_password"),
        ({"sasl": "required", "sasl_mechanism": "EXTERNAL"}, "needs a client_certificate"),
        ({"client_key": "k.pem"}, "client_key"),
        ({"tls_pin": "abc"}, "tls_pin"),
        ({"flood_rate": 0.0}, "flood_rate"),
        ({"flood_burst": 0}, "flood_burst"),
        ({"realname": "a\nQUIT"}, "realname: a line break"),
        (
            {"password": "p", "servers": (ServerAddress(host="h", port=6667, tls=False),)},
            "h:6667 has no TLS",
        ),
    ],
)
def test_options_that_cannot_be(changes, fault):
    with pytest.raises(ValueError, match=fault) as raised:
        options(**changes)
    assert "'p'" not in str(raised.value)


def test_options_as_meant():
    pin = "AB:" * 31 + "CD"
    made = options(tls_pin=pin, tls_ca_file="ca.pem", channels=[("#uno", "key")])
    assert made.tls_pin == "ab" * 31 + "cd"
    assert made.tls_ca_file.name == "ca.pem"
    assert str(made.servers[0]) == "irc.example.org:+6697"
    assert Network(made, lambda _: None, VirtualClock()).own_nick == "bot"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A server certificate for localhost that no authority of the system knows."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", path, "-out", path.with_suffix(".crt")),
        ],
        check=True,
        capture_output=True,
    )
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


@pytest.fixture
async def tls_server(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = ScriptedServer()
    await server.start(ssl=context)
    yield server
    await server.stop()


def trust(certificate, how):
    der = ssl.PEM_cert_to_DER_cert(certificate.with_suffix(".crt").read_text())
    return {
        "authority": {"tls_ca_file": certificate.with_suffix(".crt")},
        "pin": {"tls_pin": hashlib.sha256(der).hexdigest()},
        "blind": {"tls_verify": False},
        "system": {},
        "wrong pin": {"tls_pin": "0" * 64},
    }[how]


def tls_address(server, host="localhost"):
    return {"servers": (ServerAddress(host=host, port=server.port),), "port": server.port}


@pytest.mark.parametrize("how", ["authority", "pin", "blind"])
async def test_tls(tls_server, start, certificate, how):
    bot = start(**tls_address(tls_server), **trust(certificate, how))
    session = await tls_server.session()
    await session.register()
    await bot.event(LinkUp)
    tls_server.writers[0].close()


@pytest.mark.parametrize(
    ("how", "host"),
    [("system", "localhost"), ("wrong pin", "localhost"), ("authority", "127.0.0.1")],
)
async def test_a_certificate_that_is_not_trusted_gets_no_word(
    tls_server, start, certificate, how, host, monkeypatch
):
    clock = VirtualClock()
    bot = start(clock=clock, **tls_address(tls_server, host), **trust(certificate, how))
    while not bot.network._backoff._tries or bot.network._client:
        await clock.advance(0, settle=None)
    if not tls_server.sessions.empty():
        session = await tls_server.session()
        assert await session.reader.read() == b""
