"""Shortening of text by lines and tokens: its head, its tail or both; inside one huge line too.

Pure. Only a newline ends a line.
"""

from dataclasses import dataclass
from typing import Literal

from .budget import CountTokens
from .shorten import HEAD_PERCENT, MOST_GUESSES, fits, measure, prefix, suffix

Mode = Literal["auto", "head", "tail"]

MARKER = "… [left out: lines {first}-{last} ({lines} lines, {chars} characters)] …"
"""What stands for the gap between head and tail. The names in braces are filled in."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Part of a text and where to go on. Lines count from 1, characters of a line from 0."""

    text: str
    total_lines: int
    returned_lines: int
    """Lines shown, whole or in part; the marker is not one of them."""
    truncated: bool = False
    next_line: int | None = None
    """Line of the first character that was left out; None when nothing was."""
    next_char: int = 0
    """Where in that line it stands: above 0 only inside a line that is too long by itself."""


def clip(
    text: str,
    *,
    max_lines: int,
    max_tokens: int,
    count: CountTokens,
    mode: Mode = "auto",
    start_line: int = 1,
    start_char: int = 0,
    marker: str = MARKER,
) -> Clip:
    """Return what fits of `text` from a place on: its head, its tail, or both around a marker.

    A head holds whole lines, or a part of one line that is too long. From 8 tokens on it is
    never empty, so whoever goes on at `next_line` and `next_char` reaches the end.
    """
    body = text.removesuffix("\n")
    total = body.count("\n") + 1 if text else 0
    if start_line > total:
        return Clip("", total, 0)
    view = _View(_from(body, start_line, start_char), max(max_lines, 1), max_tokens, count)
    if view.whole:
        return Clip(view.body, total, _lines(view.body))
    shown, lines, resume = view.show(mode, start_line, marker)
    passed = view.body[:resume]
    next_char = start_char + resume if "\n" not in passed else 0
    return Clip(shown, total, lines, True, start_line + passed.count("\n"), next_char)


def _lines(text: str) -> int:
    return text.count("\n") + 1


def _from(body: str, line: int, char: int) -> str:
    """Return the text from a place on; past the end of its line means at the end."""
    at = 0
    for _ in range(line - 1):
        at = body.index("\n", at) + 1
    end = body.find("\n", at)
    return body[min(at + max(char, 0), len(body) if end < 0 else end) :]


@dataclass(frozen=True, slots=True)
class _View:
    """A text that is to be shown within two caps."""

    body: str
    max_lines: int
    max_tokens: int
    count: CountTokens

    @property
    def whole(self) -> bool:
        """Whether nothing need be left out."""
        in_lines = _lines(self.body) <= self.max_lines
        return in_lines and fits(self.body, self.max_tokens, self.count)

    def show(self, mode: Mode, first: int, marker: str) -> tuple[str, int, int]:
        """Return what to show, how many lines that is, and where the first gap begins."""
        if mode == "tail":
            tail = _tail(self.body, self.max_lines, self.max_tokens, self.count)
            return tail, _lines(tail), 0
        found = self.both(first, marker) if mode == "auto" and self.max_lines > 1 else None
        if found:
            return found
        head, resume = _head(self.body, self.max_lines, self.max_tokens, self.count)
        return head, _lines(head) if resume else 0, resume

    def both(self, first: int, marker: str) -> tuple[str, int, int] | None:
        """Return head, marker and tail like `show`, or None where the caps leave no room."""
        head_lines = max(1, self.max_lines * HEAD_PERCENT // 100)
        room = self.max_tokens - measure(marker, self.count)
        for _ in range(MOST_GUESSES):
            head_room = room * HEAD_PERCENT // 100
            head, resume = _head(self.body, head_lines, head_room, self.count)
            if not resume:
                break
            rest = self.body[resume:]
            tail = _tail(rest, self.max_lines - head_lines, room - head_room, self.count)
            gap = rest[: len(rest) - len(tail)]
            filled = _fill(marker, first + self.body.count("\n", 0, resume), gap)
            shown = f"{head}\n{filled}\n{tail}"
            over = measure(shown, self.count, 2 * self.max_tokens) - self.max_tokens
            if over <= 0 and gap:
                return shown, _lines(head) + _lines(tail), resume
            room -= max(over, 1)
        return None


def _head(text: str, lines: int, tokens: int, count: CountTokens) -> tuple[str, int]:
    """Return the first whole lines, or part of the first, and where the rest begins."""
    end = -1
    for _ in range(lines):
        end = text.find("\n", end + 1)
        if end < 0:
            break
    window = text if end < 0 else text[:end]
    piece = prefix(window, tokens, count)
    while len(piece) < len(window) and "\n" in window[: len(piece) + 1]:
        window = window[: window.rindex("\n", 0, len(piece) + 1)]
        piece = window if fits(window, tokens, count) else prefix(window, tokens, count)
    return piece, len(piece) + text.startswith("\n", len(piece))


def _tail(text: str, lines: int, tokens: int, count: CountTokens) -> str:
    """Return the last whole lines, or part of the last."""
    start = len(text)
    for _ in range(lines):
        start = text.rfind("\n", 0, start)
        if start < 0:
            break
    window = text[start + 1 :]
    piece = suffix(window, tokens, count)
    while len(piece) < len(window) and "\n" in window[len(window) - len(piece) - 1 :]:
        window = window[window.index("\n", len(window) - len(piece) - 1) + 1 :]
        piece = window if fits(window, tokens, count) else suffix(window, tokens, count)
    return piece


def _fill(marker: str, first: int, gap: str) -> str:
    lines = _lines(gap.removesuffix("\n"))
    return marker.format(first=first, last=first + lines - 1, lines=lines, chars=len(gap))
