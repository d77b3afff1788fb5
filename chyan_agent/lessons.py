"""What an endpoint turned out to want, by name: how to ask it. Kept across runs, and doubted."""

from collections.abc import Iterable


class Lessons:
    """Names of lessons. Those of an earlier run may be out of date: the first refusal of this run
    that they can't explain forgets them all, and what still holds is learnt again."""

    def __init__(self, recalled: Iterable[str] = ()) -> None:
        self._names = dict.fromkeys(recalled)
        self._recalled = tuple(self._names)
        self.changed = False
        """Whether anything was learnt or forgotten since the last save."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everything learnt, the oldest first."""
        return tuple(self._names)

    @property
    def recalled(self) -> tuple[str, ...]:
        """What was learnt in an earlier run and still stands."""
        return self._recalled

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str) -> None:
        """Learn something."""
        self._names[name] = None
        self.changed = True

    def doubt(self) -> bool:
        """Forget what an earlier run had learnt; whether there was anything."""
        doubted, self._recalled = self._recalled, ()
        for name in doubted:
            del self._names[name]
        self.changed |= bool(doubted)
        return bool(doubted)
