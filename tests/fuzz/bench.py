"""Runs one target on many inputs, in this process, with a deadline that kills."""

import gc
import os
import random
import resource
import signal
import sys
import time
import traceback
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from mmap import mmap
from pathlib import Path
from types import FunctionType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from .inputs import blown_up, inputs, mutated

DEADLINE = 5.0
"""CPU seconds that an input may take: the system kills the process that takes more."""
TRACED = 4 * DEADLINE
"""The same where every allocation is watched."""
MOST_MEMORY = 48 << 20
"""Bytes that an input of 64 KB may take beside what was there before."""

OURS = "chyan_agent."

Check = Callable[[bytes], None]


@dataclass(frozen=True)
class Target:
    """What is tried: `check` raises nothing for any bytes, unless something is wrong."""

    name: str
    check: Check
    seeds: tuple[bytes, ...]


@dataclass
class Bench:
    """Tries inputs one by one; `wrong` is what went wrong, with the input."""

    target: Target
    mark: Path
    """Gets each input before it is tried, so that it is known which one killed us."""
    inputs: int = 0
    wrong: list[str] = field(default_factory=list)

    def try_one(self, data: bytes, deadline: float = DEADLINE) -> None:
        """Try an input; whatever it raises is noted, and raised on."""
        self.inputs += 1
        self.mark.write_bytes(self.target.name.encode() + b"\n" + data)
        # Counts the time of this process alone: a busy machine is not our fault.
        signal.setitimer(signal.ITIMER_PROF, deadline)
        try:
            self.target.check(data)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__} {str(error)[:200]} at {where.name}:{where.lineno}"
            self.wrong.append(f"{said} ({where.line}) for {data[:2000]!r}")
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def seeds(self) -> None:
        """Try the seeds as they are, and each of them cut short."""
        for data in self.target.seeds:
            self.quietly(data)
            for part in (1, 2, 3):
                self.quietly(data[: len(data) * part // 4])

    def large(self) -> None:
        """Try the seeds blown up, and see what memory the whole ones take: looking is slow."""
        for each in self.target.seeds:
            whole, *parts = blown_up(each) or [b""]
            tracemalloc.start()
            try:
                self.quietly(whole, TRACED)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
            if peak > MOST_MEMORY:
                self.wrong.append(f"{peak >> 20} MB for {whole[:60]!r}… of {len(whole)} bytes")
            for data in parts:
                self.quietly(data)

    def quietly(self, data: bytes, deadline: float = DEADLINE) -> None:
        """Try an input and go on after a failure, which is noted."""
        try:
            self.try_one(data, deadline)
        except Exception as error:
            if not self.wrong:
                raise RuntimeError("a failure that was not noted") from error

    def many(self, count: int, number: int) -> None:
        """Try inputs that Hypothesis makes; a failing one is made smaller before it is noted."""

        @seed(number)
        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        @given(inputs(self.target.seeds))
        def tried(data: bytes) -> None:
            self.try_one(data)

        try:
            tried()
        except Exception as error:
            if not self.wrong:
                raise RuntimeError("a failure that was not noted") from error
            del self.wrong[:-1]  # the last one is the smallest

    def during(self, seconds: float) -> None:
        """Try mutated seeds for some seconds of the clock."""
        end, rng = time.monotonic() + seconds, random.Random()
        while time.monotonic() < end and len(self.wrong) < 5:
            self.quietly(mutated(rng.choice(self.target.seeds), rng.getrandbits(48)))

    def guided(self, seconds: float) -> None:
        """Let atheris look for inputs that reach new code, in a child. Raises ImportError."""
        atheris = import_module("atheris")
        tried = mmap(-1, 8)
        child = os.fork()
        if not child:
            try:
                self._guide(atheris, seconds, tried)
            finally:
                traceback.print_exc()
                os._exit(1)  # the folders of the parent are not ours to clear
        _, status = os.waitpid(child, 0)
        self.inputs += int.from_bytes(tried[:], "big")
        if status:
            self.wrong.append(f"atheris ended with {status} at {self.mark.read_bytes()[:300]!r}")

    def _guide(self, atheris: Any, seconds: float, tried: mmap) -> None:
        before = self.inputs

        def one(data: bytes) -> None:
            self.try_one(data)
            tried[:] = (self.inputs - before).to_bytes(8, "big")

        for function in list(gc.get_objects()):
            if isinstance(function, FunctionType) and str(function.__module__).startswith(OURS):
                atheris.instrument_func(function)
        corpus = Path(os.environ.get("CHYAN_FUZZ_CORPUS", self.mark.parent), self.target.name)
        corpus.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(self.target.seeds):
            (corpus / f"seed-{number}").write_bytes(data)
        options = [f"-max_total_time={seconds:.0f}", "-max_len=65536", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *options, str(corpus)], one)
        atheris.Fuzz()


def peak_memory() -> int:
    """Return the most memory that this process ever had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
