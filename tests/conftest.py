from __future__ import annotations

import pytest
import structlog


@pytest.fixture(autouse=True)
def fresh_logs():
    """Undo what a command line run in this process did to the logs: `check` silences them."""
    yield
    structlog.reset_defaults()
