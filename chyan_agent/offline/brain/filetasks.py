"""Tasks over the content of files: lines, values, counts, columns, changes."""

import re

from .counts import computed, counted
from .lookups import looked_up
from .operations import operated as apply_steps
from .operations import operations
from .pages import Steps, failure, read, whole_text
from .refs import FILE
from .strings import REPLACE, change_in
from .terms import stated
from .text import NUMBER, quoted, trimmed
from .values import Stuck, Value, ask
from .view import View

SHOWN_CHARACTERS = 300
_LINE = re.compile(
    r"第\s*(\d+)\s*(?:(?:到|至|-|~|—)\s*第?\s*(\d+)\s*)?行|\blines?\s+(\d+)(?:\s*(?:-|to|through)\s*(\d+))?",
    re.IGNORECASE,
)
_LAST = re.compile(r"最后一行|末行|\blast line\b", re.IGNORECASE)
_FIRST = re.compile(r"第一行|首行|\bfirst line\b", re.IGNORECASE)
_HEAD = re.compile(r"前\s*(\d+)\s*行|\bfirst (\d+) lines\b", re.IGNORECASE)
_SORT = re.compile(r"排序|\bsort\b", re.IGNORECASE)
_UNIQUE = re.compile(r"去重|\bunique\b|\bdedup|\bduplicates?\b", re.IGNORECASE)
_JOINING = re.compile(
    r"合并|拼接|复制|拷贝|备份|\b(?:copy|merge|combine|concatenate|join|back up)\b", re.IGNORECASE
)


def file_value(view: View, text: str, files: list[str]) -> Steps:
    """Return what a text asks of these files. Raises Stuck where it can't be had."""
    request = FILE.sub(" ", text)
    for path in files:
        request = request.replace(path, " ")
    for solve in (_replaced, _joined, _lines, counted, computed, _changed, looked_up):
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
    result = yield from ask("write", {"path": files[0], "content": after + "\n"})
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
    result = yield from read(view, path, start_line=first, max_lines=count)
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
    result = yield from read(view, path)
    total = int(result.data.get("total_lines") or 0)
    if result.data.get("truncated") and total:
        result = yield from read(view, path, start_line=total, max_lines=1)
    lines = result.content.removesuffix("\n").split("\n")
    return Value(lines[-1], view.texts.line.format(number=total or len(lines), text=lines[-1]))


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


def _shown(view: View, path: str) -> Steps:
    result = yield from read(view, path)
    text = result.content.removesuffix("\n")
    if not text:
        return Value("", view.texts.empty.format(path=path))
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + " …"
    sentence = view.texts.content.format(path=path, text=shown)
    total = result.data.get("total_lines")
    if len(shown) < len(text) or result.data.get("truncated"):
        sentence += "\n" + view.texts.total_lines.format(total=total or len(text.split("\n")))
    return Value(trimmed(text) if "\n" not in text else text, sentence)
