"""What the user sees while a turn runs: as text for people, as JSON lines for programs."""

import json
from collections.abc import Mapping
from typing import Protocol

from ..errors import AgentError
from ..events import (
    Answered,
    Compacted,
    Event,
    Noticed,
    Replied,
    Stopped,
    ToolRan,
)
from ..model import Delta, Retry
from ..prompts.terminal import TerminalTexts
from .terminal import Terminal, one_line
from .wire import error_json, event_json

COLUMNS = 78
"""Width of a line that reports on the side."""


class Screen(Protocol):
    """Where everything goes that the command line has to say."""

    def event(self, event: Event) -> None:
        """Show something that happened in a turn."""
        ...

    def meter(self, turns: int) -> None:
        """Show how full the window was, after a turn; `turns` are verbatim in it."""
        ...

    def say(self, text: str) -> None:
        """Show what the user asked to see."""
        ...

    def notice(self, kind: str, text: str) -> None:
        """Show a side remark; `kind` is its stable name."""
        ...

    def fail(self, error: AgentError) -> None:
        """Show an error and the way out."""
        ...


class TextScreen:
    """For people: the answer as it comes, one dim line for all else."""

    def __init__(
        self, texts: TerminalTexts, *, answers: Terminal, aside: Terminal, errors: Terminal
    ) -> None:
        self._texts = texts
        self._answers = answers
        self._aside = aside
        self._errors = errors
        self._streamed = False
        self._last: Replied | None = None

    def event(self, event: Event) -> None:
        """Print deltas as they come, and a line for what is worth one."""
        match event:
            case Delta(text):
                self._stream(text)
            case Replied(step=step):
                self._end_reply(event if step else None)
            case Answered(text=text):
                self._end_turn(text)
            case Stopped(reason=kind, text=text) | Noticed(kind=kind, text=text):
                self.notice(kind, text)
            case _:
                self._note(side_line(event, self._texts))

    def _stream(self, text: str) -> None:
        self._streamed = self._streamed or not text.isspace()
        self._answers.write(text)

    def _end_reply(self, replied: Replied | None) -> None:
        self._last = replied or self._last
        self._answers.end_line()

    def _end_turn(self, text: str) -> None:
        if not self._streamed:
            self._answers.line(text)
        self._streamed = False
        self._answers.end_line()

    def _note(self, text: str) -> None:
        if text:
            self._streamed = False
            self._answers.end_line()
            self._aside.line(text, "dim")

    def meter(self, turns: int) -> None:
        """Print the meter line of the last request."""
        if self._last:
            self._aside.line(meter_line(self._last, turns, self._texts), "dim")
        self._last = None

    def say(self, text: str) -> None:
        """Print text as it is."""
        self._answers.line(text)

    def notice(self, kind: str, text: str) -> None:
        """Print a remark."""
        self._streamed = False
        self._answers.end_line()
        self._aside.line(text, "yellow")

    def fail(self, error: AgentError) -> None:
        """Print title, message and hint of an error."""
        self._streamed = False
        self._answers.end_line()
        said = self._texts.error.format(title=title(error, self._texts), message=error)
        self._errors.line(said, "red")
        if error.hint:
            self._errors.line(self._texts.hint.format(hint=error.hint))


class JsonScreen:
    """For programs: one JSON object a line."""

    def __init__(self, answers: Terminal) -> None:
        self._answers = answers

    def _print(self, value: Mapping[str, object]) -> None:
        self._answers.raw(json.dumps(value, ensure_ascii=False) + "\n")

    def event(self, event: Event) -> None:
        """Print an event."""
        self._print(event_json(event))

    def meter(self, turns: int) -> None:
        """Print nothing: the ledger is in every `replied`."""

    def say(self, text: str) -> None:
        """Print the output of a command."""
        self._print({"event": "output", "text": text})

    def notice(self, kind: str, text: str) -> None:
        """Print a remark in the form of the event."""
        self.event(Noticed(0, kind, text))

    def fail(self, error: AgentError) -> None:
        """Print an error."""
        self._print(error_json(error))


def title(error: AgentError, texts: TerminalTexts) -> str:
    """Return the name of an error's class in the user's language."""
    known = (texts.errors.get(kind.__name__) for kind in type(error).__mro__)
    return next(filter(None, known))


def side_line(event: Event, texts: TerminalTexts) -> str:
    """Return the line that reports an event, or nothing."""
    match event:
        case ToolRan():
            return tool_line(event, texts)
        case Compacted():
            return receipt(event, texts)
        case Retry(attempt, delay, reason):
            line = texts.retry.format(
                attempt=attempt, delay=f"{delay:.1f}", reason=one_line(reason, COLUMNS)
            )
            return f"↻ {line}"
    return ""


def tool_line(event: ToolRan, texts: TerminalTexts) -> str:
    """Return what a tool was called with and what came of it."""
    subject = one_line(_subject(event.call.arguments), COLUMNS // 2)
    outcome = one_line(_outcome(event, texts), COLUMNS // 2)
    line = f"· {one_line(event.call.name, 20)} {subject}".rstrip()
    return f"{line}  ({outcome})" if outcome else line


def _subject(arguments: str) -> str:
    texts = [value for value in _object(arguments).values() if isinstance(value, str)]
    return texts[0] if texts else ""


def _outcome(event: ToolRan, texts: TerminalTexts) -> str:
    found = _object(event.result.content)
    if not event.result.ok:
        return texts.failed.format(reason=found.get("error", event.result.content))
    total, returned = found.get("total_lines"), found.get("returned_lines")
    if isinstance(returned, int) and isinstance(total, int) and total != returned:
        return texts.lines_of.format(count=returned, total=total)
    if isinstance(returned, int) or isinstance(total, int):
        return texts.lines.format(count=total if returned is None else returned)
    lists = [value for value in found.values() if isinstance(value, list)]
    return texts.hits.format(count=len(lists[0])) if lists else ""


def _object(text: str) -> Mapping[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def receipt(event: Compacted, texts: TerminalTexts) -> str:
    """Return what a compaction did and how to have the turns back."""
    line = texts.compacted.format(
        turns=spans(event.turns),
        before=f"{event.before:,}",
        after=f"{event.after:,}",
        first=event.turns[0] if event.turns else 0,
    )
    detail = texts.compacted_model.format(evidence=event.evidence, facts=event.facts)
    return f"◇ {line} · {detail}"


def spans(numbers: tuple[int, ...]) -> str:
    """Return turn numbers with runs joined: `3-9, 12`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{r[0]}-{r[-1]}" if len(r) > 1 else str(r[0]) for r in runs)


def meter_line(replied: Replied, turns: int, texts: TerminalTexts) -> str:
    """Return how full the window was, what of it is summary, and what the cache saved."""
    ledger, usage = replied.ledger, replied.usage
    parts = [texts.meter.format(total=f"{ledger.total:,}", limit=f"{ledger.limit:,}")]
    if ledger.summary:
        parts.append(texts.meter_summary.format(tokens=f"{ledger.summary:,}"))
    parts.append(texts.meter_turns.format(turns=turns))
    if usage.cached_tokens and usage.prompt_tokens:
        percent = round(100 * usage.cached_tokens / usage.prompt_tokens)
        parts.append(texts.meter_cache.format(percent=percent))
    return f"[{' · '.join(parts)}]"
