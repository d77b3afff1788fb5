"""jieba, loaded privately and quickly: no shared cache, no pkg_resources, nothing on stderr.

jieba's own cache lies in the shared temporary folder and is unmarshalled whoever wrote it. Ours
lies in the user's cache directory, is used only if nobody else can write it, and is read three
times faster.
"""

import ctypes
import logging
import marshal
import os
import stat
import struct
import sys
import threading
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ..durable.disk import make_directory
from ..durable.storage import replace_atomically
from ..errors import StorageError
from .jieba_cut import KNOWN, SearchCut
from .segment import Cut

Words = tuple[dict[str, int], int]
"""Frequencies by word and prefix, and their sum."""
HEAD = ">IQ"
"""How the cache starts: the number of entries and the sum of the frequencies."""
BLOCK = 1 << 15
"""Words of one block of the cache."""
_LOADING = threading.Lock()


def load_search_cut() -> Cut:
    """Return jieba's cut for search with its dictionary in memory. Raises ImportError."""
    tokenizer = _tokenizer()
    from jieba import finalseg

    ours = SearchCut(tokenizer.FREQ, tokenizer.total, finalseg.cut)
    theirs: Cut = tokenizer.lcut_for_search
    return lambda run: ours(run) if KNOWN.fullmatch(run) else theirs(run)


def load_plain_cut() -> Cut:
    """Return jieba's plain cut with its dictionary in memory. Raises ImportError."""
    cut: Cut = _tokenizer().lcut
    return cut


@cache
def _tokenizer() -> Any:
    """Load jieba once."""
    with _LOADING:
        tokenizer = _imported().Tokenizer()
        source = Path(sys.modules["jieba"].__file__ or "").with_name("dict.txt")
        cache = _cache_path(source)
        words = _read(cache)
        if words is None:
            words = tokenizer.gen_pfdict(tokenizer.get_dict_file())
            _write(cache, words)
        tokenizer.FREQ, tokenizer.total = words
        tokenizer.initialized = True
    _give_back()
    return tokenizer


def _give_back() -> None:
    """Return freed memory to the system where the C library can: reading leaves 12 MB behind."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _imported() -> Any:
    with warnings.catch_warnings(), _without("pkg_resources"):
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(logging.ERROR)
    return jieba


@contextmanager
def _without(module: str) -> Iterator[None]:
    """Make an optional import fail: pkg_resources costs 165 ms and jieba can do without."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]


def _cache_path(source: Path) -> Path | None:
    """Return where the parsed dictionary belongs: another version or file gets another name."""
    try:
        status = source.stat()
        named = f"jieba-{version('jieba')}-{status.st_size}-{status.st_mtime_ns}"
        base = os.environ.get("XDG_CACHE_HOME", "")
        home = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    except (OSError, PackageNotFoundError, RuntimeError):
        return None
    return home / "chyan-agent" / f"{named}-py{sys.version_info[0]}{sys.version_info[1]}.words"


def _read(path: Path | None) -> Words | None:
    """Return the cached words; None for a missing, damaged or foreign file."""
    try:
        if path is None or not (_ours(path.parent) and _ours(path)):
            return None
        with path.open("rb") as file:
            size, total = struct.unpack(HEAD, file.read(struct.calcsize(HEAD)))
            words = _read_blocks(file)
    except (OSError, ValueError, EOFError, TypeError, struct.error):
        return None
    return (words, total) if size == len(words) else None


def _read_blocks(file: BinaryIO) -> dict[str, int]:
    """Return the words block by block: all bytes beside all words would cost 9 MB of peak."""
    words: dict[str, int] = {}
    while head := file.read(8):
        data = file.read(int.from_bytes(head[:4], "big"))
        if zlib.crc32(data).to_bytes(4, "big") != head[4:]:
            raise ValueError("a damaged block")
        words.update(marshal.loads(data))
    return words


def _write(path: Path | None, words: Words) -> None:
    """Keep the parsed words for next time; a cache that can't be kept is no error."""
    if path is None:
        return
    entries, total = words
    blocks = [struct.pack(HEAD, len(entries), total)]
    pairs = iter(entries.items())
    while block := dict(islice(pairs, BLOCK)):
        data = marshal.dumps(block)
        blocks += (len(data).to_bytes(4, "big"), zlib.crc32(data).to_bytes(4, "big"), data)
    try:
        make_directory(path.parent)
        if _ours(path.parent):
            replace_atomically(path, b"".join(blocks), durable=False)
    except (OSError, StorageError):
        return


def _ours(path: Path) -> bool:
    """Tell whether only this user can have written a file or directory. Raises OSError."""
    status = path.lstat()
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not shared and not stat.S_ISLNK(status.st_mode)
