"""Files that end anywhere: what was whole is there, the rest is set aside, and life goes on."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from chyan_agent.memory.notes import NotesLog

from . import still
from .report import Sweep, spread
from .still import LOG, META, NOTES, session


def cut_log(folder: Path, size: int) -> list[str]:
    """Cut the transcript; return what is wrong with what is found."""
    data, ends = session().files[LOG], 0
    places: list[int] = []
    for line in session().lines():
        ends += len(line)
        places.append(ends)
    whole = sum(end <= size or end == size + 1 for end in places)
    torn = data[places[whole - 1] if whole else 0 : size]
    still.put(folder, conversation=data[:size])
    found = still.look(folder)
    wrong = []
    if found.records[:whole] != session().records[:whole] or len(found.seqs) != max(whole, 1):
        wrong.append(f"records {found.seqs}")
    if found.state != session().states[whole]:
        wrong.append("another state")
    kept = b"".join(still.aside(folder).values())
    if kept != (torn if not data[:size].endswith(torn + b"\n") else b""):
        wrong.append(f"{torn[:20]!r} became {kept[:20]!r}")
    if bool(torn) != any("unfinished" in problem for problem in found.problems):
        wrong.append(f"said: {found.problems}")
    before = (folder / LOG).read_bytes()
    again = still.look(folder)
    if (again.state, again.seqs) != (found.state, found.seqs):
        wrong.append("another start differs")
    if (folder / LOG).read_bytes() != before or any("unfinished" in p for p in again.problems):
        wrong.append("another start repairs again")
    still.go_on(folder)
    return wrong


def cut_meta(folder: Path, size: int) -> list[str]:
    """Cut the snapshot; return what is wrong with what is found."""
    still.put(folder, meta=session().files[META][:size])
    found = still.look(folder)
    same = (found.state, found.records, found.problems) == (
        session().states[-1],
        session().records,
        (),
    )
    return [] if same else ["something else is found"]


def cut_notes(folder: Path, size: int) -> list[str]:
    """Cut the notes; return what is wrong with what is found."""
    data = session().files[NOTES]
    still.put(folder, memories=data[:size])
    whole = data[: size + 1].count(b"\n")
    wrong = []
    found, problems = still.notes(folder)
    if found != session().notes[:whole]:
        wrong.append(f"notes {found}")
    start = data.rfind(b"\n", 0, size) + 1
    torn = data[start:size] if data[size : size + 1] != b"\n" else b""
    if bool(torn) != bool(problems) or b"".join(still.aside(folder).values()) != torn:
        wrong.append(f"{torn[:20]!r}: {problems}")
    log = NotesLog(folder / NOTES, clock=lambda: still.TS)
    log.remember("The cat is called Tom.", turn=1, source="user")
    log.close()
    if still.notes(folder) != ((*found, "The cat is called Tom."), ()):
        wrong.append("the next note")
    return wrong


CUTS = {LOG: cut_log, META: cut_meta, NOTES: cut_notes}


def sweep(shelf: Path, name: str, sizes: Sequence[int]) -> Sweep:
    """Cut a file at each of these sizes."""
    done = Sweep("truncate")
    for size in sizes:
        folder = shelf / str(size)
        done.point(f"{name} at {size}", CUTS[name](folder, size))
        shutil.rmtree(folder)
    return done


@pytest.mark.parametrize("name", [LOG, META, NOTES])
def test_a_file_may_end_at_many_places(shelf: Path, name: str) -> None:
    """Cut at a sample of its bytes, and around each line end, a file is recovered."""
    data = session().files[name]
    around = {i + n for i, byte in enumerate(data) if byte == 10 for n in (-1, 0, 1, 2)}
    sizes = {*spread(range(len(data) + 1), 40), *spread(sorted(around), 60)}
    assert sweep(shelf, name, sorted(s for s in sizes if s <= len(data))).wrong == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_file_may_end_anywhere(shelf: Path) -> None:
    """Cut at every byte, each file is recovered."""
    whole = Sweep("truncate")
    for name in CUTS:
        done = sweep(shelf, name, range(len(session().files[name]) + 1))
        whole.points += done.points
        whole.wrong += done.wrong
    whole.done()
    assert whole.wrong == []
