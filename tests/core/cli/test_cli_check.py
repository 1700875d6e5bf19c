import sqlite3
import subprocess
from contextlib import closing

import pytest
from click.testing import CliRunner

from gamebot.cli import main
from gamebot.store.sqlite import SqliteStore

CONFIG = """
[defaults.kniffel]
turn_timeout_s = 300

[networks.libera]
servers = [{ host = "a.example.org" }, { host = "b.example.org", tls = false }]
nick = "gamebot"
alternatives = ["gamebot_"]
sasl = "required"
sasl_user = "bot_account"
sasl_password = "secret-one"
allow_plaintext_password = true
owners = ["anna"]
[networks.libera.channels."#kniffel"]
key = "secret-two"
language = "de"

[networks.local]
servers = [{ host = "localhost", port = 6669, tls = false }]
nick = "games"
tls_verify = false
"""


@pytest.fixture
def check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check(text: str):
        path = tmp_path / "gamebot.toml"
        path.write_text(text)
        path.chmod(0o600)
        return CliRunner().invoke(main, ["check"])

    return check


def test_an_overview_shows_all_but_the_secrets(check, tmp_path) -> None:
    result = check(CONFIG)
    assert result.exit_code == 0
    assert "secret-" not in result.output
    assert result.stdout.splitlines() == [
        f"database {tmp_path}/gamebot.sqlite3 (synchronous full)",
        "logging  info, console",
        "",
        "network libera: a.example.org:6697 (TLS), b.example.org:6667 (no TLS)",
        "  nick gamebot gamebot_, SASL PLAIN as bot_account (required)",
        "  owners anna",
        "  #kniffel: kniffel; language de, prefix the game's; kniffel.turn_timeout_s = 300; key set",
        "",
        "network local: localhost:6669 (no TLS)",
        "  nick games, no login",
    ]
    assert result.stderr.splitlines() == [
        "warning: networks.local: the server's certificate is not verified",
        "warning: networks.local: no channel is configured",
        "warning: networks.local: nobody owns the bot (owners)",
    ]


def test_certificates_own_the_bot_too(check) -> None:
    keys = f'owner_certificates = ["{"0A" * 32}"]\nadmin_certificates = ["{"1b" * 20}"]\n'
    result = check(CONFIG.replace("tls_verify = false\n", keys))
    assert result.exit_code == 0
    assert "  owners 0a0a0a0a0a0a0a0a…" in result.stdout.splitlines()
    assert "  admins 1b1b1b1b1b1b1b1b…" in result.stdout.splitlines()
    assert "nobody owns the bot" not in result.stderr


def test_a_file_that_others_may_read_is_told(check, tmp_path) -> None:
    check(CONFIG)
    (tmp_path / "gamebot.toml").chmod(0o644)
    assert "may be read by others" in CliRunner().invoke(main, ["check"]).stderr


def test_every_fault_is_printed(check) -> None:
    result = check(CONFIG.replace('"gamebot"', '"1"').replace("6669", '"6669x"'))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        'networks.libera.nick: expected a nick, got "1"',
        'networks.local.servers[0].port: expected an integer, got "6669x"',
    ]
    assert result.stdout == ""


def test_missing_files_are_faults(check, tmp_path) -> None:
    result = check('plugins.folders = ["more"]\n' + CONFIG + 'tls_ca_file = "ca.pem"\n')
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"plugins.folders[0]: {tmp_path}/more is no folder",
        f"networks.local.tls_ca_file: {tmp_path}/ca.pem cannot be read (No such file or directory)",
    ]


def test_the_variable_names_the_file(check, tmp_path) -> None:
    check(CONFIG)
    (tmp_path / "gamebot.toml").rename(tmp_path / "other.toml")
    assert CliRunner().invoke(main, ["check"]).exit_code == 2
    environment = {"GAMEBOT_CONFIG": str(tmp_path / "other.toml")}
    assert CliRunner().invoke(main, ["check"], env=environment).exit_code == 0


def test_plugins_and_their_settings_are_checked(check) -> None:
    wrong = (
        CONFIG.replace("turn_timeout_s = 300", 'turn_timeout_s = "5m"\n[defaults.knifel]')
        + '[networks.local.defaults]\nplugins = ["kniffel", "chess"]\n'
        + '[networks.libera.channels."#a".kniffel]\nturn_timeout_z = 1\n'
    )
    result = check(wrong)
    assert result.exit_code == 2
    starts = (
        'defaults.kniffel.turn_timeout_s: expected a number, got "5m"',
        'defaults.knifel: no plugin "knifel" is loaded, expected "admin", ',
        'networks.libera.channels."#a".kniffel.turn_timeout_z: unknown key, did you mean "turn',
        'networks.local.defaults.plugins[1]: no plugin "chess" is loaded, expected "admin", ',
    )
    for line, start in zip(result.stderr.splitlines(), starts, strict=True):
        assert line.startswith(start)


def test_a_broken_plugin_is_named(check, tmp_path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "broken.py").write_text("1 / 0")
    result = check('plugins.folders = ["more"]\n' + CONFIG)
    assert result.exit_code == 2
    assert "broken" in result.stderr
    assert "ZeroDivisionError" in result.stderr


