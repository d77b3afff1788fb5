"""Strategies: pure choices of which turns to keep, compact or drop. See `Strategy`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..messages import Turn


@dataclass(frozen=True, slots=True)
class Situation:
    """What a strategy may know. All sizes are tokens."""

    history: tuple[Turn, ...]
    """The closed turns before the current one, oldest first."""
    room: int
    """What the summary and the history may take of the next request."""
    spendable: int
    """What they could take together with the current turn."""
    summary: int
    """What the summary takes now."""
    recent: int
    """How many turns are to stay verbatim through a compaction."""
    measure: Callable[[Turn], int]
    essential: Callable[[Turn], int]
    """Size of a turn whose tool results are stubs: what it takes to keep its words."""

    @property
    def used(self) -> int:
        """What the summary and the history take now."""
        return self.summary + sum(map(self.measure, self.history))


@dataclass(frozen=True, slots=True)
class Plan:
    """A split of the history, oldest first: `drop + compact + keep` is all of it."""

    drop: tuple[Turn, ...] = ()
    compact: tuple[Turn, ...] = ()
    keep: tuple[Turn, ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing leaves the window."""
        return not self.drop and not self.compact


Planner = Callable[[Situation], Plan]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A planner and what its compactions keep: `evidence` adds verbatim lines by rule."""

    name: str
    plan: Planner
    evidence: bool = False


def longest_suffix(
    history: tuple[Turn, ...],
    room: int,
    measure: Callable[[Turn], int],
    most: int | None = None,
) -> int:
    """Return how many of the last turns (at most `most`) fit in `room` tokens together."""
    count, used = 0, 0
    for turn in reversed(history):
        used += measure(turn)
        if used > room or count == most:
            break
        count += 1
    return count


def strategies() -> Mapping[str, Strategy]:
    """Return every strategy by the name that config.toml uses."""
    from .full import full
    from .layered import layered
    from .sliding import sliding
    from .summary import summary

    return {
        "full": Strategy("full", full),
        "sliding": Strategy("sliding", sliding),
        "summary": Strategy("summary", summary),
        "layered": Strategy("layered", layered, evidence=True),
    }
