"""The conversation as a fold over records: `State = reduce(apply, records)`. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from .messages import Message, Turn


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim piece of a compacted turn, found by rule and never paraphrased."""

    turn: int
    kind: str
    """What was recognised: id, number, date, path, url, version, quote, decision, todo, fact …"""
    key: str
    """What the piece is about; a later piece with the same key replaces it. May be empty."""
    text: str
    file: bool = False
    """Whether it came out of a file, or of another's words that a tool showed."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the turns that left the window."""

    evidence: tuple[Evidence, ...] = ()
    facts: tuple[str, ...] = ()
    """Lines of the model's fact list, each ending in its turn, `@t12`; those that came out of a
    file begin with a sign (`statements.origin`)."""
    through: int = 0
    """The last turn that left the window."""
    covers: int | None = None
    """The last turn that the lines speak for, where later ones left without a word (`sliding` and
    `full` drop them); None when that is `through`."""

    @property
    def told(self) -> int:
        """The last turn that the lines speak for."""
        return self.through if self.covers is None else self.covers


@dataclass(frozen=True, slots=True)
class State:
    """What the agent believes: the summary and the turns that are still verbatim."""

    summary: Summary = Summary()
    turns: tuple[Turn, ...] = ()
    last_turn: int = 0


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """The first record of a transcript."""

    id: str


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """One more message of a turn; the first of a turn opens it."""

    turn: int
    message: Message


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call is about to change, as far as it could be foreseen."""

    path: str = ""
    """The file that it writes, absolute; empty if it writes none."""
    before: str | None = None
    """SHA-256 (hex) of what the file holds; empty if there is no file, None if that is unknown."""
    after: str | None = None
    """SHA-256 (hex) of what it will hold."""


@dataclass(frozen=True, slots=True)
class Intended:
    """A call that changes something is about to run: durable before it does, said to nobody.

    A call without this record has not begun.
    """

    turn: int
    call: str
    """Id of the call."""
    effect: Effect


@dataclass(frozen=True, slots=True)
class Summarized:
    """Every turn up to `summary.through` left the window; `summary` stands for those it covers."""

    turn: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class Rewound:
    """The conversation continues from `state`. Nothing in the log is erased.

    It carries the whole state (less than a window), so that a replay needs nothing before it.
    """

    turn: int
    state: State


Record = SessionStarted | MessageAdded | Intended | Summarized | Rewound


def apply(state: State, record: Record) -> State:
    """Return the state after one more record: the whole of recovery."""
    match record:
        case SessionStarted() | Intended():
            return state
        case MessageAdded(turn, message):
            return State(state.summary, _added(state.turns, turn, message), turn)
        case Summarized(_, summary):
            rest = tuple(t for t in state.turns if t.number > summary.through)
            return State(summary, rest, state.last_turn)
        case Rewound(_, earlier):
            return earlier


def _added(turns: tuple[Turn, ...], number: int, message: Message) -> tuple[Turn, ...]:
    if turns and turns[-1].number == number:
        return (*turns[:-1], turns[-1].plus(message))
    return (*turns, Turn(number, (message,)))


def replay(records: Iterable[Record], state: State | None = None) -> State:
    """Fold records into a state."""
    return reduce(apply, records, state or State())
