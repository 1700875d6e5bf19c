import subprocess
import sys

import pytest
from click.testing import CliRunner

from gamebot import cli
from gamebot._version import __version__
from gamebot.errors import ConfigError, StoreError


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from gamebot.cli import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: print(*sorted(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, modules = run.stdout.splitlines()
    assert first == f"gamebot {__version__}"
    heavy = {"pydle", "sqlite3", "structlog", "rich", "asyncio", "gamebot.config"}
    assert heavy.isdisjoint(modules.split())


def test_it_is_a_module() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "gamebot", "--help"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("Usage: gamebot ")
    assert "check" in run.stdout


def test_a_command_that_is_not_there_is_unknown(monkeypatch) -> None:
    monkeypatch.setattr(cli, "COMMANDS", ("check", "dance"))
    runner = CliRunner()
    assert "dance" not in runner.invoke(cli.main, ["--help"]).output
    result = runner.invoke(cli.main, ["dance"])
    assert result.exit_code == 2
    assert "No such command" in result.output


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (ConfigError(["a: is missing", "b: unknown key"]), 2, "a: is missing\nb: unknown key\n"),
        (StoreError("the disk is full"), 1, "gamebot: the disk is full\n"),
    ],
)
def test_an_error_of_ours_is_a_message(monkeypatch, error, code, text) -> None:
    def fail(_path):
        raise error

    monkeypatch.setattr("gamebot.cli.check.load_config", fail)
    result = CliRunner().invoke(cli.main, ["check"])
    assert (result.exit_code, result.output) == (code, text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["docs", "export", "-o", "{file}/page.html"],
        ["init", "--yes", "{file}/gamebot.toml"],
        ["init", "--yes", "--force", "{folder}/a.toml/b.toml"],
    ],
)
def test_what_cannot_be_written_is_a_message(tmp_path, arguments) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    (tmp_path / "a.toml").write_text("no folder either")
    words = [word.format(file=file, folder=tmp_path) for word in arguments]
    result = CliRunner().invoke(cli.main, words)
    assert result.exit_code == 1
    assert result.stderr.startswith(("gamebot: ", "Error: "))
    assert isinstance(result.exception, SystemExit)


def test_other_errors_of_the_system_are_no_message(monkeypatch) -> None:
    def fails(_: object) -> None:
        raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr("gamebot.cli.check.load_config", fails)
    result = CliRunner().invoke(cli.main, ["check"])
    assert isinstance(result.exception, OSError)
