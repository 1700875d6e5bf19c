from pathlib import Path

import pytest

from gamebot.config import ChannelConfig, load_config
from gamebot.config.network import network_options
from gamebot.errors import ConfigError

SMALL = """
[networks.libera]
servers = [{ host = "irc.example.org" }]
nick = "gamebot"
"""

FULL = """
database = "data/games.sqlite3"
synchronous = "normal"
log_level = "debug"
log_format = "json"

[plugins]
folders = ["plugins"]
disabled = ["uno"]

[defaults]
language = "de"
plugins = ["kniffel"]
[defaults.kniffel]
turn_timeout_s = 300
joker = true

[networks.libera]
servers = [{ host = "a.example.org", port = 7000 }, { host = "b.example.org", tls = false }]
nick = "gamebot"
alternatives = ["gamebot_", "gamebot__"]
sasl = "required"
sasl_user = "gamebot"
sasl_password = "secret-one"
allow_plaintext_password = true
owners = ["anna"]
flood_rate = 2
[networks.libera.defaults]
prefix = "!"
[networks.libera.channels."#kniffel"]
key = "secret-two"
ops = ["bert"]
language = "en"
[networks.libera.channels."#kniffel".kniffel]
turn_timeout_s = 60
[networks.libera.channels."#other"]

[networks.local]
servers = [{ host = "localhost", tls = false }]
nick = "Games[1]"
channels = ["#a", "&b"]
"""


@pytest.fixture
def load(tmp_path):
    def load(text: str, **environment: str):
        path = tmp_path / "gamebot.toml"
        path.write_text(text)
        return load_config(path, environment)

    return load


