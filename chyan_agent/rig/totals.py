"""The figures of a run, summed up row by row; of the rows themselves only failures are kept."""

from array import array
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
    margins: "array[int]" = field(default_factory=lambda: array("q"))
    """How much what we expected was above the endpoint's count, once it had counted for us."""

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
            if self.error is not None:
                self.margins.append(sent.margin)
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
        now = row.cost.rss_mb
        self.first = self.first or now
        self.last = now
        self.peak = max(self.peak, row.cost.peak_mb)
        if row.turn == SETTLED:
            self.settled = self.least = self.most = now
        self.least, self.most = min(self.least, now), max(self.most, now)


class Times:
    """Seconds of the turns that were measured."""

    def __init__(self) -> None:
        self.total = 0.0
        self.overheads: list[float] = []
        self.first: list[float] = []
        self.last: deque[float] = deque(maxlen=ENDS)

    def add(self, row: Row) -> None:
        """Take one more row; a turn without an answer says nothing about overhead."""
        self.total += row.cost.seconds
        if row.verdict.error:
            return
        overhead = row.cost.overhead
        self.overheads.append(overhead)
        self.last.append(overhead)
        if row.turn <= ENDS:
            self.first.append(overhead)


class Totals:
    """All figures of a run."""

    def __init__(self) -> None:
        self.turns = self.passed = self.refused = self.recovered = 0
        self.scenarios: dict[str, list[int]] = {}
        """Turns and passed checks by scenario, in order of appearance."""
        self.partly = 0
        """Questions of which any part of the evidence was sent."""
        self.errors: Counter[str] = Counter()
        self.shrunk = [0, 0, 0]
        """Compactions, tokens before and after."""
        self.spoken = 0
        """Tokens of everything said so far."""
        self.window = Window()
        self.tools: dict[str, Tool] = {}
        self.times = Times()
        self.memory = Memory()
        self.failed: list[Row] = []
        """The first `MOST_FAILED` rows whose check failed."""

    def add(self, row: Row) -> None:
        """Take one more row."""
        self._judge(row)
        for sent in row.requests:
            self.window.add(sent, self.spoken)
        self.spoken += row.raw
        for one in row.compactions:
            self.shrunk[0] += 1
            self.shrunk[1] += one.before
            self.shrunk[2] += one.after
        for ran in row.tools:
            self.tools.setdefault(ran.name, Tool()).add(ran)
        if not row.verdict.recovered:
            self.memory.add(row)
            self.times.add(row)

    def _judge(self, row: Row) -> None:
        verdict = row.verdict
        self.turns += 1
        self.passed += verdict.ok
        seen = self.scenarios.setdefault(row.scenario, [0, 0])
        seen[0] += 1
        seen[1] += verdict.ok
        self.partly += bool(verdict.share)
        self.refused += verdict.refused
        self.recovered += verdict.recovered
        self.errors.update([verdict.error] if verdict.error else [])
        if not verdict.ok and len(self.failed) < MOST_FAILED:
            self.failed.append(row)


def gather(rows: Iterable[Row]) -> Totals:
    """Sum all rows up."""
    totals = Totals()
    for row in rows:
        totals.add(row)
    return totals
