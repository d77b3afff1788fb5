"""docs/providers.md promises a test for every quirk; each of them exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/providers.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(test_\w+\.py)::(test_\w+)`", PAGE)))
QUIRKS = PAGE.partition("## Tools as text")[0]
ROWS = [line for line in QUIRKS.splitlines() if line.startswith("| ") and "Test |" not in line]


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_test_exists(file: str, name: str) -> None:
    """By its file and its name."""
    source = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert re.search(rf"^def {name}\(", source, re.M)


@pytest.mark.parametrize("row", ROWS)
def test_every_quirk_names_its_test(row: str) -> None:
    """No row of the tables of quirks is without one."""
    assert re.search(r"\| `test_\w+\.py::test_\w+`[^|]*\|$", row)


def test_every_module_named_exists() -> None:
    """A path that the page gives is one of this repository."""
    paths = re.findall(r"`((?:chyan_agent|tests)/[\w/.]*)`", PAGE)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
