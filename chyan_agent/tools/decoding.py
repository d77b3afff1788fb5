"""Bytes of a file as text: which encoding, or that there is none."""

import codecs
import io
import os
from typing import BinaryIO, TextIO

SAMPLE = 65_536
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = sorted(set(map(chr, range(32))) - set("\t\n\r\f\b\x1b"))
_REPLACED = "\ufffd"


def encoding_of(sample: bytes, *, whole: bool) -> str | None:
    """Return the encoding of a text that begins with `sample`; None if it is binary."""
    for mark, name in _MARKS:
        if sample.startswith(mark):
            return name
    text = _decoded(sample, "utf-8", whole)
    if text is not None:
        # A stray NUL is text; every second one is UTF-16 without a mark, or no text at all.
        return "utf-8" if _share_of_controls(text) <= 0.34 else None
    if b"\0" in sample:
        return None
    text = _decoded(sample, "gb18030", whole)
    if text is not None and _looks_chinese(text):
        return "gb18030"
    text = sample.decode("utf-8", "replace")
    broken = text.count(_REPLACED) / len(text)
    return "utf-8" if broken <= 0.1 and _share_of_controls(text) <= 0.05 else None


def open_text(file: BinaryIO) -> tuple[TextIO, str] | None:
    """Return a file as text with its newlines as they are, and its encoding; None if binary.

    A byte order mark is no part of the text, and what can't be decoded is replaced.
    """
    sample = file.read(SAMPLE)
    encoding = encoding_of(sample, whole=len(sample) < SAMPLE)
    if encoding is None:
        return None
    file.seek(0, os.SEEK_SET)
    return io.TextIOWrapper(file, encoding, errors="replace", newline="\n"), encoding


def _decoded(sample: bytes, encoding: str, whole: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample, whole)
    except UnicodeDecodeError:
        return None


def _share_of_controls(text: str) -> float:
    return sum(map(text.count, _CONTROLS)) / max(len(text), 1)


def _looks_chinese(text: str) -> bool:
    """Whether most of what is not ASCII is in everyday use: any two high bytes give some sign."""
    wide = [char for char in text if not char.isascii()][:4096]
    common = sum(1 for char in wide if _in_gb2312(char))
    return common >= 0.9 * len(wide) and _share_of_controls(text) <= 0.05


def _in_gb2312(char: str) -> bool:
    try:
        return len(char.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False
