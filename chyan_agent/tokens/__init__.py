"""Token counters by name. Offline always: the vocabularies are files, none is ever downloaded."""

from functools import partial
from pathlib import Path

from ..budget import CountTokens
from ..durable.disk import is_there
from ..errors import ConfigError
from ..prompts import errors_config as say
from . import hf
from .bpe import SlicedCounter
from .vocabulary import BUNDLED, Vocabulary, piece_counter

NAMES = (*BUNDLED, "bytes")
"""The counters that need no file."""
SERVED = ("auto", "server")
"""The endpoint's own count, where it offers one; see `server`. Without it, `FALLBACK` counts."""
FALLBACK = "o200k_base"
HF_SUFFIX = ".json"
"""A Hugging Face tokenizer.json, which needs the optional package tokenizers."""
SUFFIXES = (".tiktoken", ".tiktoken.gz", HF_SUFFIX)


def known(name: str) -> bool:
    """Whether `counter` may have a counter for this name; a file is not looked for."""
    return name in (*SERVED, *NAMES) or name.endswith(SUFFIXES)


def counter(name: str) -> CountTokens:
    """Return the counter for a tokenizer name or for the path of a file: a `.tiktoken`
    vocabulary, whose tokens tell how it cuts text, or a Hugging Face `tokenizer.json`.

    The file is read at the first count (0.2 s), so a first `count("")` warms it up and is
    also what raises ConfigError or AgentError for a file that is no vocabulary. Counters of the
    same vocabulary share it.
    """
    if name in SERVED:
        name = FALLBACK
    if name == "bytes":
        return utf8_bytes
    if name in BUNDLED:
        return SlicedCounter(partial(piece_counter, BUNDLED[name]))
    if not known(name):
        raise ConfigError(
            say.NOT_A_TOKENIZER.of(name=name), hint=say.TOKENIZER_HINT.of(names=", ".join(NAMES))
        )
    if not is_there(Path(name), Path.is_file):
        raise ConfigError(
            say.NO_VOCABULARY.of(name=name), hint=say.NO_VOCABULARY_HINT.of(names=", ".join(NAMES))
        )
    if name.endswith(HF_SUFFIX):
        return SlicedCounter(partial(hf.piece_counter, Path(name)))
    return SlicedCounter(partial(piece_counter, Vocabulary(Path(name))))


def utf8_bytes(text: str) -> int:
    """Bytes of a text in UTF-8: the only safe bound for an unknown byte-level tokenizer."""
    return len(text.encode("utf-8", "surrogatepass"))
