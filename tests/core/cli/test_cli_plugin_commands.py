"""Subcommands that plugins bring by an entry point."""

from importlib.metadata import EntryPoint

import click
import pytest
from click.testing import CliRunner

from gamebot import cli


@click.command()
def greet() -> None:
    click.echo("hello")


@pytest.fixture
def brought(monkeypatch) -> None:
    points = [
        EntryPoint("greet", f"{__name__}:greet", cli.PLUGIN_COMMANDS),
        EntryPoint("run", f"{__name__}:greet", cli.PLUGIN_COMMANDS),
    ]
    monkeypatch.setattr(cli, "entry_points", lambda group: points if group else [])


def test_a_plugin_brings_a_command(brought) -> None:
    assert CliRunner().invoke(cli.main, ["greet"]).output == "hello\n"
    assert "greet" in CliRunner().invoke(cli.main, ["--help"]).output


def test_no_plugin_takes_the_place_of_a_command_of_ours(brought) -> None:
    assert "hello" not in CliRunner().invoke(cli.main, ["run", "--help"]).output
