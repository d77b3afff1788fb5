"""What the recall benchmark measured, as Markdown."""

from collections.abc import Iterator, Mapping, Sequence

from recall_metrics import METRICS, SESSIONS, Scores, difference, grouped, means

Row = tuple[str, Scores]
Results = Mapping[str, Mapping[str, Sequence[Row]]]
"""Rows by set and by setup."""


def main_table(results: Results, engine: str, baseline: str) -> str:
    """Return every metric by set, both engines, and the gain with its 95 % interval."""
    head = ["set", "questions", "engine", *METRICS, *SESSIONS, "gain in R@5 (95 %)"]
    lines = []
    for name, by_setup in results.items():
        for title in dict.fromkeys((baseline, engine)):
            figures = means([scores for _, scores in by_setup[title]])
            cells = [f"{figures[m]:.1f}" if m in figures else "" for m in (*METRICS, *SESSIONS)]
            gain = _gain(by_setup, title, baseline)
            lines.append([name, str(len(by_setup[title])), title, *cells, gain])
    return _table(head, lines)


def _gain(by_setup: Mapping[str, Sequence[Row]], title: str, baseline: str) -> str:
    ours, theirs = ([scores["R@5"] for _, scores in by_setup[one]] for one in (title, baseline))
    if title == baseline or not ours:
        return ""
    mean, low, high = difference(ours, theirs)
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]"


def kinds_table(results: Results, engine: str, baseline: str) -> str:
    """Return the main metrics by kind of question, baseline → engine."""
    shown = ("R@1", "R@5", "R@10", "any@5", "MRR")
    lines = []
    for name, by_setup in results.items():
        ours, theirs = grouped(by_setup[engine]), grouped(by_setup[baseline])
        for kind, scores in ours.items():
            new, old = means(scores), means(theirs[kind])
            cells = [_change(old[m], new[m], engine != baseline) for m in shown]
            lines.append([name, kind or "-", str(len(scores)), *cells])
    return _table(["set", "kind", "questions", *shown], lines)


def _change(old: float, new: float, compared: bool) -> str:
    return f"{old:.1f} → {new:.1f}" if compared else f"{new:.1f}"


def ablation_table(results: Results, engine: str) -> str:
    """Return R@5 / R@10 by set of the whole engine, and of it without each field."""
    setups = [title for title in next(iter(results.values())) if title[0] == "-"]
    lines = []
    for title in (engine, *setups):
        cells = []
        for by_setup in results.values():
            figures = means([scores for _, scores in by_setup[title]])
            cells.append(f"{figures['R@5']:.1f} / {figures['R@10']:.1f}" if figures else "")
        lines.append([title, *cells])
    return _table(["R@5 / R@10", *results], lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(_lines(head, lines))


def _lines(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield f"| {' | '.join(line)} |"
