"""The figures of a run, summed up row by row; of the rows themselves only failures are kept."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from .rows import Ran, Row, Sent

ENDS = 100
"""Turns at the beginning and at the end whose overhead is compared."""
SETTLED = 200
"""The turn after which memory should not grow any more."""
MOST_FAILED = 50


@dataclass(slots=True)
class Window:
    """Sums over requests, in tokens."""

    requests: int = 0
    compactions: int = 0
    largest: int = 0
    total: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    whole: int = 0
    """Had each request carried the whole history."""
    error: tuple[int, int] | None = None
    """The least and the most that our count was above the endpoint's."""

    def add(self, sent: Sent, spoken: int) -> None:
        """Take one more request; `spoken` are the tokens of all turns before."""
        ledger, usage = sent.ledger, sent.usage
        self.requests += 1
        self.compactions += sent.step == 0
        self.largest = max(self.largest, ledger.total)
        self.total += ledger.total
        self.prompt += usage.prompt_tokens
        self.completion += usage.completion_tokens
        self.cached += usage.cached_tokens
        if sent.step:
            self.whole += ledger.system + ledger.tools + spoken + ledger.current
        if usage.prompt_tokens:
            least, most = self.error or (sent.error, sent.error)
            self.error = min(least, sent.error), max(most, sent.error)


@dataclass(slots=True)
class Tool:
    """Runs of one tool."""

    runs: int = 0
    failed: int = 0
    seconds: float = 0.0

    def add(self, ran: Ran) -> None:
        """Take one more run."""
        self.runs += 1
        self.failed += not ran.ok
        self.seconds += ran.seconds


@dataclass(slots=True)
class Memory:
    """Resident memory of the agent's process, in MB."""

    first: float = 0.0
    settled: float = 0.0
    last: float = 0.0
    least: float = 0.0
    most: float = 0.0
    """Least and most after turn `SETTLED`."""
    peak: float = 0.0

    def add(self, row: Row) -> None:
        """Take one more row."""
        self.first = self.first or row.rss_mb
        self.last = row.rss_mb
        self.peak = max(self.peak, row.peak_mb)
        if row.turn == SETTLED:
            self.settled = self.least = self.most = row.rss_mb
        self.least, self.most = min(self.least, row.rss_mb), max(self.most, row.rss_mb)


@dataclass(slots=True)
class Totals:
    """All figures of a run."""

    turns: int = 0
    passed: int = 0
    scenarios: dict[str, list[int]] = field(default_factory=dict)
    """Turns and passed checks by scenario, in order of appearance."""
    refused: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    recovered: int = 0
    shrunk: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Compactions, tokens before and after."""
    spoken: int = 0
    """Tokens of everything said so far."""
    seconds: float = 0.0
    window: Window = field(default_factory=Window)
    tools: dict[str, Tool] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    overheads: list[float] = field(default_factory=list)
    """Of the turns that were measured and answered, in seconds."""
    first: list[float] = field(default_factory=list)
    last: deque[float] = field(default_factory=lambda: deque(maxlen=ENDS))
    failed: list[Row] = field(default_factory=list)
    """The first `MOST_FAILED` rows whose check failed."""

    def add(self, row: Row) -> None:
        """Take one more row."""
        self.turns += 1
        self.passed += row.ok
        seen = self.scenarios.setdefault(row.scenario, [0, 0])
        seen[0] += 1
        seen[1] += row.ok
        self.refused += row.refused
        self.recovered += row.recovered
        self.errors.update([row.error] if row.error else [])
        if not row.ok and len(self.failed) < MOST_FAILED:
            self.failed.append(row)
        for sent in row.requests:
            self.window.add(sent, self.spoken)
        self.spoken += row.raw
        for one in row.compactions:
            self.shrunk[0] += 1
            self.shrunk[1] += one.before
            self.shrunk[2] += one.after
        for ran in row.tools:
            self.tools.setdefault(ran.name, Tool()).add(ran)
        if not row.recovered:
            self._measure(row)

    def _measure(self, row: Row) -> None:
        self.memory.add(row)
        self.seconds += row.seconds
        if row.error:
            return
        self.overheads.append(row.overhead)
        self.last.append(row.overhead)
        if row.turn <= ENDS:
            self.first.append(row.overhead)


def gather(rows: Iterable[Row]) -> Totals:
    """Sum all rows up."""
    totals = Totals()
    for row in rows:
        totals.add(row)
    return totals
