"""Golden sessions: every `tests/transcripts/*.irc` runs through the real dispatcher and store."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gamebot import i18n
from gamebot.plugin.loading import load_plugins
from gamebot.plugin.registry import Registry
from gamebot.testing.transcript import Record, Run

TRANSCRIPTS = {
    file.stem: file.read_text(encoding="utf-8")
    for file in sorted((Path(__file__).parent / "transcripts").glob("*.irc"))
}
REPEATED = ("kniffel-five-minutes", "kniffel-bot-players", "core-restart", "core-two-networks")


@cache
def registries() -> dict[str, Registry]:
    return load_plugins().registries


async def records_of(text: str) -> list[Record]:
    run = Run(registries())
    await run.run(text)
    return run.records


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_transcript(name: str, capsys: pytest.CaptureFixture[str]):
    registries()
    capsys.readouterr()
    i18n.missing.clear()
    await records_of(TRANSCRIPTS[name])
    logged = capsys.readouterr()
    assert "Traceback" not in logged.out + logged.err
    assert not i18n.missing


@pytest.mark.parametrize("name", REPEATED)
async def test_the_same_transcript_gives_the_same_records(name: str):
    assert await records_of(TRANSCRIPTS[name]) == await records_of(TRANSCRIPTS[name])
