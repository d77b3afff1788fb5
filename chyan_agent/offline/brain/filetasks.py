"""Tasks over the content of files: lines, values, counts, columns, changes."""

import re

from .facts import Item, matching, newest
from .operations import operated as apply_steps
from .operations import operations
from .pages import Lines, Steps, failure, fold_file, whole_text
from .refs import FILE
from .strings import REPLACE, change_in
from .tables import Table, said
from .terms import stated, statistic
from .text import HAN, NUMBER, quoted, trimmed, words
from .values import Result, Stuck, Value, ask
from .view import View

SHOWN_CHARACTERS = 300
_LINE = re.compile(r"第\s*(\d+)\s*(?:(?:到|至|-|~|—)\s*第?\s*(\d+)\s*)?行|\blines?\s+(\d+)(?:\s*(?:-|to|through)\s*(\d+))?", re.IGNORECASE)
_LAST = re.compile(r"最后一行|末行|\blast line\b", re.IGNORECASE)
_FIRST = re.compile(r"第一行|首行|\bfirst line\b", re.IGNORECASE)
_HEAD = re.compile(r"前\s*(\d+)\s*行|\bfirst (\d+) lines\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"多少|几|统计|计数|行数|\bhow many\b|\bcount\b|\bnumber of\b", re.IGNORECASE)
_CONTAINING = re.compile(
    r"(?:包含|含有|带有|出现)\s*[“\"'「`]?([^\s“”\"'「」`的，,。？?]+)[”\"'」`]?|"
    r"\b(?:contain(?:s|ing)?|mention(?:s|ing)?|with)\s+(?:the word\s+)?[\"“'`]?([^\s\"”'`,?]+)",
    re.IGNORECASE,
)
_LINES = re.compile(r"行|\blines?\b", re.IGNORECASE)
_ROWS = re.compile(r"记录|条数据|行数据|\brecords?\b|\brows?\b|\bentries\b", re.IGNORECASE)
_WORDS = re.compile(r"单词|词数|\bwords?\b", re.IGNORECASE)
_CHARS = re.compile(r"字符|字数|多少个?字|\bcharacters?\b", re.IGNORECASE)
_NUMBERS = re.compile(r"数字|数值|的数|\bnumbers?\b", re.IGNORECASE)
_WHICH = re.compile(r"哪|谁|什么|\bwhich\b|\bwho\b|\bwhat (?!is the (?:max|min|high|low|larg|small))", re.IGNORECASE)
_ASKING = re.compile(r"的值|多少|什么|是谁|哪|\bvalue of\b|\bwhat\b|\bwho\b|\bwhich\b|\bwhen\b|\bwhere\b", re.IGNORECASE)
_SORT = re.compile(r"排序|\bsort\b", re.IGNORECASE)
_UNIQUE = re.compile(r"去重|\bunique\b|\bdedup|\bduplicates?\b", re.IGNORECASE)
_GENERIC = frozenset({"里", "里面", "内容", "文件", "中", "写", "file", "content", "inside"})
_ADDING = re.compile(r"相加|加起来|之和|总和|求和|的和|\badd\b|\bsum\b|\btotal\b", re.IGNORECASE)
_JOINING = re.compile(r"合并|拼接|复制|拷贝|备份|\b(?:copy|merge|combine|concatenate|join|back up)\b", re.IGNORECASE)
_PAIR = re.compile(r"^\W*?([\w\u3400-\u9fff][^:=：,\t|]{0,60}?)[\"'`*]*\s*(?::|=|：|,|\t|\||是|\bis\b)\s*(.+?)\s*,?$")


def file_value(view: View, text: str, files: list[str]) -> Steps:
    """Return what a text asks of these files. Raises Stuck where it can't be had."""
    request = FILE.sub(" ", text)
    for path in files:
        request = request.replace(path, " ")
    for solve in (_replaced, _joined, _lines, _counted, _statistics, _changed, _looked_up):
        value = yield from solve(view, request, files)
        if value is not None:
            return value
    return (yield from _shown(view, files[0]))


def _replaced(view: View, text: str, files: list[str]) -> Steps:
    parts = quoted(text)
    if len(parts) < 2 or not REPLACE.search(text):
        return None
    lines = yield from whole_text(view, files[0])
    before = "\n".join(lines)
    if parts[0] not in before:
        raise Stuck(view.texts.not_found.format(path=files[0], name=parts[0]))
    after = before.replace(parts[0], parts[1])
    result = yield from ask("write", path=files[0], content=after + "\n")
    if result.error:
        raise Stuck(failure(view.texts, "write", result))
    return Value(after, view.texts.wrote.format(path=files[0]))


def _joined(view: View, text: str, files: list[str]) -> Steps:
    if not _JOINING.search(text):
        return None
    pieces = []
    for path in files:
        pieces += yield from whole_text(view, path)
    return Value("\n".join(pieces), "")


def _lines(view: View, text: str, files: list[str]) -> Steps:
    path = files[0]
    if _LAST.search(text):
        return (yield from _last_line(view, path))
    span = _span(text)
    if not span:
        return None
    first, count = span
    result = yield from _read(view, path, start_line=first, max_lines=count)
    shown = result.content.removesuffix("\n")
    if count == 1:
        return Value(shown, view.texts.line.format(number=first, text=shown))
    return Value(shown, view.texts.content.format(path=path, text=shown))


def _span(text: str) -> tuple[int, int] | None:
    if found := _LINE.search(text):
        first = int(found[1] or found[3])
        last = int(found[2] or found[4] or first)
        return max(first, 1), max(last - first + 1, 1)
    if found := _HEAD.search(text):
        return 1, max(int(found[1] or found[2]), 1)
    return (1, 1) if _FIRST.search(text) else None


def _last_line(view: View, path: str) -> Steps:
    result = yield from _read(view, path)
    total = int(result.data.get("total_lines") or 0)
    if result.data.get("truncated") and total:
        result = yield from _read(view, path, start_line=total, max_lines=1)
    lines = result.content.removesuffix("\n").split("\n")
    return Value(lines[-1], view.texts.line.format(number=total or len(lines), text=lines[-1]))


def _read(view: View, path: str, **more: object) -> Steps:
    result: Result = yield from ask("read", path=path, **more)
    if result.error:
        raise Stuck(failure(view.texts, "read", result))
    return result


def _counted(view: View, text: str, files: list[str]) -> Steps:
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
        result = yield from _read(view, path)
        total = result.data.get("total_lines")
        if total is None:
            total = len((yield from whole_text(view, path)))
        return stated("lines", str(total), view.texts)
    return None


def _containing(view: View, path: str, needle: str) -> Steps:
    """Count by grep where its result is whole, else by reading all pages."""
    result = yield from ask("grep", pattern=re.escape(needle).replace("\\ ", " "), path=path)
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


def _statistics(view: View, text: str, files: list[str]) -> Steps:
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


def _changed(view: View, text: str, files: list[str]) -> Steps:
    """Return the file's number or text, changed as asked."""
    steps, change = operations(text), change_in(text)
    if not (steps or change or _SORT.search(text) or _UNIQUE.search(text)):
        return None
    lines = yield from whole_text(view, files[0])
    whole = "\n".join(lines)
    if steps:
        number = NUMBER.search(whole)
        value = apply_steps(number.group().replace(",", ""), steps) if number else None
        if value is None:
            raise Stuck(view.texts.no_numbers.format(path=files[0]))
        return stated("result", value, view.texts)
    if change:
        return Value(change(whole), "")
    if _UNIQUE.search(text):
        lines = list(dict.fromkeys(lines))
    return Value("\n".join(sorted(lines) if _SORT.search(text) else lines), "")


def _looked_up(view: View, text: str, files: list[str]) -> Steps:
    if not _ASKING.search(text) or not set(words(text)) - _GENERIC:
        return None
    table, lines = Table(text), (yield from whole_text(view, files[0]))
    for line in lines:
        table.take(line)
    if table.cells:
        return _fact(view, table.column, table.cells[0])
    keyed = [(m[1].strip(), m[2].strip(" \"'")) for line in lines if (m := _PAIR.match(line))]
    named = [(key, value) for key, value in keyed if _names(key, text)]
    if named:
        key, value = max(named, key=lambda pair: len(pair[0]))
        return _fact(view, key, value)
    found = newest(matching(text, [Item("\n".join(lines), (0, 0, 0), own=True)], view.read))
    if found:
        return _fact(view, found.statement.subject, found.statement.value)
    if re.search(r"的值|\bvalue of\b", text) or len(words(text)) < 3:
        raise Stuck(view.texts.not_found.format(path=files[0], name=" ".join(words(text))))
    return None


def _names(key: str, text: str) -> bool:
    key, text = key.casefold(), text.casefold()
    if HAN.search(key):
        return key in text
    return re.search(rf"(?<![a-z0-9_]){re.escape(key)}(?![a-z0-9_])", text) is not None


def _fact(view: View, subject: str, value: str) -> Value:
    if not subject:
        return Value(value, value)
    return Value(value, view.texts.fact.format(subject=subject, value=value))


def _shown(view: View, path: str) -> Steps:
    result = yield from _read(view, path)
    text = result.content.removesuffix("\n")
    if not text:
        return Value("", view.texts.empty.format(path=path))
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + " …"
    sentence = view.texts.content.format(path=path, text=shown)
    total = result.data.get("total_lines")
    if len(shown) < len(text) or result.data.get("truncated"):
        sentence += "\n" + view.texts.total_lines.format(total=total or len(text.split("\n")))
    return Value(trimmed(text) if "\n" not in text else text, sentence)
