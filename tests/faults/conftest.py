"""A place for many small trials."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: what is made there need not reach a disk."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as where:
        yield Path(where)
