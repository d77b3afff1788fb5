"""Lines that no writer of ours leaves: each costs itself alone, is told, and spoils nothing."""

import hashlib
import json
import os
import zlib
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest

from chyan_agent.durable import repair, snapshot
from chyan_agent.durable.records import MAX_LINE, seal, unseal
from chyan_agent.errors import CorruptError, StorageError, VersionError
from chyan_agent.memory.notes import NotesLog
from chyan_agent.mend import mended
from chyan_agent.state import State, replay

from . import still
from .still import LOG, META, NOTES, TS, session


def sealed(text: str) -> bytes:
    """Return a line with a valid checksum around any JSON, as a forger would make it."""
    body = text.removesuffix("}").encode()
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


def message(**other: object) -> bytes:
    """Return a record that is right but for what is given."""
    usual = {"turn": 1, "seq": 3, "v": 1, "kind": "message", "ts": TS}
    body = {"message": {"role": "user", "content": "!"}}
    return seal({key: value for key, value in {**usual, **body, **other}.items() if value != "-"})


REWIND = {"kind": "rewind", "message": "-"}
EMPTY = {"last_turn": 0, "summary": {"through": 0, "evidence": [], "facts": []}, "turns": []}
BAD: dict[str, bytes] = {
    "empty": b"\n",
    "spaces": b"   \n",
    "object": b"{}\n",
    "array": b"[]\n",
    "text": b'"x"\n',
    "null": b"null\n",
    "number": b"17\n",
    "words": b"dear diary\n",
    "half": b'{"turn":1,"seq":3,"v":1,"ki\n',
    "no checksum": b'{"turn":1,"seq":3,"v":1,"kind":"session","ts":"","id":"x"}\n',
    "hand edit": message().replace(b'"!"', b'"?"'),
    "bad UTF-8": sealed('{"turn":1,"id":"x"}').replace(b"x", b"\xff"),
    "sealed bad UTF-8": b'{"a":"\xff"' + b',"crc":"63c8ae80"}\n',
    "NUL": bytes(300) + b"\n",
    "NUL inside": message().replace(b"!", b"\0"),
    "UTF-16": "{}\n".encode("utf-16") + b"\n",
    "fused": message()[:-1] + message(),
    "deep": b"[" * 100_000 + b"\n",
    "sealed deep": sealed('{"a":' + "[" * 50_000 + "]" * 50_000 + "}"),
    "sealed deep objects": sealed('{"a":' * 50_000 + "1" + "}" * 50_000),
    "long number": sealed('{"turn":1,"seq":' + "9" * 5000 + "}"),
    "NaN": sealed('{"turn":1,"seq":NaN}'),
    "infinite": sealed('{"turn":1,"seq":1e999}'),
    "twice the same key": sealed(
        '{"turn":1,"seq":3,"v":1,"kind":"session","ts":"","id":"","id":""}'
    ),
    "no seq": message(seq="-"),
    "seq is text": message(seq="3"),
    "seq is true": message(seq=True),
    "seq is a fraction": message(seq=3.5),
    "seq is negative": message(seq=-3),
    "seq is huge": message(seq=10**18, turn=10**17),
    "no turn": message(turn="-"),
    "turn is negative": message(turn=-1),
    "turn beyond its number": message(turn=10**12),
    "no version": message(v="-"),
    "version is text": message(v="1"),
    "version 0": message(v=0),
    "no time": message(ts="-"),
    "time is a number": message(ts=17),
    "unknown kind": message(kind="hologram"),
    "kind is a list": message(kind=["message"]),
    "unknown role": message(message={"role": "wizard", "content": ""}),
    "role is an object": message(message={"role": {}, "content": ""}),
    "content is a list": message(message={"role": "user", "content": ["x"]}),
    "calls are text": message(message={"role": "assistant", "content": "", "tool_calls": "x"}),
    "a call without function": message(message={"role": "assistant", "tool_calls": [{}]}),
    "a summary without parts": message(kind="summary", summary={"through": 1}),
    "evidence of three": message(
        kind="summary", summary={"through": 1, "facts": [], "evidence": [[1, "a", "b"]]}
    ),
    "a rewind without state": message(kind="rewind"),
    "a rewind to another turn": message(**REWIND, state={**EMPTY, "last_turn": 7}),
    "a note": seal({"v": 1, "id": "n1", "text": "x", "turn": 1, "ts": TS}),
    "over-long": b"x" * (MAX_LINE + 5) + b"\n",
    "over-long zeros": bytes(MAX_LINE * 2) + b"\n",
}
WHERE = {"after the first": 1, "in the middle": 4}
KINDS = [
    pytest.param(kind, marks=[pytest.mark.slow] * kind.startswith("over-long")) for kind in BAD
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "where", ["in the middle", pytest.param("after the first", marks=pytest.mark.slow)]
)
def test_a_bad_line_costs_itself_alone(shelf: Path, kind: str, where: str) -> None:
    """The lines around it are read, the file stays, and each start says where the damage is."""
    lines = session().lines()
    lines.insert(WHERE[where], BAD[kind])
    spoilt = b"".join(lines)
    still.put(shelf, conversation=spoilt, meta=None)
    found = still.look(shelf)
    # Without the snapshot, and then with the one that a turn writes.
    assert (found.records, found.state) == (session().records, session().states[-1])
    start = sum(map(len, lines[: WHERE[where]]))
    assert any(f"bytes {start}-{start + len(BAD[kind])}" in p for p in found.problems), kind
    assert (shelf / LOG).read_bytes() == spoilt
    with still.conversation(shelf) as it:
        it.save()
    again = still.look(shelf)
    assert (again.records, again.state, again.problems) == (
        found.records,
        found.state,
        found.problems,
    )
    still.go_on(shelf)


