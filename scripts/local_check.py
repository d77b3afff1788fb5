"""Try the agent with a real model: `scripts/local_check.py --local MODEL.gguf`. See `--help`.

Refusals for size, protocol errors and crashes must be 0 with any model; what a weak model gets
wrong is reported as it is.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chyan_agent import local
from chyan_agent.errors import AgentError
from chyan_agent.rig import trial
from chyan_agent.rig.rows import read
from chyan_agent.rig.totals import gather
from chyan_agent.rig.trial import Result, Trial
from chyan_agent.rig.wiretap import Tally, tapping

ROOT = Path(__file__).parents[1]
PARTS: dict[str, Callable[[Trial], Result]] = {
    "tools": trial.tool_loop,
    "huge": trial.huge_texts,
    "learnt": trial.limit_learnt,
    "talk": trial.small_talk,
}
HEAD = ("part", "requests", "refused", "errors", "checks", "largest", "cached", "read/s", "write/s")
FAILED = 70
"""Exit code of a run that broke off, and of a check that found anything that must not be."""


def main() -> int:
    """Run the parts, print the table; 0 if everything held that must."""
    given = arguments()
    try:
        with TemporaryDirectory() as folder, endpoint(given) as url, tapping(url) as tap:
            kept = given.output or Path(folder)
            kept.mkdir(parents=True, exist_ok=True)
            it = Trial(tap, kept, given.limit, given.reserved, given.model, settings(given))
            results = [show(PARTS[part](it)) for part in given.parts if part in PARTS]
            if given.turns and "run" in given.parts:
                results.append(show(stress_run(it, given.turns, given.language)))
    except AgentError as error:
        sys.stderr.write(f"{error}\n→ {error.hint}\n")
        return error.exit_code
    print("\n" + table(results))
    return 0 if all(result.held for result in results) else FAILED


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    it = argparse.ArgumentParser(prog="local_check.py", description=__doc__)
    where = it.add_mutually_exclusive_group(required=True)
    where.add_argument("--local", type=Path, metavar="MODEL", help="a GGUF file to serve")
    where.add_argument("--base-url", metavar="URL", help="a server that runs already")
    add = it.add_argument
    add("--chat-template", metavar="FILE", help="Jinja file, or ours: fenced")
    add("--model", default="local", help="model name at that server")
    add("--limit", type=int, default=3072, help="window in tokens (default 3072)")
    add("--reserved", type=int, default=320, help="of it for the answer (default 320)")
    add("--turns", type=int, default=10, help="turns of the stress run (default 10; 0: none)")
    add("--language", choices=("zh", "en"), default="zh", help="of the stress run")
    add("--set", nargs="+", default=(), metavar="KEY=TEXT", help="tools.closing_line=on, say")
    add("--parts", nargs="+", choices=(*PARTS, "run"), default=(*PARTS, "run"))
    add("--output", type=Path, help="folder to keep transcripts and report in")
    return it.parse_args()


def settings(given: argparse.Namespace) -> dict[str, object]:
    """Return what --set asks for."""
    return {key: value for key, _, value in (pair.partition("=") for pair in given.set)}


@contextmanager
def endpoint(given: argparse.Namespace) -> Iterator[str]:
    """Yield the base URL of the server to try."""
    if given.base_url:
        yield given.base_url
        return
    text = local.template(given.chat_template) if given.chat_template else ""
    began = time.monotonic()
    model = local.look(given.local)
    with local.spawned(model, window=given.limit, template=text) as url:
        print(f"{model.name}, window {given.limit:,}, loaded in {time.monotonic() - began:.1f} s")
        yield url


def show(result: Result) -> Result:
    """Print what is to be read beside the figures."""
    print(f"\n{result.name}")
    troubles = (*result.errors, *result.tally.overflows, *result.tally.errors)
    for line in (*result.notes, *(f"!! {trouble}" for trouble in troubles)):
        print(f"  {line}")
    sys.stdout.flush()
    return result


def stress_run(it: Trial, turns: int, language: str) -> Result:
    """Play the first turns of `make run` with this model, in a process of its own."""
    it.tap.fresh()
    output = it.folder / "run"
    command = [
        *(sys.executable, str(ROOT / "scripts" / "run_100_turns.py")),
        *("--base-url", it.tap.url, "--model", it.model, "--turns", str(turns)),
        *("--limit", str(it.window), "--reserved", str(it.reserved)),
        *("--language", language, "--output", str(output)),
    ]
    done = subprocess.run(command, check=False, text=True, capture_output=True)
    rows = output / "turns_log.jsonl"
    totals = gather(read(rows)) if rows.exists() else gather(())
    # A turn that was stopped at the step cap is the model's doing; an error is ours to explain.
    errors = [f"{name} × {n}" for name, n in totals.errors.items() if name != "Stopped"]
    if totals.turns < turns:
        errors.append(f"broke off with code {done.returncode}: {done.stderr[-500:]}")
    notes = [f"stopped: {totals.errors['Stopped']}, compactions: {totals.window.compactions}"]
    if totals.window.error:
        least, most = totals.window.error
        notes.append(f"our count minus the server's, per request: {least:+} to {most:+} tokens")
    notes += [
        f"fail turn {row.turn} {row.scenario}: {row.verdict.why[:90]}" for row in totals.failed
    ]
    return Result(
        "stress run", it.tap.fresh(), tuple(errors), totals.passed, turns, notes=tuple(notes)
    )


def table(results: list[Result]) -> str:
    """Return the figures, a line each part, in Markdown."""
    rows = [HEAD, ("---",) * len(HEAD), *map(row, results)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def row(result: Result) -> tuple[str, ...]:
    """Return the cells of a result."""
    tally = result.tally
    allowed = f" (≤ {result.allowed})" if result.allowed else ""
    return (
        result.name,
        str(tally.requests),
        f"{len(tally.overflows)}{allowed}",
        str(len(tally.errors) + len(result.errors)),
        f"{result.passed}/{result.checks}" if result.checks else "",
        f"{tally.largest:,}",
        f"{tally.cached / tally.prompt:.0%}" if tally.prompt else "",
        *speeds(tally),
    )


def speeds(tally: Tally) -> tuple[str, str]:
    """Return tokens a second of reading and of writing, where the server says its times."""
    speed = tally.speed
    reading = f"{1000 * speed.read / speed.prompt_ms:.0f}" if speed.prompt_ms else ""
    writing = f"{1000 * speed.written / speed.answer_ms:.1f}" if speed.answer_ms else ""
    return reading, writing


if __name__ == "__main__":
    raise SystemExit(main())
