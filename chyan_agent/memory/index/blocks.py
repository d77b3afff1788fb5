"""A file of blocks, each with its checksum: append-only, a cache. What is damaged is not read."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...durable.disk import read_whole
from ...durable.storage import AppendFile, replace_atomically

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.integer[Any]]

START = b"chyan-agent recall index 1\n"
MOST_BYTES = 1 << 40
_HEAD = 12
_PAD = 8


def packed(meta: Mapping[str, object], arrays: "Mapping[str, Array]") -> list[bytes]:
    """Return a block in pieces, whose join would be one more copy of a large index.

    Its parts: sizes, checksum, JSON, and the arrays one after the other, aligned.
    """
    shapes = {name: [value.dtype.str, len(value)] for name, value in arrays.items()}
    text = json.dumps({**meta, "arrays": shapes}, ensure_ascii=False).encode("utf-8", "replace")
    text += b" " * (-(len(text) + _HEAD) % _PAD)
    body = [text]
    for value in arrays.values():
        body += (value.tobytes(), b"\0" * (-value.nbytes % _PAD))
    sizes = len(text).to_bytes(4, "little")
    sizes += sum(map(len, body)).to_bytes(8, "little")[:4]
    check = reduce(lambda done, piece: zlib.crc32(piece, done), body, zlib.crc32(sizes))
    return [sizes, check.to_bytes(4, "little"), *body]


def blocks(data: bytes) -> "Iterator[tuple[dict[str, Any], dict[str, Array], int]]":
    """Yield the whole blocks of a file, each with its end; stop at the first that is not whole."""
    at = len(START)
    if not data.startswith(START):
        return
    while at + _HEAD <= len(data):
        text, size, check = (
            int.from_bytes(data[i : i + 4], "little") for i in range(at, at + _HEAD, 4)
        )
        body = memoryview(data)[at + _HEAD : at + _HEAD + size]
        if len(body) < size or zlib.crc32(body, zlib.crc32(data[at : at + 8])) != check:
            return
        at += _HEAD + size
        meta = json.loads(bytes(body[:text]))
        yield meta, _arrays(meta["arrays"], body[text:]), at


def _arrays(shapes: Mapping[str, tuple[str, int]], body: memoryview) -> "dict[str, Array]":
    import numpy as np

    found, at = dict[str, "Array"](), 0
    for name, (kind, length) in shapes.items():
        dtype = np.dtype(kind)
        found[name] = np.frombuffer(body, dtype=dtype, count=length, offset=at)
        at += length * dtype.itemsize
        at += -at % _PAD
    return found


class BlockFile:
    """A file of blocks. Nothing in it is waited for: losing it costs time only."""

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        self.path = path
        self.writable = writable

    def read(self) -> bytes:
        """Return what is there; empty if it can't be read."""
        try:
            return read_whole(self.path, MOST_BYTES)
        except (OSError, ValueError):
            return b""

    def append(self, block: Sequence[bytes], end: int) -> int:
        """Add a block at byte `end`, cutting off what stands there; return the new end.

        Raises StorageError.
        """
        file = AppendFile(self.path)
        try:
            if file.end > end:
                file.truncate(end)
            if file.end != end:
                return self.replace(block)
            file.append(b"".join(block))
            return file.end
        finally:
            file.close()

    def replace(self, block: Sequence[bytes]) -> int:
        """Make this the only block; return its end. Raises StorageError."""
        replace_atomically(self.path, (START, *block), durable=False)
        return len(START) + sum(map(len, block))
