"""File paths, folders and globs as they are written in running text."""

import re

_PATH = re.compile(
    r"(?<![@\w/.\-])/?(?:[\w.\-]+/)*[\w.\-]*\w\.[A-Za-z][A-Za-z0-9]{0,7}(?![A-Za-z0-9_/])"
)
_LEADS = (
    "读取文件|读取|打开|查看|显示|统计|计算|创建文件|新建文件|创建|新建|写入到|写入|写到|写进",
    "保存到|保存在|存到|存入|存进|输出到|追加到|记录到|附加到|复制到|拷贝到|合并到|文件",
    "把|将|在|从|往|向|给|到|和|与|及|请|求|读",
)
_LEAD = re.compile(rf"^(?:{'|'.join(_LEADS)})+")
_GLUED = re.compile(r"^[\u3400-\u9fff]+(?=[A-Za-z0-9_./])")
_GLOB = re.compile(r"[\w./\-]*\*[\w.*/\-]*")
_SUFFIX = re.compile(r"(?<![\w*])\.([A-Za-z][A-Za-z0-9]{0,7})(?![\w.])")
_FOLDER = (
    re.compile(r"(?<![\w/])([\w.\-/]+?)/?\s*(?:目录|文件夹)"),
    re.compile(
        r"\b(?:in|under|inside|below|of) (?:the )?(?:folder "
        r"|directory )?([\w.\-]+(?:/[\w.\-]+)*)/?(?: folder| directory)?\s*[?.]?\s*$",
        re.IGNORECASE,
    ),
    re.compile(r"在\s*([\w.\-/]+)\s*(?:里|中|下|内)"),
)
_READS = re.compile(
    r"(?:读取|打开|查看|\b(?:read|open|cat)\b(?:\s+the file)?)\s*[\"“`'「]?((?:/|\.{1,2}/"
    r"|[\w.\-]+/)[\w./\-]*|[A-Z]\w*file\b|README|LICENSE)",
    re.IGNORECASE,
)
_NOT_FOLDERS = frozenset(
    {"all", "the", "files", "it", "this", "that", "workspace", "工作区", "整个", "当前"}
)


def paths(text: str) -> list[str]:
    """Return the file paths of a text, in order, each once."""
    found = []
    for match in _PATH.finditer(text):
        before = text[match.start() - 1 : match.start()]
        path = _LEAD.sub("", match.group())
        if before not in (*" \t\n“”\"'`「『《：:", "") or path != match.group():
            path = _GLUED.sub("", path)
        if path and not re.match(r"\.\w", path):
            found.append(path)
    return list(dict.fromkeys(found))


def loose_paths(text: str) -> list[str]:
    """Return what a request to read names as its file though it has no suffix."""
    return [m[1].strip("/") if m[1] == "/" else m[1] for m in _READS.finditer(text)]


def glob(text: str) -> str:
    """Return the file name pattern that a text asks for: written out, or `.md` for `*.md`."""
    if found := _GLOB.search(text):
        return found.group().strip(".") if found.group() == "*." else found.group()
    suffix = _SUFFIX.search(text)
    return f"*.{suffix[1]}" if suffix else ""


def folder(text: str) -> str:
    """Return the folder that a text names, or nothing."""
    for pattern in _FOLDER:
        if (found := pattern.search(text)) and (name := _LEAD.sub("", found[1]).strip("/")):
            return "" if name.lower() in _NOT_FOLDERS else name
    return ""


def literally(text: str) -> str:
    """Return a regular expression that matches a text as it is."""
    return re.sub(r"([.*+?()\[\]{}\\^$|])", r"\\\1", text)
