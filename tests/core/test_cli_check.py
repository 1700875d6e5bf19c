import pytest
from click.testing import CliRunner

from gamebot.cli import main

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
