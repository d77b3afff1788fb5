"""What each full sweep did, as lines of one file from which docs/reliability.md has its table."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

REPORT = "CHYAN_FAULTS_REPORT"
"""Names the file that a line is appended to; without it nothing is written."""


def report(method: str, points: int, violations: int, seconds: float) -> str:
    """Append `method points violations seconds`; return the line. `method` is one word."""
    line = f"{method} {points} {violations} {seconds:.1f}"
    path = os.environ.get(REPORT)
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    return line


T = TypeVar("T")


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return at most so many of the items, from all over; all of them for 0."""
    if not most or most >= len(items):
        return list(items)
    return [items[(2 * n + 1) * len(items) // (2 * most)] for n in range(most)]


@dataclass
class Sweep:
    """The points of one method, and what was found wrong at each."""

    method: str
    points: int = 0
    wrong: list[str] = field(default_factory=list)
    """`point: what`, one for each violation."""
    bad: int = 0
    """Points at which something is violated."""
    began: float = field(default_factory=time.monotonic)

    def point(self, name: str, violations: list[str]) -> None:
        """Count a point."""
        self.points += 1
        self.bad += bool(violations)
        self.wrong += [f"{name}: {what}" for what in violations]

    def done(self) -> str:
        """Report and return the line."""
        return report(self.method, self.points, len(self.wrong), time.monotonic() - self.began)
