"""SIGKILL at every call of a run, and at every call of the recovery from each of these deaths."""

import math
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .children import INTERRUPTED, Action, forked, limited, opening, place, playing, scratch
from .driver import Line
from .report import Sweep, spread
from .tracing import CHANGING, Call, trial
from .verdicts import Verdicts, digest, verdict

TORN = 24
"""States in which the last write is torn."""


def kill_at(call: Call) -> str:
    """Return strace's words for death at the entry of a call, which then does not happen."""
    return f"{call.name}:signal=SIGKILL:when={call.place}"


def killed(folder: Path, action: Action, call: Call) -> list[Line]:
    """Run an action that dies at a call; return what it had said. Raises RuntimeError if it lives.

    The lines of a run that goes another way than its rehearsal would prove nothing.
    """
    done = trial(folder, action, kill_at(call))
    if done.status != -9:
        raise RuntimeError(f"the run that should die at {call} ended with {done.status}")
    return done.lines


def calls_of(action: Action, folder: Path, calls: tuple[str, ...] = CHANGING) -> list[Call]:
    """Return the calls of an action that nothing disturbs."""
    done = trial(folder, action, calls=calls)
    if done.status != 0:
        raise RuntimeError(f"an undisturbed run ended with {done.status}: {done.lines[-1:]}")
    return done.calls


def kill_sweep(sweep: Sweep, most: int = 0, action: Action = playing) -> Sweep:
    """Kill a run at every call (at `most` so many), recover, judge."""
    with place() as folder:
        calls = calls_of(action, folder)
    for call in spread(calls, most):
        with place() as folder:
            lines = killed(folder, action, call)
            sweep.point(str(call), verdict(lines, folder))
    return sweep


@dataclass(frozen=True, slots=True)
class Death:
    """What a kill leaves: which one it was, what was said before, a copy of the disk."""

    name: str
    lines: list[Line]
    saved: Path


@contextmanager
def deaths(most: int = 0) -> Iterator[list[Death]]:
    """Kill a run at every call (at `most` so many), and in the middle of some of its writes.

    Yields each different state that this leaves.
    """
    found: dict[tuple[str, int], Death] = {}
    with tempfile.TemporaryDirectory(dir=scratch()) as shelf:
        for name, lines, folder in _killings(most):
            key = (digest(folder), len(lines))
            if key not in found:
                saved = Path(shelf, str(len(found)))
                shutil.copytree(folder, saved, symlinks=True)
                found[key] = Death(name, lines, saved)
        yield list(found.values())


def _killings(most: int) -> Iterator[tuple[str, list[Line], Path]]:
    with place() as folder:
        calls = calls_of(playing, folder)
        largest = max(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    for call in spread(calls, most):
        with place() as folder:
            yield str(call), killed(folder, playing, call), folder
    for size in spread(range(1, largest), (most + 1) // 2 or TORN):
        with place() as folder:
            lines, status = forked(folder, playing, limited(size, deadly=True))
            if status == -signal.SIGXFSZ:
                yield f"torn at {size}", lines, folder


@contextmanager
def copied(saved: Path) -> Iterator[Path]:
    """Yield a copy of a state in the place where it came to be."""
    with place() as folder:
        shutil.copytree(saved, folder, dirs_exist_ok=True, symlinks=True)
        yield folder


def interrupt_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """Press Ctrl-C at every call: what was asked then is lost at most, and the rest goes on."""
    with place() as folder:
        calls = calls_of(playing, folder)
    for call in spread(calls, most):
        with place() as folder:
            done = trial(folder, playing, f"{call.name}:signal=SIGINT:when={call.place}")
            wrong = [] if done.status in (0, 5, INTERRUPTED) else [f"it ended with {done.status}"]
            failed = [line for line in done.lines if "failed" in line]
            wrong += [f"I15 one Ctrl-C cost {len(failed)} operations"] if len(failed) > 1 else []
            sweep.point(str(call), wrong + verdict(done.lines, folder))
    return sweep


def recovery_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """From each state that a kill leaves, kill the recovery at each of its calls; then recover.

    With `most`, a few deaths and a few calls of each.
    """
    few = math.isqrt(most)
    with deaths(few) as found:
        for death in found:
            kill_recovery(sweep, death, few)
    return sweep


def kill_recovery(sweep: Sweep, death: Death, most: int = 0) -> None:
    """Kill the recovery of one state at each of its calls."""
    verdicts = Verdicts(death.lines)
    with copied(death.saved) as folder:
        calls = calls_of(opening, folder)
    for call in spread(calls, most):
        with copied(death.saved) as folder:
            killed(folder, opening, call)
            sweep.point(f"{death.name}, {call}", verdicts.on(folder))
