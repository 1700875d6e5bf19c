"""A plugin's durable key-value state in one channel."""

from __future__ import annotations

import json
from collections.abc import Iterator, MutableMapping
from typing import Any


class State(MutableMapping[str, Any]):
    """A plugin's durable key-value state in one channel; values are JSON."""

    def __init__(self, values: dict[str, Any], touched: set[str]) -> None:
        self._values, self._touched = values, touched

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  any JSON value
        """Return the value; changing it in place is stored too."""
        value = self._values[key]
        self._touched.add(key)
        return value

    def __setitem__(self, key: str, value: Any) -> None:  # noqa: ANN401  any JSON value
        """Store *value*.

        Raises:
            TypeError: It is no JSON value, or the key no text.
        """
        if not isinstance(key, str):
            raise TypeError(f"a key is a text, not {key!r}")
        json.dumps(value)
        self._touched.add(key)
        self._values[key] = value

    def __delitem__(self, key: str) -> None:
        """Forget *key*."""
        del self._values[key]
        self._touched.add(key)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self._values)

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._values)
