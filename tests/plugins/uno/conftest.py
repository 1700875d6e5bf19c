from __future__ import annotations

from collections.abc import Callable

import pytest
from uno_table import ALDO, Table

NewTable = Callable[..., Table]


@pytest.fixture
def table() -> NewTable:
    """Begin a game with the given hands."""

    def new(
        *hands: str, deck: str = "R9", rules: str = "cuciolo", starter: int | None = ALDO
    ) -> Table:
        return Table(rules, deck, hands, starter)

    return new
