"""Single bits that flip on the disk: none makes a record, a note or a state that never was."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from . import still
from .report import Sweep, spread
from .still import LOG, META, NOTES, session

PLACE = 3
"""The record whose bits are flipped: one in the middle, with a tool call."""


def flipped(data: bytes, bits: Sequence[int], start: int) -> Iterator[tuple[int, bytes]]:
    """Yield the data with one bit otherwise, counted from byte `start`."""
    for bit in bits:
        spoilt = bytearray(data)
        spoilt[start + bit // 8] ^= 1 << bit % 8
        yield bit, bytes(spoilt)


def span(name: str) -> tuple[int, int]:
    """Return where the bytes start whose bits are flipped, and how many they are."""
    if name == META:
        return 0, len(session().files[META])
    lines = session().lines(name)
    place = PLACE if name == LOG else 0
    return sum(map(len, lines[:place])), len(lines[place])


def in_log(folder: Path) -> list[str]:
    """Return what is wrong with a start on a log with a flipped bit, without its snapshot."""
    found = still.look(folder)
    there = dict(zip(found.seqs, found.records, strict=True))
    was = dict(enumerate(session().records, start=1))
    # A line end that is none any more takes the line behind it along.
    gone = set(was) - set(there)
    wrong = [f"record {n} is another" for n, record in there.items() if record != was.get(n)]
    if not gone <= {PLACE + 1, PLACE + 2}:
        wrong.append(f"records {gone} are gone")
    if gone and not any("passed over" in problem for problem in found.problems):
        wrong.append(f"said: {found.problems}")
    return wrong


def in_meta(folder: Path) -> list[str]:
    """Return what is wrong with a start on a snapshot with a flipped bit."""
    found = still.look(folder)
    same = (found.state, found.seqs) == (session().states[-1], tuple(range(1, len(found.seqs) + 1)))
    return [] if same and not found.problems else [f"another state, or {found.problems}"]


def in_notes(folder: Path) -> list[str]:
    """Return what is wrong with notes of which a bit flipped."""
    found, problems = still.notes(folder)
    strange = set(found) - set(session().notes)
    lost = set(session().notes) - set(found)
    wrong = [f"invented: {strange}"] if strange else []
    return wrong + ([f"{lost} went in silence"] if lost and not problems else [])


LOOKS = {LOG: in_log, META: in_meta, NOTES: in_notes}


def sweep(shelf: Path, name: str, most: int = 0) -> Sweep:
    """Flip the bits of a file, or `most` of them."""
    done = Sweep("bits")
    start, size = span(name)
    bits = spread(range(size * 8), most)
    for bit, data in flipped(session().files[name], bits, start):
        spoilt: dict[str, bytes | None] = {name.partition(".")[0]: data}
        folder = still.put(shelf / str(bit), **({"meta": None} | spoilt))
        done.point(f"{name} bit {bit}", LOOKS[name](folder))
        shutil.rmtree(folder)
    return done


@pytest.mark.parametrize("name", list(LOOKS))
def test_a_bit_may_flip_here_and_there(shelf: Path, name: str) -> None:
    """A flipped bit is noticed, wherever a sample of them is."""
    assert sweep(shelf, name, 60).wrong == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_any_bit_may_flip(shelf: Path) -> None:
    """Every bit of a record, of a note and of the snapshot is noticed when it flips."""
    whole = Sweep("bits")
    for name in LOOKS:
        done = sweep(shelf, name)
        whole.points += done.points
        whole.wrong += done.wrong
    whole.done()
    assert whole.wrong == []
