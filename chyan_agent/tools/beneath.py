"""Opening what lies beneath a folder: in one call of the kernel, or component by component.

Neither way follows a symbolic link or leaves the folder, whatever is swapped meanwhile: links
are resolved before, in `sandbox`, and what has become one since is refused.
"""

import errno
import os
import platform
import struct
import sys
from collections.abc import Callable
from contextlib import suppress

Parts = tuple[str, ...]
"""Names of folders, and of what is opened, from the outside in; none of them is `..`."""

_AT_CWD = -100
_Call = Callable[[bytes, int, int], int]
"""Path, folder and flags to a descriptor."""

Opener = Callable[[int, Parts, int], int]
"""Returns a descriptor of what lies at `parts` beneath an open folder. Raises OSError."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a folder is opened."""
_OPENAT2 = 437
"""Number of the system call: the same on every architecture but Alpha."""
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RESOLVE = _BENEATH | _NO_MAGICLINKS | _NO_SYMLINKS
_LONGEST = 4095
"""Bytes of a path that one call takes."""


def stepwise(folder: int, parts: Parts, flags: int) -> int:
    """Open the folders one by one, none of them through a link: works on every system."""
    _check(parts)
    fd = os.dup(folder)
    try:
        for part in parts[:-1]:
            above, fd = fd, os.open(part, FOLDER, dir_fd=fd)
            os.close(above)
        return os.open(parts[-1] if parts else ".", flags | os.O_NOFOLLOW, dir_fd=fd)
    finally:
        os.close(fd)


def opener() -> Opener:
    """Return the kernel's own containment (openat2, Linux 5.6) where it is there and allowed."""
    if sys.platform != "linux" or platform.machine() == "alpha":
        return stepwise
    call = _openat2()
    with suppress(OSError):  # an older kernel, or a container that forbids the call
        os.close(call(os.curdir.encode(), _AT_CWD, FOLDER))
        return _by_kernel(call)
    return stepwise


def _check(parts: Parts) -> None:
    """Refuse what is no plain name, though nobody should ask for it."""
    for part in parts:
        if part in ("", ".", "..") or "/" in part or "\0" in part:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), part)


def _by_kernel(call: _Call) -> Opener:
    def beneath(folder: int, parts: Parts, flags: int) -> int:
        """Let the kernel resolve the whole path and refuse every link and every way out."""
        _check(parts)
        path = os.fsencode("/".join(parts)) or b"."
        if len(path) > _LONGEST:
            return stepwise(folder, parts, flags)
        return call(path, folder, flags | os.O_NOFOLLOW)

    return beneath


def _openat2() -> _Call:
    import ctypes

    # A copy of errno for this thread: the interpreter may make calls of its own in between.
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    syscall.restype = ctypes.c_long

    def call(path: bytes, folder: int, flags: int) -> int:
        how = struct.pack("=QQQ", flags | getattr(os, "O_LARGEFILE", 0), 0, _RESOLVE)
        while True:
            fd = syscall(
                ctypes.c_long(_OPENAT2),
                ctypes.c_int(folder),
                ctypes.c_char_p(path),
                ctypes.c_char_p(how),
                ctypes.c_size_t(len(how)),
            )
            if fd >= 0:
                return int(fd)
            if (number := ctypes.get_errno()) != errno.EINTR:
                raise OSError(number, os.strerror(number))

    return call


def existing(beneath: Opener, folder: int, parts: Parts) -> int:
    """Return how many of these folders are there, from the outside in. Raises OSError."""
    for count in range(len(parts), -1, -1):
        with suppress(FileNotFoundError):
            os.close(beneath(folder, parts[:count], FOLDER))
            return count
    return 0


def make(beneath: Opener, folder: int, parts: Parts) -> None:
    """Create folders one in the other, durably. Raises OSError."""
    if not parts:
        return
    with suppress(FileExistsError):
        os.mkdir(parts[0], 0o755, dir_fd=folder)
        os.fsync(folder)
    inner = beneath(folder, parts[:1], FOLDER)
    try:
        make(beneath, inner, parts[1:])
    finally:
        os.close(inner)