@pytest.fixture
def faults(load):
    def faults(text: str, **environment: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load(text, **environment)
        return list(caught.value.faults)

    return faults


def test_little_is_needed(load, tmp_path) -> None:
    config = load(SMALL)
    assert config.database == tmp_path / "gamebot.sqlite3"
    assert config.networks["libera"].channels == {}
    channel = config.resolve("libera", "#any")
    assert (channel.language, channel.prefix, channel.plugins) == ("en", None, ("kniffel",))


def test_everything_arrives(load, tmp_path) -> None:
    config = load(FULL)
    assert config.database == tmp_path / "data" / "games.sqlite3"
    assert (config.synchronous, config.log_level, config.log_format) == ("normal", "debug", "json")
    assert config.plugins.folders == (tmp_path / "plugins",)
    assert config.plugins.disabled == ("uno",)
    libera = config.networks["libera"]
    assert libera.owners == ("anna",)
    assert libera.flood_rate == 2.0
    assert libera.channels["#other"] == ChannelConfig()
    assert list(config.networks["local"].channels) == ["#a", "&b"]


def test_layers_are_put_together(load) -> None:
    config = load(FULL)
    channel = config.resolve("libera", "#KNIFFEL")
    assert (channel.name, channel.language, channel.prefix) == ("#kniffel", "en", "!")
    assert (channel.key, channel.ops) == ("secret-two", ("bert",))
    assert channel.settings == {"kniffel": {"turn_timeout_s": 60, "joker": True}}
    other = config.resolve("libera", "#other")
    assert (other.language, other.prefix) == ("de", "!")
    assert other.settings == {"kniffel": {"turn_timeout_s": 300, "joker": True}}
    assert config.resolve("local", "#a").prefix is None


def test_a_connection_is_told_everything(load) -> None:
    config = load(FULL)
    options = network_options("libera", config.networks["libera"])
    assert [str(server) for server in options.servers] == [
        "a.example.org:+7000",
        "b.example.org:6667",
    ]
    assert options.channels == (("#kniffel", "secret-two"), ("#other", ""))
    assert (options.sasl, options.sasl_user, options.flood_rate) == ("required", "gamebot", 2.0)
    local = network_options("local", config.networks["local"])
    assert (local.nick, local.tls_pin) == ("Games[1]", "")


def test_channels_may_be_tables_with_names(load) -> None:
    config = load(SMALL + '[[networks.libera.channels]]\nname = "#a"\nkey = "k"\n')
    assert config.networks["libera"].channels == {"#a": ChannelConfig(key="k")}


def test_secrets_are_not_shown(load) -> None:
    config = load(FULL)
    shown = repr(config) + repr(config.resolve("libera", "#kniffel"))
    assert "secret" not in shown.replace("secrets", "")


#: (what is added to the network's table, the faults)
WRONG = {
    "a type": ('tls = "no"', ['tls: expected true or false, got "no"']),
    "a number": ("flood_rate = true", ["flood_rate: expected a number, got true"]),
    "a float": ("flood_burst = 1.5", ["flood_burst: expected an integer, got 1.5"]),
    "infinity": ("flood_rate = inf", ['flood_rate: expected a finite number, got "inf"']),
    "a range": ("flood_burst = 0", ["flood_burst: expected lines, 1 to 100, got 0"]),
    "a list": ('owners = "anna"', ['owners: expected a list, got "anna"']),
    "an entry": ("owners = [1]", ["owners[0]: expected a text, got 1"]),
    "a table": ("defaults = 1", ["defaults: expected a table, got 1"]),
    "channels": ("channels = 1", ["channels: expected a table, got 1"]),
    "a nick": ('alternatives = ["1x"]', ['alternatives: expected a nick, got "1x"']),
    "a choice": (
        'sasl = "maybe"',
        ['sasl: expected "off", "optional" or "required", got "maybe"'],
    ),
    "a path": ("tls_ca_file = 1", ["tls_ca_file: expected a path, got 1"]),
    "a typo": ('owner = ["anna"]', ['owner: unknown key, did you mean "owners"?']),
    "nonsense": ("xyzzy = 1", ["xyzzy: unknown key"]),
    "a pin": (
        'tls_pin = "abc"',
        ['tls_pin: expected a SHA-256 fingerprint, 64 hexadecimal digits, got "abc"'],
    ),
    "a line break": (
        'realname = "a\\nQUIT"',
        ['realname: expected a text without line breaks and NUL, got "a\\nQUIT"'],
    ),
    "a secret": (
        'password = "hush\\r\\nQUIT"',
        [
            "password: expected a text without line breaks and NUL (what was found is not shown)",
        ],
    ),
    "a secret's type": (
        "password = 12345",
        ["password: expected a text (what was found is not shown)"],
    ),
    "a channel": (
        'channels = ["kniffel"]',
        [
            "channels.kniffel: expected a channel (#, &, + or ! first, no space or comma), "
            'got "kniffel"'
        ],
    ),
    "two channels in one": (
        'channels = ["#a,#b"]',
        [
            'channels."#a,#b": expected a channel (#, &, + or ! first, no space or comma), '
            'got "#a,#b"'
        ],
    ),
    "a channel twice": (
        'channels = ["#a", "#a"]',
        ['channels[1]: "#a" is listed twice'],
    ),
    "a channel in two cases": (
        'channels = ["#a[", "#A{"]',
        ['channels."#A{": is the same as "#a["'],
    ),
    "a channel without a name": (
        "channels = [1]",
        ["channels[0]: expected a name, or a table with a name"],
    ),
    "a language": (
        '[networks.libera.channels."#a"]\nlanguage = "klingon"',
        [
            'channels."#a".language: unknown language "klingon", '
            'expected "de", "en", "it" or "zh_Hant"'
        ],
    ),
    "a channel's key": (
        '[networks.libera.channels."#a"]\nkey = "a b"',
        ['channels."#a".key: expected a channel key (what was found is not shown)'],
    ),
    "a plugin": (
        '[networks.libera.channels."#a".knifel]\njoker = true',
        [
            'channels."#a".knifel: unknown key, did you mean "kniffel"?; '
            "no such plugin is enabled here"
        ],
    ),
    "SASL without credentials": (
        'sasl = "required"\nsasl_user = "anna"',
        ["sasl_password: PLAIN needs it"],
    ),
    "SASL without a certificate": (
        'sasl = "required"\nsasl_mechanism = "EXTERNAL"',
        ["client_certificate: EXTERNAL needs one"],
    ),
    "a password for nothing": (
        'sasl_password = "secret"',
        ['sasl: is "off", but there is a sasl_password; expected "required"'],
    ),
    "a key without a certificate": (
        'client_key = "key.pem"',
        ["client_key: there is no client_certificate to go with it"],
    ),
    "a password in the clear": (
        'tls = false\npassword = "secret"',
        [
            "servers[0].tls: a password would cross the connection unencrypted; "
            "use TLS, or set allow_plaintext_password"
        ],
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_fault_names_its_whole_path(faults, case) -> None:
    added, expected = WRONG[case]
    assert faults(SMALL + added) == [f"networks.libera.{fault}" for fault in expected]


def test_all_faults_are_told_at_once(faults) -> None:
    text = """
        log_level = "loud"
        databse = "x"
        [networks.libera]
        servers = [{ host = "a" }, { port = "6697x" }, { host = "c", port = 65536 }]
        nick = "#no"
        [networks.b]
        tls = "no"
        channels = ["x y"]
    """
    assert faults(text) == [
        'log_level: expected "debug", "info", "warning" or "error", got "loud"',
        "networks.libera.servers[1].host: is missing",
        'networks.libera.servers[1].port: expected an integer, got "6697x"',
        "networks.libera.servers[2].port: expected a port, 1 to 65535, got 65536",
        'networks.libera.nick: expected a nick, got "#no"',
        "networks.b.servers: is missing",
        'networks.b.tls: expected true or false, got "no"',
        "networks.b.nick: is missing",
        'networks.b.channels."x y": expected a channel (#, &, + or ! first, no space or comma), got "x y"',
        'databse: unknown key, did you mean "database"?',
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "networks: is missing"),
        ("[networks]", "networks: expected at least one"),
        ("networks = 3", "networks: expected a table, got 3"),
        ("[networks.a]\nservers = []\nnick = 'a'", "networks.a.servers: expected at least one"),
        (
            SMALL + "[networks.LIBERA]\nnick = 'a'\nservers = [{host = 'a'}]",
            'networks.LIBERA: is the same as "libera"',
        ),
        (
            "[networks.'a b']\nnick = 'a'\nservers = [{host = 'a'}]",
            'networks."a b": expected a name of letters, digits, dots and dashes, got "a b"',
        ),
    ],
)
def test_networks_are_checked(faults, text, fault) -> None:
    assert faults(text) == [fault]


def test_a_file_that_cannot_be_read_is_named(load, faults, tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere.toml: cannot be read"):
        load_config(tmp_path / "nowhere.toml", {})
    assert faults("a = [") == [f"{tmp_path}/gamebot.toml: Invalid value (at end of document)"]
    (tmp_path / "latin.toml").write_bytes(b"a = '\xe9'")
    with pytest.raises(ConfigError, match=r"latin.toml: .*utf-8"):
        load_config(tmp_path / "latin.toml", {})
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(ConfigError, match=r"deep.toml: is nested too deep"):
        load_config(tmp_path / "deep.toml", {})
    (tmp_path / "marked.toml").write_text("\ufeffdatabase = 1", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"^database: expected a path"):
        load_config(tmp_path / "marked.toml", {})


LIBERA = "GAMEBOT_NETWORKS__LIBERA__"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("NICK", "other", "other"),
        ("NICK", '"other"', "other"),
        ("REALNAME", "12345", "12345"),
        ("REALNAME", "true", "true"),
        ("PASSWORD", "1\nnick = 2", None),
        ("PASSWORD", "#x = [", "#x = ["),
        ("TLS_VERIFY", "false", False),
        ("FLOOD_BURST", "7", 7),
        ("FLOOD_RATE", "0.5", 0.5),
        ("OWNERS", '["anna", "bert"]', ("anna", "bert")),
        ("TLS_CA_FILE", "/etc/ca.pem", Path("/etc/ca.pem")),
        ("SASL", "off", "off"),
    ],
)
def test_a_variable_overrides_a_key(load, faults, name, value, expected) -> None:
    if expected is None:
        (fault,) = faults(SMALL, **{LIBERA + name: value})
        assert fault.endswith(f"(from {LIBERA}{name})")
    else:
        config = load(SMALL, **{LIBERA + name: value})
        assert getattr(config.networks["libera"], name.lower()) == expected


