"""How much of a text fits in so many tokens, and its head and tail when not all of it does. Pure.

No call of `count` sees more than `COUNTED_BYTES` of text: a longer text is counted in pieces,
with a margin of one token each.
"""

from collections.abc import Callable

from .budget import CountTokens

COUNTED_BYTES = 65_536
"""The most that a tokenizer is given at once: some need seconds for a megabyte."""
HEAD_PERCENT = 70

_PIECE = COUNTED_BYTES // 4
_CLOSE_ENOUGH = 0.97
MOST_GUESSES, _BY_DENSITY = 16, 3
_FASTEST_GROWTH = 8


def shorten(
    text: str, max_tokens: int, count: CountTokens, note: str, *, too_large: bool = False
) -> str:
    """Return `text`, or its head, `note` and its tail, in at most `max_tokens` tokens.

    The note is whole if it has room; else its own beginning is all that is left. Whoever knows
    that the text is `too_large` spares it being counted.
    """
    if not too_large and fits(text, max_tokens, count):
        return text
    room = max_tokens - measure(note, count)
    for _ in range(MOST_GUESSES):
        if room <= 0:
            break
        head = prefix(text, room * HEAD_PERCENT // 100, count)
        rest = text[len(head) :]
        tail = suffix(rest, room - room * HEAD_PERCENT // 100, count)
        short = f"{head}\n{note}\n{tail}"
        over = measure(short, count, 2 * max_tokens) - max_tokens
        if over <= 0 and len(tail) < len(rest):
            return short
        room -= max(over, 1)
    return note if fits(note, max_tokens, count) else prefix(note, max_tokens, count)


def measure(text: str, count: CountTokens, stop: int | None = None) -> int:
    """Tokens of a text of any length; a long one may be over-counted by a token for each piece.

    Counting ends as soon as the sum is above `stop`.
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size <= COUNTED_BYTES:
        return count(text)
    total = 0
    for start in range(0, len(text), _PIECE):
        total += count(text[start : start + _PIECE]) + 1
        if stop is not None and total > stop:
            break
    return total


def fits(text: str, max_tokens: int, count: CountTokens) -> bool:
    """Whether a text of any length has at most `max_tokens` tokens."""
    sample = 8 * max(max_tokens, 1)
    # A beginning that is far too large settles it for a fraction of the price.
    if len(text) > 2 * sample and measure(text[:sample], count, max_tokens) > max_tokens + 8:
        return False
    return measure(text, count, max_tokens) <= max_tokens


def prefix(text: str, max_tokens: int, count: CountTokens) -> str:
    """Return a beginning of `text` with at most, and nearly, `max_tokens` tokens."""
    return _longest(lambda size: text[: _apart(text, size, -1)], len(text), max_tokens, count)


def suffix(text: str, max_tokens: int, count: CountTokens) -> str:
    """Return an end of `text` with at most, and nearly, `max_tokens` tokens."""
    size = len(text)
    return _longest(lambda n: text[_apart(text, size - n, 1) :], size, max_tokens, count)


def _longest(take: Callable[[int], str], size: int, most: int, count: CountTokens) -> str:
    """Return the longest piece that a search by measured density finds to fit."""
    best, low, high = "", 0, size + 1
    guess = min(size, 2 * max(most, 1))
    for attempt in range(MOST_GUESSES):
        piece = take(guess)
        used = measure(piece, count, 2 * most)
        if used > most:
            high = guess
        else:
            best, low = piece, guess
            if used >= _CLOSE_ENOUGH * most:
                break
        if high - low <= 1:
            break
        guess = min(guess * most // max(used, 1), guess * _FASTEST_GROWTH, size)
        # Before a run that costs next to nothing guesses by density would only creep.
        if not low < guess < high or (attempt >= _BY_DENSITY and high <= size):
            guess = (low + high) // 2
    return best


def _apart(text: str, at: int, step: int) -> int:
    """Move a cut by one where it would part the halves of a surrogate pair."""
    inside = 0 < at < len(text)
    parts = inside and "\ud800" <= text[at - 1] <= "\udbff" and "\udc00" <= text[at] <= "\udfff"
    return at + step if parts else at
