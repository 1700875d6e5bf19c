import stat

import pytest
from click.testing import CliRunner

from gamebot.cli import main
from gamebot.config import LANGUAGES, load_config


@pytest.fixture
def init(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def init(*arguments: str, answers: str = ""):
        return CliRunner().invoke(main, ["init", *arguments], input=answers)

    return init


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_yes_asks_nothing_and_check_accepts_it(init, tmp_path) -> None:
    result = init("--yes")
    assert result.exit_code == 0
    assert result.output == (
        "gamebot.toml is written. Next: gamebot check gamebot.toml, then gamebot run gamebot.toml\n"
    )
    assert mode(tmp_path / "gamebot.toml") == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["gamebot.toml"]
    checked = CliRunner().invoke(main, ["check"])
    assert checked.exit_code == 0
    assert "#gamebot: kniffel; language en" in checked.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_go_into_the_file(init, tmp_path, language) -> None:
    arguments = ["--network", "my.net", "--server", "localhost", "--no-tls", "--nick", "Games[1]"]
    result = init(
        *("new/x.toml", "--yes", *arguments, "--channels", '#a, &b"c', "--language", language),
        *("--game", "uno", "--owner", "anna"),
    )
    assert result.exit_code == 0, result.output
    config = load_config(tmp_path / "new" / "x.toml", {})
    network = config.networks["my.net"]
    assert (network.servers[0].host, network.servers[0].port) == ("localhost", 6667)
    assert (network.nick, network.owners) == ("Games[1]", ("anna",))
    channel = config.resolve("my.net", '&b"c')
    assert list(network.channels) == ["#a", '&b"c']
    assert (channel.language, channel.plugins) == (language, ("uno",))


def test_questions_are_asked_again_until_the_answer_fits(init, tmp_path) -> None:
    answers = [
        *("a b", "home"),
        "irc.example.org",
        *("perhaps", "no"),
        *("70000", ""),
        *("1bot", "bot"),
        *("games", "#games #more"),
        *("fr", "de"),
        "",
        "anna",
        "botaccount",
        "correct horse",
    ]
    result = init(answers="\n".join([*answers, ""]))
    assert result.exit_code == 2
    assert "networks.home.servers[0].tls: a password would cross the connection" in result.output
    answers[3:5] = ["yes"]
    result = init(answers="\n".join([*answers, ""]))
    assert result.exit_code == 0, result.output
    assert "correct horse" not in result.output
    assert "correct horse" not in (tmp_path / "gamebot.toml").read_text()
    assert mode(tmp_path / "gamebot.password") == 0o600
    network = load_config(tmp_path / "gamebot.toml", {}).networks["home"]
    assert (network.sasl_user, network.sasl_password) == ("botaccount", "correct horse")
    assert (network.servers[0].port, network.nick) == (6697, "bot")
    assert list(network.channels) == ["#games", "#more"]


def test_nothing_is_overwritten_without_force(init, tmp_path) -> None:
    path = tmp_path / "gamebot.toml"
    path.write_text("precious")
    result = init("--yes")
    assert result.exit_code == 1
    assert "gamebot.toml exists; --force overwrites it" in result.output
    assert path.read_text() == "precious"
    assert init("--yes", "--force").exit_code == 0
    assert path.read_text() != "precious"


def test_a_wrong_option_is_named(init, tmp_path) -> None:
    result = init("--yes", "--nick", "1x")
    assert result.exit_code == 2
    assert "Invalid value for '--nick'" in result.output
    assert not list(tmp_path.iterdir())
