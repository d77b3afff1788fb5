"""The verdict on a trial, from a process of its own: what it opens is closed when it ends."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from .children import forked
from .driver import Line, Say
from .oracle import judge, recover


def verdict(lines: Sequence[Line], folder: Path) -> list[str]:
    """Recover `folder` and judge it by what was said. No recovery at all is a violation too."""

    def action(where: Path, say: Say) -> int:
        say({"violations": judge(lines, recover(where))})
        return 0

    said, status = forked(folder, action)
    if status != 0 or "violations" not in said[-1]:
        return [f"recovery ended with {status}: {said[-1:]}"]
    return cast("list[str]", said[-1]["violations"])
