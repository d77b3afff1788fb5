"""What a very long conversation costs: starting, going back, going on, each in its own process.

    python benchmarks/scale.py                   # a million records
    python benchmarks/scale.py --records 100000

Times are medians; what is compared is interleaved, so that a busy machine slows both.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import scale_log

from chyan_agent.durable.transcript import Transcript
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded

MAIN = Path(__file__).resolve().parent.parent / "main.py"
SMALL = 1000
"""Records of the short conversation that the long one is compared with."""
APPENDS, BATCH = 4000, 50
OPEN = """
import json, re, sys, time
from pathlib import Path
from chyan_agent.conversation import Conversation
from chyan_agent.durable.transcript import Transcript

def asked(name, key):
    return int(re.search(key + r":\\s+(\\d+)", Path(name).read_text(encoding="ascii"))[1])

folder, turn = Path(sys.argv[1]), int(sys.argv[2])
read, cpu, wall = asked("/proc/self/io", "rchar"), time.process_time(), time.perf_counter()
transcript = Transcript(folder / "conversation.jsonl", clock=lambda: "2026-01-02T00:00:00.000")
conversation = Conversation(transcript, folder / "meta.json", name="main")
if turn >= 0:
    conversation.rewind(turn)
    assert conversation.state.last_turn == turn
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
read = asked("/proc/self/io", "rchar") - read
peak = asked("/proc/self/status", "VmHWM") / 1024
print(json.dumps([wall, cpu, read, peak]))
"""
"""Opens a conversation as the agent does, and goes back to a turn unless that is -1."""
PEAK = """
import re, sys, time
from pathlib import Path
from chyan_agent.cli import main
code = main(sys.argv[1:])
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text(encoding="ascii"))[1]
print(time.process_time(), peak, file=sys.stderr)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the result; without a target it is only told."""

    name: str
    value: float
    unit: str
    note: str
    target: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the target is met."""
        return self.target is None or self.value <= self.target

    def line(self) -> str:
        """Return it as a line of the table."""
        target = "" if self.target is None else f"≤ {self.target:g}"
        verdict = "ok  " if self.holds else "MISS"
        return f"{verdict}  {self.name:44} {self.value:9.3f} {target:7} {self.unit:3} {self.note}"


@dataclass(frozen=True, slots=True)
class Ran:
    """A process that ended: what it wrote, to stderr too, its wall and its CPU seconds."""

    out: str
    told: str
    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Opened:
    """What it took to open a conversation: seconds, CPU seconds, bytes read, peak MB."""

    wall: float
    cpu: float
    read: float
    peak: float


