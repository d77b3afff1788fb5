"""What is let into the notes: no secrets, no idle talk, nothing that is only said back to us."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ..late import Late
from ..statements.chatter import evades, idle
from ..statements.clauses import sentences
from ..statements.gist import covered, units
from ..statements.senses import meanings
from .confidential import Kind, secret
from .restated import keeps_to

Reason = Literal["secret", "chatter", "boot", "echo"]

RESTATED = 0.75
"""Share of a sentence that stands in one sentence of the instructions."""
ECHOED = 0.9
"""Share of a text that stands in one text that was recalled."""
TELLING = 4
"""Words or pairs of Chinese below which likeness may be chance."""
SCANNED = 2000
"""Characters of a text that are compared."""

_ASKS_TO_KEEP = Late(
    r"记住|记下|记录|记得|记一下|记忆|备忘|保存|存[下到入]|别忘|\b(?:remember|memori[sz]e|save|store|note"
    r"|keep in mind|don['’]t forget|write down|record)\b",
    re.IGNORECASE,
)
_FRAME = Late(
    r"\s*(?:用户|他|她)(?:要求|希望|想要|想让我|让我|偏好|规定)"
    r"|\s*(?:根据|依据|按照?|据)[^，,：:]{0,8}(?:记忆|记录|笔记)[^，,：:]{0,4}[，,：:]"
    r"|\s*我(?:还|也)?记得|\s*(?:the )?user (?:wants|asks|prefers|requires|expects|likes)"
    r"(?: (?:that|me to))? "
    r"|\s*(?:as (?:noted|recorded|mentioned|remembered)[^,:]{0,20}|according to[^,:]{0,20}"
    r"(?:memory|notes?|records?)|i remember(?: that)?)[,: ]\s*",
    re.IGNORECASE,
)
"""Who wants it so, and where it is known from."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a text is not noted."""

    reason: Reason
    secret: Kind | None = None


class Gate:
    """Judges what a model wants to note. `boot` is what the model is told at every start."""

    def __init__(self, boot: str = "") -> None:
        self._boot = boot
        self._told: _Instructions | None = None

    def refusal(
        self, text: str, *, recalled: Iterable[str] = (), asked: str = ""
    ) -> Refusal | None:
        """Return why a text is refused, or None.

        `recalled` is what was brought back lately. A user who asks to keep what was said before
        may have it noted though a recall had to find it first: `asked` are the user's words.
        """
        if kind := secret(text):
            return Refusal("secret", kind)
        if idle(text) or evades(text):
            return Refusal("chatter")
        if self._restates(text) or self._restates(_frameless(text)):
            return Refusal("boot")
        found = () if asks_to_keep(asked) else tuple(recalled)
        if echoes(text, found) or echoes(_frameless(text), found):
            return Refusal("echo")
        return None

    def _restates(self, text: str) -> bool:
        """Whether most of a text stands in the instructions, sentence by sentence."""
        instructed = self._instructed()
        said = meanings(text[:SCANNED])
        if said and said <= instructed.meanings:
            return True
        pieces = sentences(text[:SCANNED])
        told = sum(len(one) for one in pieces if instructed.holds(one))
        return 2 * told > sum(map(len, pieces))

    def _instructed(self) -> "_Instructions":
        if self._told is None:
            told = sentences(self._boot)
            said = frozenset().union(*map(meanings, (*told, *_joined(self._boot))))
            self._told = _Instructions(said, tuple((one, frozenset(units(one))) for one in told))
        return self._told


@dataclass(frozen=True, slots=True)
class _Instructions:
    """What the instructions say, clause by clause, and what their sentences are made of."""

    meanings: frozenset[tuple[object, ...]]
    sentences: tuple[tuple[str, frozenset[str]], ...]

    def holds(self, sentence: str) -> bool:
        """Whether a sentence stands in one of these, with its numbers, its order and denials."""
        strong = _strong(sentence)
        return len(strong) >= TELLING and any(
            _held(strong, held, RESTATED) and keeps_to(sentence, told)
            for told, held in self.sentences
        )


def asks_to_keep(text: str) -> bool:
    """Tell whether somebody asks for something to be remembered."""
    return _ASKS_TO_KEEP.search(text) is not None


def echoes(text: str, recalled: Iterable[str]) -> bool:
    """Tell whether a text says nothing but what was recalled, in these words or nearly."""
    found = [one[:SCANNED] for one in recalled]
    said, known = meanings(text), frozenset().union(*map(meanings, found))
    if said and said <= known:
        return True
    wanted = frozenset(units(text))
    if len(_strong(text)) < TELLING:
        return False
    return any(
        _held(wanted, frozenset(units(one)), ECHOED) and keeps_to(text, one) for one in found
    )


def _frameless(text: str) -> str:
    """Return a text without who wants it so, and without where it is known from."""
    found = _FRAME.match(text)
    return text[found.end() :] if found and found.end() < len(text) else text


def _joined(boot: str) -> Iterator[str]:
    """Yield what sentences say that join several by and."""
    return (part for one in sentences(boot) if " and " in one for part in one.split(" and "))


def _held(wanted: frozenset[str], held: frozenset[str], share: float) -> bool:
    """Whether so much of a text is held, and all its numbers: another one is another fact."""
    exact = (unit for unit in wanted if any(map(str.isdigit, unit)))
    return held.issuperset(exact) and covered(wanted, held) >= share


def repeats(text: str, said: str) -> bool:
    """Tell whether a text says nothing but what somebody said: no word of it is new."""
    said = said[:SCANNED]
    known = meanings(text)
    if known and known <= meanings(said):
        return True
    wanted = _strong(text)
    return bool(wanted) and wanted <= set(units(said)) and keeps_to(text, said)


def _strong(text: str) -> frozenset[str]:
    return frozenset(unit for unit in units(text) if len(unit) > 1)
