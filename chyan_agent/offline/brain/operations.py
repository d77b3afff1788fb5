"""Operations that a text asks for on a number: doubled, plus 10, divided by 4, in that order."""

import re

from .arithmetic import NotArithmetic, calculate, show

_N = r"(\d+(?:\.\d+)?)"
_RULES: tuple[tuple[str, str], ...] = (
    (r"翻倍|翻一番|加倍|两倍|\bdouble[ds]?\b|\btwice\b", "*2"),
    (r"三倍|\btriple[ds]?\b", "*3"),
    (r"减半|一半|折半|\bhal(?:f|ve[ds]?)\b", "/2"),
    (rf"(?:加上?|增加)\s*{_N}|\badd {_N}|\bplus {_N}|\bincreased? (?:it )?by {_N}", "+"),
    (rf"(?:减去?|减少)\s*{_N}|\bsubtract {_N}|\bminus {_N}|\bdecreased? (?:it )?by {_N}", "-"),
    (rf"乘(?:以|上)?\s*{_N}|\bmultipl(?:y|ied)\b[^.,;]*? by {_N}|\btimes {_N}", "*"),
    (rf"除以\s*{_N}|\bdivided?\b[^.,;]*? by {_N}", "/"),
    (r"平方(?!根)|\bsquared?\b", "**2"),
)


def operations(text: str) -> list[str]:
    """Return the operations named in a text, in order, each to be put behind a number."""
    found: list[tuple[int, str]] = []
    for pattern, symbol in _RULES:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            number = next((group for group in match.groups() if group), "")
            found.append((match.start(), symbol + number))
    return [operation for _, operation in sorted(found)]


def operated(number: str, steps: list[str]) -> str | None:
    """Apply operations in order to a number; None where that has no value."""
    value = number
    for step in steps:
        try:
            value = show(calculate(f"({value}){step}"))
        except NotArithmetic:
            return None
    return value


def is_number(text: str) -> bool:
    """Whether a text is one plain number."""
    return re.fullmatch(r"-?\d+(?:\.\d+)?", text.strip()) is not None
