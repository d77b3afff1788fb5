"""What the slash commands print. Values in, text out."""

from collections.abc import Iterable
from math import ceil

from ..budget import Budget, Ledger
from ..prompts.terminal import TerminalTexts
from ..state import State
from ..statements.evidence import line
from .lines import COLUMNS, spans
from .terminal import harmless, one_line, pad, width

BAR = 30
"""Columns of a bar that stands for the whole window."""


def commands(texts: TerminalTexts) -> str:
    """Return the list of commands."""
    return _table(texts.commands.items())


def _table(rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    first = max(width(left) for left, _ in rows)
    return "\n".join(f"{pad(left, first)}  {right}".rstrip() for left, right in rows)


def tokens(ledger: Ledger, budget: Budget, texts: TerminalTexts) -> str:
    """Return the zones of the next request with bars, and the arithmetic behind them.

    The zones are by our count, all else by the endpoint's, which may be dearer.
    """
    free = budget.room - ledger.expected
    rows = [(texts.zones[zone], spent) for zone, spent in ledger.zones().items()]
    if dearer := ledger.expected - ledger.total:
        rows.append((texts.dearer, dearer))
    rows += [(texts.total, ledger.expected), (texts.reserved, ledger.reserved), (texts.free, free)]
    fixed = ceil(budget.fixed * budget.factor)
    arithmetic = texts.arithmetic.format(
        limit=f"{budget.limit:,}",
        reserved=f"{budget.reserved:,}",
        fixed=f"{fixed:,}",
        spendable=f"{budget.room - fixed:,}",
        summary_cap=f"{int(budget.summary_cap * budget.factor):,}",
    )
    table = _table((name, _measured(spent, budget.limit)) for name, spent in rows)
    return f"{table}\n{arithmetic}"


def _measured(spent: int, limit: int) -> str:
    share = max(spent, 0) / limit
    bar = "█" * max(round(BAR * share), int(spent > 0))
    return f"{spent:>9,}  {share:>6.1%}  {bar}"


def history(state: State, count: int, texts: TerminalTexts) -> str:
    """Return the last turns, a line each, named by their handles."""
    out = []
    held = state.summary
    if held.told:
        turns = spans(tuple(range(1, held.told + 1)))
        out.append(texts.earlier_turns.format(turns=turns, first=1))
    if held.told < held.through:
        turns = spans(tuple(range(held.told + 1, held.through + 1)))
        out.append(texts.dropped_turns.format(turns=turns, first=held.told + 1))
    for turn in state.turns[-count:]:
        question = one_line(turn.question, COLUMNS // 2)
        answer = turn.messages[-1].content if turn.closed else texts.unanswered
        out.append(f"#t{turn.number}  {question}  → {one_line(answer, COLUMNS // 2)}")
    return "\n".join(out) or texts.no_turns


def summary(state: State, texts: TerminalTexts) -> str:
    """Return evidence and facts, each with the turn that it comes from."""
    held = state.summary
    if not held.told:
        return texts.no_summary
    head = texts.summary_head.format(
        through=held.told, evidence=len(held.evidence), facts=len(held.facts)
    )
    evidence = [harmless(line(piece)) for piece in held.evidence]
    return "\n".join([head, *evidence, *(f"- {harmless(fact)}" for fact in held.facts)])
