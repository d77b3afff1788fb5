"""What the agent adds to a model call, in one run against an endpoint that answers at once.

Every figure is a median; what is compared is interleaved, so that a busy machine slows both.
"""

import argparse
import json
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from unittest.mock import patch

import hostile
import instant
import processes
import workload

from chyan_agent.agent import Agent
from chyan_agent.build import build
from chyan_agent.config import Config, LlmConfig
from chyan_agent.events import Event, Replied, Requested
from chyan_agent.tokens import counter

LONG = 1000
"""Turns from which on early and late ones are compared; before, the window is still filling."""
SHARE = 10
"""The early and the late part are each a tenth of the turns."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the result. It holds when `value` is at most `target`."""

    name: str
    value: float
    target: float
    unit: str
    note: str

    @property
    def holds(self) -> bool:
        """Whether the target is met."""
        return self.value <= self.target


@dataclass(slots=True)
class Sample:
    """One turn and the raw call beside it; times in seconds."""

    turn: float
    cpu: float
    raw: float
    raw_cpu: float
    assembly: float
    requests: int
    fsyncs: int
    syncing: float


@contextmanager
def watched_fsyncs() -> Iterator[list[float]]:
    """Yield a list that grows by the seconds of each os.fsync and os.fdatasync here."""
    took: list[float] = []

    def watched(sync: Callable[[int], None], descriptor: int) -> None:
        began = time.perf_counter()
        sync(descriptor)
        took.append(time.perf_counter() - began)

    with (
        patch.object(os, "fsync", partial(watched, os.fsync)),
        patch.object(os, "fdatasync", partial(watched, os.fdatasync)),
    ):
        yield took


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def assembly(agent: Agent, text: str) -> tuple[float, list[Event]]:
    """Run a turn; return the seconds up to its first own request that no model took."""
    events: list[Event] = []
    began, found = time.perf_counter(), -1.0
    for event in agent.run_turn(text):
        if isinstance(event, Requested) and event.step and found < 0:
            waited = sum(e.seconds for e in events if isinstance(e, Replied))
            found = time.perf_counter() - began - waited
        events.append(event)
    return found, events


def samples(agent: Agent, raw: Callable[[], object], turns: int) -> list[Sample]:
    """Run the turns, a raw call beside each."""
    taken = []
    with watched_fsyncs() as fsyncs:
        for number in range(1, turns + 1):
            raw_wall, raw_cpu = timed(raw)
            fsyncs.clear()
            cpu, wall = time.process_time(), time.perf_counter()
            first, events = assembly(agent, workload.question(number))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            requests = sum(isinstance(event, Requested) for event in events)
            taken.append(
                Sample(
                    wall, cpu, raw_wall, raw_cpu, first, requests, len(fsyncs), math.fsum(fsyncs)
                )
            )
    return taken


