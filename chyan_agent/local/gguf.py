"""What the head of a GGUF file says of the model in it; its weights are not read."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..errors import ConfigError
from ..prompts import local as say

_MAGIC = b"GGUF"
_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?"} | {
    10: "<Q",
    11: "<q",
    12: "<d",
}
"""Type of a value to its form in `struct`."""
_STRING, _ARRAY = 8, 9
_MOST_ENTRIES, _LONGEST_TEXT, _LONGEST_ARRAY = 10_000, 1 << 24, 1 << 26
"""Beyond these a file is damaged, and reading on would only take time."""

Value = int | float | bool | str | None
"""A value of the head; an array is passed over and is None."""


class _Damaged(Exception):
    """The head is cut short or makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A model that llama.cpp can be asked to load."""

    path: Path
    size: int
    """Bytes of the file."""
    name: str
    window: int
    """Tokens the model was trained for; 0 where the file does not say."""


def look(path: Path) -> ModelFile:
    """Read a file's head. Raises ConfigError for one that is missing, damaged or no GGUF."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if file.read(4) != _MAGIC:
                raise ConfigError(say.NOT_GGUF.of(path=path), hint=say.NOT_GGUF_HINT)
            head = _head(file)
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            say.NO_MODEL.of(path=path, reason=reason), hint=say.NO_MODEL_HINT
        ) from None
    except _Damaged:
        raise ConfigError(say.DAMAGED.of(path=path), hint=say.DAMAGED_HINT) from None
    window = head.get(f"{head.get('general.architecture')}.context_length")
    return ModelFile(
        path=path,
        size=size,
        name=path.stem,
        window=window if isinstance(window, int) else 0,
    )


def _head(file: BinaryIO) -> Mapping[str, Value]:
    """Return the entries before the vocabulary, which comes last and is long."""
    version, _, entries = struct.unpack("<IQQ", _exactly(file, 20))
    if not 1 < version < 1 << 16 or entries > _MOST_ENTRIES:
        raise _Damaged
    found: dict[str, Value] = {}
    for _ in range(entries):
        key = _text(file)
        if key.startswith("tokenizer.") and _has_window(found):
            break
        found[key] = _value(file, _number(file, "<I"))
    return found


def _has_window(found: Mapping[str, Value]) -> bool:
    return f"{found.get('general.architecture')}.context_length" in found


def _value(file: BinaryIO, kind: int) -> Value:
    if kind == _STRING:
        return _text(file)
    if kind == _ARRAY:
        _pass_array(file)
        return None
    return _number(file, _NUMBERS.get(kind, ""))


def _pass_array(file: BinaryIO) -> None:
    kind, length = struct.unpack("<IQ", _exactly(file, 12))
    if length > _LONGEST_ARRAY or kind == _ARRAY:
        raise _Damaged
    if kind in _NUMBERS:
        file.seek(struct.calcsize(_NUMBERS[kind]) * length, 1)
        return
    for _ in range(length):
        _value(file, kind)


def _number(file: BinaryIO, form: str) -> int:
    if not form:
        raise _Damaged
    number: int = struct.unpack(form, _exactly(file, struct.calcsize(form)))[0]
    return number


def _text(file: BinaryIO) -> str:
    length = _number(file, "<Q")
    if length > _LONGEST_TEXT:
        raise _Damaged
    return _exactly(file, length).decode("utf-8", "replace")


def _exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) < size:
        raise _Damaged
    return data
