"""Values in a file: half the size of float64 and exact to 2e-7, read without being loaded.

The file is one line of JSON (format, variant, shape, SHA-256 of the rest), filled up with spaces
to `HEADER_BYTES`, and the values as little-endian 32-bit numbers with 22 fractional bits.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from gamebot_kniffel.solver.induction import Grid, solve, standard_deviation
from gamebot_kniffel.solver.lattice import Floats
from gamebot_kniffel.solver.numbering import (
    COLUMNS,
    NO_COLUMN,
    Indices,
    column_of,
    lower_set,
    row_of,
    rows,
)
from gamebot_kniffel.solver.variant import State, Variant

#: Grows when the numbering of the states or the form of the file changes.
FORMAT = 1
HEADER_BYTES = 256

_SCALE = 2.0**22
_DTYPE = np.dtype("<u4")
_PACKAGED = Path(__file__).parents[1] / "data"


class DamagedTableError(ValueError):
    """A file is no table of these rules, or not what was written."""


@frozen(eq=False)
class Table:
    """The value of every state.

    Attributes:
        variant: The rules.
        sd: Standard deviation of the scores of whole games.
        raw: Fixed-point values, (row, column).
    """

    variant: Variant
    sd: float
    raw: npt.NDArray[np.uint32] = field(repr=False)

    @classmethod
    def of(cls, variant: Variant, grid: Grid, sd: float) -> Table:
        """Round the values of *grid*."""
        return cls(variant, sd, np.rint(grid.values[:, :COLUMNS] * _SCALE).astype(_DTYPE))

    def at(self, row: int, columns: Indices) -> Floats:
        """Return the values of *columns* in *row*; minus infinity for `NO_COLUMN`."""
        found = self.raw[row].take(columns, mode="clip") / _SCALE
        return np.where(columns == NO_COLUMN, -np.inf, found)

    def value(self, state: State) -> float:
        """Return the points that are still to come before a turn in *state*.

        Raises:
            ValueError: No game leads there.
        """
        return float(self.raw[row_of(lower_set(state), state.kn), column_of(state)]) / _SCALE


def load(path: Path, variant: Variant) -> Table:
    """Map the file at *path* into memory.

    Args:
        path: The file.
        variant: The rules that it must be of.

    Raises:
        DamagedTableError: It is of other rules, of another format, cut or changed.
        OSError: It cannot be read.
    """
    shape = rows(variant), COLUMNS
    if path.stat().st_size != HEADER_BYTES + shape[0] * shape[1] * _DTYPE.itemsize:
        raise DamagedTableError(f"{path}: the size is not that of a table")
    header = _read_header(path)
    if header.pop("sha256", "") != _checksum(path):
        raise DamagedTableError(f"{path}: the checksum does not match")
    sd = header.pop("sd", None)
    if header != _header(variant) or not isinstance(sd, float):
        raise DamagedTableError(f"{path}: a table of other rules or of another version")
    return Table(variant, sd, np.memmap(path, _DTYPE, "r", HEADER_BYTES, shape))


def save(table: Table, path: Path) -> None:
    """Write *table* to *path*: all of it or nothing."""
    data = np.ascontiguousarray(table.raw, dtype=_DTYPE).tobytes()
    header = {**_header(table.variant), "sd": table.sd, "sha256": hashlib.sha256(data).hexdigest()}
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(number, "wb") as file:
            os.fchmod(number, 0o644)
            file.write(json.dumps(header).encode().ljust(HEADER_BYTES - 1) + b"\n" + data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _header(variant: Variant) -> dict[str, Any]:
    return {
        "table": "kniffel",
        "format": FORMAT,
        "rules": variant.key,
        "rows": rows(variant),
        "columns": COLUMNS,
    }


def _read_header(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        line = file.read(HEADER_BYTES)
    try:
        header = json.loads(line)
    except ValueError as error:
        raise DamagedTableError(f"{path}: no header") from error
    if not isinstance(header, dict):
        raise DamagedTableError(f"{path}: no header")
    return header


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        return hashlib.file_digest(file, "sha256").hexdigest()


def cache_folder() -> Path:
    """Return where tables are kept: `$XDG_CACHE_HOME/gamebot/kniffel`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gamebot" / "kniffel"


def file_name(variant: Variant) -> str:
    """Return the name of the file with the values of *variant*."""
    return f"{variant.key}.values"


def find(variant: Variant, folder: Path) -> Table | None:
    """Return the table that came with the package, or the one in *folder*; None without a good one."""
    for path in (_PACKAGED / file_name(variant), folder / file_name(variant)):
        try:
            return load(path, variant)
        except (OSError, DamagedTableError):
            continue
    return None


def obtain(
    variant: Variant, folder: Path, progress: Callable[[int, int], object] | None = None
) -> Table:
    """Return the table of *variant*; work it out and keep it in *folder* if there is none.

    A damaged or foreign file is replaced. It takes some seconds: for a worker process or a shell.
    """
    found = find(variant, folder)
    if found is None:
        grid = solve(variant, progress)
        found = Table.of(variant, grid, standard_deviation(variant, grid, progress))
        save(found, folder / file_name(variant))
    return found
