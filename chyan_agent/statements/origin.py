"""Whose words a line of the summary is: what was written into a file is marked as that. Pure.

A summary outlives the results that its lines were taken from. Without a mark what a file says of
the user, or wants of the agent, would come back as if the user had said it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ..jsontext import parsed
from ..messages import Message, Turn
from ..state import Evidence, Summary
from .gist import HAN, units
from .results import parts

MARK = "from_files"
"""Field of a result that shows, by way of memory, what tools gave."""
SIGNS = ("（文件）", "(file) ")
"""Stand before a line that came out of a file."""
LONGEST = 2000
"""Characters of a text that are compared at once."""

_HAN = re.compile(f"[{HAN}]")
_SPEAKS = re.compile(r"(?:user|assistant|tool|system|call [\w-]{1,64}):")
_CITED = re.compile(r" @t(\d+)$")


def signed(text: str) -> str:
    """Return a line that came out of a file as such."""
    return text if text.startswith(SIGNS) else f"{SIGNS[not _HAN.search(text)]}{text}"


def unsigned(text: str) -> str:
    """Return a line without the sign."""
    for sign in SIGNS:
        text = text.removeprefix(sign)
    return text


def holds_files(summary: Summary) -> bool:
    """Whether a line of a summary came out of a file."""
    return any(e.file for e in summary.evidence) or any(map(_is_signed, summary.facts))


def _is_signed(fact: str) -> bool:
    return fact.startswith(SIGNS)


def quoted(turn: Turn, quoting: Collection[str]) -> Iterator[str]:
    """Yield the results of a turn in which tools show what somebody wrote into files."""
    names = {call.id: call.name for message in turn.messages for call in message.tool_calls}
    for message in turn.messages:
        if message.role == "tool" and _shows(message, names, quoting):
            yield message.content


def _shows(message: Message, names: dict[str, str], quoting: Collection[str]) -> bool:
    given = parsed(message.content)
    fields = given if isinstance(given, dict) else {}
    return MARK in fields or (names.get(message.tool_call_id) in quoting and "error" not in fields)


class Origins:
    """Tells what of the turns that leave the window is a file's.

    A line is the user's that says what the user said, at least as nearly as any line of a file
    does. In a turn that read files all else is theirs; in another one what a file says as nearly
    as the agent: the turn that a line cites may be a file's word too.
    """

    def __init__(self, turns: Sequence[Turn], held: Summary, quoting: Collection[str]) -> None:
        results = {turn.number: list(quoted(turn, quoting)) for turn in turns}
        self._reading = {number for number, found in results.items() if found}
        told = [each for found in results.values() for text in found for each in _told(text)]
        lines = [text for speaker, text in told if speaker != "user"]
        lines += [e.text for e in held.evidence if e.file]
        lines += [_CITED.sub("", unsigned(fact)) for fact in filter(_is_signed, held.facts)]
        self._files = _Words(lines)
        self._any = bool(lines)
        spoken = [m for turn in turns for m in turn.messages] if lines else []
        self._user = [m.content for m in spoken if m.role == "user"]
        self._user += [text for speaker, text in told if speaker == "user"]
        self._said = _Words(self._user)
        free = [t for t in turns if t.number not in self._reading] if lines else []
        self._own = _Words(text for turn in free for text in _agents(turn))

    def piece(self, piece: Evidence) -> Evidence:
        """Return a piece as its origin has it."""
        return replace(piece, file=True) if self._of_file(piece.text, piece.turn) else piece

    def fact(self, fact: str) -> str:
        """Return a fact, which ends in its turn, as its origin has it."""
        cited = _CITED.search(fact)
        turn = int(cited[1]) if cited else 0
        return signed(fact) if self._of_file(_CITED.sub("", unsigned(fact)), turn) else fact

    def _of_file(self, text: str, turn: int) -> bool:
        if not self._any or any(text in said for said in self._user):
            return False
        topic = _strong(text)
        said, read = self._said.share(topic), self._files.share(topic)
        if turn in self._reading:
            return said < read or not said
        return said < read and self._own.share(topic) <= read


class _Words:
    """Texts by the words that stand in them."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        pieces = (text[i : i + LONGEST] for text in texts for i in range(0, len(text), LONGEST))
        for number, piece in enumerate(pieces):
            for unit in _strong(piece):
                self._holding[unit].append(number)

    def share(self, topic: Collection[str]) -> float:
        """Return what part of a topic stands in the text that has most of it, in 0..1."""
        found: Counter[int] = Counter()
        for unit in topic:
            found.update(self._holding.get(unit, ()))
        return max(found.values(), default=0) / max(len(topic), 1)


def _strong(text: str) -> list[str]:
    """Return what a text is recognised by: words and pairs, no single characters."""
    return [unit for unit in units(text) if len(unit) > 1]


def _told(result: str) -> Iterator[tuple[str, str]]:
    """Yield who says what in a result: by way of memory, others than a file may speak too."""
    given = parsed(result)
    memory = given if isinstance(given, dict) and MARK in given else {}
    hits, page = memory.get("hits"), memory.get("text")
    if isinstance(hits, list):
        for hit in filter(lambda hit: isinstance(hit, dict), hits):
            yield str(hit.get("speaker", "")), str(hit.get("text", ""))
            yield from (("", str(hit[beside])) for beside in ("before", "after") if beside in hit)
        return
    speaker = ""
    for line in (line for part in parts(result, LONGEST) for line in part.text.splitlines()):
        # A page says who begins to speak; lines of others that look so are quoted.
        speaker = line.partition(":")[0] if page and _SPEAKS.match(line) else speaker
        yield speaker, line.removeprefix("user: ") if speaker == "user" else line


def _agents(turn: Turn) -> Iterator[str]:
    for message in turn.messages:
        if message.role == "assistant":
            yield message.content
            yield from (call.arguments for call in message.tool_calls)
