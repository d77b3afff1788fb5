"""Whether a text holds a value: numbers and words as wholes, in one form of width and case."""

import re
import unicodedata
from decimal import Decimal

SHINGLE = 24
"""Letters of evidence that are compared as one piece."""

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?<!\d[:/])(?<![A-Za-z0-9_]-)(-?\d+(?:\.\d+)?)"
    r"(?![0-9_]|\.\d|[-/:]\d)(?![A-Za-z]{4}|[A-Za-z]{1,3}[0-9_])"
)
"""A number that stands alone: not a part of a longer one, an identifier, a date or an expression.

A unit of up to three letters may follow it.
"""
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def contains(text: str, value: str, *, exact: bool = False) -> bool:
    """Whether `value` stands in `text` as a whole: 12 is not in 128, and 6,120 is 6120."""
    wanted = fold(value, exact=exact)
    if _PLAIN.fullmatch(wanted):
        return _number_in(fold(text), Decimal(wanted))
    left = r"(?<![A-Za-z0-9_])" if wanted[:1].isascii() and wanted[:1].isalnum() else ""
    right = r"(?![A-Za-z0-9_])" if wanted[-1:].isascii() and wanted[-1:].isalnum() else ""
    return re.search(left + re.escape(wanted) + right, fold(text, exact=exact)) is not None


def _number_in(text: str, wanted: Decimal) -> bool:
    # "100,200" is a list as well as a grouped number, so both readings are tried
    readings = (text, _GROUPED.sub("", text))
    return any(Decimal(found) == wanted for t in readings for found in _NUMBER.findall(t))


def same_number(found: str, wanted: str) -> bool:
    """Whether both texts are one number and the same."""
    both_plain = _PLAIN.fullmatch(found.strip()) and _PLAIN.fullmatch(wanted.strip())
    return bool(both_plain) and Decimal(found.strip()) == Decimal(wanted.strip())


def fold(text: str, *, exact: bool = False) -> str:
    """Return text in one form of width, space and (unless `exact`) case."""
    plain = " ".join(unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").split())
    return plain if exact else plain.casefold()


def letters(text: str) -> str:
    """Return only what carries meaning: letters and digits, folded."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def coverage(evidence: str, sent: str) -> float:
    """Return the share, 0 to 1, of the evidence whose wording stands in what was sent."""
    wanted, hay = letters(evidence), letters(sent)
    if not wanted:
        return 0.0
    starts = range(0, max(len(wanted) - SHINGLE, 0) + 1, SHINGLE // 2)
    return sum(wanted[s : s + SHINGLE] in hay for s in starts) / len(starts)
