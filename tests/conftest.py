from __future__ import annotations

from itertools import islice

import pytest
import structlog
from hypothesis import settings

settings.register_profile("gamebot", deadline=None)  # a busy machine is no fault
settings.load_profile("gamebot")


def plain_logs() -> None:
    """Show an error as a running bot does: to draw frames with all variables takes seconds."""
    structlog.reset_defaults()
    *processors, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(
        colors=False, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(processors=[*processors, plain])


plain_logs()


@pytest.fixture(autouse=True)
def fresh_logs():
    """Undo what a command line run in this process did to the logs: `check` silences them."""
    yield
    plain_logs()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let two thirds of the workers begin with tests that wait for servers, while the others compute."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        waiting = [item for item in items if item.get_closest_marker("integration")]
        waiting.sort(key=lambda item: item.get_closest_marker("long") is None)
        computing = [item for item in items if not item.get_closest_marker("integration")]
        items[:] = spread(waiting, computing, workers)


def spread(
    waiting: list[pytest.Item], computing: list[pytest.Item], workers: int
) -> list[pytest.Item]:
    """Put *waiting* at the head of the first shares; each worker first gets an equal share.

    `--dist worksteal` deals the shares in order, and moves their tails to who has nothing left.
    """
    total, waiters = len(waiting) + len(computing), workers * 2 // 3
    rest = iter(computing)
    ordered: list[pytest.Item] = []
    for number in range(workers):
        head = waiting[number::waiters] if number < waiters else []
        end = total * (number + 1) // workers
        ordered += head
        ordered += islice(rest, end - len(ordered))
    return ordered
