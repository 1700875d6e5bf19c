from __future__ import annotations

import pytest
import structlog
from hypothesis import settings

settings.register_profile("gamebot", deadline=None)  # a busy machine is no fault
settings.load_profile("gamebot")


@pytest.fixture(autouse=True)
def fresh_logs():
    """Undo what a command line run in this process did to the logs: `check` silences them."""
    yield
    structlog.reset_defaults()
