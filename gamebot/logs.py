"""Structured logs on standard error; never a secret, never a hand."""

from __future__ import annotations

import logging
import sys

import structlog


def set_up_logs(level: str = "info", form: str = "console") -> None:
    """Send structlog's and the standard library's records to standard error.

    Args:
        level: "debug", "info", "warning" or "error".
        form: "console" for people, "json" for machines.
    """
    number = getattr(logging, level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[structlog.typing.Processor]
    if form == "json":
        renderer = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ]
    else:
        plain = structlog.dev.plain_traceback
        colors = sys.stderr.isatty()
        renderer = [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        # Not cached: modules' loggers would keep this for ever, whatever is configured later.
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(name)s: %(message)s")
