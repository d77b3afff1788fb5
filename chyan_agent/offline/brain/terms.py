"""Words for quantities, in both languages, and how an answer names them."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from ...prompts import Language
from ...prompts.offline import EN, ZH, OfflineTexts
from .arithmetic import show
from .values import Value

STATISTICS: dict[str, str] = {
    "median": r"中位数|\bmedian\b",
    "mean": r"平均(?:值|数|分)?|均值|\baverage\b|\bmean\b",
    "sum": r"总和|求和|之和|合计|总计|总数|总额|总量|加起来|相加|的和|总共"
    r"|\bsum\b|\btotal\b|\badd up\b|\badded\b",
    "max": r"最大(?:值|的)?|最高|最多|最贵|最长"
    r"|\bmax(?:imum)?\b|\bhighest\b|\blargest\b|\bbiggest\b|\bgreatest\b|\bmost\b",
    "min": r"最小(?:值|的)?|最低|最少|最便宜|最短"
    r"|\bmin(?:imum)?\b|\blowest\b|\bsmallest\b|\bleast\b|\bcheapest\b",
}
NAMES: dict[str, tuple[str, str]] = {
    "median": ("中位数", "median"),
    "mean": ("平均值", "average"),
    "sum": ("总和", "sum"),
    "max": ("最大值", "maximum"),
    "min": ("最小值", "minimum"),
    "count": ("数量", "count"),
    "lines": ("行数", "number of lines"),
    "rows": ("记录数", "number of records"),
    "words": ("单词数", "number of words"),
    "chars": ("字符数", "number of characters"),
    "result": ("结果", "result"),
    "content": ("内容", "content"),
    "value": ("值", "value"),
}
WORDS_FOR: dict[str, str] = {
    **STATISTICS,
    "count": r"个数|次数|数量|几个|\bcount\b|\bhow many\b",
    "lines": r"行数|多少行|几行|\blines\b",
    "rows": r"记录数|多少条|几条|\brecords\b|\brows\b",
    "words": r"单词数|词数|\bwords\b",
}


def texts_for(language: Language) -> OfflineTexts:
    """Return the sentences of a language."""
    return ZH if language == "zh" else EN


def name(kind: str, texts: OfflineTexts) -> str:
    """Return how an answer names a quantity."""
    return NAMES[kind][0 if texts is ZH else 1]


def stated(kind: str, value: str, texts: OfflineTexts) -> Value:
    """Return a value with the sentence that states it."""
    return Value(value, texts.is_.format(name=name(kind, texts), value=value))


def statistic(text: str) -> str:
    """Return which statistic a text asks for, or nothing. The first named one wins."""
    found = [
        (match.start(), kind)
        for kind, pattern in STATISTICS.items()
        if (match := re.search(pattern, text, re.IGNORECASE))
    ]
    return min(found)[1] if found else ""


def compute(kind: str, numbers: Sequence[Fraction]) -> Fraction:
    """Return a statistic of at least one number."""
    return FORMULAS[kind](sorted(numbers))


def _median(ordered: Sequence[Fraction]) -> Fraction:
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _mean(ordered: Sequence[Fraction]) -> Fraction:
    return sum(ordered, Fraction(0)) / len(ordered)


FORMULAS: dict[str, Callable[[Sequence[Fraction]], Fraction]] = {
    "sum": lambda ordered: sum(ordered, Fraction(0)),
    "mean": _mean,
    "median": _median,
    "max": lambda ordered: ordered[-1],
    "min": lambda ordered: ordered[0],
    "count": lambda ordered: Fraction(len(ordered)),
}


def shown(numbers: Sequence[Fraction]) -> str:
    """Write numbers in a row."""
    return ", ".join(map(show, numbers))
