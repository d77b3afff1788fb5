"""Lines of a large file, read forwards, backwards and from anywhere, a piece at a time."""

from collections.abc import Iterator

from .records import MAX_LINE
from .storage import ReadFile

CHUNK, LOOK = 1 << 16, 1 << 12
"""Bytes that are read at once, and that are looked at where one line end is wanted."""


def lines(file: ReadFile, start: int) -> Iterator[bytes]:
    """Yield lines with their newline from byte `start` on; the last may lack it."""
    parts: list[bytes] = []
    length, size = 0, LOOK
    while chunk := file.read(start + length, size):
        # Who wants a single line is not made to read many.
        size = min(2 * size, CHUNK)
        first, *more = chunk.split(b"\n")
        parts.append(first)
        length += len(first)
        for line in more:
            whole = b"".join(parts) + b"\n"
            start += len(whole)
            yield whole
            parts, length = [line], len(line)
        if length > MAX_LINE:
            # No record is so long: let the damage go in pieces, and look for the next line.
            yield b"".join(parts)
            start, parts, length = start + length, [], 0
    if length:
        yield b"".join(parts)


def placed(file: ReadFile, start: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield where lines start, from byte `start` to before byte `end`, and what they are."""
    for line in lines(file, start):
        if end is not None and start >= end:
            return
        yield start, line
        start += len(line)


def lines_before(file: ReadFile, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield where lines start and what they are, from byte `end` back to the beginning."""
    start, size, rest = end, CHUNK, b""
    while start:
        start, size = max(start - size, 0), min(start, size)
        block = file.read(start, size) + rest
        place, cut = start + len(block), _cut(block)
        rest = cut.pop(0) if start else b""
        for line in reversed(cut):
            place -= len(line)
            yield place, line
        if len(rest) > MAX_LINE:
            yield start, rest
            rest = b""
        size = min(2 * size, MAX_LINE)


def next_line(file: ReadFile, place: int) -> int:
    """Return where the first line starts that starts at byte `place` or later."""
    place, size = place - 1, LOOK
    while place >= 0 and (chunk := file.read(place, size)):
        at = chunk.find(b"\n")
        if at >= 0:
            return place + at + 1
        place, size = place + len(chunk), CHUNK
    return max(place, 0)


def _cut(data: bytes) -> list[bytes]:
    *whole, last = data.split(b"\n")
    cut = [line + b"\n" for line in whole]
    return [*cut, last] if last else cut