@pytest.mark.parametrize("place", [0, 3, 7])
def test_damage_that_came_after_the_snapshot_is_told_at_each_start(shelf: Path, place: int) -> None:
    """With the snapshot or without it the same is found, said, and left as it is."""
    lines = session().lines()
    lines[place] = lines[place].replace(b'"v":1', b'"v":2')
    start = sum(map(len, lines[:place]))
    still.put(shelf, conversation=b"".join(lines))
    found = still.look(shelf)
    assert place + 1 not in found.seqs
    assert any(f"bytes {start}-{start + len(lines[place])}" in text for text in found.problems)
    assert still.look(shelf) == found
    (shelf / META).unlink()
    assert still.look(shelf) == found
    assert (shelf / LOG).read_bytes() == b"".join(lines)


def test_known_damage_does_not_make_each_start_slow(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was charted is not charted again: no later start reads the whole log."""
    lines = session().lines()
    lines = [*lines[:3], b"x\n", *lines[3:5], *lines[1:4], *lines[6:9], lines[5], *lines[9:]]
    still.put(shelf, conversation=b"".join(lines), meta=None)
    found = still.look(shelf)
    assert len(found.problems) > 3

    def rebuilt(*_: object) -> State:
        raise AssertionError("everything is read again")

    monkeypatch.setattr(snapshot, "rebuild", rebuilt)
    assert still.look(shelf) == found


@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_last_line_is_set_aside(shelf: Path, kind: str) -> None:
    """With nothing valid behind it, it goes to quarantine, is told once, and the file is clean."""
    whole = session().files[LOG]
    still.put(shelf, conversation=whole + BAD[kind])
    found = still.look(shelf)
    assert (found.records, found.state) == (session().records, session().states[-1])
    assert still.aside(shelf) == {f"tail-{len(whole)}.bin": BAD[kind]}
    assert len(found.problems) == 1
    assert (shelf / LOG).read_bytes() == whole
    assert still.look(shelf).problems == ()
    still.go_on(shelf)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_bad_lines_is_never_taken_for_a_new_session(shelf: Path, kind: str) -> None:
    """What we never wrote is refused untouched; what a dying writer leaves is set aside."""
    still.put(shelf, conversation=BAD[kind] * 2, meta=None)
    try:
        found = still.look(shelf)
    except CorruptError as error:
        assert error.exit_code == 4
        assert error.hint
        assert (shelf / LOG).read_bytes() == BAD[kind] * 2
        assert not still.aside(shelf)
    else:
        assert b"".join(still.aside(shelf).values()) == BAD[kind] * 2
        assert len(found.problems) == 1
        assert found.seqs == (1,)


@pytest.mark.parametrize("tail", [b"", b"\n", b"\r\n", b" \n"])
def test_a_torn_tail_is_not_fused_with_the_next_record(shelf: Path, tail: bytes) -> None:
    """After a repair the next line stands by itself, whatever the torn one ended with."""
    whole = session().files[LOG]
    still.put(shelf, conversation=whole + session().lines()[2][:-9] + tail)
    still.look(shelf)
    still.go_on(shelf)
    assert all(unseal(line) for line in (shelf / LOG).read_bytes().splitlines())


def test_two_torn_tails_at_one_place_are_both_kept(shelf: Path) -> None:
    """What was set aside before is never overwritten; the same bytes are kept once."""
    whole = session().files[LOG]
    for torn in (b'{"turn":9', b'{"turn":9', b'{"turn":10,"x'):
        still.put(shelf, conversation=whole + torn)
        still.look(shelf)
    assert sorted(still.aside(shelf).values()) == [b'{"turn":10,"x', b'{"turn":9']


def test_nobody_goes_back_to_a_turn_to_come(shelf: Path) -> None:
    """A rewind that points forward is told and passed over, wherever one reads from."""
    lines = session().lines()
    last = len(lines)
    ahead = message(**REWIND, seq=last + 1, turn=last, state={**EMPTY, "last_turn": last})
    still.put(shelf, conversation=b"".join([*lines, ahead]))
    found = still.look(shelf)
    assert (found.records, found.state) == (session().records, session().states[-1])
    assert "not there yet" in found.problems[0]
    still.go_on(shelf)
    (shelf / META).unlink()
    again = still.look(shelf)
    assert (again.seqs[-2:], again.problems) == ((last + 2, last + 3), found.problems)


def changed(change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """Return the log with its lines changed."""
    return b"".join(change(session().lines()))


def test_a_block_that_stands_twice_counts_once(shelf: Path) -> None:
    """A merge that repeats records is told in one place, and the next number is above all."""
    still.put(shelf, conversation=changed(lambda x: [*x[:9], *x[2:7], *x[9:]]), meta=None)
    found = still.look(shelf)
    assert (found.records, found.state) == (session().records, session().states[-1])
    (problem,) = found.problems
    assert "repeat earlier records" in problem
    still.go_on(shelf)


def test_an_old_block_at_the_end_hides_nothing_that_follows(shelf: Path) -> None:
    """Records copied behind the last one don't make later ones look like copies."""
    still.put(shelf, conversation=changed(lambda x: [*x, *x[3:6]]), meta=None)
    for cached in (False, True):
        with still.conversation(shelf) as it:
            assert it.transcript.seq == len(session().records), cached
    still.go_on(shelf)
    assert still.look(shelf).seqs[: len(session().records)] == tuple(
        range(1, len(session().records) + 1)
    )


def test_of_two_records_with_one_number_the_first_counts(shelf: Path) -> None:
    """The other one is told, and a copy of it is in quarantine."""
    other = seal({**unseal(session().lines()[4]), "ts": "another"})
    still.put(shelf, conversation=changed(lambda x: [*x[:5], other, *x[5:]]), meta=None)
    found = still.look(shelf)
    assert (found.records, found.state) == (session().records, session().states[-1])
    assert "other content" in found.problems[0]
    assert list(still.aside(shelf).values()) == [other]
    assert still.look(shelf).problems == found.problems
    assert len(still.aside(shelf)) == 1


def test_a_missing_record_is_told(shelf: Path) -> None:
    """The rest is read, and the gap has its place and its numbers."""
    still.put(shelf, conversation=changed(lambda x: [*x[:4], *x[5:]]), meta=None)
    found = still.look(shelf)
    assert found.seqs == tuple(n for n in range(1, len(session().records) + 1) if n != 5)
    assert "between 4 and 6 are missing" in found.problems[0]
    rest = [r for n, r in enumerate(session().records, start=1) if n != 5]
    assert found.state == mended(replay(rest))
    still.go_on(shelf)


def test_records_are_never_put_in_another_order(shelf: Path) -> None:
    """Of swapped lines the earlier number is passed over: order is what the file says."""
    still.put(shelf, conversation=changed(lambda x: [*x[:4], x[5], x[4], *x[6:]]), meta=None)
    found = still.look(shelf)
    assert found.seqs == tuple(n for n in range(1, len(session().records) + 1) if n != 5)
    assert any("come after later ones" in problem for problem in found.problems)
    still.go_on(shelf)


@pytest.mark.parametrize("snapshot", [True, False])
def test_what_an_editor_does_to_a_file_is_tolerated(shelf: Path, snapshot: bool) -> None:
    """A byte order mark and other line ends change nothing, and are not written."""
    edited = b"\xef\xbb\xbf" + session().files[LOG].replace(b"\n", b"\r\n")
    still.put(shelf, conversation=edited, **({} if snapshot else {"meta": None}))
    found = still.look(shelf)
    assert (found.records, found.state, found.problems) == (
        session().records,
        session().states[-1],
        (),
    )
    still.go_on(shelf)
    assert (shelf / LOG).read_bytes().startswith(edited)
    assert (shelf / LOG).read_bytes()[len(edited) :].count(b"\r") == 0


def test_unknown_fields_are_tolerated(shelf: Path) -> None:
    """A later program of the same version may say more."""
    more = [seal({**unseal(line), "mood": {"a": [1]}}) for line in session().lines()]
    still.put(shelf, conversation=b"".join(more), meta=None)
    found = still.look(shelf)
    assert (found.records, found.problems) == (session().records, ())


@pytest.mark.parametrize("name", [LOG, NOTES])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
@pytest.mark.parametrize("form", ["sealed", "otherwise"])
def test_a_newer_version_is_refused_untouched(
    shelf: Path, name: str, place: str, form: str
) -> None:
    """A file from the future is not read with the eyes of the past, and not written to."""
    lines = session().lines(name)
    at = {"first": 0, "middle": len(lines) // 2, "last": len(lines)}[place]
    later = {**unseal(lines[0]), "v": 99}
    other = json.dumps({**later, "sha256": "00"}).encode() + b"\n"
    lines.insert(at, seal(later) if form == "sealed" else other)
    spoilt = b"".join(lines) + b'{"torn'
    still.put(shelf, meta=None, **{name.partition(".")[0]: spoilt})
    before = {path.name: path.read_bytes() for path in shelf.iterdir()}
    with pytest.raises(VersionError) as caught:
        (still.look if name == LOG else still.notes)(shelf)
    assert caught.value.exit_code == 3
    assert {path.name: path.read_bytes() for path in shelf.iterdir() if path.is_file()} == before


def later(line: bytes) -> bytes:
    """Return a line as a newer program would have written it."""
    return seal({**unseal(line), "v": 99})


@pytest.mark.parametrize("known", ["all", "half", "none"])
def test_a_torn_end_costs_no_look_at_what_is_known(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, known: str
) -> None:
    """What a snapshot stands for was read when it was made; only what follows is looked at."""
    monkeypatch.setattr("chyan_agent.durable.snapshot.CHECKED", 300)
    lines = session().lines()
    whole = b"".join(lines)
    still.put(shelf, conversation=b"".join(lines[: len(lines) // 2]) if known == "half" else whole)
    with still.conversation(shelf) as it:
        it.save()
    start = (shelf / LOG).stat().st_size if known != "none" else 0
    if known == "none":
        (shelf / META).unlink()
    (shelf / LOG).write_bytes(whole + b'{"turn":9,"se')
    read: list[int] = []

    def noted(line: bytes, ours: int) -> bool:
        read.append(len(line))
        return False

    monkeypatch.setattr(repair, "may_be_newer", noted)
    with still.conversation(shelf) as it:
        assert len(it.warnings) == 1
    assert len(whole) - sum(read) == (start and next_line_at(lines, start - 300))
    assert (shelf / LOG).read_bytes() == whole


def next_line_at(lines: list[bytes], place: int) -> int:
    """Return where the first line starts that starts at a byte or behind it."""
    starts = accumulate(map(len, lines))
    return next(start for start in starts if start >= place)


@pytest.mark.parametrize("place", [3, -3])
@pytest.mark.parametrize("spoilt", ["inserted", "replaced", "added"])
def test_a_newer_record_among_known_ones_is_refused_untouched(
    shelf: Path, place: int, spoilt: str
) -> None:
    """A snapshot that fits no longer stands for nothing, and of a small log all is looked at."""
    lines = session().lines()
    if spoilt == "replaced":
        lines[place] = later(lines[place])
    else:
        at = len(lines) if spoilt == "added" else place
        lines.insert(at, later(lines[place]))
    still.put(shelf, conversation=b"".join(lines) + b'{"torn')
    before = {path.name: path.read_bytes() for path in shelf.iterdir()}
    with pytest.raises(VersionError):
        still.look(shelf)
    assert {path.name: path.read_bytes() for path in shelf.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    "meta",
    [
        b"",
        b"{}\n",
        b"[]",
        b"null",
        b'"x"',
        b"\0" * 500,
        b"\xff\xfe",
        seal({"v": 1}),
        seal({"v": 99}),
    ]
    + [BAD["deep"], BAD["sealed deep"], BAD["long number"], b"x" * (MAX_LINE + 1)],
)
def test_any_bytes_in_the_snapshot_are_as_good_as_none(shelf: Path, meta: bytes) -> None:
    """It is a cache: whatever it holds, the state is that of the log."""
    still.put(shelf, meta=meta)
    found = still.look(shelf)
    assert (found.state, found.records, found.problems) == (
        session().states[-1],
        session().records,
        (),
    )


@pytest.mark.parametrize(
    "part", ["state", "log_bytes", "last_crc", "chart", "stretches", "damage", "claimed", "seq"]
)
@pytest.mark.parametrize("value", [None, 0, -1, 10**30, 1.5, "x", [], {}, [[]], True])
def test_a_snapshot_with_one_odd_part_does_no_harm(shelf: Path, part: str, value: object) -> None:
    """A part of another type makes it no snapshot of ours, or changes nothing that matters."""
    meta = unseal(session().files[META])
    inside = isinstance(meta["chart"], dict) and part in meta["chart"] and part != "seq"
    meta = {**meta, "chart": {**meta["chart"], part: value}} if inside else {**meta, part: value}  # type: ignore[dict-item]
    still.put(shelf, meta=seal(meta))
    found = still.look(shelf)
    assert (found.state, found.records) == (session().states[-1], session().records)


def test_a_snapshot_is_not_the_history(shelf: Path) -> None:
    """Where the log is gone or shorter the snapshot is not believed, and that is told."""
    for log in (None, b"", b"".join(session().lines()[:4])):
        for path in shelf.iterdir():
            path.unlink()
        still.put(shelf, conversation=log)
        found = still.look(shelf)
        assert any("is lost" in problem for problem in found.problems), log
        assert found.state == session().states[4 if log else 0]


def test_a_place_that_is_no_file_is_an_error(shelf: Path) -> None:
    """A pipe or a folder in the place of a file ends the start, and does not hang it."""
    still.put(shelf, meta=None)
    os.mkfifo(shelf / META)
    assert still.look(shelf).state == session().states[-1]
    (shelf / LOG).unlink()
    os.mkfifo(shelf / LOG)
    with pytest.raises(StorageError, match="not a regular file"):
        still.look(shelf)


NOTE = {"v": 1, "id": "n9", "turn": 1, "ts": TS, "source": "user", "key": "", "text": "x"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.values != ("a note",)])
def test_a_bad_line_among_the_notes_costs_itself_alone(shelf: Path, kind: str) -> None:
    """The notes around it are there, and it is told."""
    lines = session().lines(NOTES)
    lines.insert(1, BAD[kind])
    still.put(shelf, memories=b"".join(lines))
    found, problems = still.notes(shelf)
    assert found == session().notes
    assert problems
    assert (shelf / NOTES).read_bytes() == b"".join(lines)


def test_notes_that_stand_twice_are_there_once(shelf: Path) -> None:
    """A merge that repeats lines gives no note a second time."""
    still.put(shelf, memories=session().files[NOTES] * 2)
    assert still.notes(shelf) == (session().notes, ())


def test_sessions_that_share_notes_are_in_nobodys_way(shelf: Path) -> None:
    """What another session appended is no damage: each may sync, and write behind it."""
    logs = [NotesLog(shelf / NOTES, clock=lambda: TS) for _ in range(2)]
    for number in range(3):
        for place, log in enumerate(logs):
            text = hashlib.sha256(bytes([number, place])).hexdigest()
            log.remember(text, turn=1, source="user", key=f"{number}{place}")
            assert logs[1 - place].holds("", f"{number - 1}{place}") == (number > 0)
    for log in logs:
        log.close()
    assert len(still.notes(shelf)[0]) == 6


def test_json_stays_readable(shelf: Path) -> None:
    """Whatever is written is plain JSON, a line each."""
    still.put(shelf)
    still.go_on(shelf)
    for line in (shelf / LOG).read_bytes().splitlines():
        assert json.loads(line)["v"] == 1
