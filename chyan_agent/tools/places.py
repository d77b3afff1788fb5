"""Where a path of the model leads, and what tools must leave alone on the way there."""

import os
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..durable.disk import sync_directory
from ..errors import ConfigError, ToolFailed
from ..messages import clean
from ..prompts import errors_config as say
from ..prompts.tools import ToolTexts
from .beneath import Parts
from .faults import explained
from .names import printable
from .replacing import is_scratch

Id = tuple[int, int]
"""Device and inode: what a file is, under whatever name."""

LONGEST = 4096
"""Characters of a path: the system takes no more bytes."""
_GIT = {".git", "git~1"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: the name to show and the real components below the workspace."""

    name: str
    parts: Parts


class Places:
    """The workspace `root` and its bounds.

    `excluded` are files and folders that tools must not touch, there or not yet there; those of
    `fixed` may be read. Raises ConfigError when there can't be such a workspace.
    """

    def __init__(
        self,
        root: Path,
        texts: ToolTexts,
        *,
        excluded: Iterable[Path] = (),
        fixed: Iterable[Path] = (),
    ) -> None:
        self._texts = texts
        self._excluded = tuple(excluded)
        self._fixed = tuple(fixed)
        self.root = _made(root, self._excluded)
        self._alias = Path(os.path.normpath(Path.cwd() / root))
        self._no_entry = _below(self.root, self._excluded)
        self._no_change = self._no_entry + _below(self.root, self._fixed)

    def find(self, path: str, *, writing: bool = False) -> Place:
        """Return the place of a path. Raises ToolFailed for one that tools must not touch."""
        texts, shown = self._texts, printable(path)
        if not path.strip() or "\0" in path:
            raise ToolFailed(texts.empty_path, hint=texts.outside_hint)
        if len(path) > LONGEST:
            problem = texts.too_long_name.format(path=f"{shown[:80]}…")
            raise ToolFailed(problem, hint=texts.another_path)
        wanted = self._wanted(path)
        inside = wanted.is_relative_to(self.root)
        with explained(shown, texts):
            real = Path(os.path.realpath(wanted)) if inside else wanted
        if not real.is_relative_to(self.root):
            raise ToolFailed(texts.outside.format(path=shown), hint=texts.outside_hint)
        name, parts = wanted.relative_to(self.root), real.relative_to(self.root).parts
        barred = self._no_change if writing else self._no_entry
        ways = (*name.parts, *parts)
        ours = writing and any(map(is_scratch, ways))  # another start would unlink it
        if ours or any(map(guarded, ways)) or _within(parts, barred):
            raise protected(shown, texts)
        return Place(printable(str(name)), parts)

    def names(self, path: str) -> Parts:
        """Return the names in a path, from the workspace on; none of one that leads outside."""
        wanted = self._wanted(path)
        return wanted.relative_to(self.root).parts if wanted.is_relative_to(self.root) else ()

    def _wanted(self, path: str) -> Path:
        wanted = Path(os.path.normpath(self.root / _encodable(path)))
        if wanted.is_relative_to(self._alias):
            return self.root / wanted.relative_to(self._alias)
        return wanted

    def barred(self, *, writing: bool = False) -> set[Id]:
        """Return what the files and folders that tools must not touch are now."""
        ids = set()
        for path in (*self._excluded, *self._fixed) if writing else self._excluded:
            with suppress(OSError):
                ids.add(identity(path.stat()))
        return ids


def protected(shown: str, texts: ToolTexts) -> ToolFailed:
    """Return the error for a path that tools must leave alone."""
    return ToolFailed(texts.protected.format(path=shown), hint=texts.protected_hint)


def identity(found: os.stat_result) -> Id:
    """Return what a file is."""
    return found.st_dev, found.st_ino


def guarded(name: str) -> bool:
    """Whether a component is `.git`, however spelt: hooks and settings there run code.

    Some file systems take names for the same that differ in case, in how characters are
    composed, in invisible characters, in dots and spaces at the end or in what follows a colon.
    """
    if name.isascii() and "git" not in name.lower():
        return False
    return _folded(name).partition(":")[0].rstrip(". ") in _GIT


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in plain if unicodedata.category(char) != "Cf")


def _below(root: Path, paths: Iterable[Path]) -> tuple[Parts, ...]:
    """Return the folded components, from the root on, of those paths that are below it."""
    real = (Path(os.path.realpath(path)) for path in paths)
    inside = (path.relative_to(root) for path in real if path.is_relative_to(root))
    return tuple(tuple(map(_folded, path.parts)) for path in inside if path.parts)


def _within(parts: Parts, barred: Iterable[Parts]) -> bool:
    """Whether this is one of these or below it, by name: it need not be there yet."""
    folded = tuple(map(_folded, parts))
    return any(folded[: len(each)] == each for each in barred)


def _made(root: Path, excluded: Iterable[Path]) -> Path:
    """Return the real path of a workspace, which may have to be created."""
    try:
        Path.cwd()  # a folder that was removed meanwhile is none to start from
        real = Path(os.path.realpath(root))
        if real in map(Path, map(os.path.realpath, excluded)):
            raise ConfigError(say.OWN_FILES.of(path=str(root)), hint=say.WORKSPACE_HINT)
        real.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = say.NO_WORKSPACE.of(path=str(root), reason=error.strerror)
        raise ConfigError(problem, hint=say.WORKSPACE_HINT) from error
    with suppress(OSError):
        # What is written there is durable only if the name of the workspace is.
        sync_directory(real.parent)
    return real


def _encodable(path: str) -> str:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return clean(path)
    return path
