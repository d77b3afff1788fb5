"""Kill the stress run at random moments, resume it, and compare with an undisturbed run.

    python scripts/kill_test.py --kills 20

Each trial is a fresh run that is killed (SIGKILL) one to three times, resumed after each, and
played to its end. Then every check, every answer and every file of the workspace must be the same
as in the undisturbed run, and no turn that was acknowledged before a kill may be lost.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chyan_agent.rig.options import Places
from chyan_agent.rig.recovery import answered
from chyan_agent.rig.rows import read

RUN = Path(__file__).with_name("run_100_turns.py")
Answers = dict[int, str]


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill, and what had been acknowledged by then."""

    after: float
    acknowledged: Answers


@dataclass(frozen=True, slots=True)
class Result:
    """What a whole run left behind."""

    checks: dict[int, tuple[bool, str]]
    answers: Answers
    files: dict[str, bytes]
    exit_code: int


def main() -> int:
    """Run the trials; 0 when all came out like the undisturbed run and nothing was lost."""
    arguments = _arguments()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="chyan-kill-") as folder:
        base = Path(folder)
        began = time.monotonic()
        wanted = whole(places(base / "undisturbed"), arguments.turns, resume=False)
        length = time.monotonic() - began
        passed = sum(ok for ok, _ in wanted.checks.values())
        print(f"undisturbed: {len(wanted.checks)} turns, {passed} passed, {length:.1f} s")
        print("| trial | killed after (s) | acknowledged | lost | checks | answers | files |")
        print("|---:|---|---|---:|---|---|---|", flush=True)
        good = [
            trial(number, base / str(number), kills, wanted, arguments.turns)
            for number, kills in enumerate(moments(rng, arguments.kills, length), start=1)
        ]
    print(f"{sum(good)} of {len(good)} trials came out the same, {arguments.kills} kills")
    return 0 if all(good) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    return parser.parse_args()


def moments(rng: random.Random, kills: int, length: float) -> Iterator[list[float]]:
    """Yield the moments of each trial, in seconds after each start; `kills` in all."""
    while kills > 0:
        size = min(rng.randint(1, 3), kills)
        kills -= size
        yield [rng.uniform(0.0, length) for _ in range(size)]


def trial(number: int, folder: Path, delays: list[float], wanted: Result, turns: int) -> bool:
    """Run, kill, resume to the end; print a line of the table; True if all is the same."""
    here = places(folder)
    kills = [killed(here, turns, delay, resume=n > 0) for n, delay in enumerate(delays)]
    got = whole(here, turns, resume=True)
    lost = sum(
        got.answers.get(turn) != answer
        for kill in kills
        for turn, answer in kill.acknowledged.items()
    )
    same = [
        got.checks == wanted.checks and got.exit_code == wanted.exit_code,
        got.answers == wanted.answers,
        got.files == wanted.files,
    ]
    when = ", ".join(f"{kill.after:.2f}" for kill in kills)
    reached = ", ".join(str(len(kill.acknowledged)) for kill in kills)
    words = " | ".join("same" if one else "DIFFERENT" for one in same)
    print(f"| {number} | {when} | {reached} | {lost} | {words} |", flush=True)
    return not lost and all(same)


def places(folder: Path) -> Places:
    """Return the files of a run below a folder."""
    return Places(folder, folder / "run")


def start(here: Places, turns: int, *, resume: bool) -> "subprocess.Popen[bytes]":
    """Start a run in a process of its own."""
    flags = ["--turns", str(turns), "--output", str(here.output), *(["--resume"] * resume)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, str(RUN), *flags], stdout=quiet, stderr=quiet)


def killed(here: Places, turns: int, delay: float, *, resume: bool) -> Kill:
    """Run for `delay` seconds, then kill."""
    child = start(here, turns, resume=resume)
    time.sleep(delay)
    child.kill()
    child.wait()
    return Kill(delay, acknowledged(here))


def acknowledged(here: Places) -> Answers:
    """Return the answers given by now: those with a row, and the one that lacks it yet."""
    answers = _answers(here)
    if here.journal.exists():
        pending = json.loads(here.journal.read_text(encoding="utf-8"))
        number = pending["index"] + 1
        messages = () if pending["redo"] or number in answers else answered(here.data, number)
        if messages:
            answers[number] = messages[-1].content
    return answers


def _answers(here: Places) -> Answers:
    return {row.turn: row.answer for row in read(here.rows)} if here.rows.exists() else {}


def whole(here: Places, turns: int, *, resume: bool) -> Result:
    """Run to the end and return what it left."""
    code = start(here, turns, resume=resume).wait()
    verdicts = {row.turn: (row.verdict.ok, row.verdict.why) for row in read(here.rows)}
    files = {
        str(path.relative_to(here.workspace)): path.read_bytes()
        for path in sorted(here.workspace.rglob("*"))
        if path.is_file()
    }
    return Result(verdicts, _answers(here), files, code)


if __name__ == "__main__":
    raise SystemExit(main())
