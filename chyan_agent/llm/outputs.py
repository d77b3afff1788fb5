"""How long an answer may be at most, where a refusal says so. Pure."""

import re

from ..late import Late

LEAST = 16
"""Tokens of output below which a figure is no limit of answers."""
_OUTPUT = Late(
    r"max_(?:completion_|output_|new_)?tokens|maxOutputTokens|\bmax(?:imum)?\s(?:output\s|completion"
    r"\s|new\s)?tokens|(?:completion|output) tokens|(?:输出|生成)\S{0,6}(?:长度|token)",
    re.I,
)
_BOUND = Late(
    r"at most|up to|no more|(?:less|lower|smaller|fewer|greater|larger|higher|more) than|exceed"
    r"|\b(?:max|maximum|limit|range|between|within|below)\b|too (?:large|high|big|long)|[<>≤≥\[]"
    r"|不能|不得|不可|超过|超出|最大|最多|上限|范围|区间",
    re.I,
)
_INPUT = Late(
    r"\b(?:inputs?|prompt|messages?|conversation)\b.{0,40}\btokens?\b"
    r"|\btokens?\b.{0,40}\b(?:inputs?|prompt|messages?)\b"
    r"|\bcontext (?:length|window|size|limit)\b|输入",
    re.I | re.S,
)
"""Then the size of the whole request is meant, of which the answer is a part."""
_UNDER = Late(r"(?:\b(?:less|lower|smaller|fewer) than|\bbelow|<|小于)\s*[`'\"]?$", re.I)
_EXCLUSIVE = Late(r"\W*exclusive", re.I)
_TOO_LARGE = Late(r"too (?:large|high|big|long)|exceed|超过|超出|过大", re.I)
_NO_FIGURE = Late(r"<\d{3}>|\b(?:code|status)\W{0,4}\d{3}\b|\(inclusive\)", re.I)
_NUMBER = Late(r"(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w.]*\w)")


def is_output_limit(said: str) -> bool:
    """Whether a refusal is about the length that an answer may have, and that alone."""
    return bool(_OUTPUT.search(said) and _BOUND.search(said)) and not _INPUT.search(said)


def most_output(said: str, asked: int) -> int | None:
    """Return the longest answer that a refusal of `asked` tokens allows; half where it names none.

    None if it is about anything else.
    """
    if not is_output_limit(said):
        return None
    plain = _NO_FIGURE.sub("", said)
    figures = [_allowed(plain, number) for number in _NUMBER.finditer(plain)]
    allowed = {figure for figure in figures if LEAST <= figure < asked}
    if allowed:
        # (named twice, as a limit and as what to stay under)
        return max(allowed) - (max(allowed) - 1 in allowed)
    other = any(figure > asked for figure in figures)
    half = asked // 2
    return half if _TOO_LARGE.search(said) and not other and half >= LEAST else None


def _allowed(said: str, number: re.Match[str]) -> int:
    """Return the figure, or one less where what is allowed ends before it."""
    figure = int(number[1].replace(",", "")[:18])
    before = said[max(number.start() - 40, 0) : number.start()]
    under = _UNDER.search(before) or _EXCLUSIVE.match(said, number.end())
    return figure - bool(under)
