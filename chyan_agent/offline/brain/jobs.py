"""Taking a request apart: what to find out, and where to put it."""

import re
from dataclasses import dataclass

from .paths import paths
from .refs import FILE, RESULT
from .strings import REPLACE, change_in
from .terms import statistic
from .text import QUOTED, quoted, trimmed

WRITING = re.compile(
    r"写|创建|新建|追加|附加|添加|保存|存|覆盖|内容改为|\b(?:write|create|make|append|add|save"
    r"|put|store|overwrite)\b",
    re.IGNORECASE,
)
APPENDING = re.compile(r"追加|附加|末尾|\bappend(?:ed)?\b|\badd\b|\bto the end\b", re.IGNORECASE)
_FINDING = re.compile(
    r"查找|搜索|读取|统计|计算|排序|去重|转成|转换|总和|平均|\b(?:search|find|read|count|sum"
    r"|average|convert|sort|how many|lines?)\b",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"[,，;；。.?？!]?\s*(?:并且?|然后|再|and then|and|then)?\s*(?:请|please)?\s*(?:把)?(?:记住"
    r"|记下来?|remember|keep)\s*"
    r"(?:这个|该|the|this|that)?\s*(?:结果|答案|值|数|result|answer|value|number|it"
    r"|它)\s*[。.!！]?\s*$",
    re.IGNORECASE,
)
_SINK = re.compile(
    r"(?:写入到?|写到|写进|保存到|保存在|存到|存入|存进|输出到|记录到|追加到|追加写入|附加到"
    r"|另存为|复制到|拷贝到|合并到|合并成|合并为|备份到"
    r"|\b(?:write|save|store|put|output|record|append|add)\b(?:\s+(?:it|them|that|this|all"
    r"|(?:the|its)\s+(?:\w+\s+){0,2}?\w+))?"
    r"\s+(?:back\s+)?(?:in)?to\b(?: the end of)?|\b(?:copy|merge|combine|concatenate|join"
    r"|back up)\b.*?\b(?:in)?to\b"
    r"|(?:(?<=合并)|(?<=复制)|(?<=拷贝)|(?<=备份)|\s)(?:到|成"
    r"|为)(?=\s*[\w./]+\.\w+\s*$))\s*(?:the\s+)?(?:new\s+)?(?:file|文件|新文件)?\s*",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"(?:[,，;；。.?？!]\s*|\s+)?(?:(?:然后|再|并且|并|最后|之后|接着|后|and then|and"
    r"|then)\s*)*(?:(?:把|将)\s*)?"
    r"(?:(?:计算|最终|所得)?(?:结果|它们?|其|答案))?\s*$",
    re.IGNORECASE,
)
_BODY = re.compile(r"[:：]\s*|\n")
_KEEPS_HEAD = re.compile(r"copy|merge|combine|concatenate|join|back up", re.IGNORECASE)

PREVIOUS = "the previous result"
"""What `save it to x.txt` means by `it`."""


@dataclass(frozen=True, slots=True)
class Job:
    """A request taken apart."""

    rest: str
    """What is to be found out."""
    target: str = ""
    """Path to write to, or the reference that stands for one."""
    append: bool = False
    literal: str | None = None
    """Text to be written as it is."""
    remember: bool = False


def job(text: str) -> Job:
    """Take a request apart."""
    rest = _REMEMBER.sub("", text)
    remember = rest != text
    found = _replacing(rest) or _literal(rest) or _computed(rest) or Job(rest)
    return Job(found.rest, found.target, found.append, found.literal, remember)


def _replacing(text: str) -> Job | None:
    """Replacing in a file writes the file it reads, unless another one is named."""
    if REPLACE.search(text) and len(quoted(text)) >= 2 and len(paths(text)) == 1:
        return Job(text)
    return None


def _target(text: str) -> str:
    found = paths(text)
    if found:
        return found[-1]
    reference = FILE.search(text)
    return reference.group() if reference else ""


def _literal(text: str) -> Job | None:
    for cut in _BODY.finditer(text):
        head, body = text[: cut.start()], text[cut.end() :].strip("\n")
        target = _target(head)
        plain = head.replace(target, " ")
        if target and body.strip() and WRITING.search(plain) and not _FINDING.search(plain):
            return _writes(head, _bare(body))
    parts = quoted(text)
    outside = QUOTED.sub(" ", text)
    target = _target(outside)
    if not (len(parts) == 1 and target and WRITING.search(outside)):
        return None
    asked = outside.replace(target, " ")
    if change_in(asked) or statistic(asked) or _FINDING.search(asked):
        return None
    return _writes(outside, parts[0])


def _writes(head: str, body: str) -> Job:
    append = bool(APPENDING.search(head))
    return Job("", _target(head), append, body)


def _bare(body: str) -> str:
    """Return a text without the quotes or the fence around all of it."""
    body = re.sub(r"^```\w*\n(.*?)\n?```\s*$", r"\1", body, flags=re.DOTALL)
    found = re.fullmatch(r"\s*(?:“([^”]*)”|\"([^\"]*)\"|「([^」]*)」|`([^`]*)`)\s*[。.]?\s*", body)
    return next((g for g in found.groups() if g is not None), "") if found else body.rstrip()


def _computed(text: str) -> Job | None:
    for match in _SINK.finditer(text):
        after = text[match.end() :].lstrip(" \"“`'「")
        target = _leading(after)
        if not target:
            continue
        verb = match.group()
        head = text[: match.end()] if _KEEPS_HEAD.search(verb) else text[: match.start()]
        rest = _LOOSE_END.sub("", head if not _KEEPS_HEAD.search(verb) else _until_to(head))
        beyond = trimmed(after[len(target) :].lstrip("”\"`'」"))
        rest = f"{rest} {beyond}".strip()
        if not rest or RESULT.search(verb):
            rest = f"{rest} {PREVIOUS}".strip()
        return Job(rest, target, bool(APPENDING.search(verb)))
    return None


def _until_to(head: str) -> str:
    return re.sub(
        r"\s*(?:in)?to\s*(?:the\s+)?(?:new\s+)?(?:file)?\s*$", "", head, flags=re.IGNORECASE
    )


def _leading(text: str) -> str:
    """Return the path or file reference that a text begins with."""
    found = paths(text)
    if found and text.startswith(found[0]):
        return found[0]
    reference = FILE.match(text)
    return reference.group() if reference else ""
