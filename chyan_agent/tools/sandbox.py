"""The workspace: the one place that turns a path of the model into an open file.

Containment by construction. A path is resolved to real components, which are then opened one
by one from the workspace down, and none of them is followed if it is (or has meanwhile become)
a symbolic link. So nothing outside is ever opened, whatever is swapped between check and use;
links to places inside still work, and the rules below see where they lead.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..errors import ConfigError, ToolFailed
from ..messages import clean
from ..prompts import errors_config as say
from ..prompts.tools import ToolTexts
from .faults import explained
from .leftovers import sweep
from .names import printable
from .replacing import BLOCK, SCRATCH, Written, replace

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Non-blocking: opening a pipe without a writer would wait for ever.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: the name to show and the real components below the workspace."""

    name: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file: its paths from the workspace and from where it was looked for."""

    path: str
    inside: str
    mtime: int
    """When it was changed, in nanoseconds."""


class Sandbox:
    """A workspace folder. `excluded` are files and folders that tools must not touch.

    Raises ConfigError when there can't be a workspace. Methods raise ToolFailed.
    """

    def __init__(self, root: Path, texts: ToolTexts, *, excluded: Iterable[Path] = ()) -> None:
        self._excluded = tuple(excluded)
        self._texts = texts
        self._alias = Path(os.path.abspath(root))
        self.root = _made(root, self._excluded)
        excluded_ids = self._excluded_ids()
        sweep(self.root, lambda name, found: _guarded(name) or _id(found) in excluded_ids)

    @contextmanager
    def open(self, path: str) -> Iterator[tuple[str, BinaryIO]]:
        """Open a regular file for reading; yields its name to show and the file."""
        place = self._locate(path)
        with ExitStack() as stack, explained(place.name, self._texts):
            folder = self._walk(place, place.parts[:-1], stack)
            fd = os.open(place.parts[-1] if place.parts else ".", _READ, dir_fd=folder)
            stack.callback(os.close, fd)
            self._require_file(os.fstat(fd), place)
            yield place.name, stack.enter_context(os.fdopen(fd, "rb", closefd=False))

    def write(self, path: str, data: bytes, *, append: bool = False) -> tuple[str, Written]:
        """Replace or extend a file, durably; whoever reads it or crashes gets all of it or none.

        The whole content, the old one included when appending, goes to a new file that then
        takes the name. So a hard link to a file outside is never written through.
        """
        place = self._locate(path)
        with ExitStack() as stack, explained(place.name, self._texts):
            if not place.parts:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            folder = self._walk(place, place.parts[:-1], stack, create=True)
            leaf = place.parts[-1]
            mode, source = None, None
            with suppress(FileNotFoundError):
                found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
                self._require_file(found, place)
                mode = found.st_mode & 0o777
                if append:
                    source = os.fdopen(os.open(leaf, _READ, dir_fd=folder), "rb")
                    stack.enter_context(source)
            return place.name, replace(folder, leaf, data, mode=mode, old=source)

    def written_state(self, path: str) -> str | None:
        """SHA-256 (hex) of what a file holds now; None if there is no such file."""
        digest = hashlib.sha256()
        try:
            with self.open(path) as (_, file):
                while block := file.read(BLOCK):
                    digest.update(block)
        except ToolFailed:
            return None
        return digest.hexdigest()

    def files(self, path: str = ".") -> Iterator[Entry]:
        """Yield the files at or below a path; links, guarded and excluded ones are left out."""
        place = self._locate(path)
        with ExitStack() as stack, explained(place.name, self._texts):
            folder = self._walk(place, place.parts[:-1], stack)
            leaf = place.parts[-1] if place.parts else "."
            found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                self._require_file(found, place)
                yield Entry("/".join(place.parts), leaf, found.st_mtime_ns)
                return
            self._walk(place, place.parts, stack)
        yield from self._below(place)

    def _below(self, place: Place) -> Iterator[Entry]:
        waiting, excluded = [place.parts], self._excluded_ids()
        while waiting:
            here, folders = waiting.pop(), []
            for name, found in self._listed(place, here):
                parts = (*here, name)
                if _guarded(name) or name.startswith(SCRATCH) or _id(found) in excluded:
                    continue
                if stat.S_ISDIR(found.st_mode):
                    folders.append(parts)
                elif stat.S_ISREG(found.st_mode):
                    inside = "/".join(parts[len(place.parts) :])
                    yield Entry("/".join(parts), inside, found.st_mtime_ns)
            waiting += reversed(folders)

    def _listed(self, place: Place, parts: Parts) -> list[tuple[str, os.stat_result]]:
        """List a folder; it may have changed, or gone, since it was seen."""
        listed = []
        with suppress(OSError), ExitStack() as stack:
            folder = self._walk(place, parts, stack)
            for name in sorted(os.listdir(folder)):
                with suppress(FileNotFoundError):
                    listed.append((name, os.stat(name, dir_fd=folder, follow_symlinks=False)))
        return listed

    def _locate(self, path: str) -> Place:
        texts, shown = self._texts, printable(path)
        if not path.strip() or "\0" in path:
            raise ToolFailed(texts.empty_path, hint=texts.outside_hint)
        wanted = Path(os.path.normpath(self.root / _encodable(path)))
        if wanted.is_relative_to(self._alias):
            wanted = self.root / wanted.relative_to(self._alias)
        inside = wanted.is_relative_to(self.root)
        with explained(shown, texts):
            real = Path(os.path.realpath(wanted)) if inside else wanted
        if not real.is_relative_to(self.root):
            raise ToolFailed(texts.outside.format(path=shown), hint=texts.outside_hint)
        name, parts = wanted.relative_to(self.root), real.relative_to(self.root).parts
        if any(map(_guarded, (*name.parts, *parts))):
            raise ToolFailed(texts.protected.format(path=shown))
        return Place(printable(str(name)), parts)

    def _walk(self, place: Place, parts: Parts, stack: ExitStack, *, create: bool = False) -> int:
        """Open a folder by its components; the descriptors live as long as `stack`."""
        excluded = self._excluded_ids()
        folder = os.open(self.root, _FOLDER)
        stack.callback(os.close, folder)
        for part in parts:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=folder)
                    os.fsync(folder)
            folder = os.open(part, _FOLDER, dir_fd=folder)
            stack.callback(os.close, folder)
            if _id(os.fstat(folder)) in excluded:
                raise ToolFailed(self._texts.protected.format(path=place.name))
        return folder

    def _require_file(self, found: os.stat_result, place: Place) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _id(found) in self._excluded_ids():
            raise ToolFailed(self._texts.protected.format(path=place.name))
        if not stat.S_ISREG(found.st_mode):
            text = self._texts.is_link if stat.S_ISLNK(found.st_mode) else self._texts.not_a_file
            raise ToolFailed(text.format(path=place.name))

    def _excluded_ids(self) -> set[tuple[int, int]]:
        ids = set()
        for path in self._excluded:
            with suppress(OSError):
                ids.add(_id(path.stat()))
        return ids


def _made(root: Path, excluded: Iterable[Path]) -> Path:
    """Return the real path of a workspace, which may have to be created."""
    real = Path(os.path.realpath(root))
    if real in map(Path, map(os.path.realpath, excluded)):
        raise ConfigError(say.OWN_FILES.of(path=str(root)), hint=say.WORKSPACE_HINT)
    try:
        real.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = say.NO_WORKSPACE.of(path=str(root), reason=error.strerror)
        raise ConfigError(problem, hint=say.WORKSPACE_HINT) from error
    return real


def _encodable(path: str) -> str:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return clean(path)
    return path


def _id(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _guarded(name: str) -> bool:
    """Whether a component is `.git`, however spelt: hooks and settings there run code."""
    return name.rstrip(". ").lower() == ".git"
