"""The log file: rotating, private, one entry a line, and no secret in it."""

import logging
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

from .config.values import LogConfig
from .durable.disk import make_directory, private

NAME = "agent.log"
OURS = "chyan_agent"
VENDORS = ("openai", "httpx", "httpx2", "httpcore", "httpcore2", "asyncio", "jieba", "matplotlib")

_ENTRY = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MASK = "***"
_SHORTEST_SECRET = 4
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+|%20)[^\s\"',;]+")
_PARAMETER = re.compile(r"(?i)((?:api[-_]?key|[?&]key)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;}]+")
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | {
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


def setup(config: LogConfig, data_dir: Path, *, secrets: Sequence[str], console: bool) -> None:
    """Send our log, and the vendors' warnings, to `data_dir`/agent.log; `console` adds stderr.

    Each of `secrets` is masked wherever it appears. A log that can't be written is no error.
    A second call replaces what the first set up.
    """
    close()
    path = data_dir / NAME
    handlers: list[logging.Handler] = [_File(path, config)]
    if console:
        handlers.append(_Console(sys.stderr))
    for handler in handlers:
        handler.setFormatter(Masking(secrets))
    _logger(OURS).setLevel(config.level)
    for name in VENDORS:
        # Their lower levels write requests with headers and bodies.
        _logger(name).setLevel(max(logging.WARNING, logging.getLevelName(config.level)))
    for name in (OURS, *VENDORS):
        for handler in handlers:
            _logger(name).addHandler(handler)


def discard() -> None:
    """Write no log: entries go nowhere, not to stderr either."""
    close()
    for name in (OURS, *VENDORS):
        _logger(name).addHandler(_Nowhere())


def close() -> None:
    """Undo `setup` and `discard`: take our handlers away and close the file."""
    for name in (OURS, *VENDORS):
        for handler in list(_logger(name).handlers):
            if isinstance(handler, _File | _Console | _Nowhere):
                _logger(name).removeHandler(handler)
                handler.close()


def _logger(name: str) -> logging.Logger:
    return logging.getLogger(name)


def mask(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the secrets, authorization headers and key parameters in it."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _MASK)
    text = _BEARER.sub(rf"\1 {_MASK}", text)
    return _PARAMETER.sub(rf"\1{_MASK}", text)


class Masking(logging.Formatter):
    """Formats an entry as one line. Masks last, so that tracebacks are masked as well."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__(_ENTRY)
        # The longest first: one secret may be part of another.
        self._secrets = sorted(secrets, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """Return the entry, masked and on one line."""
        return mask(super().format(record), self._secrets).translate(_CONTROLS)


class _File(RotatingFileHandler):
    """A log file that is its owner's alone and whose failures are nobody's problem."""

    def __init__(self, path: Path, config: LogConfig) -> None:
        super().__init__(
            path,
            maxBytes=config.max_bytes,
            backupCount=config.backups,
            encoding="utf-8",
            errors="backslashreplace",
            delay=True,
        )

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        make_directory(path.parent)
        with private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT) as file:
            return os.fdopen(os.dup(file), "a", encoding=self.encoding, errors=self.errors)

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the entry: a full disk must not spoil a terminal or end a turn."""

    def close(self) -> None:
        """Close the file; what is still buffered may find no room, and is dropped too."""
        with suppress(OSError):
            super().close()


class _Nowhere(logging.NullHandler):
    """Takes entries and keeps none."""


class _Console(logging.StreamHandler[TextIO]):
    """Warnings and errors on stderr."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self.setLevel(logging.WARNING)

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the entry: stderr may be closed."""
