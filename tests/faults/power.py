"""Real power cuts: a filesystem on a loop device loses all that was not made durable.

A child is killed at a call. Then the filesystem is shut down as by a power failure, mounted again
(which replays its journal), and the recovery judged. One without a journal can't be shut down so:
there the image is copied as it is at that moment, and checked by e2fsck before it is mounted.
"""

import ctypes
import fcntl
import os
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .children import Action, forked, fresh, playing
from .driver import Say
from .kills import calls_of, killed
from .report import Sweep, spread
from .tracing import Call
from .verdicts import verdict

SIZE = 8 << 20
SHUTDOWN = (2 << 30) | (4 << 16) | (ord("X") << 8) | 125
"""The ioctl FS_IOC_SHUTDOWN."""
NO_LOG_FLUSH = 2
NEW_NAMESPACE = 0x20000


@dataclass(frozen=True, slots=True)
class Mode:
    """A way in which ext4 keeps its promises: options of its making, and of its mount."""

    name: str
    make: tuple[str, ...]
    mount: str
    journal: bool = True


MODES = (
    Mode("ordered", (), "data=ordered"),
    Mode("writeback", (), "data=writeback,nodelalloc,noauto_da_alloc"),
    Mode("journal", (), "data=journal"),
    Mode("no-journal", ("-O", "^has_journal"), "noauto_da_alloc", journal=False),
)
CACHES = ("meta.json", "endpoints.json")
TOOLS = ("mkfs.ext4", "e2fsck", "mount", "umount")


@cache
def missing() -> str:
    """Return why no power can be cut here; nothing when it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root of a Linux machine can mount loop devices"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return f"{lacking[0]} is not installed"
    return trouble(_mounted_once)


def _mounted_once() -> None:
    with disk(MODES[0]) as made:
        made.fresh()


def trouble(mounting: Callable[[], None]) -> str:
    """Return why something can't be mounted here, tried by a child that keeps it to itself."""

    def action(folder: Path, say: Say) -> int:
        try:
            isolate()
            mounting()
        except OSError as error:
            say({"why": str(error)})
        return 0

    said, _ = forked(Path(), action)
    return str(said[0]["why"]) if said else ""


def isolate() -> None:
    """Keep the mounts of this process to itself: they vanish with it. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(NEW_NAMESPACE) != 0:
        raise OSError(f"mounting in private: {os.strerror(ctypes.get_errno())}")
    run("mount", "--make-rprivate", "/")


def run(*command: str | Path) -> None:
    """Run a command, quietly. Raises OSError with what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")


class Disk:
    """A filesystem in a file, mounted where each trial finds the same paths."""

    def __init__(self, folder: Path, mode: Mode) -> None:
        self._mode = mode
        self._new = folder / "new.img"
        self._image = folder / "disk.img"
        self._copy = folder / "copy.img"
        self.mounted = folder / "disk"
        self.mounted.mkdir()
        with self._new.open("wb") as file:
            file.truncate(SIZE)
        run("mkfs.ext4", "-q", "-F", "-m0", *mode.make, self._new)

    def fresh(self) -> Path:
        """Mount an empty disk; return the folder for a trial."""
        shutil.copyfile(self._new, self._image)
        self._mount(self._image)
        return self.mounted / "home"

    def cut(self) -> None:
        """Lose what is not durable, and come back."""
        if self._mode.journal:
            descriptor = os.open(self.mounted, os.O_RDONLY)
            try:
                fcntl.ioctl(descriptor, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
            finally:
                os.close(descriptor)
            self.unmount()
            self._mount(self._image)
        else:
            shutil.copyfile(self._image, self._copy)
            self.unmount()
            # Its answer is 1 when it mended something, as it has to.
            subprocess.run(["e2fsck", "-fy", self._copy], capture_output=True, check=False)
            self._mount(self._copy)
            self._forget()

    def _forget(self) -> None:
        """Unlink a cache that is none: without a journal, the name of a deleted file may come
        back and stand for whatever was made since."""
        for name in CACHES:
            path = self.mounted / "home" / "data" / name
            if path.is_dir():
                shutil.rmtree(path)
            elif path.exists() and stat.S_IMODE(path.stat().st_mode) != 0o600:
                path.unlink()

    def _mount(self, image: Path) -> None:
        run("mount", "-o", f"loop,{self._mode.mount}", image, self.mounted)

    def unmount(self) -> None:
        """Unmount."""
        run("umount", self.mounted)


@contextmanager
def disk(mode: Mode) -> Iterator[Disk]:
    """Make a disk; it is gone afterwards."""
    folder = fresh(f"chyan-power-{os.getpid()}")
    made = Disk(folder, mode)
    try:
        yield made
    finally:
        if os.path.ismount(made.mounted):
            made.unmount()
        shutil.rmtree(folder)


def power_sweep(sweep: Sweep, mode: Mode, most: int = 0, action: Action = playing) -> Sweep:
    """Cut the power at every call of a run (at `most` so many)."""
    with disk(mode) as made:
        folder = made.fresh()
        folder.mkdir()
        calls: list[Call] = calls_of(action, folder)
        made.unmount()
        for call in spread(calls, most):
            folder = made.fresh()
            folder.mkdir()
            os.sync()
            lines = killed(folder, action, call)
            made.cut()
            sweep.point(f"{mode.name}: {call}", verdict(lines, folder))
            made.unmount()
    return sweep
