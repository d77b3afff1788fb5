"""What must hold after a turn, judged from outside the model.

A check looks at the answer, the workspace, the notes and the tools that ran. What it expects was
computed by whoever wrote the turn, never by the model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .matching import contains, coverage, fold, same_number

PRESENT = 0.5
"""The share of a piece of evidence that must have been sent for it to count."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict, and what was missed."""

    ok: bool
    why: str = ""
    share: float | None = None
    """How much of the evidence was sent, 0 to 1, where that was the question."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a turn left behind."""

    answer: str
    workspace: Path
    notes: Callable[[], Sequence[str]] = tuple
    tools: tuple[str, ...] = ()
    """Names of the tools that ran without an error, in order."""
    sent: Callable[[], str] = str
    """Text of the last request of the turn, but for the question."""


class Check(Protocol):
    """One thing that must hold."""

    def judge(self, outcome: Outcome) -> CheckResult:
        """Return the verdict. Never raises."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerHas:
    """The answer holds one of `values` as a whole number or word."""

    values: tuple[str, ...]
    exact: bool = False
    """Whether upper and lower case differ."""

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for any of the values."""
        found = any(contains(outcome.answer, value, exact=self.exact) for value in self.values)
        return _verdict(found, f"answer lacks {' / '.join(self.values)}")


@dataclass(frozen=True, slots=True)
class AnswerLacks:
    """The answer does not hold `value`: one that is out of date, or somebody else's."""

    value: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for the value."""
        return _verdict(not contains(outcome.answer, self.value), f"answer holds {self.value}")


@dataclass(frozen=True, slots=True)
class AnswerLists:
    """The answer holds the items next to each other and in this order."""

    items: tuple[str, ...]

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for the sequence, whatever separates its items."""
        sequence = r"[\s,、;|\[\]'\"`\-*]+".join(map(re.escape, map(fold, self.items)))
        pattern = rf"(?<![A-Za-z0-9]){sequence}(?![A-Za-z0-9])"
        found = re.search(pattern, fold(outcome.answer)) is not None
        return _verdict(found, f"answer lacks the list {', '.join(self.items)}")


@dataclass(frozen=True, slots=True)
class Answered:
    """There is an answer at all."""

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look whether the answer says anything."""
        return _verdict(bool(outcome.answer.strip()), "no answer")


@dataclass(frozen=True, slots=True)
class FileIs:
    """A workspace file holds exactly this text (white space at its end aside) or this number."""

    path: str
    text: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Compare the file."""
        found = _text_of(outcome.workspace / self.path)
        if found is None:
            return CheckResult(False, f"{self.path} is missing")
        same = found.rstrip() == self.text.rstrip() or same_number(found, self.text)
        return _verdict(same, f"{self.path} holds {found[:80]!r}")


@dataclass(frozen=True, slots=True)
class FileHas:
    """A workspace file holds this number or text somewhere."""

    path: str
    text: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Search the file."""
        found = _text_of(outcome.workspace / self.path)
        if found is None:
            return CheckResult(False, f"{self.path} is missing")
        return _verdict(contains(found, self.text), f"{self.path} lacks {self.text}")


@dataclass(frozen=True, slots=True)
class FileAbsent:
    """There is no such file in the workspace."""

    path: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for the file."""
        return _verdict(not (outcome.workspace / self.path).exists(), f"{self.path} exists")


@dataclass(frozen=True, slots=True)
class Noted:
    """One current note of the long-term memory holds all of these words."""

    words: tuple[str, ...]

    def judge(self, outcome: Outcome) -> CheckResult:
        """Search the notes."""
        found = any(all(contains(note, w) for w in self.words) for note in outcome.notes())
        return _verdict(found, f"no note holds {' + '.join(self.words)}")


@dataclass(frozen=True, slots=True)
class ToolUsed:
    """A tool ran without an error."""

    name: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for its name."""
        return _verdict(self.name in outcome.tools, f"{self.name} was not used")


@dataclass(frozen=True, slots=True)
class ToolUnused:
    """A tool did not run."""

    name: str

    def judge(self, outcome: Outcome) -> CheckResult:
        """Look for its name."""
        return _verdict(self.name not in outcome.tools, f"{self.name} was used")


@dataclass(frozen=True, slots=True)
class EvidenceSent:
    """The text of any of these pieces of evidence stood in the final request of the turn.

    A piece counts when `PRESENT` of it does, compared in runs of letters.
    """

    texts: tuple[str, ...]

    def judge(self, outcome: Outcome) -> CheckResult:
        """Compare every piece with what was sent."""
        sent = outcome.sent()
        best = max((coverage(text, sent) for text in self.texts), default=0.0)
        return CheckResult(best >= PRESENT, f"evidence in the request: {best:.0%}", best)


@dataclass(frozen=True, slots=True)
class All:
    """Every one of the checks holds."""

    checks: tuple[Check, ...]

    def judge(self, outcome: Outcome) -> CheckResult:
        """Judge them all; say why for each that failed."""
        failed = [r.why for c in self.checks if not (r := c.judge(outcome)).ok]
        return CheckResult(not failed, "; ".join(failed))


def both(*checks: Check) -> Check:
    """Combine checks into one."""
    return checks[0] if len(checks) == 1 else All(checks)


def has(*values: object, exact: bool = False) -> AnswerHas:
    """Shorthand: the answer holds any of these values."""
    return AnswerHas(tuple(map(str, values)), exact)


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _verdict(ok: bool, why: str) -> CheckResult:
    return CheckResult(ok, "" if ok else why)
