"""What must not be noted: keys, tokens and passwords in the forms in which people paste them."""

import math
import re
from collections import Counter
from typing import Literal

Kind = Literal["private key", "key", "token", "password"]

_BEFORE = r"(?<![A-Za-z0-9])"
_KNOWN: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("private key", re.compile(r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|PGP MESSAGE)")),
    ("private key", re.compile(r"AGE-SECRET-KEY-1[A-Z0-9]{20,}|PuTTY-User-Key-File")),
    (
        "key",
        re.compile(
            _BEFORE + r"(?:(?:sk|rk|pk|ak|key|api)[-_](?:[a-z]{2,12}[-_]){0,3}[A-Za-z0-9_-]{16,}"
            r"|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA|AKID|LTAI)[A-Za-z0-9]{12,}"
            r"|(?:hf|gsk|xai|npm|dop_v1|shpat|lin_api|nvapi|r8|pplx|fw|tvly|rpa)[-_][A-Za-z0-9]{16,}"
            r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|pypi-[A-Za-z0-9_-]{16,}"
            r"|(?:AC|SK)[0-9a-f]{32}(?![0-9a-f]))"
        ),
    ),
    (
        "token",
        re.compile(
            _BEFORE + r"(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
            r"|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|ya29\.[A-Za-z0-9_-]{20,}"
            r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}|\d{8,10}:AA[A-Za-z0-9_-]{30,})"
        ),
    ),
    ("token", re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}")),
    ("password", re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s:/@]*:[^\s/@]{2,}@", re.IGNORECASE)),
)
_WORDS_ZH = r"密码|口令|密钥|秘钥|私钥|令牌|验证码|助记词|访问码|凭证|PIN码?"
_WORDS_EN = (
    r"pass ?words?|pass ?phrase|passcodes?|passwd|pwd|pin(?: code)?|secrets?(?: access)?(?: key)?"
    r"|(?:api|access|auth|secret|private|signing|encryption|license"
    r"|account|service|client)[ _-]?(?:keys?|tokens?|secrets?)|token|credentials?"
    r"|(?:seed|recovery) phrase|apikey|auth"
)
_NAMED = re.compile(
    rf"(?:(?P<zh>{_WORDS_ZH})|(?:^|[^A-Za-z])(?P<en>{_WORDS_EN}))['\"]?"
    r"(?P<joint>\s*(?:[:：=]|=>)\s*|\s*(?:是|为|改成了?|改为了?|设为|设成|换成了?)[:：]?\s*"
    r"|\s+(?:is|was|are|to|equals)(?: now| set to)?:?\s+|\s+(?=\S*\d))['\"“「`]?"
    r"(?P<value>[!-~]{3,200})(?P<rest>.?)",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[*x.•#_<>{}\[\]$-]+|<.*|\$\{?[A-Za-z_].*|\{\{?.*|%[A-Za-z_]+%.*|your[-_ ]?.*"
    r"|(?:my|an?|the)?[-_]?(?:example|placeholder|sample|dummy|changeme|redacted|hidden|masked)[-_a-z]*"
    r"|none|null|nil|true|false|n/?a|env(?:iron)?[.\[(:].*|os\..*|process\..*|https?://.*|vault:.*"
    r"|file:.*|~?/.*",
    re.IGNORECASE,
)
_EN_PROSE = re.compile(
    r"(?:a|an|the|in|on|at|by|of|for|from|with|not|no|never|still|only|very|too|also|now|stored|kept"
    r"|saved|held|written|required|needed|optional|expired|wrong|correct|invalid|valid|missing|empty"
    r"|unknown|unset|set|changed|rotated|reset|revoked|shared|encrypted|hashed|case|longer|shorter"
    r"|stronger|weak|strong|secret|private|public|managed|handled|checked|sent|used|known|available"
    r"|given|generated|derived|and|or)[.,;!]?",
    re.IGNORECASE,
)
_BLOB = re.compile(r"(?<![\w/+.-])[A-Za-z0-9_/+=-]{32,}(?![\w/+.-])")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_NEAR = re.compile(rf"{_WORDS_ZH}|\b(?:{_WORDS_EN}|keys?)\b", re.IGNORECASE)
RANDOM = 4.2
"""Bits a character from which on a long word is no word: base64 has up to 6, English about 4."""


def secret(text: str) -> Kind | None:
    """Return the kind of the first secret in a text, or None. The text itself is never shown."""
    for kind, pattern in _KNOWN:
        if pattern.search(text):
            return kind
    for named in _NAMED.finditer(text):
        if _given(named):
            return _kind((named["zh"] or named["en"]).lower())
    if _NEAR.search(text) and any(map(_random, _BLOB.findall(text))):
        return "key"
    return None


def _kind(name: str) -> Kind:
    if re.search("key|钥|助记词|phrase|private|license", name) and "pass" not in name:
        return "key"
    return "token" if re.search("token|令牌|凭证|credential|auth", name) else "password"


def _given(named: re.Match[str]) -> bool:
    """Whether what follows the word is the thing itself, not a remark about it."""
    value = named["value"].rstrip("\"'”」`.,;!)")
    if len(value) < 3 or _PLACEHOLDER.fullmatch(value):
        return False
    if "token" in (named["en"] or "").lower() and value.isdigit():
        return False  # a count of tokens
    plain = value.isalpha() and (value.islower() or value.istitle())
    if not plain:
        return True
    written = named["joint"].strip() in (":", "：", "=", "=>")
    ends = not named["rest"].strip() or not named["rest"].isascii()
    if named["zh"]:
        return ends or written
    return (written or ends) and not _EN_PROSE.fullmatch(value) and (ends or written)


def _random(word: str) -> bool:
    """Whether a long word looks drawn by chance, and is no plain hash or number of a record."""
    if _HEX.fullmatch(word) or not any(map(str.isdigit, word)) or "/" in word[:2]:
        return False
    size = len(word)
    bits = -sum(n / size * math.log2(n / size) for n in Counter(word).values())
    return bits >= RANDOM
