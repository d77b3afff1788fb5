"""The line format of every append-only file: one JSON object, its checksum last, one newline."""

import json
import re
import zlib
from collections.abc import Mapping

from ..errors import StorageError
from ..jsontext import finite, unique
from ..messages import clean
from ..prompts import errors as say

MAX_LINE = 16 * 1024 * 1024
"""Bytes; a longer line is refused by the writer and damage to the reader."""

_MARK = b',"crc":"'
_VERSION = re.compile(rb'"v" {0,4}: {0,4}(\d{1,9})')
_NUMBER = re.compile(rb'"seq":(\d{1,16}),"v":(\d{1,9}),')
_HEAD = ("turn", "seq", "v", "kind", "ts")
"""How records begin, so that what they are can be told without reading them."""
_TAIL = len(_MARK) + len('01234567"}')

_OPENING = re.compile(rb"[ \t\r\n]*\{")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def seal(obj: Mapping[str, object]) -> bytes:
    """Return one line, newline included, whose last key is the CRC-32 of the bytes before it.

    Raises ValueError for NaN, an empty object or a `crc` of its own, and StorageError for more
    than MAX_LINE bytes.
    """
    if not obj or "crc" in obj:
        raise ValueError("a record needs a key, and none named crc")
    body = clean(_ENCODER.encode(obj)).encode("utf-8")[:-1]
    line = body + _MARK + _checksum(body) + b'"}\n'
    if len(line) > MAX_LINE:
        too_long = say.TOO_LONG.of(size=len(line), most=MAX_LINE)
        raise StorageError(too_long, hint=say.TOO_LONG_HINT)
    return line


def unseal(line: bytes) -> dict[str, object]:
    """Return the object of a sealed line, without its checksum. Raises ValueError for all else.

    A byte order mark and the line end that an editor left are tolerated.
    """
    line = _bare(line)
    if not _sealed(line):
        raise ValueError("the checksum is missing or wrong")
    return _object(line[:-_TAIL] + b"}")


def number_of(line: bytes, version: int) -> int | None:
    """Return the number of a record of a version, if its checksum is right: a quick look without
    its content.
    """
    found = _NUMBER.search(line, 0, 64)
    ours = found is not None and int(found[2]) == version and _sealed(_bare(line))
    return int(found[1]) if found and ours else None


def _bare(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")


def _sealed(line: bytes) -> bool:
    return line[-_TAIL:] == _MARK + _checksum(line[:-_TAIL]) + b'"}'


def resealed(line: bytes) -> bytes:
    """Return the line with the checksum that its content has. Raises ValueError for no object."""
    fields = _object(_bare(line))
    fields.pop("crc", None)
    return seal({key: fields[key] for key in _HEAD if key in fields} | fields)


def checksum_of(line: bytes) -> int:
    """Return the checksum that a sealed line ends with."""
    return int(line.rstrip(b"\r\n")[-10:-2], 16)


def foreign(data: bytes, start: bytes) -> bool:
    """Whether another program wrote this: it is not blank, and begins otherwise than our lines.

    Zeros are what a power cut leaves of bytes that had not reached the disk.
    """
    head = data[: len(start)].split(b"\0")[0]
    return bool(data.strip(b"\0\r\n\t ")) and not start.startswith(head)


def is_object(line: bytes) -> bool:
    """Whether a line is whole JSON, sealed or not: a dying writer leaves none that is unsealed."""
    try:
        return bool(_object(_bare(line)))
    except ValueError:
        return False


def may_be_newer(line: bytes, ours: int) -> bool:
    """A quick look, without its content, at whether a line could name a later version than ours."""
    return any(int(found[1]) > ours for found in _VERSION.finditer(line))


def newer(line: bytes, ours: int) -> int | None:
    """Return the later version that a line is of, however its program seals; None for ours.

    One flipped bit makes a later version too; then the checksum is right with one of ours.
    """
    if not may_be_newer(line, ours):
        return None
    line = _bare(line)
    try:
        version = _object(line).get("v")
    except ValueError:
        return None
    if type(version) is not int or version <= ours:
        return None
    as_ours = (_VERSION.sub(b'"v":%d' % old, line, count=1) for old in range(1, ours + 1))
    return None if any(map(_sealed, as_ours)) else version


def _checksum(body: bytes) -> bytes:
    return b"%08x" % zlib.crc32(body)


def _object(text: bytes) -> dict[str, object]:
    if len(text) > MAX_LINE:
        raise ValueError(f"a line of {len(text):,} bytes")
    if not _OPENING.match(text):  # told at once: of blank lines there may be millions
        raise ValueError("no object")
    try:
        obj: dict[str, object] = _DECODER.decode(text.decode("utf-8"))
        if _HALF.search(text):  # half a character, which no request could carry
            obj = _DECODER.decode(clean(json.dumps(obj, ensure_ascii=False)))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return obj


# Made once: json.loads and json.dumps would make one for each line.
_DECODER = json.JSONDecoder(parse_constant=finite, parse_float=finite, object_pairs_hook=unique)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
