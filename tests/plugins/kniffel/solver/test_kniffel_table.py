"""Files with values: what is damaged or of other rules is recognised and made anew."""

from pathlib import Path

import numpy as np
import pytest
from gamebot_kniffel.solver import table
from gamebot_kniffel.solver.induction import Grid
from gamebot_kniffel.solver.numbering import COLUMNS, NO_COLUMN, rows
from gamebot_kniffel.solver.variant import Joker, Variant

OPTION = Variant(joker=Joker.OPTION)


@pytest.fixture
def some() -> table.Table:
    raw = np.arange(rows(OPTION) * COLUMNS, dtype=np.uint32).reshape(-1, COLUMNS)
    return table.Table(OPTION, 1.5, raw)


def test_what_is_written_is_read_and_nothing_lies_beside_it(some, tmp_path) -> None:
    path = tmp_path / "new" / "file"
    table.save(some, path)
    again = table.load(path, OPTION)
    assert again.sd == 1.5
    assert (again.raw == some.raw).all()
    assert isinstance(again.raw, np.memmap)
    assert list(path.parent.iterdir()) == [path]


def test_a_box_that_is_filled_is_worth_less_than_anything(some) -> None:
    assert some.at(0, np.array([4, NO_COLUMN])).tolist() == [4 / 2**22, -np.inf]


def damage(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("at", [0, 30, table.HEADER_BYTES, -1])
def test_one_changed_bit_is_noticed(some, tmp_path, at: int) -> None:
    table.save(some, tmp_path / "file")
    damage(tmp_path / "file", at)
    with pytest.raises(table.DamagedTableError):
        table.load(tmp_path / "file", OPTION)


def test_a_cut_file_and_one_of_other_rules_are_noticed(some, tmp_path) -> None:
    path = tmp_path / "file"
    table.save(some, path)
    with pytest.raises(table.DamagedTableError, match="other rules"):
        table.load(path, Variant(joker=Joker.FREE))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(table.DamagedTableError, match="size"):
        table.load(path, OPTION)


def test_a_damaged_file_is_made_anew(some, tmp_path, monkeypatch) -> None:
    """The values themselves are tested elsewhere; here a quick stand-in is solved."""
    grid = Grid.empty(OPTION)
    grid.values[:, :COLUMNS] = 7.0
    monkeypatch.setattr(table, "solve", lambda *_: grid)
    monkeypatch.setattr(table, "standard_deviation", lambda *_: 2.5)
    path = tmp_path / table.file_name(OPTION)
    table.save(some, path)
    damage(path, -1)
    assert table.obtain(OPTION, tmp_path).sd == 2.5
    assert (table.load(path, OPTION).raw == 7 * 2**22).all()


def test_a_write_that_fails_leaves_the_old_file(some, tmp_path, monkeypatch) -> None:
    path = tmp_path / "file"
    table.save(some, path)
    before = path.read_bytes()
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        table.save(some, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
