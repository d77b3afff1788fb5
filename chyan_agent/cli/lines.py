"""One line each for what happens beside the answer."""

from collections.abc import Mapping

from ..errors import AgentError
from ..events import Compacted, Event, Replied, ToolRan
from ..jsontext import first_text, parsed
from ..model import Retry
from ..prompts.terminal import TerminalTexts
from .terminal import one_line

COLUMNS = 78
"""Width of a line that reports on the side."""


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
    subject = one_line(first_text(event.call.arguments), COLUMNS // 2)
    outcome = one_line(_outcome(event, texts), COLUMNS)
    line = f"· {one_line(event.call.name, 20)} {subject}".rstrip()
    return f"{line}  ({outcome})" if outcome else line


def _outcome(event: ToolRan, texts: TerminalTexts) -> str:
    found = _object(event.result.content)
    if not event.result.ok:
        return texts.failed.format(reason=found.get("error", event.result.content))
    total, returned = found.get("total_lines"), found.get("returned_lines", found.get("lines"))
    if isinstance(returned, int) and isinstance(total, int) and total != returned:
        return texts.lines_of.format(count=returned, total=total)
    if isinstance(returned, int) or isinstance(total, int):
        return texts.lines.format(count=total if returned is None else returned)
    lists = [value for value in found.values() if isinstance(value, list)]
    return texts.hits.format(count=len(lists[0])) if lists else ""


def _object(text: str) -> Mapping[str, object]:
    value = parsed(text)
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
    parts = [texts.meter.format(total=f"{ledger.expected:,}", limit=f"{ledger.limit:,}")]
    if ledger.summary:
        parts.append(texts.meter_summary.format(tokens=f"{ledger.summary:,}"))
    parts.append(texts.meter_turns.format(turns=turns))
    if usage.cached_tokens and usage.prompt_tokens:
        percent = round(100 * usage.cached_tokens / usage.prompt_tokens)
        parts.append(texts.meter_cache.format(percent=percent))
    return f"[{' · '.join(parts)}]"
