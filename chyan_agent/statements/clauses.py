"""Running text as the statements it makes: sentences, or their clauses. Pure and linear."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from ..late import Late
from .facts import Fact, announces, fact
from .literals import literals
from .questions import asks

LONGEST = 160
"""Characters of one piece."""
LEAD = 40
"""Characters kept before a name where a long piece is cut around it."""
SCANNED = 16_000
"""Characters of one text that are looked at, from both of its ends."""

COMMAS = Late(r"(?<=[，、])|(?<=,)(?=\s)")
_ENDS = Late(
    r"(?<=[。！？；])|(?<=[.!?;])(?<!\b[DMS][rst]\.)(?<!\bMrs\.)(?<!\bvs\.)(?=\s)"
    r"|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+"
)
_CHANGED = Late(
    r"(我们?|[^，,\s]{2,8}?)(?:已经?|刚刚?|又|最近|上个?[月周]|去年|今年){0,2}(?:搬家?|换|改|转|调|离|辞|跳槽)"
)
_NOW = Late("(?:现在|目前|如今)(?=[住在用叫])")
_BULLET = Late(r"(?:[*•|]+|[-*•>#|]+(?:(?![-.\w])|(?=[\u3400-\u9fff]))|\d{1,3}[.)、](?!\d))\s*")
"""`-5`, `--force` and `#12` begin with a mark that tells something."""


@lru_cache(1024)
def stated(text: str) -> tuple[Fact, ...]:
    """Return what the clauses of a short text state. The same texts are asked for again.

    What moved or changed in the first one is what the next ones tell of: 我搬家了，现在住城南.
    """
    clauses = parts(text)
    who = _CHANGED.match(clauses[0]) if len(clauses) > 1 else None
    found = (
        fact(part) or (fact(who[1] + part) if who and _NOW.match(part) else None)
        for part in clauses
    )
    return tuple(said for said in found if said is not None)


def parts(text: str) -> list[str]:
    """Return the clauses of a short text, sentence by sentence."""
    clauses = (part.strip() for sentence in sentences(text) for part in COMMAS.split(sentence))
    return [clause for clause in clauses if any(map(str.isalnum, clause))]


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text, without bullets."""
    tidy = (_tidy(sentence) for sentence in _ENDS.split(text))
    return [sentence for sentence in tidy if any(map(str.isalnum, sentence))]


def statements(
    text: str, without: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, Fact | None]]:
    """Clauses that are not questions, with what they state; whole sentences where that is one.

    Sentences of which `without` is true are passed over.
    """
    for sentence in _sentences(text):
        if not asks(sentence) and not (without and without(sentence)):
            yield from _clauses(sentence)


def questions(text: str) -> Iterator[str]:
    """Return the clauses of the questions of a text."""
    for part in (p for one in _sentences(text) if asks(one) for p in COMMAS.split(one)):
        yield from (clause for clause, _ in _windows(part, None))


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences at both ends of a text that are more than a sign or two."""
    tidy = (_tidy(sentence) for sentence in _ENDS.split(_both_ends(text)))
    return (sentence for sentence in tidy if len(sentence) > 2)


def _clauses(sentence: str) -> Iterator[tuple[str, Fact | None]]:
    parts = [(part, fact(part)) for part in COMMAS.split(sentence)]
    facts = [said for _, said in parts if said is not None]
    if len(sentence) <= LONGEST and len(facts) < 2:
        yield sentence, facts[0] if facts else None
        return
    text, about = "", None
    for part, said in parts:
        if text and (said is None or announces(text)) and len(text) + len(part) <= LONGEST:
            text += part
            about = about if said is None else fact(text)
            continue
        yield from _windows(text, about)
        text, about = part, said
    yield from _windows(text, about)


def _windows(part: str, said: Fact | None) -> Iterator[tuple[str, Fact | None]]:
    """Cut around what is named where no mark divides a long piece; never through a name."""
    part = part.strip(" ，、,")
    if len(part) <= LONGEST:
        if part:
            yield part, said
        return
    end = 0
    for named in literals(part):
        if named.start >= end:
            start = max(end, named.start - LEAD)
            end = min(len(part), start + LONGEST)
            yield _whole_words(part, start, end), None


def _whole_words(text: str, start: int, end: int) -> str:
    window = text[start:end]
    if start and " " in window[:24]:
        window = window[window.index(" ") + 1 :]
    if end < len(text) and " " in window[-24:]:
        window = window[: window.rindex(" ")]
    return window.strip()


def _tidy(sentence: str) -> str:
    sentence = sentence.strip()
    bullet = _BULLET.match(sentence)
    return (sentence[bullet.end() :] if bullet else sentence).strip()


def _both_ends(text: str) -> str:
    if len(text) <= SCANNED:
        return text
    half = SCANNED // 2
    return f"{text[:half]}\n{text[-half:]}"
