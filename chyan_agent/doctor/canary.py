"""One request of known size that shows whether all of it was read. Pure but for chance."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..budget import PRIMING, CountTokens, Meter
from ..messages import Message
from ..model import Reply, Request
from ..prompts import canary as say
from ..prompts.said import Said
from . import Check, Verdict

USUAL = 6_000
"""Tokens that are enough to notice a server that reads 4K, and not much more."""
LEAST = 300
SHARE = 0.9
"""A server that counts less than this of common English words has not read all of them."""
ANSWER = 64
"""Tokens for an answer of three words."""
_LINES, _WORDS = 30, 12


@dataclass(frozen=True, slots=True)
class Canary:
    """A conversation with a code word at its beginning, in its middle and at its end."""

    messages: tuple[Message, ...]
    size: int
    """Its tokens."""
    words: tuple[str, ...]

    @property
    def request(self) -> Request:
        """The request that carries it."""
        return Request(self.messages, max_output=ANSWER, temperature=0.0)


def make(size: int, count: CountTokens, rng: random.Random) -> Canary:
    """Return a canary of at most `size` tokens (LEAST at least), new each time.

    Being new it is in no cache, so that a server which leaves cached tokens out of its count
    counts all of it.
    """
    words = tuple(f"{word}{rng.randrange(100, 1000)}" for word in rng.sample(say.CODE_WORDS, 3))
    lines: list[str] = []
    tokens = measure(_conversation(words, lines), count)
    while tokens < size:
        # A message of filler costs its own framing and that of the reply to it.
        each = _WORDS + 2 + 12 / _LINES
        added = [_line(rng) for _ in range(int((size - tokens) / each))]
        if not added:
            break
        lines += added
        tokens = measure(_conversation(words, lines), count)
    while lines and tokens > size:
        del lines[-max(1, (tokens - size) // (2 * _WORDS)) :]
        tokens = measure(_conversation(words, lines), count)
    return Canary(_conversation(words, lines), tokens, words)


def _conversation(words: Sequence[str], filler: Sequence[str]) -> tuple[Message, ...]:
    half = len(filler) // 2
    first, middle = say.FIRST_WORD.format(word=words[0]), say.MIDDLE_WORD.format(word=words[1])
    lines = [first, *filler[:half], middle, *filler[half:]]
    messages = [Message("system", say.CANARY_SYSTEM)]
    for start in range(0, len(lines), _LINES):
        messages.append(Message("user", "\n".join(lines[start : start + _LINES])))
        messages.append(Message("assistant", say.NOTED))
    messages.append(Message("user", f"{say.LAST_WORD.format(word=words[2])} {say.ASKED}"))
    return tuple(messages)


def measure(messages: Sequence[Message], count: CountTokens) -> int:
    """Return the tokens of a request with these messages."""
    return Meter(count).messages(messages) + PRIMING


def _line(rng: random.Random) -> str:
    return " ".join(rng.choices(say.FILLER, k=_WORDS)) + "."


def judge(canary: Canary, reply: Reply, limit: int, *, vouched: bool = False) -> Check:
    """Return whether the server read everything: by its count, or where it has none by words.

    `limit` is the window that the agent counts on; `vouched` says that the server itself names a
    window that holds the canary: what a weak model can't repeat is no reason for doubt then.
    """
    known = [word in _letters(reply.message.content) for word in canary.words]
    counted = reply.usage.prompt_tokens
    end_only = known[2] and not known[0]
    figures = {"sent": f"{canary.size:,}", "counted": f"{counted:,}", "words": sum(known)}
    if not counted:
        return _by_words(known, figures, limit)
    if counted >= SHARE * canary.size:
        if end_only and not vouched:
            return _check("warn", say.NO_BEGINNING.of(**figures), say.NO_BEGINNING_HINT)
        return _check("ok", (say.READ if any(known) else say.READ_ALL).of(**figures))
    if all(known):
        return _check("warn", say.COUNTS_LESS.of(**figures), say.COUNTS_LESS_HINT)
    about = say.ABOUT.of(window=f"{counted:,}")
    hint = say.CUT_HINT.of(limit=f"{limit:,}", window=about)
    return _check("fail", say.CUT.of(**figures), hint)


def _by_words(known: Sequence[bool], figures: dict[str, object], limit: int) -> Check:
    if all(known):
        return _check("ok", say.READ_WORDS.of(**figures))
    if known[2] and not known[0]:
        hint = say.CUT_HINT.of(limit=f"{limit:,}", window="")
        return _check("fail", say.CUT_WORDS.of(**figures), hint)
    return _check("warn", say.UNCLEAR.of(**figures), say.UNCLEAR_HINT)


def _check(verdict: Verdict, figure: Said, hint: Said | str = "") -> Check:
    return Check("canary", verdict, figure, hint)


def _letters(text: str) -> str:
    """Return text as it is compared: models put signs and spaces where there were none."""
    return re.sub(r"[\W_]+", "", text.lower())