def test_variables_reach_lists_tables_and_plugins(load) -> None:
    config = load(
        FULL,
        GAMEBOT_DATABASE="/var/lib/x.sqlite3",
        GAMEBOT_CONFIG="ignored.toml",
        GAMEBOT_PLUGINS__DISABLED="[]",
        GAMEBOT_DEFAULTS__KNIFFEL__TURN_TIMEOUT_S="120",
        GAMEBOT_DEFAULTS__UNO__RULES="sterning",
        GAMEBOT_NETWORKS__LIBERA__SERVERS__0__PORT="6000",
        GAMEBOT_NETWORKS__LIBERA__SERVERS__2__HOST="c.example.org",
        GAMEBOT_NETWORKS__LIBERA__CHANNELS__KNIFFEL__LANGUAGE="it",
        GAMEBOT_NETWORKS__LIBERA__CHANNELS__KNIFFEL__KNIFFEL__JOKER="false",
        GAMEBOT_NETWORKS__LIBERA__CHANNELS__NEW__KEY="abc",
        GAMEBOT_NETWORKS__LOCAL__CHANNELS='["#c"]',
        HOME="/home/anna",
    )
    libera = config.networks["libera"]
    assert config.database == Path("/var/lib/x.sqlite3")
    assert config.plugins.disabled == ()
    assert config.defaults.settings["uno"] == {"rules": "sterning"}
    assert [server.port for server in libera.servers] == [6000, None, None]
    assert config.resolve("libera", "#kniffel").language == "it"
    assert config.resolve("libera", "#kniffel").settings["kniffel"] == {
        "turn_timeout_s": 60,
        "joker": False,
    }
    assert config.resolve("libera", "#other").settings["kniffel"]["turn_timeout_s"] == 120
    assert libera.channels["#new"].key == "abc"
    assert list(config.networks["local"].channels) == ["#c"]


