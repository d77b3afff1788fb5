"""Scenarios: turns with what must hold after each, made from a seed. See `Book`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from ..checks import Check

ENGLISH_SHARE = {"zh": 0.2, "en": 0.85}
"""How many of the turns are in English, by the language of the run."""


@dataclass(frozen=True, slots=True)
class TurnSpec:
    """One turn to play and its check."""

    text: str
    check: Check
    scenario: str
    round: int = 1
    touches: tuple[str, ...] = ()
    """Workspace paths that this turn may change: put back before it is asked again."""
    files: tuple[tuple[str, str], ...] = ()
    """Path and text of workspace files that are put in place before the turn."""


class Book(Protocol):
    """A run of turns that can be looked up in any order, the same at every look."""

    @property
    def turns(self) -> int:
        """How many turns there are."""
        ...

    def at(self, index: int) -> TurnSpec:
        """Return turn number `index` + 1."""
        ...


@dataclass(frozen=True, slots=True)
class Cast:
    """Who and what a round is about; no two rounds share a name."""

    projects: tuple[tuple[str, str], ...]
    """Chinese name and Latin slug."""
    people: tuple[tuple[str, str], ...]
    """Chinese name and Latin spelling."""


@dataclass(slots=True)
class Author:
    """Writes the turns of one scenario of one round."""

    scenario: str
    round: int
    rng: Random
    english: float
    """Share of English turns, 0 to 1."""
    before: int = 0
    """Turns of the run before this scenario."""
    specs: list[TurnSpec] = field(default_factory=list)

    @property
    def turn(self) -> int:
        """The number of the turn that is written next."""
        return self.before + len(self.specs) + 1

    def speaks_english(self) -> bool:
        """Draw the language of the next turn."""
        return self.rng.random() < self.english

    def add(
        self,
        text: str,
        check: Check,
        *,
        touches: tuple[str, ...] = (),
        files: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Write one more turn."""
        spec = TurnSpec(text, check, self.scenario, self.round, touches, files)
        self.specs.append(spec)

    def say(
        self,
        zh: str,
        en: str,
        check: Check,
        *,
        touches: tuple[str, ...] = (),
        files: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Write one more turn, in either language."""
        self.add(en if self.speaks_english() else zh, check, touches=touches, files=files)


Writer = Callable[[Author, Cast], None]
"""Fills the turns of a scenario. Any beginning of them must make sense alone."""
