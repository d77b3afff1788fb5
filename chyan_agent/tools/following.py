"""Appending: the new text in the encoding of the old, so that both are read together."""

import codecs
import os
from dataclasses import dataclass
from typing import BinaryIO

from ..errors import ToolFailed
from ..prompts.tools import ToolTexts
from .decoding import REPLACED, SAMPLE, WIDE, Text, open_text


@dataclass(frozen=True, slots=True)
class Addition:
    """The bytes that are added to a file, and the encoding of the whole."""

    data: bytes
    encoding: str = "utf-8"


def added(data: bytes | str, old: BinaryIO | None, name: str, texts: ToolTexts) -> Addition:
    """Return what is added to a file, if there is one; `name` is shown.

    Raises ToolFailed for a text that can't follow what is there.
    """
    if isinstance(data, bytes):
        return Addition(data)
    new = following(data, old) if old else Addition(data.encode("utf-8"))
    if new is None:
        raise ToolFailed(texts.not_appended.format(path=name), hint=texts.not_appended_hint)
    return new


def following(text: str, old: BinaryIO) -> Addition | None:
    """Return the bytes that add `text` to a file; None where what is there is no sound text.

    The file is left at its start.
    """
    found = open_text(old)
    if found is None:
        return None
    plain = text.isascii() and found.encoding.startswith("utf-8")
    sound = plain or _sound(found)
    found.detach()
    size = old.seek(0, os.SEEK_END)
    old.seek(0, os.SEEK_SET)
    unit = {"utf-16": 2, "utf-32": 4}.get(found.encoding, 1)
    if not sound or size % unit:
        return None
    return Addition(text.encode(_without_mark(found.encoding, old)), found.encoding)


def _sound(text: Text) -> bool:
    """Whether most of what is not ASCII in a text could be decoded, and its end.

    Half a character at the end would take the first of what follows for its other half; not in
    UTF-8.
    """
    strange, last = 0, ""
    while block := text.read(SAMPLE):
        strange += len(block) - len(block.encode("ascii", "ignore"))
        last = block[-1]
    cut = text.broken and last == REPLACED and text.encoding != "utf-8"
    return not cut and 2 * text.broken <= strange


def _without_mark(encoding: str, old: BinaryIO) -> str:
    """Return the encoding in which text goes on: the mark stands at the beginning only."""
    if encoding in WIDE:
        mark = old.read(2)
        old.seek(0, os.SEEK_SET)
        return f"{encoding}-{'le' if mark == codecs.BOM_UTF16_LE else 'be'}"
    return "utf-8" if encoding == "utf-8-sig" else encoding
