"""Counting with a Hugging Face `tokenizer.json` of any kind. The only importer of tokenizers."""

import threading
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ..budget import CountTokens
from ..errors import ConfigError
from ..messages import clean
from ..prompts import errors_config as say

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_loading = threading.Lock()


class _Refusal:
    """Catches what the library raises for anything that it can't do: a bare `Exception`.

    Its children, which are mistakes of ours, pass.
    """

    why = ""

    def __enter__(self) -> "_Refusal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.why = str(error) if error else ""
        return kind is Exception


def piece_counter(path: Path) -> CountTokens:
    """Return text → tokens for texts of some 32,000 characters; total over all of them.

    A tokenizer is loaded once a process. Raises ConfigError for a file that is none, and where
    the package that reads it is not installed.
    """
    with _loading:
        return partial(_count, _load(path))


@cache
def _load(path: Path) -> "Tokenizer":
    if find_spec("tokenizers") is None:
        raise ConfigError(say.NO_TOKENIZERS.of(path=str(path)), hint=say.NO_TOKENIZERS_HINT)
    from tokenizers import Tokenizer

    try:
        written = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(path, str(error)) from None
    with _Refusal() as refusal:
        tokenizer: Tokenizer = Tokenizer.from_str(written)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        # A control token that a user types is text, and so costs more than the one it stands for.
        tokenizer.encode_special_tokens = True
        return tokenizer
    raise _unusable(path, refusal.why)


def _count(tokenizer: "Tokenizer", text: str) -> int:
    with _Refusal():
        return len(tokenizer.encode(clean(text), add_special_tokens=False).ids)
    # It has no token for something here, and none for the unknown either.
    return len(text.encode("utf-8", "surrogatepass"))


def _unusable(path: Path, why: str) -> ConfigError:
    return ConfigError(
        say.NOT_A_TOKENIZER_FILE.of(path=str(path), why=why), hint=say.NOT_A_TOKENIZER_FILE_HINT
    )
