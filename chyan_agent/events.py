"""What a running turn reports. The command line and the rig are loops over these."""

from dataclasses import dataclass

from .budget import Ledger
from .messages import ToolCall, ToolResult
from .model import Delta, Retry, Usage


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The user's text is recorded."""

    turn: int


@dataclass(frozen=True, slots=True)
class Requested:
    """A request that fits is about to be sent. Step 0 is a compaction request."""

    turn: int
    step: int
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Replied:
    """The model's whole reply to that request has arrived."""

    turn: int
    step: int
    ledger: Ledger
    usage: Usage
    finish: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ToolRan:
    """A tool ran and its result is recorded."""

    turn: int
    step: int
    call: ToolCall
    result: ToolResult
    seconds: float


@dataclass(frozen=True, slots=True)
class Compacted:
    """Older turns were replaced by the summary; they stay recallable by their handle."""

    turn: int
    turns: tuple[int, ...]
    before: int
    """Tokens of the compacted turns and the old summary."""
    after: int
    """Tokens of the new summary."""
    evidence: int
    facts: int
    rejected: int
    """Lines of the model's summary that were refused; -1 when it gave none."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something the user should know that is not part of the answer. `kind` is a stable name."""

    turn: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn is finished and durable: the acknowledgement."""

    turn: int
    text: str
    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The turn has an answer that could not be saved; the error that says why comes next."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The turn was sealed without an answer (step cap, repetition, interruption); it is durable."""

    turn: int
    reason: str
    text: str


Event = (
    TurnStarted
    | Requested
    | Delta
    | Retry
    | Replied
    | ToolRan
    | Compacted
    | Noticed
    | Answered
    | Unsaved
    | Stopped
)
