"""Recognises "the request is larger than the window" in the words of many endpoints. Pure."""

import re

from ..late import Late

CODES = frozenset(
    {
        "context_length_exceeded",
        "context_window_exceeded",
        "exceed_context_size_error",
        "model_context_window_exceeded",
        "prompt_too_long",
        "request_too_large",
        "tokens_limit_reached",
    }
)
"""What an error's `code` or `type` says when it says exactly this."""
_OTHER = Late(
    r"""
    rate.?limit | too \s many \s requests | throttl | quota | \b[tr]p[md]\b | please \s wait
    | tokens? \s per \s (min|hour|day|month) | requests? \s per
    | \b(dai|hour|month|week)ly\b | usage \s limit | credits? \b | billing | balance | concurren
    | deadline | time.?out | timed \s out | cancell?ed | expired | (took|taking) \s too \s long
    | too \s small
    | 额度|余额|配额|欠费|限流|频率|并发|次数|有效期|密钥|超时
    """,
    re.I | re.X,
)
"""What a smaller request would not help: it is never an overflow, whatever else is said."""
_TOO_LARGE = Late(
    r"""
    (prompt|input|request|messages?|conversation)\b
      ((?!(\b|_)(header|image|audio|video|file|name|id|url|uri|key)s?\b).){0,60}
      \btoo \s (long|large)
    | (payload|content|body|entity) \s too \s large
    | \bcontent\W{1,3} \s? string \s too \s long
    | too \s many \s (input \s|prompt \s)? tokens
    | max\w* \s (context|prompt|input) \s (length|window|size)
    | context \s? (length|window|size|limit) \b .{0,20} (exceed|overflow)
    | context \b .{0,6} overflow
    | context \s window \s is \b .{0,20} requested
    | exceed\w* \b .{0,40} (context|token \s (limit|count)|(number|amount) \s of \s tokens)
    | exceed\w* \s the \s limit \s of \s \d
    | exceeds? \s the \s max\w* \s size
    | (longer|greater|larger|more) \b .{0,20} than \b .{0,20}
      (context \s (length|window|size) | max_seq_len | \bn_ctx)
    | n_keep \b .{0,20} >= \s? n_ctx
    | (token \s (count|length|limit) | number \s of \s tokens) .{0,40} exceed
    | (input|prompt) \W? ( \s length | s?\W? \s tokens? ) .{0,30} (exceed | must \s be \s <)
    | \binputs\b .{0,6} \s must \s have \s less \s than
    | prompt_tokens .{0,20} must \s be \s less
    | range \s of \s input \s length \s should \s be
    | reduce \s the \s (length|size|number) \s of \s (the \s)? (messages|prompt|input|tokens)
    | context_length_exceeded | context_?window_?exceeded | exceed_context_size
    | (上下文|输入|提示词|prompt|tokens?\s?数?量?) .{0,12} (超出|超过|过长|超长)
    """,
    re.I | re.X | re.S,
)
_WORDLESS = frozenset({"", "bad request", "payload too large", "content too large"})

_NUMBER = (
    r"(?<![\w.-])(?>(\d{1,3}(?:,\d{3})+|\d+)([km]\b)?)(?![\w.]*\w)"
    r"(?!\s*(?:bytes?|char|[kmg]i?b\b|images?|messages?|requests?|items?|seconds?|output|completion))"
)
"""A number, with thousands or millions as `k` and `m`, that counts nothing but tokens."""


def _patterns(*texts: str) -> tuple[Late, ...]:
    return tuple(Late(text.replace("N#", _NUMBER), re.I) for text in texts)


_LIMITS = _patterns(
    r"n_ctx\W{1,3}N#",
    r"max_seq_len\w*\W{1,5}N#",
    r"[<>]=?\s*N#",
    r"\[\d+,\s*N#\]",
    r"N#\s+(?:tokens?\s+)?maximum",
    r"(?:cannot exceed|less than)\s+N#",
    r"(?:max(?:imum)?|limit|allowed|context (?:length|size|window))\b"
    r"(?:(?!\bby\b)[^\d>]){0,40}?N#",
)
_COUNTED = _patterns(
    r"N#\s*\+\s*\d+\s*>",
    r"n_keep\W{1,3}N#",
    r"(?:resulted in|request contains|received|given|keep the first|requested tokens)\W{1,3}N#",
)
_SHARE = _patterns(
    r"N#\s(?:tokens\s)?(?:in|from|of)\s(?:(?:the|your|text|tool)\s)*"
    r"(?:input|messages|prompt|functions|tools)\b"
)[0]
"""A part of the prompt, where it is told apart from the answer: the parts add up."""
_COUNTED_LAST = _patterns(
    r"N#\s\W?inputs?\W?\stokens",
    r"(?:prompt|input|request)(?:s|_tokens)?\b"
    r"(?:(?!exceed|max|limit|longer|larger|greater|window|context|than)[^.\d>]){0,40}?N#",
)
_NO_TOKENS = Late(
    r"<\d{3}>|\blimit\s\(\d+\)\s*$|\bstring with (?:a )?(?:maximum )?length \d+", re.I
)
"""Figures that are no sizes in tokens: an HTTP status, MiniMax's error number, characters."""
_PLAUSIBLE = range(128, 100_000_001)


def is_overflow(code: str, message: str) -> bool:
    """Whether an error's code, or else its message, says so. A rate limit is never an overflow."""
    if code.lower() in CODES:
        return True
    return not _OTHER.search(f"{code} {message}") and bool(_TOO_LARGE.search(message))


def is_wordless(status: int, message: str) -> bool:
    """Whether this is a refusal without a word, as Cerebras gives it to what is too large."""
    return status in (400, 413) and message.strip().lower() in _WORDLESS


def limit_in(message: str) -> int | None:
    """Return the true window in tokens, where an overflow message names it."""
    return _first(_LIMITS, _NO_TOKENS.sub("", message))


def counted_in(message: str) -> int | None:
    """Return the tokens of the prompt as the endpoint counted them, where its message says so.

    A sum of prompt and answer is not taken for the prompt.
    """
    parts = [_value(match) for match in _SHARE.finditer(message)]
    return _first(_COUNTED, message) or sum(parts) or _first(_COUNTED_LAST, message)


def _first(patterns: tuple[Late, ...], message: str) -> int | None:
    values = (_value(match) for pattern in patterns for match in pattern.finditer(message))
    return next((value for value in values if value in _PLAUSIBLE), None)


def _value(match: re.Match[str]) -> int:
    digits, unit = match[1].replace(",", ""), (match[2] or "").lower()
    return int(digits) * {"": 1, "k": 1000, "m": 1_000_000}[unit] if len(digits) < 16 else 0
