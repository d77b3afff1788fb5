"""Secrets that are told by their form alone: keys, tokens, logins in addresses and commands."""

import math
import re
from collections import Counter
from typing import Literal

from ..late import Late

Kind = Literal["private key", "key", "token", "password", "card", "identity"]

RANDOM = 4.2
"""Bits a character from which on a long word is no word: base64 has up to 6, English about 4."""
WORDY = 3.5
"""Letters a piece, from which on a name of upper and lower case is made of words."""

_BEFORE = r"(?<![A-Za-z0-9])"
_KNOWN: tuple[tuple[Kind, Late], ...] = (
    ("private key", Late(r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|PGP MESSAGE)")),
    ("private key", Late(r"AGE-SECRET-KEY-1[A-Z0-9]{20,}|PuTTY-User-Key-File")),
    (  # the first bytes of private keys in base64
        "private key",
        Late(
            _BEFORE + r"(?:MII[A-Za-z0-9+/]{3}IBA|MH[cQ]CAQEE|MIGHAgEA|MIGkAgEB|MC4CAQAw"
            r"|b3BlbnNzaC1rZXktdjE)"
        ),
    ),
    (
        "key",
        Late(
            _BEFORE + r"(?:AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA|AKID|LTAI)[A-Za-z0-9]{12,}"
            r"|(?:hf|gsk|xai|npm|dop_v1|shpat|lin_api|nvapi|r8|pplx|fw|tvly|rpa)[-_][A-Za-z0-9]{16,}"
            r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|pypi-[A-Za-z0-9_-]{16,}"
            r"|(?:AC|SK)[0-9a-f]{32}(?![0-9a-f]))"
        ),
    ),
    (
        "token",
        Late(
            _BEFORE + r"(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
            r"|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}"
            r"|ya29\.[A-Za-z0-9_-]{20,}"
            r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}|\d{8,10}:AA[A-Za-z0-9_-]{30,})"
        ),
    ),
    ("token", Late(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}")),
    ("token", Late(r"hooks\.slack\.com/(?:services|workflows|triggers)/\w{6,}/\w{6,}")),
    ("password", Late(r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@]*:[^\s/@]{2,}@", re.IGNORECASE)),
)
_PREFIXED = Late(
    _BEFORE + r"(?P<prefix>sk|rk|pk|ak|key|api)[-_](?:[a-z]{2,12}[-_]){0,3}"
    r"(?P<tail>[A-Za-z0-9_-]{16,})"
)
_HOOK = Late(r"(?i:hooks?)\b[^\s?#]{0,40}(?:/|\?key=)(?P<tail>[\w-]{20,})")
"""Whoever knows the address of a hook may post to it."""
_PIECE = Late(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_NUMBERED = Late(r"[A-Z]?(?:[a-z]+|[A-Z]+)\d{1,4}")
_COMMAND = Late(
    r"\b(?:(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?)\b[^\n|;&]{0,120}?\s-p"
    r"|sshpass\b[^\n|;&]{0,40}?\s-p ?|docker login\b[^\n|;&]{0,120}?\s-p[ =]?"
    r"|redis-cli\b[^\n|;&]{0,120}?\s-a ?"
    r"|(?:curl|https?|wget)\b[^\n|;&]{0,160}?\s(?:-u|-a|--user|--proxy-user)[ =]?['\"]?"
    r"[^\s:'\"]{1,60}:)"
    r"(?P<value>[^\s'\"]{3,}|'[^'\n]{3,80}'|\"[^\"\n]{3,80}\")"
)
_VARIABLE = Late(r"['\"]?(?:[$<{%\[]|\*|x+\b|your).*", re.IGNORECASE)
_BLOB = Late(r"(?<![\w/+.-])[A-Za-z0-9_/+=-]{32,}(?![\w/+.-])")
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_HEX = Late(rf"[0-9a-f]+|[0-9A-F]+|{_UUID}")
_IS_UUID = Late(_UUID)


def known_form(text: str) -> Kind | None:
    """Return the kind of the first secret in a text that needs no word to tell it."""
    for kind, pattern in _KNOWN:
        if pattern.search(text):
            return kind
    if any(_drawn(found) for found in _PREFIXED.finditer(text)):
        return "key"
    if any(_lot(found["tail"]) for found in _HOOK.finditer(text)):
        return "token"
    if any(not _VARIABLE.match(found["value"]) for found in _COMMAND.finditer(text)):
        return "password"
    return None


def random_blob(text: str) -> bool:
    """Tell whether a long word looks drawn by chance, and is no hash or number of a record."""
    return any(map(_random, _BLOB.findall(text)))


def _drawn(found: re.Match[str]) -> bool:
    """Whether what follows a prefix is drawn by chance: names of services begin alike."""
    tail = _IS_UUID.sub("", found["tail"])
    if any(map(_lottery, re.split("[-_]", tail))):
        return True
    kinds = (str.isupper, str.islower, str.isdigit)
    return (
        found["prefix"] in ("sk", "rk")
        and len(tail) > 15
        and all(any(map(kind, tail)) for kind in kinds)
    )


def _lot(tail: str) -> bool:
    return bool(_IS_UUID.match(tail)) or any(map(_lottery, re.split("[-_]", tail)))


def _lottery(part: str) -> bool:
    if len(part) < 16 or _NUMBERED.fullmatch(part):
        return len(part) > 23
    pieces = _PIECE.findall(part)
    mixed = any(map(str.isdigit, part)) and any(map(str.isalpha, part))
    return mixed or len(part) > 19 and (len(pieces) == 1 or len(part) / len(pieces) < WORDY)


def _random(word: str) -> bool:
    if _HEX.fullmatch(word) or not any(map(str.isdigit, word)) or "/" in word[:2]:
        return False
    size = len(word)
    bits = -sum(n / size * math.log2(n / size) for n in Counter(word).values())
    return bits >= RANDOM
