"""report.md: what was run, what held, what it cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from ..prompts import Language, pick, plot
from ..prompts.plot import PlotTexts
from ..prompts.rig import REPORT_EN, REPORT_ZH, ReportTexts
from .rows import Row
from .totals import ENDS, SETTLED, Totals

QUESTION = "question"
"""The scenario whose check is about evidence, not about the answer."""
WIDEST_CELL = 120
"""Characters of a question, an answer or a reason in the table of failures."""
Line = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How the run was started."""

    language: Language = "zh"
    command: str = ""
    seed: int = 0
    strategy: str = ""
    model: str = ""
    base_url: str = ""
    """Empty for the offline model."""
    loss: float = 0.0
    limit: int = 0
    reserved: int = 0
    judged: bool = True


def write(run: Run, totals: Totals, parts: Mapping[str, float] | None = None) -> str:
    """Return the whole report as Markdown.

    `parts` is the resident memory in MB after each part was loaded, in order.
    """
    texts = pick(run.language, REPORT_ZH, REPORT_EN)
    names = pick(run.language, plot.ZH, plot.EN)
    blocks = [
        texts.title,
        *_head(run, totals, texts),
        texts.plot,
        texts.success,
        _success(totals, run.language),
        *_evidence(totals, texts),
        texts.checks_note,
        texts.budget,
        _table(texts.figures_head, _window(run, totals, texts)),
        *_tools(totals, texts),
        texts.time,
        _table(texts.figures_head, _time(totals, texts)),
        texts.memory,
        _table(texts.figures_head, _memory(totals, texts)),
        *_parts(parts or {}, texts),
        texts.failed,
        *_failed(totals, texts, names),
    ]
    return "\n\n".join(blocks) + "\n"


def _head(run: Run, totals: Totals, texts: ReportTexts) -> list[str]:
    what = texts.run_by.format(
        command=run.command,
        turns=totals.turns,
        seed=run.seed,
        strategy=run.strategy,
        model=run.model,
    )
    where = (
        texts.external.format(base_url=run.base_url)
        if run.base_url
        else texts.offline.format(loss=f"{run.loss:.0%}")
    )
    how = texts.settings.format(limit=f"{run.limit:,}", reserved=f"{run.reserved:,}")
    return [what, where, how]


def successes(totals: Totals, language: Language) -> dict[str, tuple[int, int]]:
    """Return turns and passed checks by the name of the scenario."""
    names = pick(language, plot.ZH, plot.EN)
    return {
        getattr(names, scenario, scenario): (turns, passed)
        for scenario, (turns, passed) in totals.scenarios.items()
        if scenario != QUESTION
    }


def _success(totals: Totals, language: Language) -> str:
    texts, rows = pick(language, REPORT_ZH, REPORT_EN), successes(totals, language)
    if len(rows) > 1:
        turns, passed = (sum(column) for column in zip(*rows.values(), strict=True))
        rows[texts.all_scenarios] = turns, passed
    lines = [f"| {name} | {n} | {ok} | {share(ok, n)} |" for name, (n, ok) in rows.items()]
    return "\n".join([texts.success_head, *lines])


def _evidence(totals: Totals, texts: ReportTexts) -> list[str]:
    asked, found = totals.scenarios.get(QUESTION, (0, 0))
    if not asked:
        return []
    partly = totals.partly
    line = texts.evidence.format(
        found=found,
        asked=asked,
        share=share(found, asked),
        partly=partly,
        part_share=share(partly, asked),
    )
    return [line, texts.evidence_note]