def test_variables_can_make_a_whole_network(load) -> None:
    config = load(
        "",
        GAMEBOT_NETWORKS__HOME__NICK="gamebot",
        GAMEBOT_NETWORKS__HOME__SERVERS__0__HOST="localhost",
        GAMEBOT_NETWORKS__HOME__CHANNELS='{"#a" = {key = "k"}}',
    )
    assert config.networks["home"].channels["#a"].key == "k"


def test_names_with_dashes_are_found(load) -> None:
    config = load(SMALL.replace("libera", '"My-Net.1"'), GAMEBOT_NETWORKS__MY_NET_1__NICK="other")
    assert config.networks["My-Net.1"].nick == "other"


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("NETWRKS", "1", 'unknown key, did you mean "networks"?'),
        ("NETWORKS__LIBERA__NIK", "x", 'unknown key, did you mean "nick"?'),
        ("NETWORKS__LIBERA__NICK__X", "x", "there is nothing inside of a plain value: X"),
        (
            "NETWORKS__LIBERA__SERVERS__9__HOST",
            "x",
            "expected the number of an entry, 0 to 1, got 9",
        ),
        (
            "NETWORKS__LIBERA__SERVERS__A__HOST",
            "x",
            "expected the number of an entry, 0 to 1, got A",
        ),
        ("NETWORKS__LIBERA__CHANNELS__A__KEY", "x", "A can be #a or &a"),
        ("NETWORKS__LIBERA__", "x", "unknown key"),
    ],
)
def test_a_variable_that_fits_nowhere_is_named(faults, name, value, fault) -> None:
    text = SMALL + 'channels = ["#a", "&a"]'
    assert f"GAMEBOT_{name}: {fault}" in faults(text, **{f"GAMEBOT_{name}": value})


def test_secrets_come_from_files(load, tmp_path) -> None:
    (tmp_path / "sasl").write_text("correct horse \n")
    (tmp_path / "key").write_text("k\r\n")
    text = SMALL.replace('"gamebot"', '"gamebot"\nsasl = "required"\nsasl_user = "a"\n')
    config = load(
        text + '[networks.libera.channels."#a"]\nkey_file = "key"\n',
        GAMEBOT_NETWORKS__LIBERA__SASL_PASSWORD_FILE="sasl",
    )
    assert config.networks["libera"].sasl_password == "correct horse "
    assert config.networks["libera"].channels["#a"].key == "k"


def test_a_variable_wins_over_a_secret_of_the_file(load, tmp_path) -> None:
    (tmp_path / "new").write_text("new")
    config = load(SMALL + 'password = "old"', **{LIBERA + "PASSWORD_FILE": "new"})
    assert config.networks["libera"].password == "new"
    config = load(SMALL + 'password_file = "gone"', **{LIBERA + "PASSWORD": "new"})
    assert config.networks["libera"].password == "new"


def test_a_secrets_file_that_cannot_be_read_is_named(faults, tmp_path) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9")
    for name, reason in (("gone", "cannot be read"), ("latin", "is no UTF-8 text")):
        (fault,) = faults(SMALL + f'password_file = "{name}"')
        assert fault.startswith(f"networks.libera.password_file: {tmp_path}/{name} {reason}")
    assert faults(SMALL + "password_file = 3") == ["networks.libera.password_file: expected a path"]
    both = 'password = "x"\npassword_file = "y"'
    assert faults(SMALL + both) == [
        "networks.libera.password_file: there is a password as well; expected one of them"
    ]
    both = {LIBERA + "PASSWORD": "x", LIBERA + "PASSWORD_FILE": str(tmp_path / "latin")}
    assert (
        f"{LIBERA}PASSWORD: {LIBERA}PASSWORD_FILE is set as well; expected one of them"
        in faults(SMALL, **both)
    )
