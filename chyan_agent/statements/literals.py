"""Names and numbers in running text: identifiers, paths, URLs, dates … Pure and linear.

Words are cut by one pass first and recognised one by one, each of bounded length, so that no
text, however hostile, makes a pattern backtrack over more than a word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..late import Late
from .gist import HAN
from .spelt import DAY_NUMBER, FEAST, HOUR_EN, MONTH, QUANTITY_EN, QUANTITY_ZH, SIGN_ZH, WEEKDAY

LONGEST = 120
"""Characters of one name; longer runs are data, not names."""

_WORD = Late(r"[A-Za-z0-9_@#+~./\\:-]+")
_NAMED_FILE = Late(rf"[\w{HAN}./\\~-]+")
_URL = Late(r"(?<![A-Za-z])[A-Za-z][A-Za-z0-9+.-]{1,15}://[!#-&(-;=?-~]{1,300}")
_EMAIL = Late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_VERSION = Late(r"[vV]\d+(?:\.\d+)*(?:[-+][\w.]+)*|\d+(?:\.\d+){2,}(?:[-+][\w.]+)*")
_HASH = Late(r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}")
_DATE = Late(r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:T[\d:.+Z-]+)?|\d{1,2}:\d{2}(?::\d{2})?")
_PATH = Late(
    r"(?:[A-Za-z]:)?[./\\~]*[\w.-]+(?:[/\\][\w.-]+)+[/\\]?|(?:~|\.{1,2})?/[\w.-]+/?"
    r"|[\w-][\w.-]*\.[A-Za-z][A-Za-z0-9]{0,7}|\.[A-Za-z][\w.-]+"
)
_ID = Late(
    r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])#?[\w.#:+~@/-]{3,}|[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+"
    r"|[a-z0-9]+(?:_[a-z0-9]+)+|#?\d{5,}"
    r"|(?=(?:\D?\d){10})\d+(?:[-./:]\d+)+|\d{1,3}(?:\.\d{1,3}){3}:\d{1,5}"
)
_GROUPS = Late(
    r"(?<![A-Za-z0-9_.])(?!\d{4}[-/]\d{1,2}[-/])(?=(?:[^\d\n]{0,2}\d){10})"
    r"(?:[A-Z]{2}\d{2} |\+\d{1,3} |[(（]\d{2,4}[)）] ?)?\d{2,5}(?:[ -]\d{2,5}){1,7}(?![\d.:])"
)
"""Telephone and account numbers, written in groups."""
_CRON = Late(
    r"(?<![\w*/+-])(?=[^\n]{1,80}(?:\* \*|[/,-]))"
    r"(?:(?=[\d*])[\d*/,-]{1,20} ){4}[\d*/,-]{1,20}(?!\w)"
)
"""When something is to run: five fields."""
_KINDS = (
    ("email", _EMAIL),
    ("date", _DATE),
    ("version", _VERSION),
    ("hash", _HASH),
    ("path", _PATH),
    ("id", _ID),
)
_DAY = Late(
    r"(?:\d{4}年)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]"
    r"|\d{4}年\d{1,2}月"
    # 一点 is a little, unless it is said to be the hour.
    r"|(?:\d{1,2}|(?:(?<=[午晚晨夜])|(?!一点(?![半钟整])))[一二三四五六七八九十两]{1,3})点(?:半|[一三]刻|\d{1,2}分?)?"
    r"|(?:周|星期|礼拜)[一二三四五六日天]"
    rf"|\b{MONTH}\.? \d{{1,2}}(?:, ?\d{{4}})?\b|\b\d{{1,2}} {MONTH}\b|\b{WEEKDAY}\b",
    re.IGNORECASE,
)
_DIGIT = Late("[0-9]")
_DAY_SIGN = Late("月|点|周|星期|礼拜|day")
_SIGN = r"[-+*/×÷^]"
_AMOUNT = r"\d(?:(?:[\d,.]|'(?=\d{3})){0,17}\d)?"
_NUMBER = Late(
    rf"[$¥€£]\s?{_AMOUNT}"
    rf"|(?<![A-Za-z0-9_.]){_AMOUNT}\s?(?:[%‰°℃]|[A-Za-z]{{1,5}}\b|[{HAN}])"
    rf"|(?<=[是为=:：])\s?-?\d[\d,.]{{0,18}}"
    # Bare numbers, but not those of a sum that is to be worked out.
    rf"|(?<![A-Za-z0-9_.])(?<!{_SIGN})(?<!{_SIGN}\s)\d[\d,.]{{1,18}}(?!\d|\s?{_SIGN})"
)
_QUOTE = Late(
    r"“[^“”\n]{2,80}”|「[^「」\n]{2,80}」|『[^『』\n]{2,80}』|《[^《》\n]{1,80}》"
    r'|"[^"\n]{2,80}"|`[^`\n]{2,80}`|‘[^‘’\n]{2,80}’'
    # Between two words it is an apostrophe.
    r"|(?<![A-Za-z0-9_'])'(?=[^\s'])(?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z])){2,80}(?<=\S)'(?![A-Za-z0-9_'])"
)
_NO_UNIT = Late(
    r"\s(?:now|and|or|but|is|are|was|in|on|at|to|for|from|by|with|of|the|as|if|so|then|not|it|per|each)$"
    r"|\s?[了的是在和与或吗呢吧啊就也都]$",
    re.IGNORECASE,
)
"""What follows a number without being its unit."""
_SIZE = Late(r"(?<![\d.×])\d{2,5}(?:\.\d{1,3})?(?:×\d{2,5}(?:\.\d{1,3})?){1,2}(?![\d.×])")
_SUM = Late("[算=+÷]|等于|乘|calculate|compute|multipl|what is", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Literal:
    """Something named in a text, as it stands there."""

    kind: str
    """url, email, date, version, hash, path, id, quote or number."""
    text: str
    start: int
    end: int


def literals(text: str) -> list[Literal]:
    """Return what a text names, in order, without overlaps; names before bare numbers."""
    found = [named for word in _WORD.finditer(text) if (named := _recognised(word))]
    if not text.isascii():
        found += _named_files(text)
    for kind, pattern in _worth_trying(text):
        found += [_literal(kind, match) for match in pattern.finditer(text)]
    return _apart(found)


def _worth_trying(text: str) -> Iterator[tuple[str, Late]]:
    """Patterns that can match at all: most prose has no digit, address or quotation mark."""
    if "://" in text:
        yield "url", _URL
    digits = _DIGIT.search(text) is not None
    if digits or _DAY_SIGN.search(text):
        yield "date", _DAY
    if digits:
        yield "id", _GROUPS
        if "*" in text:
            yield "id", _CRON
        yield "number", _NUMBER
        if "×" in text and not _SUM.search(text):
            yield "number", _SIZE
    yield "date", HOUR_EN
    yield "date", DAY_NUMBER
    yield "number", QUANTITY_EN
    if SIGN_ZH.search(text):
        yield "number", QUANTITY_ZH
    yield "date", FEAST
    yield "quote", _QUOTE


def _literal(kind: str, match: re.Match[str]) -> Literal:
    text = match.group().rstrip(".,:;?! ").lstrip()
    if "(" not in text:
        text = text.rstrip(")")
    if kind == "number":
        text = _NO_UNIT.sub("", text)
    start = match.start() + match.group().index(text)
    return Literal(kind, text, start, start + len(text))


def _recognised(word: re.Match[str]) -> Literal | None:
    text = word.group()
    if text.isalpha():
        return None
    text = text.lstrip(":").rstrip(".:-")
    if not 2 < len(text) <= LONGEST:
        return None
    start = word.start() + word.group().index(text)
    for kind, pattern in _KINDS:
        if pattern.fullmatch(text):
            return Literal(kind, text, start, start + len(text))
    return None


def _named_files(text: str) -> list[Literal]:
    """Paths with letters of any script: only these need more than ASCII."""
    found = []
    for word in _NAMED_FILE.finditer(text):
        name = word.group().rstrip(".-")
        slash = "/" in name or "\\" in name
        if name.isascii() or len(name) > LONGEST or not slash or not _PATH.fullmatch(name):
            continue
        found.append(Literal("path", name, word.start(), word.start() + len(name)))
    return found


def _apart(found: list[Literal]) -> list[Literal]:
    """Drop what lies inside something found earlier in the list; order the rest by place."""
    taken: list[Literal] = []
    for literal in sorted(found, key=lambda one: (one.start, -one.end)):
        if not taken or literal.start >= taken[-1].end:
            taken.append(literal)
    return taken
