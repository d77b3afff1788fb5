"""The search engine of the memory: documents in, numbers and scores out. See `Index`."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, Protocol

Kind = Literal["turn", "note"]
Engine = Literal["fields", "plain", "classic"]
ENGINES: tuple[Engine, ...] = ("fields", "plain", "classic")
TEXT_FIELDS = ("words", "pairs", "characters", "function", "phrases")
SURROUNDINGS = (
    "time",
    "speaker",
    "assistant",
    "neighbours",
    "questions",
    "hours",
    "days",
    "answers",
)
"""Fields that ask what a document is besides its words."""
FIELDS = (*TEXT_FIELDS, "windows", "told", *SURROUNDINGS, "newer", "several", "alike")
"""What the engine `fields` scores by; each can be switched off."""


@dataclass(frozen=True, slots=True)
class Document:
    """Something to find. A turn borrows from its neighbours of the same session; a note doesn't."""

    text: str
    ts: str = ""
    """When it was said: ISO 8601, or any form that `dates.of_time` reads; may be empty."""
    speaker: str = ""
    """user, assistant, tool:<name> or a person's name; may be empty."""
    session: str = ""
    kind: Kind = "turn"


@dataclass(frozen=True, slots=True)
class Query:
    """A question, the time at which it is asked, and what the talk was about just before."""

    text: str
    now: str = ""
    context: tuple[str, ...] = ()
    """Words that stand in for what a follow-up leaves out; they count less than the question's."""
    own: bool = False
    """Whether only documents count that hold something of the question themselves."""


Told = Callable[[int], str]
"""Gives the text of a document: an index keeps none."""


def nothing(_number: int) -> str:
    """Give no text."""
    return ""


class Index(Protocol):
    """Documents by number, counted from 0 in the order in which they were added."""

    def __len__(self) -> int:
        """Documents that were not removed."""
        ...

    def add(self, document: Document) -> int:
        """Add a document and return its number. The cost is that of its own text."""
        ...

    def search(
        self, query: Query, k: int, *, without: Collection[int] = (), told: Told = nothing
    ) -> list[tuple[int, float]]:
        """Return at most `k` documents with their scores, best first, of equals the newest.

        All scores are above 0. The documents `without` are passed over. With what notes `told`,
        those that resemble the best ones count more.
        """
        ...

    def meets(self, query: Query, numbers: Collection[int]) -> set[int]:
        """Return those documents that hold a word of the question that means something.

        So does, for a question about a time, what was said then or speaks of it; and what holds
        a word of its context. Of a question that names nothing all do.
        """
        ...

    def is_named(self, query: Query) -> bool:
        """Tell whether a question names anything: a word that means something, or a time."""
        ...

    def remove(self, numbers: Collection[int]) -> None:
        """Forget documents; their numbers are not used again."""
        ...

    def settle(self) -> None:
        """Pack what was added since: after some thousands it saves memory. Not needed to search."""
        ...
