"""For all tests: under `coverage run`, the report comes before pytest's closing line.

`pytest --cov` would begin too late: the test kit is a plugin of pytest and imports the package
before any option is read.
"""

import io

import coverage
import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    running = coverage.Coverage.current()
    if running is None:
        return
    report = io.StringIO()
    running.report(file=report, skip_covered=True)
    terminalreporter.section("coverage")
    terminalreporter.write(report.getvalue())
