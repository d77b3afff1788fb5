"""How long things take, told in a way that a busy machine does not change."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if what is done here takes more processor time: that of other work does not count."""
    began = time.thread_time()
    yield
    took = time.thread_time() - began
    assert took < seconds, f"{took:.2f} s of processor time"
