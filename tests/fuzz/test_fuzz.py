"""Nothing that is read from outside crashes, hangs or fills the memory, whatever it is."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .. import source
from ..faults.report import REPORT, Sweep
from .bench import MOST_MEMORY, Bench, Target
from .files import FILES
from .inputs import LARGE, blown_up, mutated
from .targets import PURE

NAMES = sorted([*PURE, *FILES])
COUNT = 1_300
"""Inputs for each target, beside the seeds: more than 20,000 together."""


def run(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """Fuzz in a process of its own; what kills it is a violation too."""
    mark = folder / "input"
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--mark", str(mark), *arguments],
        cwd=source.ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={name: value for name, value in os.environ.items() if name != REPORT},
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1):
        last = mark.read_bytes()[:400] if mark.exists() else b""
        found.append({"target": "?", "inputs": 1, "grown": 0, "seconds": 0})
        found[-1]["wrong"] = [f"ended with {done.returncode} at {last!r}: {done.stderr[-800:]}"]
    return found


def wrong(found: list[dict[str, Any]]) -> list[str]:
    """Return what was found wrong, and what took more memory than inputs of 64 KB may."""
    said = [f"{each['target']}: {what}" for each in found for what in each["wrong"]]
    grown = [f"{e['target']}: {e['grown'] >> 20} MB" for e in found if e["grown"] > 4 * MOST_MEMORY]
    return said + grown


def test_some_hundred_inputs_of_every_kind(tmp_path: Path) -> None:
    """Every target takes its seeds, whole and cut, and some more."""
    found = run(tmp_path, "--count", "25")
    assert wrong(found) == []
    assert [each["target"] for each in found] != []
    assert {each["target"] for each in found} == set(NAMES)
    assert sum(each["inputs"] for each in found) > 1_000


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    """What all targets add up to, reported at the end."""
    made = Sweep("fuzz")
    yield made
    made.done()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", NAMES)
def test_thousands_of_inputs(tmp_path: Path, name: str, sweep: Sweep) -> None:
    """Every target takes thousands of inputs, and those of 64 KB in bounded memory and time."""
    found = run(tmp_path, name, "--count", str(COUNT), "--large")
    sweep.points += sum(each["inputs"] for each in found)
    sweep.wrong += wrong(found)
    assert wrong(found) == []
    assert sum(each["inputs"] for each in found) > COUNT


# ── the bench itself ──


def fail(data: bytes) -> None:
    """Break on one letter."""
    assert b"x" not in data


def test_a_failure_is_found_and_made_small(tmp_path: Path) -> None:
    """What raises is noted, with the smallest input that does."""
    bench = Bench(Target("t", fail, (b"abcx",)), tmp_path / "mark")
    bench.many(300, 1)
    (said,) = bench.wrong
    assert said.endswith(" for b'x'") or len(said) < 200


def test_a_hang_is_killed_and_named(tmp_path: Path) -> None:
    """An input that takes too long ends the process, and stands in the mark."""
    code = (
        "import tests.fuzz.bench as bench; bench.DEADLINE = 0.2\n"
        "import pathlib, sys\n"
        "def spin(data):\n"
        "    while data == b'spin': pass\n"
        "bench.Bench(bench.Target('t', spin, ()), pathlib.Path(sys.argv[1])).try_one(b'spin')\n"
    )
    mark = tmp_path / "mark"
    done = subprocess.run([sys.executable, "-c", code, mark], cwd=source.ROOT, check=False)
    assert done.returncode == -signal.SIGPROF
    assert mark.read_bytes() == b"t\nspin"


def test_memory_is_measured(tmp_path: Path) -> None:
    """An input of 64 KB that takes more than its share is a violation."""
    taken: list[bytes] = []

    def take(data: bytes) -> None:
        taken[:] = [bytes(MOST_MEMORY + 1)] if len(data) == LARGE else []

    bench = Bench(Target("t", take, (b"ab",)), tmp_path / "mark")
    bench.large()
    assert len(bench.wrong) == 1
    assert [len(data) for data in blown_up(b"ab")] == [LARGE, LARGE]


def test_inputs_are_the_same_for_the_same_number() -> None:
    """A failure can be had again by its seed."""
    assert [mutated(b"seed", n) for n in range(50)] == [mutated(b"seed", n) for n in range(50)]
    assert len({mutated(b"seed", n) for n in range(50)}) > 30
