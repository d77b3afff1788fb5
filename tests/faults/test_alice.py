"""Power cuts in a model of the least that a file system promises: nothing acknowledged is lost."""

import logging
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest

from . import alice
from .driver import Line, opened, play
from .oracle import judge, recover
from .planted import FAULTS, planted
from .report import Sweep, spread
from .script import OPS, Op

Cut = tuple[int, list[Line], alice.Tree]
numbers = count()


@pytest.fixture
def folder(shelf: Path) -> Iterator[Path]:
    """A folder for many trials; what a damaged log makes the program warn of is not shown."""
    logging.disable(logging.WARNING)
    yield shelf
    logging.disable(logging.NOTSET)


def played(folder: Path, ops: Sequence[Op], fault: str = "") -> list[alice.Op]:
    """Play in a folder and return what was done to it."""
    with alice.recording(alice.made({}, folder / "run")) as recorder, planted(fault):
        play(folder / "run", recorder.tell, tuple(ops))
    return recorder.ops


def wrong(cut: Cut, folder: Path) -> list[str]:
    """Return what is wrong with what is recovered from a disk."""
    place, told, tree = cut
    made = alice.made(tree, folder / f"cut-{next(numbers)}")
    try:
        found = recover(made)
    except Exception as error:  # whatever it is, it stands between the user and the data
        return [f"after {place}: recovery ended with {error!r}"]
    finally:
        shutil.rmtree(made)
    # Of what was not yet synced the beginning may be lost and the end be there. Then a turn that
    # nobody was promised lacks its question, and the gap is told at each start.
    gap = any("passed over" in warning for warning in found.warnings)
    excused = ("I3", "I7", "I9 damage is still there") if gap else ()
    return [f"after {place}: {v}" for v in judge(told, found) if not v.startswith(excused or " ")]


def swept(sweep: Sweep, cuts: Iterable[Cut], folder: Path) -> None:
    """Recover from each of these disks."""
    for cut in cuts:
        sweep.point("cut", wrong(cut, folder))


def unlike(cuts: Iterable[Cut]) -> Iterator[Cut]:
    """Leave out disks that were there before, with as much told."""
    seen: set[bytes] = set()
    for cut in cuts:
        mark = alice.mark(cut[2], len(cut[1]))
        if mark not in seen:
            seen.add(mark)
            yield cut


def restarted(ops: list[alice.Op], folder: Path) -> Iterator[Cut]:
    """Kill the process after each operation and start again: yield the cuts of the second start.

    What the killed process had written is there, and is no more on the disk than before.
    """
    for place in range(len(ops)):
        before = ops[: place + 1]
        made = folder / f"killed-{place}"
        alice.made(alice.kept(before), made)
        with alice.recording(made, before) as recorder, opened(made):
            pass
        yield from alice.disks(recorder.ops, place + 1)
        shutil.rmtree(made)


def repaired(cut: Cut, folder: Path) -> Iterator[Cut]:
    """Yield the cuts of a start that sets something aside; nothing if this one does not."""
    _, told, tree = cut
    made = alice.made(tree, folder / f"torn-{next(numbers)}")
    with alice.recording(made) as recorder:
        begun = len(recorder.ops)
        with opened(made):
            pass
    shutil.rmtree(made)
    if any("quarantine" in path for path in alice.kept(recorder.ops)):
        for place, _, left in alice.disks(recorder.ops, begun):
            yield place, told, left


def test_no_cut_of_a_repair_loses_anything(folder: Path) -> None:
    """A disk with a torn log, a start, and a cut at any operation of it: a sample."""
    torn = [cut for cut in alice.disks(played(folder, OPS[:2])) if is_torn(cut)]
    sweep = Sweep("alice-repair-sample")
    for cut in spread(torn, 2):
        swept(sweep, spread(list(repaired(cut, folder)), 25), folder)
    assert sweep.points > 25
    assert sweep.wrong == []


def is_torn(cut: Cut) -> bool:
    """Whether a disk has a log whose last line is no whole record."""
    log = cut[2].get("data/conversation.jsonl") or b""
    return bool(log) and not log.endswith(b'"}\n')


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_cut_of_any_repair_loses_anything(folder: Path) -> None:
    """Each disk with a torn log, a start, and a cut at any operation of it."""
    sweep = Sweep("alice-repair")
    torn = filter(is_torn, list(alice.disks(played(folder, OPS))))
    swept(sweep, unlike(second for cut in torn for second in repaired(cut, folder)), folder)
    sweep.done()
    assert sweep.points > 500
    assert sweep.wrong == []


def test_no_cut_loses_anything(folder: Path) -> None:
    """A sample of the disks that a cut may leave of two turns: all are recovered."""
    sweep = Sweep("alice-sample")
    swept(sweep, spread(list(alice.disks(played(folder, OPS[:2]))), 80), folder)
    assert (sweep.points, sweep.wrong) == (80, [])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_cut_of_the_whole_session_loses_anything(folder: Path) -> None:
    """Every disk that a cut may leave of the whole session is recovered."""
    sweep = Sweep("alice")
    swept(sweep, list(alice.disks(played(folder, OPS))), folder)
    sweep.done()
    assert sweep.points > 1500
    assert sweep.wrong == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_cut_of_a_recovery_loses_anything(folder: Path) -> None:
    """A kill at any operation, a start after it, and a cut at any operation of that start."""
    sweep = Sweep("alice-recovery")
    swept(sweep, unlike(restarted(played(folder, OPS), folder)), folder)
    sweep.done()
    assert sweep.points > 1500
    assert sweep.wrong == []


@pytest.mark.parametrize("fault", sorted(FAULTS.keys() - {"in-place"}))
def test_the_model_finds_faults(folder: Path, fault: str) -> None:
    """Each fault that is put into the program shows on some of the disks."""
    cuts = list(alice.disks(played(folder, OPS[:2], fault)))
    assert any(wrong(cut, folder) for cut in reversed(cuts))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_model_finds_a_file_that_is_overwritten(folder: Path) -> None:
    """A second version that is written over the first shows: it takes four operations."""
    cuts = list(alice.disks(played(folder, OPS[:4], "in-place")))
    assert any(wrong(cut, folder) for cut in reversed(cuts))
