"""Finding files by name and lines by content."""

import re

from .pages import Steps, failure
from .paths import folder, glob, literally, paths
from .refs import names_in
from .text import quoted, trimmed
from .values import Result, Stuck, Value, ask
from .view import View

SHOWN = 20
LONGEST = 200
"""Characters of an order to search."""
_ABOUT_FILES = re.compile(
    r"文件|目录|工作区|\*\.|\b(?:files?|folders?|director(?:y|ies)|workspace)\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"(?:在\s*\S{1,60}?(?:里|中|下|内)?\s*)?(?:查找|搜索|搜一下|找一下|\bgrep\b|\bsearch\b"
    r"|\blook for\b)",
    re.IGNORECASE,
)
_FILES = re.compile(r"文件|\bfiles?\b|\*", re.IGNORECASE)
_FIND = re.compile(
    r"找|查|列出|搜|哪些|有什么|显示|\b(?:find|list|search|show|which|what)\b", re.IGNORECASE
)
_CONTAIN = re.compile(
    r"(?:包含|含有|提到|出现了?)\s*[“\"'「`]?(.+?)[”\"'」`]?\s*(?:的(?:行|文件|地方"
    r"|内容).*)?[？?。]?$|"
    r"\b(?:contain(?:s|ing)?|mention(?:s|ing)?)\s+(?:the (?:word|text)\s+)?(.+?)\s*[?.]?$",
    re.IGNORECASE,
)
_GREP = re.compile(
    r"(?:查找|搜索|搜一下|查一下|搜|找一?下?)(?:内容|文字|字符串|关键词)?\s*(.+?)\s*[。？?]?$|"
    r"\b(?:search(?: for)?|grep(?: for)?|look for|find)\s+(.+?)(?:\s+(?:in|under"
    r"|inside)\s+.*)?\s*[.?]?$",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:的(?:行|地方|内容|文件)|所在的?行|这个词|出现的位置)\s*$|^\s*(?:the )?(?:word|text"
    r"|string)\s+",
    re.IGNORECASE,
)


def searched(view: View, text: str) -> Steps:
    """Return what a search by name or by content finds; None where the text asks for neither."""
    if not _FIND.search(text) or not _meant(text):
        return None
    where = folder(text)
    if needle := _needle(text):
        return (yield from _grep(view, needle, (paths(text) or [where])[0]))
    pattern = glob(text)
    if not _FILES.search(text) or not (pattern or where or re.search("所有|全部|all", text)):
        return None
    return (yield from _find(view, pattern or "*", where))


def _meant(text: str) -> bool:
    """Whether a text speaks of files or orders a search: talk is full of find and which."""
    if len(text) > LONGEST or "\n" in text:
        return False
    return bool(_ABOUT_FILES.search(text) or _ORDER.match(text) or paths(text))


def _needle(text: str) -> str:
    if re.search(r"[*]\.|(?<!\w)\.[a-z]+\s*(?:文件|files?)", text, re.IGNORECASE):
        return ""
    if found := _CONTAIN.search(text):
        return _bare(found[1] or found[2])
    if quoted(text):
        return quoted(text)[0]
    if (found := _GREP.search(text)) and not re.search(r"文件$|\bfiles?\b", found[1] or found[2]):
        return _bare(found[1] or found[2])
    return ""


def _bare(text: str) -> str:
    inner = quoted(text)
    return inner[0] if inner else trimmed(_TAIL.sub("", text))


def _grep(view: View, needle: str, where: str) -> Steps:
    arguments = {"pattern": literally(needle), **({"path": where} if where else {})}
    result: Result = yield from ask("grep", arguments)
    if result.error:
        raise Stuck(failure(view.texts, "grep", result))
    lines = _lines(result)
    if not lines:
        raise Stuck(view.texts.no_matches.format(pattern=needle))
    shown = "\n".join(lines[:SHOWN])
    return Value(shown, view.texts.matches.format(count=len(lines), lines=shown))


def _lines(result: Result) -> list[str]:
    found = result.data.get("matches") or []
    if isinstance(found, str):
        return [line for line in found.splitlines() if line]
    return [_line(entry) for entry in found]


def _line(entry: object) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    line, text = entry.get("line"), entry.get("text") or entry.get("content") or ""
    return ":".join(str(part) for part in (entry.get("path"), line, text) if part not in (None, ""))


def _find(view: View, pattern: str, where: str) -> Steps:
    arguments = {"pattern": pattern, **({"path": where} if where else {})}
    result: Result = yield from ask("search", arguments)
    if result.error:
        raise Stuck(failure(view.texts, "search", result))
    names = names_in(result)
    if not names:
        raise Stuck(view.texts.no_files)
    shown = ", ".join(names[:SHOWN])
    return Value("\n".join(names), view.texts.files.format(count=len(names), names=shown))
