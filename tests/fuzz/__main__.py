"""Fuzzing from the command line: python -m tests.fuzz [TARGET …] [--count N] [--seconds S]."""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from ..faults.report import Sweep
from .bench import Bench, peak_memory
from .targets import targets


def main() -> int:
    """Try every target, or those named; print one line of JSON for each."""
    options = _options()
    sweep = Sweep("fuzz")
    memory = Path("/dev/shm")  # where files cost no waiting for a disk
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        mark = Path(options.mark or Path(folder) / "input")
        for name, target in targets(Path(folder)).items():
            if options.targets and name not in options.targets:
                continue
            bench, began, before = Bench(target, mark), time.monotonic(), peak_memory()
            bench.seeds()
            if options.large:
                bench.large()
            if options.count:
                bench.many(options.count, options.seed)
            if options.seconds:
                _search(bench, options.seconds)
            sweep.points += bench.inputs
            sweep.wrong += bench.wrong
            found = {
                "target": name,
                "inputs": bench.inputs,
                "wrong": bench.wrong,
                "seconds": round(time.monotonic() - began, 1),
                "grown": peak_memory() - before,
            }
            print(json.dumps(found), flush=True)
    sweep.done()
    return int(bool(sweep.wrong))


def _search(bench: Bench, seconds: float) -> None:
    try:
        bench.guided(seconds)
    except ImportError:
        bench.during(seconds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="default: all")
    parser.add_argument("--count", type=int, default=0, help="inputs that Hypothesis makes")
    parser.add_argument("--seed", type=int, default=1, help="of those inputs")
    parser.add_argument("--seconds", type=float, default=0, help="of a search for each target")
    parser.add_argument("--large", action="store_true", help="inputs of 64 KB, with their memory")
    parser.add_argument("--mark", help="file that gets each input before it is tried")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
