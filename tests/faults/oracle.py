"""What must hold after any fault: the invariants, looked at from outside on what recovery gives.

`recover` opens a folder as often as it takes to see what needs no promise: that the snapshot is a
cache, recovery is repeatable, nothing was dropped in silence, and the next turn is safe. `judge`
holds what was found against the lines in which the driver promised things.
"""

import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from chyan_agent.agent import Agent
from chyan_agent.durable import snapshot
from chyan_agent.durable.lock import Lock
from chyan_agent.errors import LockedError
from chyan_agent.messages import to_wire
from chyan_agent.prompts.core import EN
from chyan_agent.state import State

from .driver import KEY, Line, opened, play
from .promises import Promises, promised, results
from .script import AFTER, FACTS, LINES

TRANSCRIPT = "conversation.jsonl"
LOGS = (TRANSCRIPT, "memories.jsonl")


@dataclass
class Found:
    """What is there after a start, and what is wrong with it whatever was promised."""

    turns: dict[int, list[Line]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        return asdict(self)


def recover(folder: Path) -> Found:
    """Open what a fault left, look at it from all sides, and go on with it."""
    found = Found()
    before = logs(folder)
    with opened(folder) as agent:
        _look(agent, folder, found)
        state, seen = agent.state, len(agent.warnings)
        if snapshot.rebuild(agent.conversation.transcript) != state:
            found.violations.append("I4 the snapshot tells another state than the transcript")
    found.violations += _dropped(folder, before, seen)
    found.violations += _again(folder, state)
    found.violations += _modes(folder)
    found.violations += _goes_on(folder, state)
    return found


def logs(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the append-only files."""
    return {name: _bytes(folder / "data" / name) for name in LOGS}


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _look(agent: Agent, folder: Path, found: Found) -> None:
    turns = range(1, agent.state.last_turn + 1)
    found.turns = {n: [to_wire(m) for m in agent.conversation.turn(n)] for n in turns}
    found.notes = [note.text for note in agent.memory.notes()]
    found.warnings = [str(warning) for warning in agent.warnings]
    found.files = _files(folder)
    try:
        Lock(folder / "data").release()
        found.violations.append("I10 a second writer was let in")
    except LockedError:
        pass


def _files(folder: Path) -> dict[str, str]:
    root = folder / "workspace"
    paths = sorted(path for path in root.rglob("*") if path.is_file())
    return {
        str(path.relative_to(root)): path.read_bytes().decode("utf-8", "backslashreplace")
        for path in paths
    }


def _dropped(folder: Path, before: dict[str, bytes], warnings: int) -> Iterator[str]:
    """Yield a violation for bytes that went without a copy and a word."""
    for name, old in before.items():
        new = _bytes(folder / "data" / name)
        same = next((i for i, pair in enumerate(zip(old, new, strict=False)) if len({*pair}) > 1),
                    min(len(old), len(new)))  # fmt: skip
        lost = old[same:]
        if not lost:
            continue
        aside = (folder / "data" / "quarantine").glob("*.bin")
        if not any(lost in path.read_bytes() for path in aside):
            yield f"I8 {len(lost)} bytes of {name} are gone"
        if not warnings:
            yield f"I8 {len(lost)} bytes of {name} went in silence"


def _again(folder: Path, state: State) -> Iterator[str]:
    """Yield what a second start, and one without the snapshot, do otherwise."""
    before = logs(folder)
    for cached in (True, False):
        if not cached:
            (folder / "data" / "meta.json").unlink(missing_ok=True)
        with opened(folder) as agent:
            if agent.state != state:
                yield f"{'I9' if cached else 'I4'} another start gives another state"
            if agent.warnings:
                yield f"I9 damage is still there: {agent.warnings[0]}"
        if logs(folder) != before:
            yield "I9 another start changes the logs"


def _modes(folder: Path) -> Iterator[str]:
    for path in sorted((folder / "data").rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode != (0o700 if path.is_dir() else 0o600):
            yield f"I14 {path.name} has mode {mode:o}"
        if path.is_file() and KEY.encode() in path.read_bytes():
            yield f"I14 the key is in {path.name}"
        if path.suffix == ".tmp":
            yield f"I6 {path.name} was left behind"


def _goes_on(folder: Path, state: State) -> Iterator[str]:
    """Yield what is wrong with the next turn and the start after it."""
    told: list[Line] = []
    play(folder, told.append, (AFTER,))
    number = state.last_turn + 1
    last = told[-1]
    if last.get("acked") != number:
        yield f"I2 the turn after recovery is {last}"
        return
    with opened(folder) as agent:
        if [to_wire(m) for m in agent.conversation.turn(number)] != last["messages"]:
            yield "I1 the turn after recovery is lost"
        if agent.state.turns[: len(state.turns)] != state.turns:
            yield "I2 earlier turns changed"
    if _files(folder).get("log.txt", "").count(LINES[3]) != 1:
        yield "I6 the write after recovery is not there once"


def judge(lines: Sequence[Line], found: Found) -> list[str]:
    """Return every violation: of what the lines promise, and of what holds anyway."""
    promises = promised(lines)
    return [
        *found.violations,
        *(f"the run ended with {line['crashed']}" for line in lines if "crashed" in line),
        *_turns(promises, found),
        *_outcomes(promises, found),
        *_notes(promises, found),
        *_report(promises, found),
        *_lines(promises, found),
    ]


def _turns(promises: Promises, found: Found) -> Iterator[str]:
    for number, messages in promises.living.items():
        if found.turns.get(number) != messages and number <= promises.sure:
            yield f"I1 acknowledged turn {number} is {found.turns.get(number)}"
    for number, messages in found.turns.items():
        if messages == promises.living.get(number):
            continue
        if number <= promises.sure and number in promises.living:
            continue  # told above
        if not messages or messages[0]["content"] not in promises.loose_asks:
            yield f"I3 turn {number} was never asked: {messages}"
        elif messages[-1]["role"] != "assistant" or "tool_calls" in messages[-1]:
            yield f"I7 turn {number} is open: {messages[-1]}"


def _outcomes(promises: Promises, found: Found) -> Iterator[str]:
    """Yield what the model is told of a call that was cut short, and is not so."""
    said = {EN.call_done: True, EN.call_not_run: False}
    for number, messages in found.turns.items():
        if messages and messages[0]["content"] == promises.cut_short:
            for (name, given), result in results(messages):
                if name != "read" and result in said and _there(name, given, found) != said[result]:
                    yield f"I6 turn {number}: {name} {given} is not so: {result}"


def _there(name: str, given: dict[str, object], found: Found) -> bool:
    """Tell whether the effect of a call is to be seen."""
    if name == "remember":
        return given["content"] in found.notes
    content = found.files.get(str(given["path"]), "")
    return (
        content.endswith(str(given["content"]))
        if given["mode"] == "append"
        else (content == given["content"])
    )


def _notes(promises: Promises, found: Found) -> Iterator[str]:
    for note in promises.noted:
        if note not in found.notes:
            yield f"I1 the note {note!r} is lost"
    for note in found.notes:
        if note not in FACTS or found.notes.count(note) > 1:
            yield f"I6 note {note!r} is there {found.notes.count(note)} times"


def _report(promises: Promises, found: Found) -> Iterator[str]:
    """The report is the version that was promised last, or a whole one that was begun since."""
    content = found.files.get("sub/report.txt")
    if content not in promises.versions:
        yield f"I6 the report is {content!r}"


def _lines(promises: Promises, found: Found) -> Iterator[str]:
    """The log of the workspace has each promised line, in order, and none twice."""
    lines = found.files.get("log.txt", "").splitlines(keepends=True)
    if lines != [line for line in LINES if line in lines]:
        yield f"I6 the lines are {lines}"
    if missing := promises.lines - set(lines):
        yield f"I1 lines are lost: {sorted(missing)}"
    if invented := set(lines) - promises.lines - promises.loose_lines:
        yield f"I6 lines nobody wrote: {sorted(invented)}"
    for name in found.files:
        if name not in ("sub/report.txt", "log.txt"):
            yield f"I6 {name} was left in the workspace"
