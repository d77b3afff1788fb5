"""Values that stand in a file under a key, in a table cell or in a sentence."""

import re

from .facts import Item, matching, newest
from .pages import Steps, whole_text
from .tables import Table
from .text import HAN, words
from .values import Stuck, Value
from .view import View

_ASKING = re.compile(
    r"的值|多少|什么|是谁|哪|\bvalue of\b|\bwhat\b|\bwho\b|\bwhich\b|\bwhen\b|\bwhere\b",
    re.IGNORECASE,
)
_GENERIC = frozenset({"里", "里面", "内容", "文件", "中", "写", "file", "content", "inside"})
_PAIR = re.compile(
    r"^\W*?([\w\u3400-\u9fff][^:=：,\t|]{0,60}?)[\"'`*]*\s*(?::|=|：|,|\t|\||是|\bis\b)\s*(.+?)\s*,?$"
)


def looked_up(view: View, text: str, files: list[str]) -> Steps:
    """Return the value that a text asks for by name; None where it asks for none."""
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
