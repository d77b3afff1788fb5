"""How vocabularies cut text into pieces before merging: part of their definition.

A vocabulary file holds tokens and ranks only, but it tells how it was made: no token stands
across a cut. So the pattern of an unknown file is read from its tokens, whatever it is named.
"""

import re
from collections.abc import Collection

_LETTERS_BY_CASE = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
)
_SPACES = (r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+")

O200K = "|".join((*_LETTERS_BY_CASE, r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", *_SPACES))
CL100K = "|".join(
    (
        r"'(?i:[sdmt]|ll|ve|re)",
        r"[^\r\n\p{L}\p{N}]?+\p{L}++",
        r"\p{N}{1,3}+",
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
        r"\s++$",
        r"\s*[\r\n]",
        r"\s+(?!\S)",
        r"\s",
    )
)


_CASE = re.compile(b"[a-z][A-Z]")


def pattern_of(tokens: Collection[bytes]) -> str:
    """Return the pattern that a vocabulary was made with, as far as its tokens tell.

    OpenAI's newer ones cut where a capital follows a small letter; others don't, and of those
    Qwen's take every digit by itself. What no token shows counts as cut, so that a count is
    never too small.
    """
    if not any(map(_CASE.search, tokens)):
        return O200K
    # Tokens don't tell whether a vowel sign belongs to its letter: Qwen has such tokens in
    # vocabularies whose pattern never lets them be reached. Cutting there is the safe side.
    return "|".join(
        (
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
            r"[^\r\n\p{L}\p{N}]?\p{L}+",
            _digits(tokens),
            r" ?[^\s\p{L}\p{N}]+[\r\n]*",
            *_SPACES,
        )
    )


def _digits(tokens: Collection[bytes]) -> str:
    longest = max((len(token) for token in tokens if token.isdigit()), default=1)
    if longest > 3:
        return r"\p{N}+"
    return r"\p{N}" if longest == 1 else rf"\p{{N}}{{1,{longest}}}"
