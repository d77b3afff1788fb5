"""What the operating system refused, in words that a model can act on."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import ToolFailed
from ..prompts.tools import ToolTexts

_TEXTS = {
    errno.ENOENT: "not_found",
    errno.EISDIR: "is_folder",
    errno.ENOTDIR: "not_a_folder",
    errno.ELOOP: "is_link",
    errno.ENXIO: "not_a_file",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EROFS: "denied",
    errno.ENAMETOOLONG: "too_long_name",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
}

_HINTS = {
    "not_found": "search_hint",
    "is_folder": "search_hint",
    "denied": "tell_user",
    "disk_full": "tell_user",
    "failed": "tell_user",
}
"""The way out; of what is not named here, another path."""

_HANDLE = re.compile(r"[#@]?t(\d{1,9})(?:@\d+)?", re.ASCII)
"""A turn as summaries and tools name it, which models take for a file."""


def explain(error: OSError, name: str, texts: ToolTexts) -> ToolFailed:
    """Return an error of the system as a failure of a tool, about the file `name`."""
    text = _TEXTS.get(error.errno or 0, "failed")
    hint = getattr(texts, _HINTS.get(text, "another_path"))
    if text == "not_found" and (turn := _HANDLE.fullmatch(name)):
        hint = texts.handle_hint.format(handle=f"#t{turn[1]}")
    problem = error.strerror or type(error).__name__
    return ToolFailed(getattr(texts, text).format(path=name, problem=problem), hint=hint)


@contextmanager
def explained(name: str, texts: ToolTexts) -> Iterator[None]:
    """Turn every OSError inside into a ToolFailed about `name`."""
    try:
        yield
    except OSError as error:
        raise explain(error, name, texts) from error
