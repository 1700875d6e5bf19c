"""Fixtures: real servers, each test its own, ended with the test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from . import servers
from .certificates import Authority, make_authority

DAEMONS = pytest.StashKey[list[servers.Daemon]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.integration)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Show the servers' logs with a failure."""
    report = yield
    if report.failed:
        for daemon in item.stash.get(DAEMONS, []):
            report.sections.append((f"log of {daemon.name}", daemon.log_tail()))
    return report


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A private CA for this run."""
    return make_authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def daemons(request: pytest.FixtureRequest) -> list[servers.Daemon]:
    """Programs whose logs are shown if the test fails."""
    return request.node.stash.setdefault(DAEMONS, [])


@pytest.fixture
async def ngircd(
    tmp_path: Path, authority: Authority, daemons: list[servers.Daemon]
) -> AsyncIterator[servers.IrcServer]:
    """A running ngircd."""
    server = servers.make_ngircd(tmp_path / "ngircd", authority)
    daemons.append(server)
    async with servers.running(server):
        yield server


@pytest.fixture
async def inspircd(
    tmp_path: Path, authority: Authority, daemons: list[servers.Daemon]
) -> AsyncIterator[servers.IrcServer]:
    """A running InspIRCd without services."""
    server = servers.make_inspircd(tmp_path / "inspircd", authority)
    daemons.append(server)
    async with servers.running(server):
        yield server


@pytest.fixture
async def inspircd_with_services(
    tmp_path: Path, inspircd: servers.IrcServer, daemons: list[servers.Daemon]
) -> AsyncIterator[servers.IrcServer]:
    """A running InspIRCd with atheme linked to it."""
    services = servers.make_services(tmp_path / "atheme", inspircd)
    daemons.append(services)
    async with servers.running(services):
        yield inspircd
