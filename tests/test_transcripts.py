"""Golden sessions: every `tests/transcripts/*.irc` runs through the real dispatcher and store."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gamebot.plugins import load_plugins
from gamebot.registry import Registry
from gamebot.testing.transcript import Record, Run

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.irc"))
REPEATED = [file for file in FILES if file.stem in ("kniffel-further", "kniffel-five-minutes")]


@cache
def registries() -> dict[str, Registry]:
    return load_plugins().registries


async def records_of(text: str) -> list[Record]:
    run = Run(registries())
    await run.run(text)
    return run.records


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
async def test_transcript(file: Path, capsys: pytest.CaptureFixture[str]):
    await records_of(file.read_text(encoding="utf-8"))
    logged = capsys.readouterr()
    assert "Traceback" not in logged.out + logged.err


@pytest.mark.parametrize("file", REPEATED, ids=lambda file: file.stem)
async def test_the_same_file_gives_the_same_records(file: Path):
    text = file.read_text(encoding="utf-8")
    assert await records_of(text) == await records_of(text)
