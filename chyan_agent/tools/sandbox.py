"""The workspace: the one place that turns a path of the model into an open file.

Containment by construction. A path is resolved to real components (`places`), which are then
opened from the workspace down, and none of them is followed if it is (or has meanwhile become)
a symbolic link (`beneath`). So nothing outside is ever opened, whatever is swapped between
check and use; links to places inside still work, and the rules see where they lead.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import ToolFailed
from ..prompts.tools import ToolTexts
from .beneath import FOLDER, Opener, Parts, existing, make, opener
from .faults import explained
from .following import added
from .leftovers import sweep
from .listing import Entry, walk
from .names import ESCAPE, meant
from .places import Id, Place, Places, guarded, identity, protected
from .replacing import Written, replace, require_writable

LARGEST = 256_000_000
"""Bytes of a file that is read to its end; beyond that the turn would wait for minutes."""

MOST_NEW = 32
"""Folders that one write makes."""

_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
"""What opening the workspace meets when it was removed or replaced after the start."""

# Non-blocking: opening a pipe without a writer would wait for ever.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class Sandbox:
    """A workspace folder. `excluded` are files and folders that tools must not touch, there or
    not yet there; those of `fixed` may be read only.

    Raises ConfigError when there can't be a workspace. Methods raise ToolFailed.
    """

    def __init__(
        self,
        root: Path,
        texts: ToolTexts,
        *,
        excluded: Iterable[Path] = (),
        fixed: Iterable[Path] = (),
        beneath: Opener | None = None,
    ) -> None:
        self._texts = texts
        self._places = Places(root, texts, excluded=excluded, fixed=fixed)
        self._beneath = beneath or opener()
        self.root = self._places.root
        barred = self._places.barred()
        sweep(self._here, lambda name, found: guarded(name) or identity(found) in barred)

    @contextmanager
    def open(self, path: str) -> Iterator[tuple[str, BinaryIO]]:
        """Open a regular file for reading; yields its name to show and the file."""
        place = self._find(path)
        barred = self._places.barred()
        with explained(place.name, self._texts), ExitStack() as stack:
            folder = self._folder(place, barred, stack)
            yield place.name, self._opened(folder, place, barred, stack)

    def _opened(self, folder: int, place: Place, barred: set[Id], stack: ExitStack) -> BinaryIO:
        if place.parts:
            # Opening a device may do something: it is looked at first, and again when open.
            found = os.stat(place.parts[-1], dir_fd=folder, follow_symlinks=False)
            _require_file(found, place, barred, self._texts)
        fd = self._beneath(folder, place.parts[-1:], _READ)
        stack.callback(os.close, fd)
        _require_file(os.fstat(fd), place, barred, self._texts)
        return stack.enter_context(os.fdopen(fd, "rb", closefd=False))

    def write(self, path: str, data: bytes | str, *, append: bool = False) -> tuple[str, Written]:
        """Replace or extend a file, durably; whoever reads it or crashes gets all of it or none.

        The whole content, the old one included when appending, goes to a new file that then
        takes the name. So a hard link to a file outside is never written through. A text is
        UTF-8, or takes the encoding of the one that it is appended to.
        """
        place = self._find(path, writing=True)
        barred = self._places.barred(writing=True)
        with explained(place.name, self._texts), ExitStack() as stack:
            if not place.parts:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            folder = self._folder(place, barred, stack, create=True)
            leaf = place.parts[-1]
            mode, source = None, None
            with suppress(FileNotFoundError):
                found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
                _require_file(found, place, barred, self._texts)
                mode = found.st_mode & 0o777
                require_writable(folder, leaf)
                if append:
                    source = self._opened(folder, place, barred, stack)
                    _require_small(found, place, self._texts)
            new = added(data, source, place.name, self._texts)
            return place.name, replace(folder, leaf, new, mode=mode, old=source)

    def _find(self, path: str, *, writing: bool = False) -> Place:
        """Return the place of a path, in which names may stand as they are shown."""
        place = self._places.find(path, writing=writing)
        if ESCAPE not in path:
            return place
        names = self._places.names(path)
        found = meant(names, self._names)
        return place if found == names else self._places.find("/".join(found), writing=writing)

    def _names(self, folder: Parts) -> list[str]:
        with suppress(ToolFailed, OSError):
            parts = self._places.find("/".join(folder) or ".").parts
            with self._here(parts) as fd:
                return os.listdir(fd)
        return []

    def settle(self, path: str) -> None:
        """Make it durable that a file has its name."""
        place = self._find(path)
        with explained(place.name, self._texts), ExitStack() as stack:
            os.fsync(self._folder(place, self._places.barred(), stack))

    def files(self, path: str = ".", going: Callable[[], bool] = lambda: True) -> Iterator[Entry]:
        """Yield the files at or below a path; links, guarded and excluded ones are left out.

        Asks before each folder whether it is `going` on.
        """
        place = self._find(path)
        barred = self._places.barred()
        with explained(place.name, self._texts), ExitStack() as stack:
            folder = self._folder(place, barred, stack)
            leaf = place.parts[-1] if place.parts else "."
            found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                _require_file(found, place, barred, self._texts)
                yield Entry("/".join(place.parts), leaf, found.st_mtime_ns)
                return
            if identity(found) in barred:
                raise protected(place.name, self._texts)
            os.close(self._beneath(folder, place.parts[-1:], FOLDER))
        yield from walk(self._here, place.parts, barred, going)

    @contextmanager
    def _here(self, parts: Parts) -> Iterator[int]:
        with ExitStack() as stack:
            folder = self._beneath(self._root(stack), parts, FOLDER)
            stack.callback(os.close, folder)
            yield folder

    def _root(self, stack: ExitStack) -> int:
        fd = _opened_root(self.root, self._texts)
        stack.callback(os.close, fd)
        return fd

    def _folder(
        self, place: Place, barred: set[Id], stack: ExitStack, *, create: bool = False
    ) -> int:
        """Open the folder that a place is in; it stays open as long as `stack`."""
        root, parts = self._root(stack), place.parts[:-1]
        if create:
            self._make(root, place, barred)
        folder = self._beneath(root, parts, FOLDER)
        stack.callback(os.close, folder)
        if not _is_beneath(folder, root, barred):
            raise protected(place.name, self._texts)
        return folder

    def _make(self, root: int, place: Place, barred: set[Id]) -> None:
        """Create the folders that are missing, durably and from the nearest that is there."""
        parts = place.parts[:-1]
        there = existing(self._beneath, root, parts)
        if len(parts) - there > MOST_NEW:
            problem = self._texts.too_long_name.format(path=place.name)
            raise ToolFailed(problem, hint=self._texts.another_path)
        above = self._beneath(root, parts[:there], FOLDER)
        try:
            if not _is_beneath(above, root, barred):
                raise protected(place.name, self._texts)
            make(self._beneath, above, parts[there:])
        finally:
            os.close(above)


def _opened_root(root: Path, texts: ToolTexts) -> int:
    try:
        return os.open(root, FOLDER)
    except OSError as error:
        if error.errno not in _GONE:
            raise
        # Not as a cause: no file in it is what is missing.
        raise ToolFailed(texts.no_workspace, hint=texts.tell_user) from None


def _require_file(found: os.stat_result, place: Place, barred: set[Id], texts: ToolTexts) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if identity(found) in barred:
        raise protected(place.name, texts)
    if not stat.S_ISREG(found.st_mode):
        text = texts.is_link if stat.S_ISLNK(found.st_mode) else texts.not_a_file
        raise ToolFailed(text.format(path=place.name), hint=texts.another_path)


def _require_small(found: os.stat_result, place: Place, texts: ToolTexts) -> None:
    if found.st_size > LARGEST:
        size = f"{found.st_size:,}"
        problem = texts.too_large.format(path=place.name, bytes=size)
        raise ToolFailed(problem, hint=texts.not_appended_hint)


def _is_beneath(folder: int, root: int, barred: set[Id]) -> bool:
    """Whether an open folder is below `root` now, and in nothing that is barred."""
    top, below, up = identity(os.fstat(root)), None, "."
    while (here := identity(os.stat(up, dir_fd=folder))) not in (top, below, *barred):
        below, up = here, f"{up}/.."
    return here == top and here not in barred
