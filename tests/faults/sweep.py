"""The sweeps over real processes, by their names, and the table of what they found.

python -m tests.faults.sweep [METHOD …] [--most N | --sample] [--fault NAME]
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import power, short, tracing
from .children import Action, rehearse
from .errnos import errno_start_sweep, errno_sweep
from .kills import interrupt_sweep, kill_sweep, recovery_sweep
from .planted import FAULTS, playing_with
from .report import REPORT, Sweep, report

SAMPLE = {"kill": 12, "recovery": 9, "errno": 16, "errno-start": 9}
FEW = 3
"""Points of each method, and of every other, in a sample."""
SHOWN = 12
"""Violations of a method that are told."""


Run = Callable[[Sweep, int, Action], object]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to disturb: why it can't be done here (or nothing), and the sweep."""

    missing: Callable[[], str]
    run: Run


def _sound(sweep: Callable[[Sweep, int], object]) -> Run:
    """Return a sweep in which no fault can be planted."""
    return lambda points, most, _: sweep(points, most)


def _power(mode: power.Mode) -> Method:
    def run(sweep: Sweep, most: int, action: Action) -> None:
        power.power_sweep(sweep, mode, most, action)

    return Method(lambda: tracing.missing() or power.missing(), run)


METHODS: Mapping[str, Method] = {
    "kill": Method(tracing.missing, kill_sweep),
    "recovery": Method(tracing.missing, _sound(recovery_sweep)),
    "interrupt": Method(tracing.missing, _sound(interrupt_sweep)),
    "errno": Method(tracing.missing, _sound(errno_sweep)),
    "errno-start": Method(tracing.missing, _sound(errno_start_sweep)),
    "limit": Method(lambda: "", _sound(short.limit_sweep)),
    "short": Method(lambda: short.missing_shim() or tracing.missing(), _sound(short.shim_sweep)),
    "full": Method(short.missing_tmpfs, _sound(short.full_sweep)),
    **{f"power-{mode.name}": _power(mode) for mode in power.MODES},
}


MODELS = {path.stem.removeprefix("test_"): path for path in Path(__file__).parent.glob("test_*.py")}
"""What needs no process of its own: files of tests, whose sweeps report themselves."""


def main() -> int:
    """Run the sweeps, print the table; 0 when nothing was violated."""
    given = _arguments()
    names = given.methods or [*METHODS, *(() if given.sample else sorted(MODELS))]
    if "short" in names and short.SHIM not in os.environ and not short.missing_shim():
        _with_shim()
    if not power.missing() or not short.missing_tmpfs():
        power.isolate()
    os.environ.pop("LD_PRELOAD", "")
    rehearse()
    print("| method | points | violations | seconds |\n|---|---:|---:|---:|", flush=True)
    most = SAMPLE if given.sample else {}
    wrong = [
        swept(n, most.get(n, FEW if most else given.most), given.fault)
        if n in METHODS
        else modelled(MODELS[n])
        for n in names
    ]
    skipped = sum(bool(METHODS[name].missing()) for name in names if name in METHODS)
    if skipped:
        print(f"{skipped} of {len(names)} methods were skipped")
    if short.SHIM in os.environ:
        shutil.rmtree(Path(os.environ[short.SHIM]).parent)
    return 1 if any(wrong) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.sweep", description=__doc__)
    parser.add_argument("methods", nargs="*", choices=[*METHODS, *MODELS, []], metavar="METHOD")
    parser.add_argument("--most", type=int, default=0, help="points of each method; 0: all")
    parser.add_argument("--sample", action="store_true", help="a few points of each method")
    parser.add_argument("--fault", default="", choices=["", *FAULTS], help="a planted fault")
    return parser.parse_args()


def _with_shim() -> None:
    """Begin again with the library for short writes, which has to be there from the start."""
    library = str(short.build_shim(Path(tempfile.mkdtemp())))
    environment = {**os.environ, "LD_PRELOAD": library, short.SHIM: library}
    again = [sys.executable, "-m", "tests.faults.sweep", *sys.argv[1:]]
    os.execve(sys.executable, again, environment)


def swept(name: str, most: int, fault: str) -> Sequence[str]:
    """Run one sweep, print its row; return what is wrong."""
    method = METHODS[name]
    why_not = method.missing()
    if why_not:
        print(f"| {name} | skipped: {why_not} | | |", flush=True)
        return ()
    sweep = Sweep(name)
    method.run(sweep, most, playing_with(fault))
    _, points, violations, seconds = sweep.done().split()
    print(f"| {name} | {points} | {violations} | {seconds} |", flush=True)
    for text in sweep.wrong[:SHOWN]:
        print(f"  {name}: {text[:400]}", file=sys.stderr, flush=True)
    return sweep.wrong


def modelled(path: Path) -> bool:
    """Run the sweeps of a file of tests, print their rows; return whether something is wrong."""
    began = time.monotonic()
    with tempfile.NamedTemporaryFile("r", suffix=".report") as file:
        command = [sys.executable, "-m", "pytest", "-q", "-m", "slow or not slow", str(path)]
        environment = {**os.environ, REPORT: file.name}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        rows = file.read().splitlines()
    rows = rows or [_counted(path, done.stdout, time.monotonic() - began)]
    for row in rows:
        print(f"| {' | '.join(row.split())} |", flush=True)
        _pass_on(row)
    if done.returncode:
        print(done.stdout[-4000:], file=sys.stderr, flush=True)
    return done.returncode != 0


def _counted(path: Path, said: str, seconds: float) -> str:
    """Return a row of what has no sweep: each test is a point."""
    good, bad = (
        sum(map(int, re.findall(rf"(\d+) {word}", said.strip().splitlines()[-1])))
        for word in ("passed", "failed")
    )
    return f"{path.stem.removeprefix('test_')} {good + bad} {bad} {seconds:.1f}"


def _pass_on(row: str) -> None:
    method, points, violations, seconds = row.split()
    report(method, int(points), int(violations), float(seconds))


if __name__ == "__main__":
    raise SystemExit(main())
