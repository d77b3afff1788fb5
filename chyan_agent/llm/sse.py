"""Bytes of a streamed answer to JSON chunks, tolerant of what real endpoints send. Pure."""

from collections.abc import Iterable, Iterator, Mapping

from ..jsontext import parsed

Chunk = Mapping[str, object]
LARGEST = 16 * 1024 * 1024
"""Bytes that one line, or everything outside events, may take: no honest answer is larger."""
LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes of a whole answer: one that goes on for ever must not be read for ever."""
_BOM = b"\xef\xbb\xbf"
_QUIET = (b":", b"id:", b"retry:")


class Garbled(ValueError):
    """The endpoint sent something that is neither events nor JSON. The text is what it sent."""


class ChunkReader:
    """Iterates over the JSON objects of a stream up to its end or `[DONE]`.

    Also understands a plain JSON body (an endpoint that doesn't stream), a bare JSON line
    between events (some send errors so), and a last event without its blank line.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self._data: list[bytes] = []
        self._stray = bytearray()
        self._bare = 0
        self._failed = False
        self.events = 0
        """Events seen so far; 0 at the end means that this was no event stream."""
        self.done = False
        """Whether `[DONE]` was seen."""

    @property
    def stray(self) -> str:
        """What stood outside events, from its beginning."""
        return self._stray[:4096].decode("utf-8", "replace")

    def __iter__(self) -> Iterator[Chunk]:
        """Yield chunks in order. Raises Garbled."""
        for line in _lines(self._pieces):
            yield from self._take(line.removeprefix(_BOM))
            if self.done:
                return
        yield from self._dispatch()
        if self._stray and not self.events and not self._bare:
            yield _parse(bytes(self._stray))

    def _take(self, line: bytes) -> Iterator[Chunk]:
        if not line:
            yield from self._dispatch()
        elif line.startswith(b"data:"):
            self._data.append(line[5:].strip())
        elif line.startswith(b"event:"):
            self._failed = line[6:].strip() == b"error"
        elif not line.startswith(_QUIET):
            self._stray += line + b"\n"
            _check(len(self._stray))
            if line.startswith(b"{") and (bare := _try(line)) is not None:
                self._bare += 1
                yield bare

    def _dispatch(self) -> Iterator[Chunk]:
        data, self._data = self._data, []
        if not data:
            return
        self.events += 1
        whole = b"\n".join(data)
        if self._failed:
            self._failed = False
            yield _as_error(whole)
            return
        if not whole.startswith(b"[DONE]") and (chunk := _try(whole)) is not None:
            yield chunk
            return
        for line in data:  # events that were not set apart by blank lines
            if line.startswith(b"[DONE]"):
                self.done = True
                return
            if line:
                yield _parse(line)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Split at LF, CRLF and CR only: what str.splitlines takes for a line end may stand in JSON."""
    rest = skip = b""
    left = LARGEST_ANSWER
    for piece in filter(None, pieces):
        left -= len(piece)
        if left < 0:
            raise Garbled(f"an answer of more than {LARGEST_ANSWER} bytes")
        text = piece.removeprefix(skip)
        skip = b"\n" if piece.endswith(b"\r") else b""
        *lines, rest = (rest + _one_ending(text)).split(b"\n")
        _check(len(rest))
        yield from lines
    if rest:
        yield rest


def _one_ending(piece: bytes) -> bytes:
    if b"\r" not in piece:
        return piece
    return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _check(size: int) -> None:
    if size > LARGEST:
        raise Garbled(f"more than {LARGEST} bytes without an event")


def read_json(text: bytes) -> object:
    """Return the value of a JSON text, or None if it is none."""
    return parsed(text.decode("utf-8", "replace"))


def _try(text: bytes) -> Chunk | None:
    value = read_json(text)
    if value is None:
        return None if text != b"null" else {}
    return value if isinstance(value, dict) else {}


def _as_error(text: bytes) -> Chunk:
    """Return the data of an event that is named an error as an error, whatever its shape."""
    value = read_json(text)
    if isinstance(value, dict) and value.get("error"):
        return value
    return {"error": value or text[:4096].decode("utf-8", "replace") or "error"}


def _parse(text: bytes) -> Chunk:
    chunk = _try(text)
    if chunk is None:
        raise Garbled(text[:4096].decode("utf-8", "replace"))
    return chunk
