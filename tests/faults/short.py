"""Writes that stop early: the kernel's own (a size limit, a full disk) and those of a shim."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from .children import forked, limited, nothing, place, playing
from .driver import Line, Say, play
from .kills import calls_of
from .oracle import LOGS
from .power import run, trouble
from .report import Sweep, spread
from .script import OPS
from .verdicts import verdict

SHIM = "CHYAN_FAULTS_SHIM"
"""Names the preloaded library in a process that has one."""
PAGE = 4096
FREE = 24
"""Most pages that are free: with these the whole session has room."""
EVERY = 41
"""Bytes from one size limit to the next."""


def limit_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """Let no file grow beyond n bytes: the write that would is cut, then the next one fails.

    It fails with an error (the disk is full for ever) or by death (the machine is).
    """
    with place() as folder:
        play(folder, lambda line: None)
        largest = max(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    for size in spread(range(1, largest + 1, EVERY), most):
        for deadly in (False, True):
            with place() as folder:
                lines, status = forked(folder, playing, limited(size, deadly=deadly))
                wrong = [] if status in (0, 5, -signal.SIGXFSZ) else [f"it ended with {status}"]
                name = f"{size} bytes, {'death' if deadly else 'EFBIG'}"
                sweep.point(name, wrong + verdict(lines, folder))
    return sweep


@cache
def missing_shim() -> str:
    """Return why no library can be preloaded here; nothing when one can."""
    if sys.platform != "linux":
        return "the shim is for Linux"
    if shutil.which("gcc") is None:
        return "gcc is not installed"
    with tempfile.TemporaryDirectory() as folder:
        try:
            build_shim(Path(folder))
        except subprocess.CalledProcessError as error:
            return f"gcc can't build the library: {error}"
    return ""


def build_shim(folder: Path) -> Path:
    """Compile the library."""
    made = folder / "shim.so"
    source = Path(__file__).with_name("shim.c")
    command = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return made


def shim_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """Cut each write to each log at three places: the process goes on, or dies.

    Needs a process that has the shim. A write that only comes back short is made whole: nothing
    fails, and the file is what it would have been.
    """
    with place() as folder:
        writes = [c.path for c in calls_of(playing, folder) if c.name == "write"]
    wanted = play_plain()
    points = [
        (end, n, share, deadly)
        for end in LOGS
        for n in range(1, sum(path.endswith(end) for path in writes) + 1)
        for share in (1, 20, 90)
        for deadly in (False, True)
    ]
    for end, n, size, deadly in spread(points, most):
        with place() as folder:
            lines, status = forked(folder, playing, _armed(end, n, size, deadly=deadly))
            wrong = [] if status == (-9 if deadly else 0) else [f"it ended with {status}"]
            if not deadly and (folder / "data" / end).read_bytes() != wanted[end]:
                wrong.append(f"{end} is not what it is without a short write")
            name = f"write {n} of {end} stops at {size}{', death' if deadly else ''}"
            sweep.point(name, wrong + verdict(lines, folder))
    return sweep


def play_plain() -> dict[str, bytes]:
    """Return the logs of an undisturbed run."""
    with place() as folder:
        forked(folder, playing, nothing)
        return {end: (folder / "data" / end).read_bytes() for end in LOGS}


def _armed(end: str, n: int, size: int, *, deadly: bool) -> Callable[[], None]:
    def arm() -> None:
        library = ctypes.CDLL(os.environ[SHIM])
        library.shim_arm(end.encode(), n, ctypes.c_size_t(size), int(deadly))

    return arm


@cache
def missing_tmpfs() -> str:
    """Return why no small disk can be made here; nothing when one can."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        return "only root of a Linux machine can mount a tmpfs"
    return trouble(_mounted_once)


def _mounted_once() -> None:
    with small_disk(16 * PAGE):
        pass


@contextmanager
def small_disk(size: int) -> Iterator[Path]:
    """Mount a tmpfs of so many bytes."""
    with place() as folder:
        options = f"size={size},mode=700"
        run("mount", "-t", "tmpfs", "-o", options, "chyan", folder)
        try:
            yield folder
        finally:
            run("umount", folder)


def full_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """Play on a disk with n free pages. At the first failure it is freed, and stays so.

    What is asked after that is durable, without a restart.
    """
    for pages in spread(range(FREE), most):
        with small_disk(256 * PAGE) as folder:
            ballast = folder / "ballast"
            _fill(ballast)
            os.truncate(ballast, ballast.stat().st_size - pages * PAGE)
            lines, status = forked(folder / "home", _freeing(ballast), nothing)
            wrong = [] if status in (0, 5) else [f"it ended with {status}"]
            ballast.unlink(missing_ok=True)
            wrong += _later(lines)
            sweep.point(f"{pages} pages free", wrong + verdict(lines, folder / "home"))
    return sweep


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * PAGE)
        except OSError:
            return


def _freeing(ballast: Path) -> Callable[[Path, Say], int]:
    """Play, and make room as soon as something failed. A start that fails is tried again."""

    def action(folder: Path, say: Say) -> int:
        def freeing(line: Line) -> None:
            say(line)
            if "failed" in line:
                ballast.unlink(missing_ok=True)

        code = playing(folder, freeing)
        if ballast.exists() and code:
            ballast.unlink()
            code = playing(folder, say)
        return code

    return action


def _later(lines: list[Line]) -> Iterator[str]:
    """Yield a violation for more than one failure: the disk is free after the first."""
    failed = [line for line in lines if "failed" in line]
    if len(failed) > 1:
        yield f"I15 {len(failed)} operations failed on a disk that was freed: {failed[1]}"
    if sum("begun" in line for line in lines) < len(OPS):
        yield "the run ended early"