def pem(folder, name: str) -> None:
    """Make `NAME.pem` and `NAME.key`."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "1", "-subj", f"/CN={name}"]
    command += ["-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem"]
    subprocess.run(command, check=True, capture_output=True)


def database_faults(check, line: str) -> list[str]:
    return check(f"{line}\n{CONFIG}").stderr.splitlines()


def test_a_database_that_cannot_be_is_a_fault(check, tmp_path, monkeypatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes").write_text("milk, eggs")
    with closing(sqlite3.connect(tmp_path / "theirs")) as other:
        other.execute("CREATE TABLE t (x)")
    for name, why in (
        ("folder", " is no file"),
        ("notes", ": this is no gamebot database (file is not a database)"),
        ("gamebot.toml", ": this is no gamebot database (file is not a database)"),
        ("theirs", ": this is a database of another program"),
        ("notes/db", f" cannot be made, {tmp_path}/notes is no folder"),
        ("notes/deep/db", f" cannot be made, {tmp_path}/notes is no folder"),
    ):
        faults = database_faults(check, f'database = "{name}"')
        assert faults == [f"database: {tmp_path}/{name}{why}"]
    (tmp_path / "empty").touch()
    for name in ("empty", "new", "folder/new", "new/deep/db"):
        assert check(f'database = "{name}"\n{CONFIG}').exit_code == 0
    monkeypatch.setattr("gamebot.config.files._writable", lambda _path: False)
    assert database_faults(check, 'database = "empty"') == [
        f"database: {tmp_path}/empty may not be written"
    ]
    assert database_faults(check, 'database = "new"') == [
        f"database: {tmp_path}/new cannot be made, {tmp_path} may not be written"
    ]


async def test_the_bot_s_own_database_will_do(check, tmp_path) -> None:
    store = SqliteStore(tmp_path / "own")
    await store.open()
    assert check(f'database = "own"\n{CONFIG}').exit_code == 0
    await store.close()
    assert check(f'database = "own"\n{CONFIG}').exit_code == 0


def test_certificates_that_cannot_be_used_are_faults_all_at_once(check, tmp_path) -> None:
    pem(tmp_path, "one")
    pem(tmp_path, "two")
    (tmp_path / "empty").touch()
    (tmp_path / "half").write_text("-----BEGIN CERTIFICATE-----\nMIIB\n")
    files = 'tls_ca_file = "empty"\nclient_certificate = "one.key"\nclient_key = "one.pem"\n'
    assert check(CONFIG + files).stderr.splitlines() == [
        f"networks.local.tls_ca_file: {tmp_path}/empty holds no certificate in PEM form",
        f"networks.local.client_certificate: {tmp_path}/one.key holds no certificate in PEM form",
        f"networks.local.client_key: {tmp_path}/one.pem holds no private key in PEM form",
    ]
    files = 'tls_ca_file = "half"\nclient_certificate = "one.pem"\nclient_key = "two.key"\n'
    broken, apart = check(CONFIG + files).stderr.splitlines()
    assert broken.startswith(f"networks.local.tls_ca_file: {tmp_path}/half cannot be used (")
    assert apart.startswith(f"networks.local.client_certificate: {tmp_path}/one.pem and ")
    assert "key values mismatch" in apart
    fine = 'tls_ca_file = "two.pem"\nclient_certificate = "one.pem"\nclient_key = "one.key"\n'
    assert check(CONFIG + fine).exit_code == 0


def test_a_key_with_a_password_asks_nobody(check, tmp_path) -> None:
    pem(tmp_path, "one")
    locked = ["openssl", "pkey", "-in", f"{tmp_path}/one.key", "-aes256", "-passout", "pass:secret"]
    subprocess.run([*locked, "-out", f"{tmp_path}/locked.key"], check=True, capture_output=True)
    files = 'client_certificate = "one.pem"\nclient_key = "locked.key"\n'
    [fault] = check(CONFIG + files).stderr.splitlines()
    assert fault.startswith("networks.local.client_certificate: ")


@pytest.mark.parametrize("key", ["host", "bind_host"])
@pytest.mark.parametrize(
    ("host", "will_do"),
    [
        ("irc.example.org", True),
        ("irc-1.example.org.", True),
        ("my_host", True),
        ("münchen.example", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("fe80::1%eth0", True),
        ("300.1.1.1", False),
        ("1234", False),
        ("[::1]", False),
        ("irc.example.org:6697", False),
        ("irc.example.org/6697", False),
        ("-x.example", False),
        ("a..b", False),
        ("two words", False),
        ("x" * 64, False),
    ],
)
def test_hosts_have_the_form_of_one(check, key: str, host: str, will_do: bool) -> None:
    if key == "host":
        result = check(CONFIG.replace('host = "localhost"', f'host = "{host}"'))
        where = "networks.local.servers[0].host"
    else:
        result = check(f'{CONFIG}bind_host = "{host}"\n')
        where = "networks.local.bind_host"
    if will_do:
        assert result.exit_code == 0
    else:
        assert result.stderr.startswith(f"{where}: expected a host name or address, got ")


def test_a_login_by_certificate_needs_tls(check, tmp_path) -> None:
    pem(tmp_path, "one")
    login = 'sasl = "required"\nsasl_mechanism = "EXTERNAL"\nclient_certificate = "one.pem"\n'
    assert check(CONFIG + login + 'client_key = "one.key"\n').stderr.splitlines() == [
        "networks.local.servers[0].tls: EXTERNAL shows a certificate, which needs TLS"
    ]
