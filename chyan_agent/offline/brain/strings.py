"""Operations on quoted text and on lists of words."""

import re
from collections.abc import Callable

from ...prompts.offline import OfflineTexts
from .terms import stated
from .text import QUOTED, quoted, trimmed
from .values import Value

REPLACE = re.compile(
    r"(?:替换|换成|改成|replace)",
    re.IGNORECASE,
)
REPEAT = re.compile(r"重复\s*(\d+)\s*[次遍]|\brepeat\b.*?(\d+)\s*times", re.IGNORECASE)
COUNT_OF = re.compile(
    r"出现(?:了)?(?:几|多少)次|出现的?次数|有几个|有多少个|\bhow many\b|\bcount\b|\boccurrences\b",
    re.IGNORECASE,
)
WORD_LIST = re.compile(r"(?:[:：]|\bwords?\b)\s*([^:：]+)$", re.IGNORECASE)
MAX_REPEAT = 50

Change = Callable[[str], str]
CHANGES: tuple[tuple[str, Change], ...] = (
    (r"大写|\bupper-?\s?case\b|\bcapitals\b", str.upper),
    (r"小写|\blower-?\s?case\b", str.lower),
    (r"首字母大写|\btitle-?\s?case\b|\bcapitali[sz]e\b", str.title),
    (r"反转|倒序|倒过来|颠倒|逆序|\breverse[d]?\b|\bbackwards\b", lambda text: text[::-1]),
    (
        r"去掉空格|去除空格|删除空格|\bremove (?:the |all )?spaces\b",
        lambda text: text.replace(" ", ""),
    ),
)
MEASURES: tuple[tuple[str, str, Callable[[str], int]], ...] = (
    (
        r"多少个?单词|几个单词|单词数|\bhow many words\b|\bword count\b",
        "words",
        lambda t: len(t.split()),
    ),
    (
        r"长度|多少个?字符|几个字符|字符数|多少个?字|几个字|字数|\blength\b|\bhow long\b"
        r"|\bhow many (?:characters|letters)\b",
        "chars",
        len,
    ),
)
ENDS: tuple[tuple[str, Change], ...] = (
    (r"第一个(?:字母|字符|字)|\bfirst (?:letter|character)\b", lambda text: text[:1]),
    (r"最后一个(?:字母|字符|字)|\blast (?:letter|character)\b", lambda text: text[-1:]),
    (r"第一个(?:单词|词)|\bfirst word\b", lambda text: (text.split() or [""])[0]),
    (r"最后一个(?:单词|词)|\blast word\b", lambda text: (text.split() or [""])[-1]),
)


def change_in(text: str) -> Change | None:
    """Return the change of a text that a request names, if any."""
    # The most specific phrase first: 首字母大写 holds 大写.
    found = [(len(m.group()), change) for p, change in CHANGES if (m := _has(p, text))]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def operated(text: str, texts: OfflineTexts) -> Value | None:
    """Answer an operation on quoted text or on a list of words."""
    parts = quoted(text)
    outside = QUOTED.sub(" ", text)
    if not parts:
        return _listed(text, texts)
    for solve in (_replaced, _counted, _measured, _repeated, _joined, _changed):
        if found := solve(outside, parts, texts):
            return found
    return _ordered(outside, re.split(r"[,，、\s]+", parts[0].strip()), texts)


def _has(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE)


def _replaced(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    if len(parts) < 3 or not REPLACE.search(outside):
        return None
    # Chinese names the text first (“…” 里的 a 换成 o), English last (replace a with o in "…").
    late = bool(re.match(r"\W*(?:请|please)?\W*(?:replace|将?替换)", outside, re.IGNORECASE))
    text, old, new = (parts[2], parts[0], parts[1]) if late else (parts[0], parts[1], parts[2])
    return stated("result", text.replace(old, new), texts) if old else None


def _counted(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    if len(parts) < 2 or not COUNT_OF.search(outside):
        return None
    whole, part = sorted(parts[:2], key=len, reverse=True)
    return stated("count", str(whole.count(part)), texts) if part else None


def _measured(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    for pattern, kind, measure in MEASURES:
        if _has(pattern, outside):
            return stated(kind, str(measure(parts[0])), texts)
    return None


def _repeated(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    if found := REPEAT.search(outside):
        times = min(int(found[1] or found[2]), MAX_REPEAT)
        return stated("result", parts[0] * times, texts)
    return None


def _joined(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    if len(parts) > 1 and _has(r"拼接|连接|拼起来|连起来|\bconcat\w*|\bjoin\b", outside):
        return stated("result", "".join(parts), texts)
    return None


def _changed(outside: str, parts: list[str], texts: OfflineTexts) -> Value | None:
    for pattern, pick in ENDS:
        if _has(pattern, outside):
            return stated("result", pick(parts[0]), texts)
    change = change_in(outside)
    return stated("result", change(parts[0]), texts) if change else None


def _listed(text: str, texts: OfflineTexts) -> Value | None:
    found = WORD_LIST.search(text)
    if not found or not re.search(r"[,，、]", found[1]):
        return None
    items = [trimmed(item) for item in re.split(r"[,，、]|\band\b", found[1])]
    return _ordered(text[: found.start()] + " words", [item for item in items if item], texts)


def _ordered(request: str, items: list[str], texts: OfflineTexts) -> Value | None:
    if _has(r"去重|去掉重复|\bunique\b|\bdedup|\bduplicates\b", request):
        return stated("result", ", ".join(dict.fromkeys(items)), texts)
    if _has(r"排序|字母顺序|\bsort\b|\balphabetical", request):
        down = bool(_has(r"降序|倒序|\bdescending\b", request))
        return stated("result", ", ".join(sorted(items, key=str.lower, reverse=down)), texts)
    if _has(r"最长|\blongest\b", request):
        return stated("result", max(items, key=len), texts)
    if _has(r"最短|\bshortest\b", request):
        return stated("result", min(items, key=len), texts)
    if _has(r"有几个|有多少个|\bhow many\b|\bcount\b", request):
        return stated("count", str(len(items)), texts)
    return None
