"""Bytes of a file as text: which encoding, or that there is none."""

import codecs
import io
import os
import re
from typing import BinaryIO

SAMPLE = 65_536
SOUGHT = 64_000_000
"""Bytes of ASCII behind which another encoding is looked for."""
WIDE = frozenset({"utf-16", "utf-32"})
"""Encodings in which a byte alone is no character."""
REPLACED = "\ufffd"
_ESCAPED = re.compile("[\udc80-\udcff]")
"""How Python carries a byte that is not of the encoding."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = sorted(set(map(chr, range(32))) - set("\t\n\r\f\b\x1b"))


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
    text = _replaced(sample, "utf-8", whole)
    broken = text.count(REPLACED)
    sound = len(text) - len(text.encode("ascii", "ignore")) - broken
    likely = broken <= sound / 10
    if not likely and _looks_chinese(_replaced(sample, "gb18030", whole)):
        return "gb18030"
    likely = likely or broken <= len(text) / 4
    return "utf-8" if likely and _share_of_controls(text) <= 0.05 else None


class Text:
    """A file as text with its newlines as they are; a byte order mark is no part of it.

    What can't be decoded is shown as U+FFFD, and counted.
    """

    def __init__(self, file: BinaryIO, encoding: str) -> None:
        self.encoding = encoding
        self.broken = 0
        """Bytes read so far that could not be decoded."""
        errors = "replace" if encoding in WIDE else "surrogateescape"
        self._stream = io.TextIOWrapper(file, encoding, errors=errors, newline="\n")

    def read(self, size: int) -> str:
        """Return so many of the next characters; none at the end."""
        block = self._stream.read(size)
        if block.isascii():
            return block
        if self.encoding in WIDE:
            self.broken += block.count(REPLACED)
            return block
        text, broken = _ESCAPED.subn(REPLACED, block)
        self.broken += broken
        return text

    def detach(self) -> None:
        """Leave the file open when this text goes."""
        self._stream.detach()


def open_text(file: BinaryIO) -> Text | None:
    """Return a file as text; None if it is binary."""
    sample = file.read(SAMPLE)
    encoding = encoding_of(sample, whole=len(sample) < SAMPLE)
    if encoding == "utf-8" and sample.isascii():
        encoding = _later(file)
    if encoding is None:
        return None
    file.seek(0, os.SEEK_SET)
    return Text(file, encoding)


def _later(file: BinaryIO) -> str:
    """Return the encoding of what begins as ASCII, as most do, by what comes after that."""
    for _ in range(SOUGHT // SAMPLE):
        sample = file.read(SAMPLE)
        if not sample.isascii():
            return encoding_of(sample, whole=len(sample) < SAMPLE) or "utf-8"
        if not sample:
            break
    return "utf-8"


def _decoded(sample: bytes, encoding: str, whole: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample, whole)
    except UnicodeDecodeError:
        return None


def _replaced(sample: bytes, encoding: str, whole: bool) -> str:
    return codecs.getincrementaldecoder(encoding)("replace").decode(sample, whole)


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
