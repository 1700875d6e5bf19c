from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gamebot.cli import main

GOOD = """# a comment
%network n
%channel #k plugin=kniffel language=de prefix=.
%dice #k 1 1 1 2 2

<anna> .addme
> #k eröffnet
<anna> .start
<anna> .wurf
<anna -> bot> .stats
= kniffel #k dice == [1, 1, 1, 2, 2]
+240s
"""


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs of one test must not go to the closed file of another."""
    monkeypatch.setattr("gamebot.logs.set_up_logs", lambda *_args: None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "session.irc"
    path.write_text(GOOD, encoding="utf-8")
    return path


def replay(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_it_prints_the_session_with_the_bot_s_lines_in_place(file: Path):
    result = replay(file)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    said = lines.index("<anna> .wurf")
    assert lines[said + 1].strip().startswith("#k <bot> anna würfelt [1 1 1 2 2]")
    assert any(line.strip().startswith("-bot- to anna: anna: 1=·") for line in lines)


def test_the_first_expectation_that_fails_ends_it_with_1(file: Path):
    file.write_text(GOOD + "> #k no such thing\n<anna> never run\n", encoding="utf-8")
    result = replay(file)
    assert result.exit_code == 1
    assert f"{file}: line 13: expected 'no such thing'" in result.stderr
    assert "never run" not in result.stdout


@pytest.mark.parametrize("content", [b"nonsense\n", b"%network n\n%channel #k\n\xff\xfe\n", b""])
def test_what_cannot_be_read_ends_it_with_2(file: Path, content: bytes):
    file.write_bytes(content)
    result = replay(file)
    assert result.exit_code == 2
    assert str(file) in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_file_ends_it_with_2(tmp_path: Path):
    assert replay(tmp_path / "nowhere.irc").exit_code == 2


def test_json_has_one_object_a_line_with_exactly_these_fields(file: Path):
    result = replay(file, "--json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    fields = {"line", "at", "network", "from", "to", "kind", "text"}
    assert {record["kind"] for record in records} == {"input", "privmsg", "notice", "event"}
    for record in records:
        assert set(record) == (fields | {"event"} if record["kind"] == "event" else fields)
    assert records[0] == {
        "line": 6,
        "at": 0.0,
        "network": "n",
        "from": "anna",
        "to": "#k",
        "kind": "input",
        "text": ".addme",
    }
    rolled = next(record for record in records if record["text"] == "DiceRolled")
    assert rolled["event"]["dice"] == [1, 1, 1, 2, 2]
    warned = records[-1]
    assert (warned["at"], warned["from"], warned["kind"]) == (240.0, "bot", "privmsg")


def test_the_same_file_gives_the_same_output(file: Path):
    assert replay(file, "--json").stdout == replay(file, "--json").stdout


def test_update_writes_what_was_said_and_passes_afterwards(file: Path):
    assert replay(file, "--update").exit_code == 0
    once = file.read_text(encoding="utf-8")
    assert "> n/#k ^anna würfelt \\[1 1 1 2 2\\]" in once
    assert "> anna@n notice ^anna: 1=·" in once
    assert "> #k eröffnet" in once
    assert replay(file).exit_code == 0
    assert replay(file, "--update").exit_code == 0
    assert file.read_text(encoding="utf-8") == once


def test_update_replaces_what_is_no_longer_said(file: Path):
    replay(file, "--update")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("%dice #k 1 1 1 2 2", "%dice #k 1 1 1 2 3"), encoding="utf-8")
    assert replay(file).exit_code == 1
    text = file.read_text(encoding="utf-8").replace("= kniffel #k dice == [1, 1, 1, 2, 2]\n", "")
    file.write_text(text, encoding="utf-8")
    assert replay(file, "--update").exit_code == 0
    assert "[1 1 1 2 3\\]" in file.read_text(encoding="utf-8")
    assert replay(file).exit_code == 0


def test_update_keeps_the_line_ends_of_the_file(file: Path):
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert replay(file, "--update").exit_code == 0
    once = file.read_bytes()
    assert once.count(b"\r\n") == once.count(b"\n") > GOOD.count("\n")
    assert replay(file, "--update").exit_code == 0
    assert file.read_bytes() == once


def test_a_carriage_return_in_a_line_ends_no_line(file: Path):
    file.write_bytes(GOOD.encode() + b"<bert> .addme Evil\rQUIT :pwned\n!> * QUIT\n")
    assert replay(file).exit_code == 0


def test_update_leaves_a_file_alone_whose_own_expectations_fail(file: Path):
    text = GOOD + "> #k by hand\n"
    file.write_text(text, encoding="utf-8")
    assert replay(file, "--update").exit_code == 1
    assert file.read_text(encoding="utf-8") == text


def test_several_files_and_a_drop_in_folder(file: Path, tmp_path: Path):
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "echo.py").write_text(
        "from gamebot import hookimpl\n"
        "def echo(ctx): ctx.say('echo!')\n"
        "@hookimpl\n"
        "def gamebot_register(registry): registry.command('echo', echo, words='!echo')\n"
    )
    other = tmp_path / "other.irc"
    other.write_text("%network n\n%channel #e plugin=echo\n<anna> !echo\n> #e echo!\n")
    result = replay(file, other, "--folder", folder)
    assert result.exit_code == 0
    assert "#e <bot> echo!" in result.stdout
