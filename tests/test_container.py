"""The container's files, as far as they can be checked without an engine that runs them."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from gamebot.cli import main

ROOT = Path(__file__).parents[1]
DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text("utf-8"))
DOCKERFILES = {"bot": DOCKER / "Dockerfile", "ircd": DOCKER / "ngircd" / "Dockerfile"}
CONTEXTS = {"bot": ROOT, "ircd": DOCKER / "ngircd"}
ENTRY = re.compile(r"^([\w.-]+)(?:\[[\w,.-]+\])?==", re.MULTILINE)


def instructions(file: Path) -> list[tuple[str, str]]:
    """Every instruction of a Dockerfile with its arguments, continued lines joined."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    whole = re.sub(r" *\\\n *", " ", "\n".join(lines)).splitlines()
    found = [line.strip().partition(" ") for line in whole if line.strip()]
    return [(name, rest.strip()) for name, _, rest in found]


def test_check_accepts_the_configuration(monkeypatch) -> None:
    monkeypatch.delenv("GAMEBOT_CONFIG", raising=False)
    result = CliRunner().invoke(main, ["check", str(DOCKER / "gamebot.toml")])
    assert result.exit_code == 0, result.output
    assert "ircd:6667 (no TLS)" in result.stdout


def test_the_services_fit_the_files() -> None:
    services = COMPOSE["services"]
    config = tomllib.loads((DOCKER / "gamebot.toml").read_text("utf-8"))
    assert set(services) == {"bot", "ircd"}
    assert (DOCKER / services["bot"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["bot"]["build"]["dockerfile"]) == DOCKERFILES["bot"]
    assert (DOCKER / services["ircd"]["build"] / "Dockerfile") == DOCKERFILES["ircd"]
    assert config["networks"]["local"]["servers"][0]["host"] in services
    for volume in services["bot"]["volumes"]:
        source = volume.split(":")[0]
        assert (
            (DOCKER / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
        )


def test_the_database_is_on_the_volume() -> None:
    volume = dict(instructions(DOCKERFILES["bot"]))["VOLUME"]
    config = tomllib.loads((DOCKER / "gamebot.toml").read_text("utf-8"))
    assert config["database"].startswith(f"{volume}/")
    assert COMPOSE["services"]["bot"]["volumes"][-1].endswith(f":{volume}")


@pytest.mark.parametrize("service", DOCKERFILES)
def test_what_is_copied_is_there_and_not_ignored(service) -> None:
    ignored = DOCKERFILES[service].with_name("Dockerfile.dockerignore")
    let_in = ignored.read_text("utf-8").splitlines() if ignored.exists() else None
    for name, rest in instructions(DOCKERFILES[service]):
        if name == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (CONTEXTS[service] / source).exists(), source
                assert let_in is None or f"!{source.rstrip('/')}" in let_in, source


@pytest.mark.parametrize("service", DOCKERFILES)
def test_the_last_stage_does_not_run_as_root(service) -> None:
    found = instructions(DOCKERFILES[service])
    last = max(index for index, (name, _) in enumerate(found) if name == "FROM")
    users = [rest for name, rest in found[last:] if name == "USER"]
    assert users
    assert users[-1] != "root"


def test_the_image_installs_with_hashes_what_is_needed_at_run_time() -> None:
    runs = " ".join(rest for name, rest in instructions(DOCKERFILES["bot"]) if name == "RUN")
    assert runs.count("--require-hashes") == 2
    assert "--no-deps --no-index wheels/*.whl" in runs
    lock = subprocess.run(
        [sys.executable, str(DOCKER / "runtime.py")], capture_output=True, text=True, check=True
    ).stdout
    names = set(ENTRY.findall(lock))
    assert {"attrs", "cattrs", "click", "pluggy", "pure-sasl", "pydle", "structlog"} <= names
    assert names.isdisjoint({"pytest", "mypy", "ruff", "hypothesis", "babel", "gamebot"})
    assert lock.count("--hash=sha256:") >= len(names)


def test_the_server_accepts_its_configuration() -> None:
    ngircd = shutil.which("ngircd", path="/usr/sbin:/usr/local/sbin")
    if ngircd is None:
        pytest.skip("ngircd is not installed")
    result = subprocess.run(
        [ngircd, "--configtest", "--config", str(DOCKER / "ngircd" / "ngircd.conf")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "unknown" not in (result.stdout + result.stderr).lower()
