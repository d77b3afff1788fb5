"""Vocabulary files: read, verified, and turned into an encoder. The only importer of tiktoken."""

import gzip
import hashlib
import threading
import zlib
from binascii import a2b_base64
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..budget import CountTokens
from ..errors import AgentError, ConfigError
from ..prompts import errors_config as say
from ..prompts.said import Said
from .patterns import CL100K, O200K, pattern_of

Encode = Callable[[str], list[int]]

_FOLDER = Path(__file__).with_name("vocab")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A vocabulary file: lines of a token in base64 and its rank, gzipped or plain."""

    path: Path
    pattern: str = ""
    """How text is cut before merging; where it is empty the tokens tell."""
    sha256: str = ""
    """Published checksum of the unzipped file; empty where none is known."""


BUNDLED = {
    "o200k_base": Vocabulary(
        _FOLDER / "o200k_base.tiktoken.gz",
        O200K,
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": Vocabulary(
        _FOLDER / "cl100k_base.tiktoken.gz",
        CL100K,
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}

_MOST_RANKS = 2**32 - 1
_loading = threading.Lock()


def encoder(vocabulary: Vocabulary) -> Encode:
    """Return text → token ids. Loads a vocabulary once a process, whoever asks and how often.

    Raises AgentError for a bundled file that is damaged, ConfigError for a user's.
    """
    with _loading:
        return _load(vocabulary)


def piece_counter(vocabulary: Vocabulary) -> CountTokens:
    """Return text → tokens, exact, for texts of some 32,000 characters. Raises like `encoder`."""
    encode = encoder(vocabulary)
    return lambda text: len(encode(text))


@cache
def _load(vocabulary: Vocabulary) -> Encode:
    import tiktoken

    ranks = _ranks(vocabulary)
    encoding = tiktoken.Encoding(
        vocabulary.path.name.partition(".")[0],
        pat_str=vocabulary.pattern or pattern_of(ranks),
        mergeable_ranks=ranks,
        special_tokens={},
    )
    # The encoding keeps this table only to describe itself, and its core has a copy: 26 MB.
    ranks.clear()
    return encoding.encode_ordinary


def _ranks(vocabulary: Vocabulary) -> dict[bytes, int]:
    data = _read(vocabulary)
    if vocabulary.sha256 and hashlib.sha256(data).hexdigest() != vocabulary.sha256:
        damaged = say.BUNDLED_DAMAGED.of(name=vocabulary.path.name, digest=vocabulary.sha256[:12])
        raise AgentError(damaged, hint=say.BUNDLED_HINT)
    fields = data.split()
    try:
        ranks = dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))
    except ValueError:
        raise _unusable(vocabulary, say.NOT_PAIRS) from None
    if not vocabulary.sha256:
        _check(vocabulary, ranks, len(fields) // 2)
    return ranks


def _read(vocabulary: Vocabulary) -> bytes:
    try:
        data = vocabulary.path.read_bytes()
        return gzip.decompress(data) if vocabulary.path.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error) as error:
        raise _unusable(vocabulary, str(error)) from None


def _check(vocabulary: Vocabulary, ranks: dict[bytes, int], lines: int) -> None:
    """Refuse what would make the encoder panic: repeated ranks, or a byte that has no token."""
    if len(ranks) != lines or len(set(ranks.values())) != lines:
        raise _unusable(vocabulary, say.REPEATED)
    if not all(0 <= rank < _MOST_RANKS for rank in ranks.values()):
        raise _unusable(vocabulary, say.OUT_OF_RANGE)
    missing = [byte for byte in range(256) if bytes((byte,)) not in ranks]
    if missing:
        raise _unusable(vocabulary, say.NO_BYTE.of(byte=missing[0]))


def _unusable(vocabulary: Vocabulary, why: str | Said) -> AgentError:
    if vocabulary.sha256:
        unreadable = say.BUNDLED_UNREADABLE.of(name=vocabulary.path.name, why=why)
        return AgentError(unreadable, hint=say.BUNDLED_HINT)
    return ConfigError(
        say.NOT_A_VOCABULARY.of(path=str(vocabulary.path), why=why),
        hint=say.NOT_A_VOCABULARY_HINT,
    )
