"""The verdict on a trial, from a process of its own: what it opens is closed when it ends."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from .children import forked
from .driver import Line, Say
from .oracle import judge, recover

_RANDOM = re.compile(r"[0-9a-f]{8,16}\.tmp")


def verdict(lines: Sequence[Line], folder: Path) -> list[str]:
    """Recover `folder` and judge it by what was said. No recovery at all is a violation too."""

    def action(where: Path, say: Say) -> int:
        say({"violations": judge(lines, recover(where))})
        return 0

    said, status = forked(folder, action)
    if status != 0 or "violations" not in said[-1]:
        return [f"recovery ended with {status}: {said[-1:]}"]
    return cast("list[str]", said[-1]["violations"])


class Verdicts:
    """The verdicts on what different recoveries from one death leave: one for each different disk.

    Most calls of a start change nothing.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._known: dict[str, list[str]] = {}

    def on(self, folder: Path) -> list[str]:
        """Return the verdict on a folder."""
        mark = digest(folder)
        if mark not in self._known:
            self._known[mark] = verdict(self._lines, folder)
        return self._known[mark]


def digest(folder: Path) -> str:
    """Return a checksum of a tree. Random names count as equal, and the pid in a lock does."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = _RANDOM.sub("tmp", str(path.relative_to(folder)))
        found.update(name.encode())
        if path.is_file() and path.name != ".lock":
            found.update(path.read_bytes())
    return found.hexdigest()
