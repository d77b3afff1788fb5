"""docs/security.md: every row of the threat table has tests, or says why it has none yet."""

import re
from fnmatch import fnmatch

import pytest

from . import source

TABLE = (source.ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (\d+) \|.*\| ([^|]+) \|$", TABLE, re.M))
TESTS = {
    name
    for path in (source.ROOT / "tests").glob("test_threats_*.py")
    for name in re.findall(r"^def (test_rows?_\w+)", path.read_text(encoding="utf-8"), re.M)
}
LATER = {26, 29, 30, 31, 32, 34, 36, 37}


def test_the_table_has_every_row() -> None:
    """Rows 1 to 42 stand in the table, each once."""
    assert list(map(int, ROWS)) == list(range(1, 43))
    assert len(re.findall(r"^\| \d+ \|", TABLE, re.M)) == 42


@pytest.mark.parametrize("row", range(1, 43))
def test_a_row_has_tests_or_comes_later(row: int) -> None:
    """What a row names are tests, and the tests name the row."""
    named = re.findall(r"`(test_rows?_[\w*]+)`", ROWS[str(row)])
    assert bool(named) != (row in LATER)
    for pattern in named:
        assert [test for test in TESTS if fnmatch(test, pattern)], pattern
        assert str(row) in re.findall(r"\d+", pattern)


def test_every_test_is_in_the_table() -> None:
    """A test of a row that the table doesn't show is not known to anybody."""
    named = re.findall(r"`(test_rows?_[\w*]+)`", TABLE)
    assert [test for test in sorted(TESTS) if not any(fnmatch(test, each) for each in named)] == []
