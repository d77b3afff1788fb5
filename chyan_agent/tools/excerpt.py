"""A stretch of a text of any length, found by line and character, in bounded memory."""

from dataclasses import dataclass
from typing import Protocol

SCANNED = 256_000_000
"""Characters looked at; what is beyond can't be reached, and the number of lines is unknown."""
_BLOCK = 65_536


class Readable(Protocol):
    """What gives a text piece by piece."""

    def read(self, size: int, /) -> str:
        """Return so many of the next characters; none at the end."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The text from a place on."""

    text: str
    total_lines: int | None
    """Lines of the whole; None if it was not looked at to its end."""
    lines_seen: int
    found: bool
    """Whether the place is there at all."""
    complete: bool
    """Whether the text goes on to the end of the whole."""


def excerpt(stream: Readable, line: int, char: int, most: int) -> Excerpt:
    """Return about `most` characters from character `char` (from 0) of line `line` (from 1) on.

    A character past the end of its line means that end.
    """
    way, kept = _Way(line - 1, char), list[str]()
    size = breaks = seen = 0
    complete, last = True, "\n"
    while seen <= SCANNED and (block := stream.read(_BLOCK)):
        seen, breaks, last = seen + len(block), breaks + block.count("\n"), block[-1]
        rest = way.after(block)
        if size < most:
            kept.append(rest)
            size += len(rest)
        else:
            complete = False
    lines = breaks + (last != "\n")
    if seen > SCANNED:
        return Excerpt("".join(kept), None, lines, way.lines == 0, complete=False)
    return Excerpt("".join(kept), lines, lines, line <= max(lines, 1), complete)


@dataclass(slots=True)
class _Way:
    """What is still to be skipped."""

    lines: int
    chars: int

    def after(self, block: str) -> str:
        """Return what of a block is behind the place."""
        breaks = block.count("\n") if self.lines else 0
        if breaks < self.lines:
            self.lines -= breaks
            return ""
        at = 0
        for _ in range(self.lines):
            at = block.index("\n", at) + 1
        end = block.find("\n", at)
        length = (len(block) if end < 0 else end) - at
        skipped = min(self.chars, length)
        self.lines, self.chars = 0, 0 if end >= 0 else self.chars - skipped
        return block[at + skipped :]
