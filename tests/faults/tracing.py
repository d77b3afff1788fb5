"""One process, one fault: a child plays or opens under strace, which kills it or lies to it.

The child is forked from this process, which has everything loaded, so that the calls which strace
counts are those of the storage code alone, and the same in every run.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .children import PAUSE, Action, Child, scratch
from .driver import Line

CHANGING = ("write", "pwrite64", "fsync", "ftruncate", "fchmod", "flock", "openat") + (
    "openat2",
    "mkdir",
    "mkdirat",
    "rename",
    "renameat",
    "unlink",
    "unlinkat",
)
"""The calls that change what is on the disk, or what this process may change there."""
LOOKING = ("pread64", "read", "getdents64", "newfstatat", "close")
"""The calls that tell what is there, or end it: a disk that can't be read is not an empty one."""
MARK = "fdatasync"
"""A call that only a waiting child makes: once it is in the log, strace misses nothing."""

_CALL = re.compile(r"(\w+)\((.*)\)\s+= (\?|-?\d+)(?:<.*>)?(?: (E\w+).*?)?( \(INJECTED\))?$")
_PATH = re.compile(r'\d+<([^>]*)>|"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """A system call as strace saw it."""

    name: str
    place: int
    """It is the n-th call of its name, from 1."""
    path: str
    error: str
    """The name of its errno, or nothing."""
    injected: bool

    def __str__(self) -> str:
        return f"{self.name}#{self.place} {Path(self.path).name}"


@dataclass(frozen=True, slots=True)
class Trial:
    """What a child said, what it did, and how it ended: an exit code, or minus a signal."""

    lines: list[Line]
    calls: list[Call]
    status: int


@cache
def missing() -> str:
    """Return why no process can be traced here; nothing when it can."""
    if sys.platform != "linux":
        return "strace is for Linux"
    if shutil.which("strace") is None:
        return "strace is not installed"
    with tempfile.TemporaryDirectory() as folder:
        try:
            trial(Path(folder), lambda where, say: 0)
        except OSError as error:
            return str(error)
    return ""


def trial(folder: Path, action: Action, *inject: str, calls: tuple[str, ...] = CHANGING) -> Trial:
    """Run an action in a child under strace with its `inject` expressions.

    Raises OSError when strace can't attach.
    """
    child = Child(folder, action, meanwhile=_mark)
    with tempfile.NamedTemporaryFile(dir=scratch(), suffix=".strace") as log:
        tracer = _attach(child.pid, log.name, inject, calls)
        child.go()
        lines, status = child.lines(), child.status()
        tracer.communicate()
        seen = log.read().decode("utf-8", "replace")
    return Trial(lines, _calls(seen, calls), status)


def _mark() -> None:
    with suppress(OSError):
        os.fdatasync(1 << 20)  # no such file


def _attach(
    child: int, log: str, inject: tuple[str, ...], calls: tuple[str, ...]
) -> "subprocess.Popen[bytes]":
    wanted = ",".join((*calls, MARK))
    expressions = [word for text in inject for word in ("-e", f"inject={text}")]
    command = ["strace", "-qq", "-y", "-o", log, "-e", f"trace={wanted}", "-e", "signal=none"]
    tracer = subprocess.Popen(
        [*command, *expressions, "-p", str(child)], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    while not Path(log).stat().st_size:
        if tracer.poll() is not None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise OSError(f"strace can't attach: {tracer.communicate()[1].decode().strip()}")
        time.sleep(PAUSE)
    return tracer


def _calls(log: str, names: tuple[str, ...]) -> list[Call]:
    counts = dict.fromkeys(names, 0)
    calls: list[Call] = []
    for line in log.splitlines():
        found = _CALL.match(line)
        if found is None or found[1] == MARK:
            continue
        name, arguments, _, error, injected = found.groups()
        counts[name] += 1
        calls.append(Call(name, counts[name], _path(name, arguments), error or "", bool(injected)))
    return calls


def _path(name: str, arguments: str) -> str:
    """Return what a call is about; a name in a folder that is open is put together."""
    paths = [a or b for a, b in _PATH.findall(arguments)]
    below = name.endswith("at") and len(paths) > 1 and not paths[1].startswith("/")
    return f"{paths[0]}/{paths[1]}" if below else (paths[0] if paths else "")
