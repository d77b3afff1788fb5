"""What the plot shows, gathered from rows: a few numbers a request and a turn."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .rows import Row, Sent

ZONES = ("system", "tools", "summary", "recent", "current", "compacting")
"""The zones of a request; a compaction's own request is one zone of another kind."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One request: from where to where it stands on the axis of turns, and its zones."""

    start: float
    end: float
    zones: tuple[int, ...]

    @property
    def total(self) -> int:
        """Tokens of the request."""
        return sum(self.zones)


@dataclass(frozen=True, slots=True)
class Band:
    """Consecutive turns of one scenario."""

    start: float
    end: float
    scenario: str


@dataclass(slots=True)
class Series:
    """The curves of a run. Turn n stands between n - 1 and n."""

    bars: list[Bar] = field(default_factory=list)
    bands: list[Band] = field(default_factory=list)
    compactions: list[float] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    raw: list[int] = field(default_factory=list)
    """Tokens of the whole conversation after each turn, with the fixed part."""
    cached: list[float] = field(default_factory=list)
    """Share of each turn's prompt tokens that came from cache, in per cent."""
    limit: int = 0
    reserved: int = 0

    def add(self, row: Row) -> None:
        """Take one more row."""
        self._band(row)
        if not row.requests:
            return
        sent = row.requests
        ledger = sent[-1].ledger
        self.limit, self.reserved = ledger.limit, ledger.reserved
        self.bars += [_bar(row.turn, n, len(sent), one) for n, one in enumerate(sent)]
        self.compactions += [row.turn - 0.5] * bool(row.compactions)
        before = self.raw[-1] if self.raw else ledger.system + ledger.tools
        self.turns.append(row.turn)
        self.raw.append(before + row.raw)
        self.cached.append(100 * row.usage.cached_tokens / max(row.usage.prompt_tokens, 1))

    def _band(self, row: Row) -> None:
        last = self.bands[-1] if self.bands else None
        if last and last.scenario == row.scenario:
            self.bands[-1] = Band(last.start, row.turn, row.scenario)
        else:
            self.bands.append(Band(row.turn - 1, row.turn, row.scenario))

    def thinned(self, most: int) -> list[Bar]:
        """Return at most `most` bars; where several fall together, the largest stands for them."""
        size = -(-len(self.bars) // most)
        if size <= 1:
            return self.bars
        groups = [self.bars[n : n + size] for n in range(0, len(self.bars), size)]
        return [Bar(g[0].start, g[-1].end, max(g, key=lambda bar: bar.total).zones) for g in groups]


def _bar(turn: int, place: int, of: int, sent: Sent) -> Bar:
    zones = sent.ledger.zones() if sent.step else {"compacting": sent.ledger.total}
    start = turn - 1 + place / of
    return Bar(start, start + 1 / of, tuple(zones.get(name, 0) for name in ZONES))


def gather(rows: Iterable[Row]) -> Series:
    """Return the curves of all rows."""
    series = Series()
    for row in rows:
        series.add(row)
    return series


def smooth(values: list[float], width: int) -> list[float]:
    """Return the mean of each value with up to `width` - 1 before it."""
    running, means = 0.0, []
    for place, value in enumerate(values):
        running += value - (values[place - width] if place >= width else 0.0)
        means.append(running / min(place + 1, width))
    return means
