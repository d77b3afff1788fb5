"""What a call is about to change, and after a crash whether it did. Nothing is run again."""

import hashlib
import os
from typing import BinaryIO, cast

from ..errors import ToolFailed
from ..memory import Memory
from ..messages import clean
from ..state import Effect
from . import Arguments, Outcome
from .following import following
from .replacing import BLOCK
from .sandbox import LARGEST, Sandbox


def noted(memory: Memory, arguments: Arguments, effect: Effect, key: str) -> Outcome:
    """Tell whether a `remember` that was cut off left its note, or had nothing new to note."""
    content = cast("str", arguments["content"]).strip()
    if memory.holds(content, key):
        return "done"
    return "not_run" if key else "unknown"


class WriteEffects:
    """Foresees what a write does to its file, and tells by content hashes whether it was done."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def foresee(self, arguments: Arguments) -> Effect:
        """Hash what the file holds and what it will hold; unknown where it can't be read."""
        path, text = cast("str", arguments["path"]), cast("str", arguments["content"])
        target = str(self._sandbox.root / path)
        if path != clean(path):
            # A record holds text: a name of other bytes would name another file there.
            return Effect(clean(target))
        digest = hashlib.sha256()
        there = self._read(path, digest)
        if there is None:
            return Effect(target)
        before = digest.hexdigest() if there else ""
        if not there or arguments.get("mode") != "append":
            return Effect(target, before, hashlib.sha256(text.encode("utf-8")).hexdigest())
        with self._sandbox.open(path) as (_, file):
            new = following(text, file)
        if new is None:
            return Effect(target)
        digest.update(new.data)
        return Effect(target, before, digest.hexdigest())

    def outcome(self, arguments: Arguments, effect: Effect, key: str) -> Outcome:
        """Tell by what the file holds now whether a write that was cut off took effect."""
        digest = hashlib.sha256()
        there = self._read(effect.path, digest, durable=True)
        if there is None:
            # A file of another workspace is out of reach too.
            return "unknown"
        held = digest.hexdigest() if there else ""
        if held == effect.after:
            return "done"
        return "not_run" if held == effect.before else "unknown"

    def _read(self, path: str, digest: "hashlib._Hash", *, durable: bool = False) -> bool | None:
        """Hash a file: whether there is one, None when it can't be read or is too large to be.

        What is seen after a crash may be on no disk yet; `durable` puts it there.
        """
        try:
            with self._sandbox.open(path) as (_, file):
                whole = _hash(file, digest)
                if durable:
                    os.fsync(file.fileno())
                    self._sandbox.settle(path)
        except ToolFailed as error:
            return False if isinstance(error.__cause__, FileNotFoundError) else None
        return True if whole else None


def _hash(file: BinaryIO, digest: "hashlib._Hash") -> bool:
    """Hash what is left of a file; whether that was no more than LARGEST."""
    left = LARGEST
    while left >= 0 and (block := file.read(BLOCK)):
        digest.update(block)
        left -= len(block)
    return left >= 0
