"""Kill long runs again and again, for minutes: nothing may be lost, and nothing done twice.

    make torture ARGS='--minutes 10 --seed 0'

Runs of the stress rig are killed (SIGKILL) 0.1 to 2 seconds after they began, wrote their first
record, or ended their next turn, and are resumed at once, over and over. What was acknowledged
before a kill must be there at the end; each call that changes something must have begun once at
most; and checks, answers and files must be those of an undisturbed run.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from kill_test import (
    Answers,
    Result,
    acknowledged,
    compared,
    left_by,
    places,
    rows,
    start,
    whole,
)

from chyan_agent.build import now
from chyan_agent.durable.transcript import Transcript
from chyan_agent.rig.options import Places
from chyan_agent.state import Intended, MessageAdded, Record, Rewound
from tests.faults.report import report

SOONEST, LATEST = 0.1, 2.0
"""Seconds from a sign of life to the kill."""
PATIENCE = 60.0
"""Seconds that a run may take to show a sign of life."""
Sign = Callable[[Places], int]


@dataclass
class Tally:
    """What was done and what was found wrong."""

    kills: int = 0
    runs: int = 0
    acknowledged: int = 0
    """Turns that had been answered, summed over the kills."""
    wrong: list[str] = field(default_factory=list)


def main() -> int:
    """Torture for the time given; 0 when nothing was found wrong."""
    given = _arguments()
    rng, tally, began = random.Random(given.seed), Tally(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chyan-torture-") as folder:
        base = Path(folder)
        wanted = whole(places(base / "undisturbed"), given.turns, resume=False)
        if wanted.exit_code or not wanted.checks:
            print("the undisturbed run failed: nothing to compare with")
            return 2
        length = time.monotonic() - began
        print(f"undisturbed: {len(wanted.checks)} turns in {length:.0f} s", flush=True)
        until = began + length + given.minutes * 60
        while time.monotonic() < until:
            tally.runs += 1
            here = places(base / str(tally.runs))
            torture(here, given.turns, wanted, rng, until, tally)
    seconds = time.monotonic() - began
    report("torture", tally.kills, len(tally.wrong), seconds)
    print(
        f"torture: {tally.kills} kills in {tally.runs} runs of {given.turns} turns,"
        f" {tally.acknowledged} acknowledged turns looked for, {len(tally.wrong)} violations,"
        f" {seconds:.0f} s"
    )
    return 1 if tally.wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--turns", type=int, default=200, help="of each run")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    return parser.parse_args()


def torture(
    here: Places, turns: int, wanted: Result, rng: random.Random, until: float, tally: Tally
) -> None:
    """Kill one run until it ends in spite of that, or time is up; judge what it left."""
    before: list[Answers] = []
    code = None
    while code is None and time.monotonic() < until:
        child = start(here, turns, resume=bool(before))
        code = killed(child, here, rng)
        before.append(acknowledged(here))
        tally.kills += code is None
    got = whole(here, turns, resume=True) if code is None else left_by(here, code)
    tally.acknowledged += sum(map(len, before))
    lost = {turn for seen in before for turn, text in seen.items() if got.answers.get(turn) != text}
    found = [f"turn {turn} was acknowledged and is lost" for turn in sorted(lost)]
    names = ("checks", "answers", "files")
    same = compared(got, wanted)
    found += [f"{name} differ" for name, ok in zip(names, same, strict=True) if not ok]
    found += twice(here)
    tally.wrong += found
    kills = len(before) - (code is not None)
    print(f"run {tally.runs}: {kills} kills, {'; '.join(found) or 'as undisturbed'}", flush=True)


def killed(child: "subprocess.Popen[bytes]", here: Places, rng: random.Random) -> int | None:
    """Kill a run at a random moment; return its exit code if it ended before that."""
    _wait_for(rng.choice(SIGNS), child, here)
    try:
        return child.wait(rng.uniform(SOONEST, LATEST))
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return None


def _wait_for(sign: Sign, child: "subprocess.Popen[bytes]", here: Places) -> None:
    """Wait until a sign changes: on a slow machine too a run has to get on between kills."""
    seen, began = sign(here), time.monotonic()
    while child.poll() is None and sign(here) == seen and time.monotonic() < began + PATIENCE:
        time.sleep(0.01)


def _size(here: Places) -> int:
    log = here.data / "conversation.jsonl"
    return log.stat().st_size if log.exists() else 0


def _clock(here: Places) -> int:
    return time.monotonic_ns()


SIGNS: tuple[Sign, ...] = (_clock, _size, rows, rows)
"""From when the time to a kill counts: the start, the first record, the next turn's end."""


def twice(here: Places) -> Iterator[str]:
    """Yield the calls that began or ended twice on one branch of the conversation, and damage."""
    with closing(Transcript(here.data / "conversation.jsonl", clock=now, writable=False)) as log:
        seen: set[str] = set()
        for stored in log.survey():
            mark = _mark(stored.record)
            if mark in seen:
                yield f"{mark} twice (record {stored.seq})"
            seen = set() if isinstance(stored.record, Rewound) else seen | {mark} - {""}
        yield from map(str, log.problems)


def _mark(record: Record) -> str:
    match record:
        case Intended(_, call, _):
            return f"call {call} began"
        case MessageAdded(_, message) if message.role == "tool":
            return f"call {message.tool_call_id} ended"
    return ""


if __name__ == "__main__":
    sys.exit(main())
