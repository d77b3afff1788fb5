"""Are the methods able to fail? Faults are planted, and each says at how many points it sees one.

    python -m tests.faults.mutants [--most N]

Each fault has to be seen by two of the three methods, and a sound program by none of them.
"""

import argparse
import sys
from collections.abc import Callable, Mapping

from . import alice, power, tracing
from .children import place, rehearse
from .kills import kill_sweep
from .planted import FAULTS, playing_with
from .report import Sweep, spread
from .script import OPS
from .test_alice import played, wrong

MOST = 60
"""Points of each sweep: a fault that is there shows at many of them."""
MODELLED = 400
"""Disks of the model that are judged, of all that a cut may leave."""
ALICE = 4
"""Operations that are played for the model: a file is overwritten in the last of them."""
NEEDED = 2
SOUND = ""

Method = Callable[[Sweep, str, int], object]


def _kill(sweep: Sweep, fault: str, most: int) -> None:
    # All points: a file that is overwritten is half there between two calls alone.
    kill_sweep(sweep, 0, playing_with(fault))


def _power(sweep: Sweep, fault: str, most: int) -> None:
    for mode in power.MODES:
        power.power_sweep(sweep, mode, most // len(power.MODES), playing_with(fault))


def _alice(sweep: Sweep, fault: str, most: int) -> None:
    with place() as folder:
        cuts = list(alice.disks(played(folder, OPS[:ALICE], fault)))
        for cut in spread(cuts, MODELLED):
            sweep.point("cut", wrong(cut, folder))


METHODS: Mapping[str, tuple[Callable[[], str], Method]] = {
    "kill": (tracing.missing, _kill),
    "power": (lambda: tracing.missing() or power.missing(), _power),
    "alice": (lambda: "", _alice),
}


def main() -> int:
    """Print the matrix; 0 when every planted fault is seen by enough methods, and nothing else."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.mutants", description=__doc__)
    parser.add_argument("--most", type=int, default=MOST, help="points of each sweep")
    most = parser.parse_args().most
    reasons = {name: missing() for name, (missing, _) in METHODS.items()}
    able = [name for name, reason in reasons.items() if not reason]
    for name, reason in reasons.items():
        if reason:
            print(f"{name} is skipped: {reason}", file=sys.stderr)
    if "power" in able:
        power.isolate()
    rehearse()
    print(f"| planted fault | {' | '.join(able)} |\n|---|{'---:|' * len(able)}", flush=True)
    needed = min(NEEDED, len(able))
    good = [row(fault, able, most, needed) for fault in (SOUND, *FAULTS)]
    print(f"{sum(good) - 1} of {len(FAULTS)} faults are seen by {needed} methods or more")
    return 0 if all(good) else 1


def row(fault: str, methods: list[str], most: int, needed: int) -> bool:
    """Print a row of the matrix; return whether it is as it should be."""
    print(f"| {fault or 'none'} ", end="", flush=True)
    seen = 0
    for name in methods:
        sweep = Sweep(name)
        METHODS[name][1](sweep, fault, most)
        seen += sweep.bad > 0
        print(f"| {sweep.bad} of {sweep.points} ", end="", flush=True)
        if fault == SOUND and sweep.wrong:
            print(*sweep.wrong[:3], sep="\n", file=sys.stderr)
    print("|", flush=True)
    return seen >= needed if fault else seen == 0


if __name__ == "__main__":
    raise SystemExit(main())
