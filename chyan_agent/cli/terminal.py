"""Where text meets a terminal: encodings, colours, control characters, widths."""

import contextlib
import io
import os
import unicodedata
from collections.abc import Mapping
from typing import TextIO

STYLES = {"dim": "\x1b[2m", "bold": "\x1b[1m", "red": "\x1b[31m", "yellow": "\x1b[33m"}
PLAIN = "\x1b[0m"
WIPE = "\r\x1b[K"

_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]
_REORDERING = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_UNSAFE = dict.fromkeys(c for c in (*_CONTROLS, *_REORDERING) if chr(c) not in "\n\t")
_ASCII = str.maketrans(
    {"█": "#", "·": "-", "◇": "*", "↻": "~", "→": ">", "−": "-", "…": ".", "✗": "x", "✓": "+"}
)


class OutputClosed(Exception):
    """Whoever read our output has gone: no error, but nothing more to do."""


class OutputFailed(Exception):
    """The output could not be written, e.g. to a full disk."""


class Terminal:
    """A text stream that shows only harmless characters, at once, in colour where that helps."""

    def __init__(self, stream: TextIO, *, colour: bool = False) -> None:
        self._stream = stream
        self._colour = colour
        self._symbols = encodes(stream, "█◇")
        self._passing = False
        self.fresh = True
        """Whether the cursor is at the start of a line."""

    @property
    def interactive(self) -> bool:
        """Whether a person looks at it."""
        return self._stream.isatty()

    def write(self, text: str, style: str = "") -> None:
        """Print text without what could control the terminal. Raises OutputClosed, OutputFailed."""
        shown = harmless(text)
        if not shown:
            return
        self.fresh = shown.endswith("\n")
        if not self._symbols:
            shown = shown.translate(_ASCII)
        self.raw(STYLES[style] + shown + PLAIN if style and self._colour else shown)

    def line(self, text: str, style: str = "") -> None:
        """Print text on lines of its own."""
        self.end_line()
        self.write(text, style)
        self.end_line()

    def end_line(self) -> None:
        """Go to the start of a line, unless there already."""
        if not self.fresh:
            self.raw("\n")
            self.fresh = True
        elif self._passing:
            self.raw("")

    def passing(self, text: str) -> None:
        """Show a dim text that the next output wipes away; nothing where that can't be done."""
        if self._colour and self.fresh:
            self.raw(STYLES["dim"] + text + PLAIN)
            self._passing = True

    def raw(self, text: str) -> None:
        """Print text as it is, now. Raises OutputClosed, OutputFailed."""
        wipe, self._passing = WIPE if self._passing else "", False
        try:
            self._stream.write(wipe + text)
            self._stream.flush()
        except BrokenPipeError as error:
            raise OutputClosed from error
        except OSError as error:
            raise OutputFailed(error.strerror or str(error)) from error


def harmless(text: str) -> str:
    """Remove control characters and reordering marks; newlines and tabs stay."""
    return text.translate(_UNSAFE)


def one_line(text: str, columns: int) -> str:
    """Return text on one harmless line that is at most `columns` wide."""
    return cut(" ".join(harmless(text[: 8 * columns]).split()), columns)


def cut(text: str, columns: int) -> str:
    """Shorten text to a display width."""
    if width(text) <= columns:
        return text
    used = 0
    for position, character in enumerate(text):
        used += width(character)
        if used >= columns:
            return text[:position] + "…"
    return text


def pad(text: str, columns: int) -> str:
    """Fill text with spaces up to a display width."""
    return text + " " * (columns - width(text))


def width(text: str) -> int:
    """Columns that text takes: two for Chinese, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def encodes(stream: TextIO, text: str) -> bool:
    """Whether a stream's encoding has these characters."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def colourful(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether to use colours: on a terminal only, and never against the user's wish."""
    wanted = not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def soften(stream: TextIO, *, errors: str, encoding: str | None = None) -> None:
    """Make a standard stream unable to fail on a character."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors, encoding=encoding)


def silence(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that leaving does not fail on it again."""
    with contextlib.suppress(OSError, ValueError):
        target = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, target)
        os.close(nowhere)
