"""A process for each fault: forked from this one, which has everything loaded already.

So a run takes milliseconds, and the system calls in it are those of the storage code alone.
"""

import json
import logging
import os
import resource
import select
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from chyan_agent.errors import AgentError

from .driver import Line, Say, opened, play, teller

LONGEST = 20
"""Seconds after which a child hangs; SIGALRM ends it."""

PAUSE = 0.001
INTERRUPTED = 130

Action = Callable[[Path, Say], int]


def playing(folder: Path, say: Say) -> int:
    """Play the session, or say why it can't be opened."""
    try:
        return 5 if play(folder, say) else 0
    except AgentError as error:
        say({"refused": str(error)})
        return error.exit_code
    except KeyboardInterrupt:
        say({"refused": "interrupted while it began or ended"})
        return INTERRUPTED


def opening(folder: Path, say: Say) -> int:
    """Open and close, as a start of the program does, or say why that is not possible."""
    try:
        with opened(folder):
            return 0
    except AgentError as error:
        say({"refused": str(error)})
        return error.exit_code


def nothing() -> None:
    """Prepare nothing."""


def limited(size: int, *, deadly: bool) -> Callable[[], None]:
    """Return what lets no file of a process grow beyond so many bytes.

    The write that would do so takes a part; the next one fails, or is the end of the process.
    """

    def arm() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    return arm


class Child:
    """A process that waits, doing `meanwhile` again and again, and then acts."""

    def __init__(
        self,
        folder: Path,
        action: Action,
        arm: Callable[[], None] = nothing,
        meanwhile: Callable[[], None] = nothing,
    ) -> None:
        self._told, tell = os.pipe()
        wait, self._go = os.pipe()
        ready, report = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._go)

            def prepared() -> None:
                os.write(report, b"r")
                while not select.select([wait], [], [], PAUSE)[0]:
                    meanwhile()
                arm()

            _act(folder, action, prepared, teller(tell))
        for end in (tell, wait, report):
            os.close(end)
        # From here on it makes no call but those of `meanwhile` and of the action.
        os.read(ready, 1)
        os.close(ready)

    def go(self) -> None:
        """Let it act."""
        os.write(self._go, b"g")
        os.close(self._go)

    def lines(self) -> list[Line]:
        """Return all that it said, when it is at its end."""
        said = b""
        while piece := os.read(self._told, 1 << 16):
            said += piece
        os.close(self._told)
        return [json.loads(line) for line in said.splitlines()]

    def status(self) -> int:
        """Return its exit code, or minus the signal that ended it."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _act(folder: Path, action: Action, arm: Callable[[], None], say: Say) -> None:
    """Act and end. Never returns."""
    code = 70
    try:
        signal.alarm(LONGEST)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        arm()
        code = action(folder, say)
    except BaseException as error:  # a child that returned would go on as its parent
        say({"crashed": repr(error)})
    finally:
        os._exit(code)


def forked(
    folder: Path, action: Action, arm: Callable[[], None] = nothing
) -> tuple[list[Line], int]:
    """Run an action in a child, after `arm`; return what it said and how it ended."""
    child = Child(folder, action, arm)
    child.go()
    return child.lines(), child.status()


def scratch() -> str:
    """Return where to make folders: in memory if there is such a place, as fsync takes long."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def fresh(name: str) -> Path:
    """Make an empty folder; a killed process of the same number may have left one."""
    folder = Path(scratch(), name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


@contextmanager
def place() -> Iterator[Path]:
    """Make a folder for one trial; it is gone afterwards.

    Every trial of this process has the same one: paths are recorded, and so never differ.
    """
    folder = fresh(f"chyan-fault-{os.getpid()}")
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def rehearse() -> None:
    """Do everything once, so that whatever is loaded late is there before calls are counted."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.getLogger().addHandler(logging.NullHandler())
    with place() as folder:
        play(folder, lambda line: None)
        opening(folder, lambda line: None)
