"""The stress run as a book: rounds of three scenarios, each round with its own names."""

from functools import partial
from random import Random

from . import ENGLISH_SHARE, Author, TurnSpec, Writer, dependency, linear, memory_recall, words

SHARES = (("linear", 30), ("dependency", 40), ("memory_recall", 30))
"""The scenarios of a round in order, with their turns."""
ROUND = sum(size for _, size in SHARES)


class Rounds:
    """`turns` turns; the last round is cut in proportion. Only the current round is in memory."""

    def __init__(self, turns: int, *, seed: int = 0, language: str = "zh") -> None:
        self.turns = turns
        self._seed = seed
        self._english = ENGLISH_SHARE[language]
        self._number = 0
        self._specs: list[TurnSpec] = []

    def at(self, index: int) -> TurnSpec:
        """Return turn number `index` + 1. Raises IndexError outside the run."""
        if not 0 <= index < self.turns:
            raise IndexError(index)
        number, place = divmod(index, ROUND)
        if number + 1 != self._number:
            self._number = number + 1
            self._specs = self._write(self._number)
        return self._specs[place]

    def _write(self, number: int) -> list[TurnSpec]:
        sizes = split(min(self.turns - (number - 1) * ROUND, ROUND))
        cast = words.cast(self._seed, number)
        specs: list[TurnSpec] = []
        for name, size in sizes:
            rng, before = Random(f"{self._seed}/{number}/{name}"), (number - 1) * ROUND + len(specs)
            author = Author(name, number, rng, self._english, before)
            self._writer(name, number)(author, cast)
            specs += author.specs[:size]
        return specs

    def _writer(self, name: str, number: int) -> Writer:
        writers: dict[str, Writer] = {
            "linear": linear.write,
            "dependency": dependency.write,
            "memory_recall": partial(memory_recall.write_for, self._seed, number),
        }
        return writers[name]


def split(turns: int) -> list[tuple[str, int]]:
    """Divide the turns of one round among the scenarios, as evenly as their shares allow."""
    sizes = {name: turns * share // ROUND for name, share in SHARES}
    by_rest = sorted(SHARES, key=lambda s: -(turns * s[1] % ROUND))
    for name, _ in by_rest[: turns - sum(sizes.values())]:
        sizes[name] += 1
    return [(name, sizes[name]) for name, _ in SHARES]
