"""Recognises "the request is larger than the window" in the words of many endpoints. Pure."""

import re

_CODES = frozenset(
    {
        "context_length_exceeded",
        "exceed_context_size_error",
        "context_window_exceeded",
        "model_context_window_exceeded",
        "request_too_large",
    }
)
_RATE = re.compile(
    r"rate.?limit|too many requests|tokens per (min|hour|day)|requests per|\b[tr]p[md]\b|throttl"
    r"|quota",
    re.I,
)
_TOO_LARGE = re.compile(
    r"""
    (prompt|input|request|messages?)\b .{0,60} \btoo \s (long|large)
    | maximum \s (context|prompt|input) \s (length|window|size)
    | max\w* \s context \s (length|window|size)
    | context \s? (length|window|size|limit) \b .{0,20} (exceed|overflow)
    | exceed\w* \b .{0,40} (context|token \s (limit|count)|(number|amount) \s of \s tokens)
    | (longer|greater|larger|more) \b .{0,20} than \b .{0,20} context \s (length|window|size)
    | token \s (count|length) .{0,40} exceed
    | input \s (length|tokens?) .{0,30} exceed
    | exceeds? \s the \s maximum \s size
    | reduce \s the \s (length|size|number) \s of \s (the \s)? (messages|prompt|input|tokens)
    | (上下文|输入|提示词) .{0,12} (超出|超过|过长)
    """,
    re.I | re.X | re.S,
)
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d+)"
_LIMITS = (
    re.compile(rf">=?\s*{_NUMBER}"),
    re.compile(rf"{_NUMBER}\s+(?:tokens?\s+)?maximum", re.I),
    re.compile(
        r"(?:max(?:imum)?|limit|allowed|context (?:length|size|window))\b"
        rf"(?:(?!\bby\b)[^\d>]){{0,40}}?{_NUMBER}",
        re.I,
    ),
)
_PLAUSIBLE = range(128, 100_000_001)


def is_overflow(code: str, message: str) -> bool:
    """Whether an error's code, or else its message, says so. A rate limit is never an overflow."""
    if code.lower() in _CODES:
        return True
    return not _RATE.search(f"{code} {message}") and bool(_TOO_LARGE.search(message))


def limit_in(message: str) -> int | None:
    """Return the true window in tokens, where an overflow message names it."""
    for pattern in _LIMITS:
        for match in pattern.finditer(message):
            limit = int(match[1].replace(",", "")) if len(match[1]) < 16 else 0
            if limit in _PLAUSIBLE:
                return limit
    return None
