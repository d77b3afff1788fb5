"""What an endpoint's error says, reduced to the few fields that decide what to do. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Literal

from ..late import Late
from . import overflow
from .outputs import is_output_limit

Verdict = Literal["auth", "quota", "overflow", "rate", "missing", "refused", "busy", "failing"]
"""busy and failing are worth another try, the others are final. `rate` is a request that takes
more tokens than may be used in a minute: it is refused however long one waits."""

_QUOTA = frozenset(
    {
        "insufficient_quota",
        "insufficient_user_quota",
        "insufficient_balance",
        "billing_hard_limit_reached",
        "billing_not_active",
        "arrearage",
    }
)
_AUTH_WORDS = ("invalid_api_key", "authentication", "unauthorized", "permission")
_REFUSED_WORDS = ("invalid_request", "invalid_parameter", "bad_request", "badrequest")
_RETRYABLE = frozenset({408, 409, 425})
_RATE = Late(
    r"rate.?limit|tokens? per (?:min|hour|day)|requests? per (?:min|hour|day)|\b[tr]p[md]\b", re.I
)
_REQUESTED = Late(r"\blimit:?\s*(\d[\d,]*)\b.{0,60}?\brequested:?\s*(\d[\d,]*)", re.I | re.S)
_TAGS = Late(r"(?is)<(script|style)\b.*?</\1\s*>|<[^>]*>")
_SECRET = Late(r"\b(?:(?:sk|rk|pk|gsk|xai|hf)[-_]|AIza)[\w*.-]{6,}|(?i:bearer)\s+[\w.*=-]{6,}")
LONGEST_READ = 8192
"""Characters of an endpoint's message that are looked at: some echo the whole request."""
LONGEST = 240
"""Characters of an endpoint's message that are worth showing."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An endpoint's complaint. `status` is 0 for an error inside a stream that names none."""

    status: int
    codes: tuple[str, ...]
    """Its `code` and `type`, in lower case."""
    message: str
    limit: int | None = None
    """The window in tokens, where an overflow names it."""
    counted: int | None = None
    """Tokens of the prompt by the endpoint's count, where an overflow names them."""

    @property
    def verdict(self) -> Verdict:
        """What to do about it."""
        if not _QUOTA.isdisjoint(self.codes) or self.status == 402:
            return "quota"
        if self.status not in (401, 403, 404) and self._overflows():
            return "overflow"
        if self.status in (413, 429) and _RATE.search(self._said):
            return "busy" if self.allowance is None else "rate"
        return _by_status(self.status) if self.status else _by_words(self.codes)

    @property
    def allowance(self) -> int | None:
        """Tokens that may be used in a minute, where a single request asks for more."""
        found = _REQUESTED.search(self._said)
        limit, requested = (int(n.replace(",", "")) for n in found.groups()) if found else (0, 0)
        return limit if 0 < limit < requested else None

    @property
    def _said(self) -> str:
        return " ".join((*self.codes, self.message[:LONGEST_READ]))

    def _overflows(self) -> bool:
        """By code first: under 429 only a code can say so, since words there are about rates."""
        if not overflow.CODES.isdisjoint(self.codes):
            return True
        if self.status == 429:
            return False
        if not self.codes and overflow.is_wordless(self.status, self.message):
            return True
        if is_output_limit(self.message[:LONGEST_READ]):
            return False
        return overflow.is_overflow(" ".join(self.codes), self.message[:LONGEST_READ])


def _by_status(status: int) -> Verdict:
    if status in (401, 403):
        return "auth"
    if status == 404:
        return "missing"
    if status == 429:
        return "busy"
    return "failing" if status >= 500 or status in _RETRYABLE else "refused"


def _by_words(codes: Iterable[str]) -> Verdict:
    said = " ".join(codes)
    if any(word in said for word in _AUTH_WORDS):
        return "auth"
    if "not_found" in said:
        return "missing"
    if any(word in said for word in _REFUSED_WORDS):
        return "refused"
    return "busy" if "rate" in said or "overloaded" in said else "failing"


def read_fault(status: int, body: object) -> Fault:
    """Read an error body: OpenAI's, llama.cpp's, Ollama's or FastAPI's shape, HTML, nothing."""
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error", body) if isinstance(body, Mapping) else body
    fields = error if isinstance(error, Mapping) else {}
    codes = tuple(str(fields[key]).lower() for key in ("code", "type") if fields.get(key))
    message = _message(error) or (_message(body) if body is not error else "")
    said = message[:LONGEST_READ]
    return Fault(
        status=status or _status_in(codes),
        codes=codes,
        message=message,
        limit=_tokens(fields.get("n_ctx")) or overflow.limit_in(said),
        counted=_tokens(fields.get("n_prompt_tokens")) or overflow.counted_in(said),
    )


def _tokens(value: object) -> int | None:
    return value if isinstance(value, int) and value > 1 else None


def _message(error: object) -> str:
    if isinstance(error, str):
        return error
    if not isinstance(error, Mapping):
        return "" if error is None else _written(error)
    said = error.get("message") or error.get("detail") or error.get("msg") or ""
    text = said if isinstance(said, str) else _written(said)
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return f"{text}: {raw}" if isinstance(raw, str) and raw else text


def _written(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:  # what could just be read
        return ""


def _status_in(codes: Iterable[str]) -> int:
    numbers = (int(code) for code in codes if code.isascii() and code.isdigit() and len(code) == 3)
    return next((number for number in numbers if 400 <= number < 600), 0)


TELLING = 8
"""Characters of a key that give it away."""
_WORD = Late(rf"[\w-]{{{TELLING},}}")


def one_line(text: str, *, secret: str = "") -> str:
    """Return a text of unknown origin as a short printable line without tags and keys."""
    text = text[:LONGEST_READ]
    if "<" in text and "</" in text:
        text = unescape(_TAGS.sub(" ", text))
    if len(secret) >= TELLING:
        text = text.replace(secret, "***")
        # A server may show a part of it.
        text = _WORD.sub(lambda word: "***" if word[0] in secret else word[0], text)
    text = _SECRET.sub("***", text)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
