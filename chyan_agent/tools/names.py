"""File names as they are shown: a name may hold anything but a slash and NUL."""

import re
import unicodedata
from collections.abc import Callable

from .beneath import Parts

ESCAPE = "\\"
"""Every escape begins with it."""

# Arabic, Syriac and their like, the scripts of India and its neighbours, and emoji: there these
# marks are part of the spelling. Anywhere else they only make two names look alike.
_WORDS = "\u0600-\u109f\u1780-\u18af"
_SIGNS = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
_JOINED = re.compile(
    f"(?<=[{_WORDS}])[\u200c\u200d](?=[{_WORDS}])|(?<=[{_SIGNS}])\u200d(?=[{_SIGNS}])"
)


def printable(name: str) -> str:
    r"""Return a name with undecodable bytes, control and invisible characters escaped, `\x1b`."""
    if name.isascii() and name.isprintable():
        return name
    joined = {match.start() for match in _JOINED.finditer(name)}
    return "".join(c if at in joined else _shown(c) for at, c in enumerate(name))


def meant(parts: Parts, listed: Callable[[Parts], list[str]]) -> Parts:
    """Return the names that are shown as these. `listed` gives the names in a folder.

    A name that is there stands for itself, and so does one that could stand for several.
    """
    found: Parts = ()
    there = True
    for part in parts:
        names = listed(found) if there and ESCAPE in part else [part]
        same = [part] if part in names else [name for name in names if printable(name) == part]
        there = there and len(same) == 1
        found += (same[0] if there else part,)
    return found


def _shown(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        # How Python carries a byte of a file name that is not UTF-8.
        return f"\\x{code - 0xDC00:02x}"
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return char
