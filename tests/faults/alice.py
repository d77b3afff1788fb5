"""Every disk that a power cut may leave, by a model of the least that POSIX promises.

What a process does to a folder is recorded; then, for a cut after each operation, the disks are
made that may be found: of what was not fsynced, data is kept, lost, torn, or zeros, in any order;
of the names in a folder, any first part of the changes since the folder was fsynced.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from .driver import Line

CALLS = ("open", "write", "pwrite", "ftruncate", "rename", "replace", "unlink", "rmdir", "mkdir")
SYNCS = ("fsync", "fdatasync")
FULL = 64
"""Combinations up to which all are made; of more, those that differ in one thing from two."""

Tree = Mapping[str, bytes | None]
"""Relative path to content; None is a folder."""
Names = Mapping[str, int]
Content = bytes


@dataclass(frozen=True, slots=True)
class Named:
    """A folder has other names now: name to node."""

    folder: int
    names: Names


@dataclass(frozen=True, slots=True)
class Wrote:
    """A file has other content now."""

    node: int
    content: Content


@dataclass(frozen=True, slots=True)
class Synced:
    """What a file holds, or the names in a folder, reached the disk."""

    node: int


@dataclass(frozen=True, slots=True)
class Told:
    """The user was told something."""

    line: Line


Op = Named | Wrote | Synced | Told


@dataclass
class Recorder:
    """Looks at a folder after each call, and notes what changed."""

    root: Path
    ops: list[Op] = field(default_factory=list)
    folders: dict[int, Names] = field(default_factory=dict)
    """Names in each folder by node; node 0 is the root."""
    files: dict[int, Content] = field(default_factory=dict)
    inodes: dict[int, int] = field(default_factory=dict)
    """Inode to node, of what has a name."""
    count: int = 0

    def look(self) -> None:
        """Note what changed since the last look."""
        before, self.inodes = self.inodes, {}
        self._look(self.root, before)

    def _look(self, path: Path, before: dict[int, int]) -> int:
        inode = path.stat().st_ino
        node = before.get(inode, -1)
        if node < 0:
            node, self.count = self.count, self.count + 1
        self.inodes[inode] = node
        if not path.is_dir():
            content = path.read_bytes()
            if self.files.get(node, b"") != content or node not in self.files:
                self.files[node] = content
                self.ops.append(Wrote(node, content))
            return node
        names = {p.name: self._look(p, before) for p in sorted(path.iterdir())}
        if self.folders.get(node) != names:
            self.folders[node] = names
            self.ops.append(Named(node, names))
        return node

    def resume(self) -> None:
        """Take the nodes of what is there from the operations that led to it."""
        for op in self.ops:
            if isinstance(op, Named):
                self.folders[op.folder] = op.names
                self.count = max(self.count, op.folder + 1)
            elif isinstance(op, Wrote):
                self.files[op.node] = op.content
                self.count = max(self.count, op.node + 1)
        self._resume(self.root, 0)

    def _resume(self, path: Path, node: int) -> None:
        self.inodes[path.stat().st_ino] = node
        for name, inner in self.folders.get(node, {}).items():
            self._resume(path / name, inner)

    def tell(self, line: Line) -> None:
        """Note what the user is told."""
        self.look()
        self.ops.append(Told(line))

    def called(self, real: Callable[..., Any], *args: Any, **more: Any) -> Any:
        """Carry out a call and look."""
        try:
            return real(*args, **more)
        finally:
            self.look()

    def synced(self, real: Callable[[int], None], descriptor: int) -> None:
        """Carry out a sync; what has no name here is no part of the disk."""
        self.look()
        real(descriptor)
        node = self.inodes.get(os.fstat(descriptor).st_ino)
        if node is not None:
            self.ops.append(Synced(node))


@contextmanager
def recording(root: Path, before: Sequence[Op] = ()) -> Iterator[Recorder]:
    """Record what this process does to a folder, which is what the operations before left."""
    recorder = Recorder(root, list(before))
    if before:
        recorder.resume()
    recorder.look()
    if not before:
        recorder.ops += [Synced(node) for node in range(recorder.count)]
    patches: dict[str, Any] = {name: partial(recorder.called, getattr(os, name)) for name in CALLS}
    patches |= {name: partial(recorder.synced, getattr(os, name)) for name in SYNCS}
    with patch.multiple(os, **patches):
        yield recorder
    recorder.look()


def kept(ops: Sequence[Op]) -> Tree:
    """Return the tree that a process sees after these operations."""
    disk = Disk()
    for op in ops:
        disk.take(op)
    chosen: dict[int, Any] = {n: v[-1] for n, v in (disk.folders | disk.files).items()}
    return dict(disk.tree(0, "", chosen))


@dataclass
class Disk:
    """What is surely on the disk, and what may be, in the order in which it was done."""

    folders: dict[int, list[Names]] = field(default_factory=dict)
    files: dict[int, list[Content]] = field(default_factory=dict)

    def take(self, op: Op) -> None:
        """Take an operation."""
        match op:
            case Named(folder, names):
                self.folders.setdefault(folder, [{}]).append(names)
            case Wrote(node, content):
                self.files.setdefault(node, [b""]).append(content)
            case Synced(node):
                for known in (self.folders, self.files):
                    if node in known:
                        del known[node][:-1]

    def trees(self) -> Iterator[Tree]:
        """Yield the trees that a cut may leave now."""
        live = [node for node in self.files if any(self._names(node))]
        choices: list[list[Any]] = [[(n, v) for v in self.folders[n]] for n in self.folders]
        choices += [[(n, v) for v in variants(self.files[n])] for n in live]
        for chosen in _combined(choices):
            yield dict(self.tree(0, "", dict(chosen)))

    def _names(self, node: int) -> Iterator[bool]:
        return (node in names.values() for all in self.folders.values() for names in all)

    def tree(
        self, node: int, path: str, chosen: Mapping[int, Any]
    ) -> Iterator[tuple[str, bytes | None]]:
        """Yield what is below a folder when each node holds what was chosen."""
        for name, inner in chosen[node].items():
            where = f"{path}/{name}" if path else name
            if inner in self.folders:
                yield where, None
                yield from self.tree(inner, where, chosen)
            else:
                yield where, chosen[inner]


def _combined(choices: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    if len(list(islice(product(*choices), FULL + 1))) <= FULL:
        yield from product(*choices)
        return
    for base in ([c[0] for c in choices], [c[-1] for c in choices]):
        yield tuple(base)
        for place, options in enumerate(choices):
            yield from ((*base[:place], option, *base[place + 1 :]) for option in options[1:])
            yield (*base[:place], options[0], *base[place + 1 :])


def variants(contents: list[Content]) -> Iterator[Content]:
    """Yield what a file may hold, of which the first content is durable and the last is kept last.

    Each version in between; each write torn in its middle; each write zeros, and all of them.
    """
    durable, last = contents[0], contents[-1]
    yield from contents[:-1]
    for old, new in zip(contents, contents[1:], strict=False):
        same = len(os.path.commonprefix([old, new]))
        if len(new) - same > 1:
            yield new[: (same + len(new)) // 2]
        if len(new) > same and len(last) >= len(new):
            yield last[:same] + bytes(len(new) - same) + last[len(new) :]
    if len(contents) > 2:
        same = len(os.path.commonprefix([durable, last]))
        yield last[:same] + bytes(len(last) - same)
    yield last


def disks(ops: Sequence[Op], after: int = 0) -> Iterator[tuple[int, list[Line], Tree]]:
    """Yield the different disks of a cut after each operation, with what was told by then.

    The number says after which operation; those before `after` are not cut off.
    """
    disk, told = Disk(), list[Line]()
    seen: set[bytes] = set()
    for place, op in enumerate(ops):
        disk.take(op)
        if isinstance(op, Told):
            told.append(op.line)
        if place < after:
            continue
        for tree in disk.trees():
            known = mark(tree, len(told))
            if known not in seen:
                seen.add(known)
                yield place, list(told), tree


def mark(tree: Tree, told: int) -> bytes:
    """Return what tells a disk from others, with how much was told by then."""
    digest = hashlib.sha256(str(told).encode())
    for path, content in sorted(tree.items()):
        digest.update(f"{path}\0{'' if content is None else len(content)}\0".encode())
        digest.update(content or b"")
    return digest.digest()


def made(tree: Tree, folder: Path) -> Path:
    """Make a tree below a new folder, as private as the program makes it."""
    folder.mkdir(mode=0o700)
    for path, content in sorted(tree.items()):
        if content is None:
            (folder / path).mkdir(mode=0o700)
        else:
            (folder / path).write_bytes(content)
            (folder / path).chmod(0o600)
    return folder
