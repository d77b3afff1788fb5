"""Counts the histories that were judged, for a line at the end."""

from collections import Counter

import pytest

from ..conftest import SUMMARY


class Tally:
    """What was judged in this run, and what took longest."""

    def __init__(self) -> None:
        self.histories: Counter[str] = Counter()
        self.seconds = 0.0
        self.worst = (0.0, "", 0)

    def add(self, family: str, seed: int, seconds: float) -> None:
        """Count one history."""
        self.histories[family] += 1
        self.seconds += seconds
        self.worst = max(self.worst, (seconds, family, seed))


TALLY = Tally()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say how many histories were judged and how long fit took."""
    if TALLY.histories:
        families = ", ".join(f"{name} {count:,}" for name, count in TALLY.histories.items())
        slowest, family, seed = TALLY.worst
        session.config.stash[SUMMARY].append(
            f"fit: {TALLY.histories.total():,} histories ({families}) took {TALLY.seconds:.1f} s; "
            f"the slowest {slowest * 1e3:.0f} ms ({family}, seed {seed})"
        )