def _window(run: Run, totals: Totals, texts: ReportTexts) -> Iterable[Line]:
    window, (count, before, after) = totals.window, totals.shrunk
    yield texts.requests, f"{window.requests:,}"
    yield texts.compaction_requests, f"{window.compactions:,}"
    yield texts.refusals, str(totals.refused) if run.judged else texts.refusals_unknown
    errors = ", ".join(f"{name} × {n}" for name, n in totals.errors.most_common())
    yield texts.errors, errors or "0"
    yield texts.window_max, f"{window.largest:,}"
    yield texts.window_mean, f"{window.total / max(window.requests, 1):,.0f}"
    yield texts.compactions, f"{count:,}"
    if count:
        yield texts.compaction_sizes, f"{before / count:,.0f} → {after / count:,.0f}"
    yield texts.prompt, f"{window.prompt:,}"
    yield texts.cached, share(window.cached, window.prompt)
    yield texts.completion, f"{window.completion:,}"
    yield texts.full_history, f"{window.whole:,} ({window.whole / max(window.prompt, 1):.1f} ×)"
    if window.error:
        yield texts.counting, "{:+} / {:+}".format(*window.error)
    if margins := window.margins:
        yield texts.estimate, f"{min(margins):+} / {median(margins):+.0f} / {max(margins):+}"
    if totals.recovered:
        yield texts.recovered, str(totals.recovered)


def _tools(totals: Totals, texts: ReportTexts) -> list[str]:
    if not totals.tools:
        return []
    by_use = sorted(totals.tools.items(), key=lambda item: -item[1].runs)
    lines = [
        f"| {name} | {tool.runs} | {tool.failed} | {1000 * tool.seconds / tool.runs:.2f} |"
        for name, tool in by_use
    ]
    return [texts.tools, "\n".join([texts.tools_head, *lines])]


def _time(totals: Totals, texts: ReportTexts) -> Iterable[Line]:
    yield texts.seconds, f"{totals.times.total:.1f}"
    yield texts.overhead, _middle(totals.times.overheads)
    if totals.turns > ENDS:
        yield texts.overhead_first.format(n=len(totals.times.first)), _middle(totals.times.first)
        yield texts.overhead_last.format(n=len(totals.times.last)), _middle(totals.times.last)


def _middle(seconds: Iterable[float]) -> str:
    values = [1000 * value for value in seconds]
    return f"{median(values):.2f} / {mean(values):.2f}" if values else "-"


def _memory(totals: Totals, texts: ReportTexts) -> Iterable[Line]:
    memory = totals.memory
    yield texts.rss_start, f"{memory.first:.1f}"
    if memory.settled and totals.turns > SETTLED:
        yield texts.rss_settled.format(n=SETTLED), f"{memory.settled:.1f}"
    yield texts.rss_end, f"{memory.last:.1f}"
    if memory.settled and totals.turns > SETTLED:
        drift = f"{memory.least - memory.settled:+.1f} / {memory.most - memory.settled:+.1f}"
        yield texts.rss_drift.format(n=SETTLED), drift
    yield texts.peak, f"{memory.peak:.1f}"


def _parts(parts: Mapping[str, float], texts: ReportTexts) -> list[str]:
    if not parts:
        return []
    lines, before = [], 0.0
    for name, now in parts.items():
        lines.append((name, f"{now - before:.1f}", f"{now:.1f}"))
        before = now
    return [texts.parts, _table(texts.parts_head, lines)]


def _failed(totals: Totals, texts: ReportTexts, names: PlotTexts) -> Iterable[str]:
    failed = totals.turns - totals.passed
    if not failed:
        yield texts.none_failed
        return
    yield _table(texts.failed_head, (_failure(row, names) for row in totals.failed))
    if failed > len(totals.failed):
        yield texts.failed_more.format(n=failed - len(totals.failed))


def _failure(row: Row, names: PlotTexts) -> Sequence[str]:
    scenario = getattr(names, row.scenario, row.scenario)
    verdict = row.verdict
    why = f"{verdict.error}: {verdict.why}" if verdict.error else verdict.why
    return str(row.turn), scenario, _cell(row.text), _cell(row.answer), _cell(why)


def _cell(text: str) -> str:
    flat = " ".join(text.split()).replace("|", "\\|").replace("`", "'")
    return flat if len(flat) <= WIDEST_CELL else flat[: WIDEST_CELL - 1] + "…"


def _table(head: str, lines: Iterable[Sequence[str]]) -> str:
    return "\n".join([head, *(f"| {' | '.join(line)} |" for line in lines)])


def share(part: int, whole: int) -> str:
    """Return a share in per cent, never rounded up to 100."""
    if not whole:
        return "-"
    return f"{int(1000 * part / whole) / 10:.1f}%"
