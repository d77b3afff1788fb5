"""What `that file` and `the previous result` mean: from what is in sight, else by recall."""

import re
from collections.abc import Generator, Iterable
from typing import Any

from .facts import Item
from .operations import is_number
from .paths import paths
from .terms import WORDS_FOR
from .text import NUMBER, asks, sentences, trimmed, words
from .values import Ask, Result, ask
from .view import RECORDED, View, hits

FILE = re.compile(
    r"(?:刚才|刚刚|之前|前面|上面)[^，,。]{0,6}文件|(?:那个|这个|该|此|上一个|同一个|前一个)文件"
    r"|\b(?:that|this|the same|the previous|the last) file\b"
    r"|\bthe file (?:from before|above|you|we|i|just|from earlier)\b(?: just)?(?: \w+)?",
    re.IGNORECASE,
)
WROTE = re.compile(r"写|创建|新建|保存|生成|wrote|written|created|saved|made", re.IGNORECASE)
READ = re.compile(r"读|看|打开|read|opened|looked", re.IGNORECASE)
_NOUN = "结果|数字?|数值|值|答案|总和|总数|合计|平均值|平均数|均值|最大值|最小值|中位数|行数"
"|次数|个数|输出"
_NOUN_EN = "results?|numbers?|values?|answers?|totals?|sum|average|mean|max(?:imum)?"
"|min(?:imum)?|median|count|output"
RESULT = re.compile(
    rf"(?:上一?个|前一?个|上次|刚才|刚刚|之前|前面|那个|这个|该)(?:的|算出?的?|得到的?"
    rf"|那个)?(?:{_NOUN})"
    rf"|\b(?:the )?(?:previous|last|preceding|earlier) (?:{_NOUN_EN})\b|\b(?:that"
    rf"|this) (?:{_NOUN_EN})\b"
    r"|\bthe result from before\b",
    re.IGNORECASE,
)
TWO = re.compile(
    rf"(?:前|上|最近)(?:面)?两个(?:{_NOUN})|\b(?:last"
    rf"|previous) two (?:{_NOUN_EN})\b",
    re.IGNORECASE,
)
IT = re.compile(r"它|其|\bit\b|\bthat\b", re.IGNORECASE)
_STATED = re.compile(
    r"(?:是|为|等于|\bis|=|:|：)\s*(.+?)(?:[，,]\s*(?:已|written|appended|remembered)|（|\s\("
    r"|[。]|\.(?:\s|$)|$)",
    re.DOTALL,
)

BOTH = ("read", "write")

Steps = Generator[tuple[Ask, ...], tuple[Result, ...], Any]


def named_file(view: View, text: str) -> Steps:
    """Return the path that a reference means, or an empty string."""
    found = FILE.search(text)
    phrase = found.group() if found else ""
    kinds = ("write",) if WROTE.search(phrase) else ("read",) if READ.search(phrase) else BOTH
    for done in reversed(view.before):
        path = str(done.arguments.get("path") or "")
        if path and (done.name in kinds or (done.name == "grep" and paths(path))):
            return path
    if path := _newest_path(item for item in view.items if item.order[0] == RECORDED):
        return path
    query = " ".join(dict.fromkeys((*words(text), "文件", "file")))
    result = yield from ask("recall", {"query": query})
    if path := _newest_path(hits(result)):
        return path
    result = yield from ask("search", {"pattern": "*"})
    return _first_path(result)


def _newest_path(items: Iterable[Item]) -> str:
    for item in sorted(items, key=lambda item: item.order, reverse=True):
        if found := paths(item.text):
            return found[-1]
    return ""


def _first_path(result: Result) -> str:
    for path in names_in(result):
        return path
    return ""


def names_in(result: Result) -> list[str]:
    """Return the paths that a search gave, whatever it calls them."""
    keys = [key for key in ("files", "matches", "paths") if key in result.data]
    found: object = result.data[keys[0]] if keys else []
    if isinstance(found, str):
        return [line for line in found.splitlines() if line]
    entries = found if isinstance(found, list) else []
    return [str(entry.get("path") if isinstance(entry, dict) else entry) for entry in entries]


def results(view: View, text: str) -> Steps:
    """Return the values of earlier results that a text refers to, newest first."""
    wanted = 2 if TWO.search(text) else 1
    kind = _kind(text)
    found: list[str] = [v for answer in reversed(view.answers) if (v := _value(answer, kind))]
    if len(found) < wanted:
        found += _recorded((i for i in view.items if i.order[0] == RECORDED), kind)
    if len(found) < wanted:
        pattern = WORDS_FOR.get(kind, "结果|result")
        terms = " ".join(
            re.findall(r"[\u3400-\u9fff]{2,}|[a-z]{3,}", pattern.replace(r"\b", " "))[:6]
        )
        result = yield from ask("recall", {"query": terms})
        found += _recorded(hits(result), kind)
    return found[:wanted]


def _kind(text: str) -> str:
    found = RESULT.search(text) or TWO.search(text)
    noun = found.group() if found else ""
    return next((k for k, p in WORDS_FOR.items() if re.search(p, noun, re.IGNORECASE)), "")


def _recorded(items: Iterable[Item], kind: str) -> list[str]:
    ordered = sorted(items, key=lambda item: item.order, reverse=True)
    return [value for item in ordered if (value := _value(item.text, kind))]


def _value(text: str, kind: str) -> str:
    """Return the value that an answer states, if it is of that kind, or nothing."""
    if kind and not re.search(WORDS_FOR[kind], text, re.IGNORECASE):
        return ""
    for sentence in sentences(text):
        if not asks(sentence) and (found := _STATED.search(sentence)):
            value = trimmed(found[1])
            return value if is_number(value) or not paths(value) else ""
    plain = text
    for path in paths(text):
        plain = plain.replace(path, " ")
    numbers = NUMBER.findall(plain)
    return numbers[0] if len(numbers) == 1 and not asks(text) else ""
