"""Every errno at every call that changes something, once and for ever, in a run and in a start."""

import math
from collections.abc import Iterator, Sequence

from .children import opening, place, playing
from .driver import Line
from .kills import calls_of, copied, deaths
from .oracle import LOGS, TRANSCRIPT
from .report import Sweep, spread
from .tracing import CHANGING, LOOKING, Call, Trial, trial
from .verdicts import Verdicts, verdict

ERRORS = ("ENOSPC", "EIO", "EROFS", "EMFILE", "EINTR")
RETRIED = ("write", "pwrite64", "fsync", "ftruncate", "fchmod", "flock", "openat") + ("openat2",)
"""Calls that are made again after EINTR: for ever would be for ever."""
ONCE = ("newfstatat", "close")
"""Calls without which no program can go on."""
ALL = (*CHANGING, *LOOKING)
STARTS = 4
"""States that are started from: each has a hundred and more faults."""


def failing(call: Call, error: str, *, ever: bool) -> str:
    """Return strace's words for an errno at a call, and at all later ones of its name."""
    return f"{call.name}:error={error}:when={call.place}{'+' if ever else ''}"


def faults(calls: Sequence[Call]) -> Iterator[tuple[Call, str, str]]:
    """Yield each fault: the call, what to call it, and what to tell strace."""
    for call in calls:
        for error in ("EIO",) if call.name in LOOKING else ERRORS:
            for ever in (False, True):
                endless = call.name in ONCE or (error == "EINTR" and call.name in RETRIED)
                if not (ever and endless):
                    name = f"{error} {'from' if ever else 'at'} {call}"
                    yield call, name, failing(call, error, ever=ever)


def errno_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """Play through each fault; then look at the run's own words, recover, judge."""
    with place() as folder:
        calls = calls_of(playing, folder, ALL)
    for call, name, inject in spread(list(faults(calls)), most):
        with place() as folder:
            done = trial(folder, playing, inject, calls=ALL)
            wrong = [*honest(done), *bearable(done, call, ever="from" in name)]
            sweep.point(name, wrong + verdict(done.lines, folder))
    return sweep


def errno_start_sweep(sweep: Sweep, most: int = 0) -> Sweep:
    """From states that kills leave, start through each fault; then start without one, judge."""
    with deaths(math.isqrt(most) or STARTS) as found:
        for death in found:
            verdicts = Verdicts(death.lines)
            with copied(death.saved) as folder:
                calls = calls_of(opening, folder, ALL)
            for _, name, inject in spread(list(faults(calls)), math.isqrt(most)):
                with copied(death.saved) as folder:
                    done = trial(folder, opening, inject, calls=ALL)
                    told = [f"the start: {line}" for line in done.lines if "crashed" in line]
                    ended = [] if done.status >= 0 else [f"the start ended with {done.status}"]
                    wrong = told + ended + verdicts.on(folder)
                    sweep.point(f"{death.name}, start with {name}", wrong)
    return sweep


def honest(done: Trial) -> Iterator[str]:
    """Yield what a run hid: a failure that nobody was told, a failed fsync that was tried again."""
    if done.status < 0:
        yield f"the run ended with {done.status}"
    broken: set[str] = set()
    for call in done.calls:
        if call.name == "fsync" and call.path in broken and call.path.endswith(LOGS):
            yield f"I11 another fsync after a failed one: {call}"
        if not call.injected or call.error == "EINTR":
            continue
        if call.name == "fsync":
            broken.add(call.path)
        if matters(call) and not _told(done.lines):
            yield f"I16 nobody was told of {call.error} at {call}"
    if any(path.endswith(TRANSCRIPT) for path in broken):
        yield from _after(done.lines)


def matters(call: Call) -> bool:
    """Whether something that was promised may be missing when this call fails."""
    logs = call.path.endswith(LOGS)
    workspace = "/workspace" in call.path
    return (logs and call.name in ("write", "fsync")) or (
        workspace and call.name in ("write", "fsync", "renameat")
    )


def _told(lines: Sequence[Line]) -> bool:
    return any("failed" in line or "refused" in line for line in lines) or any(
        '"error"' in str(message["content"])
        for line in lines
        for message in _messages(line)
        if message["role"] == "tool"
    )


def _messages(line: Line) -> list[dict[str, object]]:
    found = line.get("messages", [])
    return found if isinstance(found, list) else []


def _after(lines: Sequence[Line]) -> Iterator[str]:
    """Yield what was promised after the fsync of the transcript had failed."""
    failed = False
    for line in lines:
        failed = failed or "failed" in line
        if failed and ("acked" in line or "rewound" in line or "compacted" in line):
            yield f"I11 promised after a failed fsync: {line}"


def bearable(done: Trial, call: Call, *, ever: bool) -> Iterator[str]:
    """Yield a violation if one failure, of another kind than fsync, costs more than one thing."""
    failed = sum("failed" in line for line in done.lines)
    if not ever and call.name != "fsync" and failed > 1:
        yield f"I15 one failed {call.name} cost {failed} operations"
