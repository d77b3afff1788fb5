"""Long-term memory: notes and the transcript, outside any window. See `Memory`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from ..prompts.said import Said

if TYPE_CHECKING:
    from .notebook import Notebook

Source = Literal["user", "model", "tool", "summary"]
ANSWERED = "user → assistant"
"""Who speaks in a hit that is a question with its answer."""


@dataclass(frozen=True, slots=True)
class Note:
    """One line of the notes log."""

    id: str
    text: str
    source: Source
    turn: int
    ts: str
    key: str
    """Id of the call that wrote it, e.g. `t00012c01`; may be empty."""
    supersedes: str = ""
    """Ids of the notes that this one replaces, `n3` or `n3,n7`."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A time at which a note was said, in its words of then."""

    text: str
    source: Source
    turn: int
    ts: str
    """Empty where it is not known."""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Brought:
    """A note from elsewhere. `id` and `replaces` are names of where it comes from."""

    said: Origin
    id: str = ""
    replaces: tuple[str, ...] = ()
    replaced: bool = False
    """Whether it was out of date there."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something recalled. `turn` is 0 for a note that no turn wrote."""

    text: str
    turn: int
    kind: Literal["note", "message"]
    speaker: str
    """user, assistant, tool:<name>, ANSWERED, or the source of a note."""
    met: bool = True
    """Whether it holds something of the question that means something, or its time."""
    replaces: str = ""
    """Text of the note that this one supersedes, if any."""
    ts: str = ""
    """When it was said; empty where that is not known."""
    beside: tuple[str, str] = ("", "")
    """What was said before it, and after; empty where nothing was."""
    superseded: str = ""
    """What it gave way to, with its turn: `端口改成 9090 (#t12)`; empty if it holds."""
    conflicts: tuple[str, ...] = ()
    """Other statements that can't well hold together with it, though nobody said which does."""


class Memory(Protocol):
    """What the tools and the command line need from long-term memory."""

    @property
    def problems(self) -> list[Said]:
        """What recovery found in the notes, for the user to read."""
        ...

    @property
    def notebook(self) -> "Notebook":
        """The notes for their owner: seen, changed, taken back, carried elsewhere."""
        ...

    def remember(self, text: str, *, turn: int, source: Source, key: str = "") -> tuple[Note, str]:
        """Add a durable note; return it and `added`, `known` or `updated`."""
        ...

    def holds(self, text: str, key: str) -> bool:
        """Whether the note of this call is there, or a current one that says just this."""
        ...

    def recall(self, query: str, top_k: int, *, evidence: Sequence[str] = ()) -> list[Hit]:
        """Return at most `top_k` hits from notes and transcript, best first. Never raises.

        A follow-up is searched for with what the talk and the `evidence` say of it.
        """
        ...

    def notes(self) -> list[Note]:
        """Return the notes that are current (not superseded), oldest first."""
        ...
