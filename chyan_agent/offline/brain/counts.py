"""Counting and computing over files: lines, records, words, columns."""

import re

from .pages import Lines, Steps, fold_file, read, whole_text
from .paths import literally
from .tables import Table, said
from .terms import stated, statistic
from .values import Stuck, Value, ask
from .view import View

_HOW_MANY = re.compile(
    r"多少|几|统计|计数|行数|\bhow many\b|\bcount\b|\bnumber of\b", re.IGNORECASE
)
_CONTAINING = re.compile(
    r"(?:包含|含有|带有|出现)\s*[“\"'「`]?([^\s“”\"'「」`的，,。？?]+)[”\"'」`]?|"
    r"\b(?:contain(?:s|ing)?|mention(?:s|ing)?|with)\s+(?:the word\s+)?[\"“'`]?([^\s\"”'`,?]+)",
    re.IGNORECASE,
)
_LINES = re.compile(r"行|\blines?\b", re.IGNORECASE)
_ROWS = re.compile(r"记录|条数据|行数据|\brecords?\b|\brows?\b|\bentries\b", re.IGNORECASE)
_WORDS = re.compile(r"单词|词数|\bwords?\b", re.IGNORECASE)
_CHARS = re.compile(r"字符|字数|多少个?字|\bcharacters?\b", re.IGNORECASE)
_WHICH = re.compile(
    r"哪|谁|什么|\bwhich\b|\bwho\b|\bwhat (?!is the (?:max|min|high|low|larg|small))", re.IGNORECASE
)
_ADDING = re.compile(r"相加|加起来|之和|总和|求和|的和|\badd\b|\bsum\b|\btotal\b", re.IGNORECASE)


def counted(view: View, text: str, files: list[str]) -> Steps:
    """Return a count of lines, records, words or characters; None where none is asked for."""
    if not _HOW_MANY.search(text):
        return None
    path = files[0]
    if (found := _CONTAINING.search(text)) and _LINES.search(text):
        return (yield from _containing(view, path, found[1] or found[2]))
    if _ROWS.search(text):
        table = Table(text)
        yield from fold_file(view, path, table)
        return stated("rows", str(table.rows), view.texts)
    if _WORDS.search(text) or _CHARS.search(text):
        return (yield from _measured(view, text, path))
    if _LINES.search(text):
        result = yield from read(view, path)
        total = result.data.get("total_lines")
        if total is None:
            total = len((yield from whole_text(view, path)))
        return stated("lines", str(total), view.texts)
    return None


def _containing(view: View, path: str, needle: str) -> Steps:
    """Count by grep where its result is whole, else by reading all pages."""
    result = yield from ask("grep", {"pattern": literally(needle), "path": path})
    found, total = result.data.get("matches"), result.data.get("total_lines")
    if isinstance(total, int) and not result.error:
        return stated("lines", str(total), view.texts)
    if not result.error and not result.data.get("truncated") and isinstance(found, list | str):
        count = len(found.splitlines() if isinstance(found, str) else found)
        return stated("lines", str(count), view.texts)
    kept = _Counting(needle)
    yield from fold_file(view, path, kept)
    return stated("lines", str(kept.count), view.texts)


class _Counting(Lines):
    """Counts the lines that hold a text."""

    __slots__ = ("count", "needle")

    def __init__(self, needle: str) -> None:
        super().__init__()
        self.needle, self.count = needle, 0

    def take(self, line: str) -> None:
        """Take in the next line."""
        self.count += self.needle in line

    def state(self) -> dict[str, object]:  # type: ignore[override]
        """Return the count so far."""
        return {"count": self.count}

    def resume(self, state: object) -> None:
        """Go on from a count."""
        assert isinstance(state, dict)
        self.count = state["count"]


def _measured(view: View, text: str, path: str) -> Steps:
    lines = yield from whole_text(view, path)
    whole = "\n".join(lines)
    if _WORDS.search(text):
        return stated("words", str(len(whole.split())), view.texts)
    return stated("chars", str(len(whole)), view.texts)


def computed(view: View, text: str, files: list[str]) -> Steps:
    """Return a statistic over a column or all numbers; None where none is asked for."""
    kind = statistic(text)
    if not kind and len(files) > 1 and _ADDING.search(text):
        kind = "sum"
    if not kind:
        return None
    table = Table(text, keep_values=kind == "median")
    if len(files) > 1:
        return (yield from _over_files(view, kind, files))
    yield from fold_file(view, files[0], table)
    tally = table.best
    if not tally.count:
        raise Stuck(view.texts.no_numbers.format(path=files[0]))
    number = said(tally.result(kind))
    label = tally.high_label if kind == "max" else tally.low_label if kind == "min" else ""
    if label and _WHICH.search(text) and label != number:
        return Value(label, view.texts.extreme.format(name=table.column, value=label, label=number))
    return stated(kind, number, view.texts)


def _over_files(view: View, kind: str, files: list[str]) -> Steps:
    table = Table("", keep_values=True)
    for path in files:
        for line in (yield from whole_text(view, path)):
            table.take(line)
    if not table.all.count:
        raise Stuck(view.texts.no_numbers.format(path=files[0]))
    return stated(kind, said(table.all.result(kind)), view.texts)