def turn_figures(taken: Sequence[Sample]) -> Iterator[Figure]:
    """Yield the figures of the long conversation."""
    plain = [s for s in taken[1:] if s.requests == 1]
    wall, raw = median(s.turn for s in plain), median(s.raw for s in plain)
    cpu, raw_cpu = median(s.cpu for s in plain), median(s.raw_cpu for s in plain)
    disk = median(s.syncing for s in plain)
    note = f"{wall * 1e3:.2f} ms, {disk * 1e3:.2f} of it fsync, against {raw * 1e3:.2f}"
    note += f"; CPU {cpu * 1e3:.2f} against {raw_cpu * 1e3:.2f}"
    yield Figure("a durable turn / a raw create()", wall / raw, 1.0, "×", note)
    most = max(s.fsyncs for s in plain)
    yield Figure("fsyncs in a plain turn", most, 1, "", "calls of os.fsync and os.fdatasync")
    if len(taken) >= LONG:
        yield _growth(taken)
    seen = sorted(s.assembly for s in taken[len(taken) // 2 :] if s.requests == 1)
    note = f"up to the request, second half; worst {seen[-1] * 1e3:.2f} ms"
    yield Figure("assembling and counting a warm window", median(seen) * 1e3, 1.0, "ms", note)


def _growth(taken: Sequence[Sample]) -> Figure:
    part = len(taken) // SHARE
    early, late = taken[1 : part + 1], taken[-part:]
    wall = _drift([(s.turn, s.raw) for s in late], [(s.turn, s.raw) for s in early])
    drift = _drift([(s.cpu, s.raw_cpu) for s in late], [(s.cpu, s.raw_cpu) for s in early])
    note = f"CPU, last {part} against turns 2-{part + 1}, relative to raw calls; wall {wall:.2f}"
    return Figure("late turns / early turns", drift, 1.1, "×", note)


def _drift(late: Sequence[tuple[float, float]], early: Sequence[tuple[float, float]]) -> float:
    """Return the growth of the turns, less that of the raw calls made at the same time."""
    (turn, raw), (turn_then, raw_then) = _medians(late), _medians(early)
    return (turn / turn_then) / (raw / raw_then)


def _medians(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(turn for turn, _ in pairs), median(raw for _, raw in pairs)


def hostile_figure(agent: Agent) -> Figure:
    """Return the worst of the awkward inputs, each in a window of its own."""
    worst, name = 0.0, ""
    for title, text in hostile.inputs().items():
        agent.reset()
        took = min(_fresh(agent, text) for _ in range(3))
        if took > worst:
            worst, name = took, title
    return Figure("any 64 KB input, counted and assembled", worst * 1e3, 60, "ms", f"worst: {name}")


def _fresh(agent: Agent, text: str) -> float:
    agent.reset()
    return assembly(agent, f"{time.perf_counter()} {text}")[0]


def counting_figure() -> Figure:
    """Return how long a KB takes to count in the most awkward of texts, by the default counter."""
    count = counter(Config().context.tokenizer)
    count("")
    took, name = hostile.slowest(count)
    return Figure("counting, worst ms per KB", took, 0.5, "ms", f"worst: {name}")


def process_figures(url: str, folder: Path, rounds: int) -> Iterator[Figure]:
    """Yield the figures of whole processes."""
    shown, bare = processes.help_ratio(rounds * 3)
    note = f"{shown * 1e3:.0f} ms against {bare * 1e3:.0f}"
    yield Figure("--help / a bare interpreter", shown / bare, 4.0, "×", note)
    ours, naive = processes.ready(url, folder, rounds)
    note = f"{ours:.2f} s against {naive:.2f}"
    yield Figure("ready for the first request / naive", ours / naive, 2.7 / 3.7, "×", note)
    peak = processes.rebuild_peak(folder / "data")
    yield Figure("peak memory of --rebuild-context", peak, 40, "MB", "VmHWM of the process")


def measure(folder: Path, turns: int, rounds: int) -> Iterator[Figure]:
    """Yield all figures."""
    import openai

    with instant.running() as url:
        llm = LlmConfig(base_url=url, api_key="bench", model="instant")
        config = replace(Config(), llm=llm, data_dir=str(folder / "data"))
        config = replace(config, tools=replace(config.tools, workspace=str(folder / "workspace")))
        messages = workload.raw_messages()
        client = openai.OpenAI(api_key="bench", base_url=url, max_retries=0)
        with client, build(config) as agent:
            workload.fill(agent)
            taken = samples(
                agent, lambda: client.chat.completions.create(model="m", messages=messages), turns
            )
        yield from turn_figures(taken)
        with build(replace(config, data_dir=str(folder / "hostile"))) as agent:
            yield hostile_figure(agent)
        yield counting_figure()
        yield from process_figures(url, folder, rounds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1000, help="turns of the long conversation")
    parser.add_argument("--quick", action="store_true", help="100 turns, no growth, few processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    options = parser.parse_args()
    os.environ["NO_PROXY"] = "127.0.0.1"
    turns, rounds = (100, 2) if options.quick else (options.turns, 5)
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for figure in measure(Path(folder), turns, rounds):
            figures.append(figure)
            verdict = "ok  " if figure.holds else "MISS"
            value = f"{figure.value:8.2f} ≤ {figure.target:5.2f} {figure.unit:2}"
            print(f"{verdict}  {figure.name:40} {value}  {figure.note}", flush=True)
    if options.json:
        rows = [{**asdict(figure), "holds": figure.holds} for figure in figures]
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
