"""The line that says how far a run is."""

import time
from collections.abc import Callable
from typing import TextIO

EVERY = 10
"""Turns between two lines where there is no terminal."""
WIDTH = 24


class Progress:
    """One line that is rewritten on a terminal; a line per `EVERY` turns elsewhere."""

    def __init__(
        self,
        stream: TextIO,
        *,
        total: int,
        done: int,
        text: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._total = total
        self._first = done
        self._text = text
        """Format with bar, done, total, passed, rate and rest."""
        self._clock = clock
        self._start = clock()
        self._live = stream.isatty()

    def show(self, done: int, passed: int) -> None:
        """Report that `done` turns are over, `passed` of those seen with a passed check."""
        last = done == self._total
        if not (self._live or last or done % EVERY == 0):
            return
        line = self._line(done, passed)
        self._stream.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
        if self._live and last:
            self._stream.write("\n")
        self._stream.flush()

    def _line(self, done: int, passed: int) -> str:
        spent = max(self._clock() - self._start, 1e-6)
        rate = (done - self._first) / spent
        rest = (self._total - done) / rate if rate else 0.0
        filled = WIDTH * done // max(self._total, 1)
        return self._text.format(
            bar="█" * filled + "░" * (WIDTH - filled),
            done=done,
            total=self._total,
            passed=passed,
            rate=rate,
            rest=f"{int(rest) // 60}:{int(rest) % 60:02d}",
        )
