"""turns_log.jsonl: one line a turn, appended and flushed, read back one by one."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from ..budget import Ledger
from ..durable.storage import AppendFile
from ..errors import CorruptError
from ..model import Usage
from ..prompts import errors_rig as say

MAX_TEXT = 4000
"""Characters of a question or an answer that a row keeps."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request: where its tokens went, and what the endpoint counted."""

    step: int
    """0 is a compaction request."""
    ledger: Ledger
    usage: Usage

    @property
    def error(self) -> int:
        """Our count minus the endpoint's; 0 where it said nothing."""
        return self.ledger.total - self.usage.prompt_tokens if self.usage.prompt_tokens else 0

    @property
    def margin(self) -> int:
        """What we expected at most minus the endpoint's count; 0 where it said nothing."""
        return self.ledger.expected - self.usage.prompt_tokens if self.usage.prompt_tokens else 0


@dataclass(frozen=True, slots=True)
class Ran:
    """One tool run."""

    name: str
    ok: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Shrunk:
    """One compaction; sizes in tokens."""

    turns: tuple[int, ...]
    before: int
    after: int
    evidence: int
    facts: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a turn ended."""

    ok: bool
    why: str = ""
    error: str = ""
    """Class of the error that ended the turn, or `Stopped`; empty when it was answered."""
    refused: int = 0
    """Requests of this turn that the judge refused."""
    recovered: bool = False
    """Whether it was answered before a crash and judged after it: nothing was measured."""
    share: float | None = None
    """How much of the evidence was sent, 0 to 1, in a question about evidence."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a turn took, in seconds, and how large the process was after it, in MB."""

    seconds: float = 0.0
    model: float = 0.0
    """Seconds between sending a request and its whole reply."""
    rss_mb: float = 0.0
    peak_mb: float = 0.0

    @property
    def overhead(self) -> float:
        """Seconds that were not spent waiting for the model."""
        return self.seconds - self.model


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """All that is kept of a turn."""

    turn: int
    scenario: str
    round: int
    text: str
    answer: str
    verdict: Verdict
    cost: Cost = Cost()
    requests: tuple[Sent, ...] = ()
    tools: tuple[Ran, ...] = ()
    compactions: tuple[Shrunk, ...] = ()

    @property
    def usage(self) -> Usage:
        """Tokens of all requests, as the endpoint counted them."""
        return sum((r.usage for r in self.requests), Usage())

    @property
    def raw(self) -> int:
        """Tokens that this turn adds to the full conversation, its answer included."""
        steps = [r for r in self.requests if r.step]
        return steps[-1].ledger.current + steps[-1].usage.completion_tokens if steps else 0


def to_json(row: Row) -> str:
    """Write a row as one line."""
    fields = asdict(row)
    fields["text"], fields["answer"] = row.text[:MAX_TEXT], row.answer[:MAX_TEXT]
    fields["requests"] = [_sent_fields(sent) for sent in row.requests]
    fields["usage"] = asdict(row.usage)
    fields["cost"] = _rounded({**asdict(row.cost), "overhead": row.cost.overhead})
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _sent_fields(sent: Sent) -> dict[str, object]:
    ledger = sent.ledger
    return {
        "step": sent.step,
        "limit": ledger.limit,
        "reserved": ledger.reserved,
        "zones": ledger.zones(),
        "total": ledger.total,
        "counting_error": sent.error,
        "estimated": ledger.estimated,
        "factor": round(ledger.expected / ledger.total, 4) if ledger.total else 1.0,
        "estimate_error": sent.margin,
        **asdict(sent.usage),
    }


def _rounded(numbers: dict[str, float]) -> dict[str, float]:
    return {name: round(number, 6) for name, number in numbers.items()}


def from_json(line: str | bytes) -> Row:
    """Read a line back. Raises ValueError for anything that is not a row."""
    try:
        fields = json.loads(line)
        del fields["usage"], fields["cost"]["overhead"]
        fields["verdict"], fields["cost"] = Verdict(**fields["verdict"]), Cost(**fields["cost"])
        fields["requests"] = tuple(_sent(f) for f in fields["requests"])
        fields["tools"] = tuple(Ran(**f) for f in fields["tools"])
        fields["compactions"] = tuple(
            Shrunk(**{**f, "turns": tuple(f["turns"])}) for f in fields["compactions"]
        )
        return Row(**fields)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a row: {error}") from error


def _sent(fields: Mapping[str, object]) -> Sent:
    zones = cast("Mapping[str, int]", fields["zones"])
    number = cast("Mapping[str, int]", fields)
    return Sent(
        step=number["step"],
        ledger=Ledger(
            limit=number["limit"],
            reserved=number["reserved"],
            estimated=number.get("estimated", 0),
            **zones,
        ),
        usage=Usage(number["prompt_tokens"], number["completion_tokens"], number["cached_tokens"]),
    )


class RowLog:
    """The open log. A torn last line is cut when it is opened; rows are never kept in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = AppendFile(path)
        self.turns = 0
        """Rows so far, which is the number of the last turn."""
        self._repair()

    def append(self, row: Row) -> None:
        """Write one more row. Raises ValueError when it is not the next turn's."""
        if row.turn != self.turns + 1:
            raise ValueError(f"row {row.turn} follows row {self.turns}")
        self._file.append(to_json(row).encode("utf-8", "replace") + b"\n")
        self.turns += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _repair(self) -> None:
        """Count the rows and cut what follows the last whole one. Raises CorruptError."""
        whole = 0
        with self.path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                _expect(line, self.turns + 1, self.path)
                self.turns += 1
                whole += len(line)
        if whole < self._file.end:
            self._file.truncate(whole)


def _expect(line: bytes, turn: int, path: Path) -> None:
    try:
        found = from_json(line).turn
    except ValueError as error:
        damaged = say.ROW_DAMAGED.of(path=path, turn=turn, error=error)
        raise CorruptError(damaged, hint=say.AGAIN_HINT) from error
    if found != turn:
        wrong = say.WRONG_ROW.of(path=path, turn=turn, found=found)
        raise CorruptError(wrong, hint=say.AGAIN_HINT)


def read(path: Path) -> Iterator[Row]:
    """Yield the rows of a log, oldest first; a torn last line is passed over."""
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield from_json(line)
