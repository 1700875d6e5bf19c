"""Fixtures: an embedded server without a network."""

from __future__ import annotations

import pytest

from gamebot.testing import IrcServer, VirtualClock


@pytest.fixture
def server() -> IrcServer:
    return IrcServer(name="alpha", clock=VirtualClock(start=1_000_000.0))
