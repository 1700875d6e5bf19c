"""What several files of tests here share."""

from __future__ import annotations

from collections.abc import Callable

from uno_table import Table

NewTable = Callable[..., Table]


PRESETS = ("cuciolo", "sterning", "zh2", "mattel")
