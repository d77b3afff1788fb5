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
class Moment:
    """When to kill: so many seconds after the log has so many rows."""

    rows: int
    delay: float


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
        plan = moments(rng, arguments.kills, arguments.turns, length)
        passed = sum(ok for ok, _ in wanted.checks.values())
        print(f"undisturbed: {len(wanted.checks)} turns, {passed} passed, {length:.1f} s")
        print("| trial | acknowledged at each kill | lost | checks | answers | files |")
        print("|---:|---|---:|---|---|---|", flush=True)
        good = [
            trial(number, base / str(number), kills, wanted, arguments.turns)
            for number, kills in enumerate(plan, start=1)
        ]
    print(f"{sum(good)} of {len(good)} trials came out the same, {arguments.kills} kills")
    return 0 if all(good) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    return parser.parse_args()


def moments(rng: random.Random, kills: int, turns: int, length: float) -> Iterator[list[Moment]]:
    """Yield the moments of each trial in their order, `kills` in all.

    One in eight lies anywhere in the life of the process; the others while turns are played.
    """
    turn = 2 * length / turns
    while kills > 0:
        size = min(rng.randint(1, 3), kills)
        kills -= size
        rows = sorted(rng.randrange(turns) for _ in range(size))
        yield [
            Moment(0, rng.uniform(0, length)) if rng.random() < 1 / 8
            else Moment(row, rng.uniform(0, turn))
            for row in rows
        ]  # fmt: skip


def trial(number: int, folder: Path, plan: list[Moment], wanted: Result, turns: int) -> bool:
    """Run, kill, resume to the end; print a line of the table; True if all is the same."""
    here = places(folder)
    before = [killed(here, turns, moment, resume=n > 0) for n, moment in enumerate(plan)]
    got = whole(here, turns, resume=True)
    lost = sum(
        got.answers.get(turn) != answer for answers in before for turn, answer in answers.items()
    )
    same = compared(got, wanted)
    reached = ", ".join(str(len(answers)) for answers in before)
    words = " | ".join("same" if one else "DIFFERENT" for one in same)
    print(f"| {number} | {reached} | {lost} | {words} |", flush=True)
    return not lost and all(same)


def compared(got: Result, wanted: Result) -> list[bool]:
    """Tell whether checks, answers and files are the same."""
    return [
        got.checks == wanted.checks and got.exit_code == wanted.exit_code,
        got.answers == wanted.answers,
        got.files == wanted.files,
    ]


def places(folder: Path) -> Places:
    """Return the files of a run below a folder."""
    return Places(folder, folder / "run")


def start(here: Places, turns: int, *, resume: bool) -> "subprocess.Popen[bytes]":
    """Start a run in a process of its own."""
    flags = ["--turns", str(turns), "--output", str(here.output), *(["--resume"] * resume)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, str(RUN), *flags], stdout=quiet, stderr=quiet)


def killed(here: Places, turns: int, moment: Moment, *, resume: bool) -> Answers:
    """Run until the moment, or to the end if that comes first; kill; return what was answered."""
    child = start(here, turns, resume=resume)
    while child.poll() is None and rows(here) < moment.rows:
        time.sleep(0.002)
    time.sleep(moment.delay)
    child.kill()
    child.wait()
    return acknowledged(here)


def rows(here: Places) -> int:
    """Count the rows so far."""
    return here.rows.read_bytes().count(b"\n") if here.rows.exists() else 0


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
    return left_by(here, start(here, turns, resume=resume).wait())


def left_by(here: Places, code: int) -> Result:
    """Return what a run left that ended with this exit code."""
    verdicts = {row.turn: (row.verdict.ok, row.verdict.why) for row in read(here.rows)}
    files = {
        str(path.relative_to(here.workspace)): path.read_bytes()
        for path in sorted(here.workspace.rglob("*"))
        if path.is_file()
    }
    return Result(verdicts, _answers(here), files, code)


if __name__ == "__main__":
    raise SystemExit(main())
