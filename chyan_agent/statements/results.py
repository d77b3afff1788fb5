"""What a tool gave back as texts: its strings, and its rows as a line each. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..jsontext import parsed
from ..late import Late
from .clauses import sentences
from .literals import literals
from .mentions import telling

FROM_MEMORY = frozenset({"recall", "remember"})
"""Tools that give old words back: taken again these would echo, as if said now."""
DEEPEST = 4
"""Levels of a result that are looked into."""
MOST = 2000
"""Texts of one result that are looked at."""
_LOCATED = Late(r"(?P<path>[^\s:][^\n:]{0,118}):\d{1,9}: ?(?=\S)")
_NUMBERS = Late(r"\d+(?:[.:,-]\d+)*")


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a result."""

    text: str
    at: str = ""
    """The `path:line:` that stands before it, as grep writes it."""
    row: bool = False
    """Whether it is a whole row: what its columns hold is one matter."""

    @property
    def path(self) -> str:
        """The file it stands in, where that is told."""
        found = _LOCATED.match(self.at + "x")
        return found["path"] if found else ""


def parts(content: str, longest: int) -> list[Part]:
    """Return the texts of a result; those of an error are none. Rows are of bounded length."""
    value = parsed(content)
    if value is None:
        return [Part(content)]
    if not isinstance(value, dict) or "error" in value:
        return []
    found: list[Part] = []
    for part in _parts(value, 0, longest):
        found.append(part)
        if len(found) == MOST:
            break
    return found


def _parts(value: object, level: int, longest: int) -> Iterator[Part]:
    if isinstance(value, str):
        located = _LOCATED.match(value)
        at = located[0] if located else ""
        yield Part(value[len(at) :], at)
    elif level > DEEPEST:
        return
    elif isinstance(value, list):
        for item in value:
            row = _row(item) if isinstance(item, dict) else ""
            if row and len(row) <= longest:
                yield Part(row, row=True)
            else:
                yield from _parts(item, level + 1, longest)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _parts(part, level + 1, longest)


def _row(item: Mapping[str, object]) -> str:
    """Return the columns of a row as one line; nothing where one of them holds more than a word."""
    cells = [(key, cell) for key, cell in item.items() if cell is not None]
    if len(cells) < 2 or not all(isinstance(cell, str | int | float) for _, cell in cells):
        return ""
    line = ", ".join(f"{key}: {cell}" for key, cell in cells)
    return "" if "\n" in line or "\r" in line else line


class Lines:
    """The lines of a result by their shape: those of one shape are a series, as a log has them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._all = [line for text in texts for line in sentences(text)]
        self._shapes = Counter(map(_shape, self._all))

    def repeated(self, text: str) -> bool:
        """Tell whether a text is one of a series that differs in its numbers only."""
        return self._shapes[_shape(text)] > 1

    def standing_out(self, most: int, longest: int) -> list[str]:
        """Return the lines outside of any series that name something; none where many do."""
        lone = [one for one in self._all if len(one) <= longest and not self.repeated(one)]
        found = [one for one in lone if any(map(telling, literals(one)))]
        return found if len(found) <= most else []


def _shape(line: str) -> str:
    return _NUMBERS.sub("0", line)