def run(command: Sequence[str]) -> Ran:
    """Run Python to its end. It must succeed."""
    began, cpu = time.monotonic(), _cpu_of_children()
    ran = subprocess.run(
        [sys.executable, *command], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    took, cpu = time.monotonic() - began, _cpu_of_children() - cpu
    told = ran.stderr.decode(errors="replace")
    if ran.returncode:
        raise SystemExit(f"{command[-4:]} failed: {told}")
    return Ran(ran.stdout.decode(), told, took, cpu)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def opened(folder: Path, turn: int = -1) -> Opened:
    """Open a conversation in a process of its own."""
    return Opened(*json.loads(run(["-c", OPEN, str(folder), str(turn)]).out))


def resume(long: Path, short: Path, size: int, rounds: int) -> Iterator[Figure]:
    """Yield what a start costs."""
    pairs = [(opened(long), opened(short)) for _ in range(rounds)]
    wall, cpu = median(a.wall for a, _ in pairs), median(a.cpu for a, _ in pairs)
    less, peak = median(b.wall for _, b in pairs), max(a.peak for a, _ in pairs)
    note = f"CPU {cpu * 1e3:.1f} ms; with {SMALL:,} records {less * 1e3:.1f} ms; peak {peak:.0f} MB"
    yield Figure("resume from the snapshot", wall, "s", note, 0.5)
    read = max(a.read for a, _ in pairs)
    note = f"of {size / 1e6:,.0f} MB, snapshot and index included"
    yield Figure("read for it", read / 1e3, "KB", note, 5000)


def command_line(long: Path, short: Path, rounds: int) -> Iterator[Figure]:
    """Yield what one question costs at the command line, with the offline model."""

    def ask(folder: Path) -> Ran:
        place = ["--data-dir", str(folder), "--workspace", str(folder / "workspace")]
        return run([str(MAIN), "--offline", *place, "--session", "main", "你好"])

    ask(short)
    pairs = [(ask(long), ask(short)) for _ in range(rounds)]
    took, less = median(a.cpu for a, _ in pairs), median(b.cpu for _, b in pairs)
    wall, sooner = median(a.wall for a, _ in pairs), median(b.wall for _, b in pairs)
    note = f"CPU {took:.2f} s against {less:.2f} s with {SMALL:,} records, whole processes; "
    note += f"wall {wall:.2f} against {sooner:.2f}"
    yield Figure("a question by main.py / a short conversation", took / less, "×", note, 1.2)


def going_back(long: Path, turns: int) -> Iterator[Figure]:
    """Yield what --resume-from-turn costs: from late to early, so that all are there."""
    for name, turn in (("late", turns - turns // 50), ("middle", turns // 2), ("early", 20)):
        found = min((opened(long, turn - n) for n in range(3)), key=lambda one: one.wall)
        note = f"turn {turn:,}: CPU {found.cpu * 1e3:.0f} ms, {found.read / 1e3:,.0f} KB read, "
        note += f"peak {found.peak:.0f} MB"
        yield Figure(f"back to a {name} turn", found.wall, "s", note, 0.5)


def appending(long: Path, short: Path) -> Figure:
    """Return how much slower a record is written to the long log than to the short one."""
    logs = [Transcript(p / "conversation.jsonl", clock=lambda: scale_log.TS) for p in (long, short)]
    record = MessageAdded(10**6, Message("user", "续写 and go on " * 20))
    took: list[list[float]] = [[], []]
    for log in logs:
        log.seq = max(log.seq, 10**6)  # no turn is larger than the number of its record
    for _ in range(APPENDS // BATCH):
        for log, times in zip(logs, took, strict=True):
            for _ in range(BATCH):
                began = time.perf_counter()
                log.append(record)
                times.append(time.perf_counter() - began)
    for log in logs:
        log.close()
    far, near = median(took[0]), median(took[1])
    note = f"p50 {far * 1e6:.1f} µs against {near * 1e6:.1f} µs, without fsync"
    return Figure("append to a long log / to a short one", far / near, "×", note, 1.1)


def rebuilding(folder: Path) -> Iterator[Figure]:
    """Yield what drawing everything anew from the log costs."""
    ran = run(["-c", PEAK, "--data-dir", str(folder), "--rebuild-context"])
    cpu, peak = map(float, ran.told.split()[-2:])
    note = f"--rebuild-context, CPU {cpu:.1f} s, peak {peak / 1024:.0f} MB"
    yield Figure("rebuild without a snapshot", ran.wall, "s", note)


def measure(folder: Path, records: int, rounds: int) -> Iterator[Figure]:
    """Yield all figures."""
    long, short = folder / "long", folder / "short"
    began = time.monotonic()
    made = scale_log.make(long / "conversation.jsonl", records)
    scale_log.make(short / "conversation.jsonl", SMALL)
    note = f"{made.records:,} records, {made.turns:,} turns, {made.size / 1e6:,.0f} MB"
    yield Figure("making the log", time.monotonic() - began, "s", note)
    yield from rebuilding(long)
    opened(short)
    yield from resume(long, short, made.size, rounds)
    yield from command_line(long, short, rounds)
    yield from going_back(long, made.turns)
    yield appending(long, short)


def main() -> None:
    """Print the table; ends with 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5, help="processes of each kind")
    options = parser.parse_args()
    held = True
    with tempfile.TemporaryDirectory(prefix="chyan-scale-") as folder:
        for figure in measure(Path(folder), options.records, options.rounds):
            print(figure.line(), flush=True)
            held &= figure.holds
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
