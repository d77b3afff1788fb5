"""A place for many small trials."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

_numbers = count()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: what is made there need not reach a disk."""
    memory = Path("/dev/shm")
    where = (memory if memory.is_dir() else tmp_path) / f"{tmp_path.name}-{next(_numbers)}"
    where.mkdir(mode=0o700)
    yield where
    shutil.rmtree(where)
