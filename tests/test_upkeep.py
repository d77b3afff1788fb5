"""A session's files: verified, taken over after edits by hand, looked at without a lock."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from chyan_agent.cli import main
from chyan_agent.durable.lock import Lock
from chyan_agent.durable.records import resealed
from chyan_agent.durable.resealing import accept_edits
from chyan_agent.prompts import Language
from chyan_agent.prompts import errors as say

from .test_interrupted import killed_at

Out = pytest.CaptureFixture[str]
LOG = Path("data/conversation.jsonl")
NOTES = Path("data/memories.jsonl")
META = Path("data/meta.json")
ARGV = ["--language", "en", "--offline"]


@pytest.fixture(autouse=True)
def _session(lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each test with a session of three turns and a note."""
    shutil.copytree(lived, tmp_path / "data")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data of a session of three turns with a note, made once."""
    home = tmp_path_factory.mktemp("lived")
    place = ["--data-dir", str(home / "data"), "--workspace", str(home / "workspace")]
    questions = io.StringIO("1+1\nremember that tea is green\n2+2\n")
    with patch.object(sys, "stdin", questions):
        assert main([*ARGV, *place]) == 0
    return home / "data"


def lines() -> list[bytes]:
    """Return the lines of the transcript."""
    return LOG.read_bytes().splitlines(keepends=True)


def tree() -> dict[str, bytes | None]:
    """Return every file and folder but the log of what happened, and who held the lock."""
    found = {str(path): path.read_bytes() if path.is_file() else None for path in Path().rglob("*")}
    return {path: data for path, data in found.items() if Path(path).name not in SELF}


SELF = {".lock", "agent.log"}


def run(capsys: Out, *argv: str) -> tuple[int, str, str]:
    """Run the command line; return exit code, stdout and stderr."""
    code = main([*ARGV, *argv])
    return code, *capsys.readouterr()


# ── --strict ──


def _flip(path: Path, line: int) -> Callable[[], None]:
    def damage() -> None:
        whole = path.read_bytes().splitlines(keepends=True)
        whole[line] = whole[line].replace(b'"ts":"2', b'"ts":"3')
        path.write_bytes(b"".join(whole))

    return damage


def _write(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> Callable[[], None]:
    def damage() -> None:
        path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))

    return damage


DAMAGE: dict[str, Callable[[], None]] = {
    "torn": _write(LOG, lambda all_: [*all_, b'{"turn":4,"se']),
    "first": _flip(LOG, 0),
    "middle": _flip(LOG, 3),
    "last": _flip(LOG, -1),
    "lost": _write(LOG, lambda all_: all_[:3] + all_[4:]),
    "twice": _write(LOG, lambda all_: [*all_, all_[-1]]),
    "foreign": _write(LOG, lambda _: [b"dear diary\n"]),
    "torn note": _write(NOTES, lambda all_: [*all_, b'{"v":1,"i']),
    "spoilt note": _flip(NOTES, 0),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_strict_ends_at_any_damage_and_changes_nothing(kind: str, capsys: Out) -> None:
    """Exit code 4 names the place; every file stays as it is, with a lock or without."""
    DAMAGE[kind]()
    META.unlink()
    before = tree()
    for mode in ([], ["--read-only"]):
        code, out, err = run(capsys, "--strict", *mode, "/history")
        assert code == 4 and "damaged" in err and "#t1" not in out
        assert tree() == before


@pytest.mark.parametrize("change", ["none", "no snapshot", "spoilt snapshot", "interrupted"])
def test_strict_lets_a_whole_session_pass(change: str, capsys: Out) -> None:
    """The snapshot is a cache, and a turn that was cut short is no damage."""
    if change == "no snapshot":
        META.unlink()
    elif change == "spoilt snapshot":
        META.write_bytes(META.read_bytes()[:-9])
    elif change == "interrupted":
        LOG.write_bytes(b"".join(lines()[:-1]))
    code, out, _ = run(capsys, "--strict", "/history")
    assert code == 0 and "#t3" in out


def test_a_snapshot_that_can_not_be_had_costs_only_time(capsys: Out) -> None:
    """Where none can be read or written turns are answered and kept all the same."""
    META.unlink()
    META.mkdir()
    (META / "inside").touch()
    for number, question in ((4, "3+3"), (5, "4+4")):
        code, out, err = run(capsys, "--json", question)
        last = json.loads(out.splitlines()[-1])
        assert (code, last["event"], last["turn"], err) == (0, "answered", number, "")
    shutil.rmtree(META)
    assert "#t5  4+4" in run(capsys, "--strict", "/history")[1]


NEWER = b'{"turn":4,"seq":99,"v":99,"kind":"hologram","ts":"2099"}'


USES: tuple[list[str], ...] = ([], ["--strict"], ["--read-only"])
"""What reads both logs."""


@pytest.mark.parametrize(
    ("file", "argv"),
    [
        *((file, argv) for file in (LOG, NOTES) for argv in USES),
        (LOG, ["--accept-edited"]),
        (LOG, ["--rebuild-context"]),
    ],
)
def test_a_newer_file_ends_every_use(file: Path, argv: list[str], capsys: Out) -> None:
    """Exit code 3 and a hint, and not a byte of it is changed."""
    file.write_bytes(file.read_bytes() + resealed(NEWER))
    before = tree()
    code, _, err = run(capsys, *argv, *([] if "--rebuild-context" in argv else ["/history"]))
    assert code == 3 and "99" in err and "update" in err
    assert tree() == before


# ── --accept-edited ──


def edited(line: int, old: bytes, new: bytes) -> None:
    """Change a line as a user with an editor does."""
    whole = lines()
    assert old in whole[line]
    whole[line] = whole[line].replace(old, new, 1)
    LOG.write_bytes(b"".join(whole))


def turn_of(text: str) -> int:
    """Return the number of the line that holds a text."""
    return next(place for place, line in enumerate(lines()) if text.encode() in line)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_edit_is_accepted_and_said(language: Language, capsys: Out) -> None:
    """The record counts as it stands now, the file as it was is kept, and strictness is content."""
    edited(turn_of('"1+1"'), b"1+1", b"7+7")
    before = LOG.read_bytes()
    argv = ["--language", language, "--accept-edited", "/history"]
    assert main(["--offline", *argv]) == 0
    out, err = capsys.readouterr()
    start = before.index(lines()[turn_of("7+7")][:40])
    for said in (
        say.ACCEPTED.of(name=LOG.name, seq=2, turn=1, start=start),
        say.EDITED_KEPT.of(path="data/quarantine/edited-1.jsonl"),
    ):
        assert said.text(language) in err
    assert "7+7" in out
    assert Path("data/quarantine/edited-1.jsonl").read_bytes() == before
    assert run(capsys, "--strict", "/history")[0] == 0
    nothing = run(capsys, "--accept-edited", "/history")[2]
    assert str(say.NOTHING_EDITED.of(name=LOG.name)) in nothing
    assert len(list(Path("data/quarantine").iterdir())) == 1


@pytest.mark.parametrize("shape", ["all", "crlf", "no seal", "keys in another order", "last torn"])
def test_edits_of_every_shape_are_accepted(shape: str, capsys: Out) -> None:
    """Editors and scripts write line ends, marks and key orders of their own."""
    whole = [json.loads(line) for line in lines()]
    for fields in whole:
        if "message" in fields and fields["message"]["content"] == "1+1":
            fields["message"]["content"] = "sieben"
    if shape == "no seal":
        whole = [{key: value for key, value in fields.items() if key != "crc"} for fields in whole]
    elif shape == "keys in another order":
        whole = [dict(reversed(fields.items())) for fields in whole]
    end = "\r\n" if shape == "crlf" else "\n"
    text = "".join(json.dumps(fields, ensure_ascii=True) + end for fields in whole)
    text = "\ufeff" + text if shape == "crlf" else text
    LOG.write_bytes(text.rstrip("\n").encode() if shape == "last torn" else text.encode())
    assert run(capsys, "1+1")[0] == 4
    assert run(capsys, "--rebuild-context", "--accept-edited")[0] == 0
    code, out, err = run(capsys, "--strict", "/history")
    assert code == 0 and "sieben" in out and "#t3" in out, err


def test_what_is_no_record_stays_damage(capsys: Out) -> None:
    """A broken line, and a record whose number was there before, are passed over and kept."""
    whole = lines()
    again = whole[1].replace(b'"1+1"', b'"8+8"')
    LOG.write_bytes(b"".join([*whole[:3], b'{"half\n', again, *whole[3:]]))
    edited(turn_of('"2+2"'), b"2+2", b"9+9")
    before = LOG.read_bytes()
    assert run(capsys, "--accept-edited", "/history")[0] == 0
    assert b'{"half\n' + again in LOG.read_bytes() and len(LOG.read_bytes()) == len(before)
    code, out, _ = run(capsys, "/history")
    assert code == 0 and "9+9" in out and "8+8" not in out
    assert run(capsys, "--strict", "/history")[0] == 4


def test_an_acceptance_may_die_at_any_moment(tmp_path: Path) -> None:
    """The transcript is the old one or the new one, whole, and the original is never gone."""
    edited(turn_of('"1+1"'), b"1+1", b"7+7")
    before, count, died = LOG.read_bytes(), 0, True
    while died:
        count += 1
        home = tmp_path / str(count)
        shutil.copytree("data", home)
        log, meta = home / LOG.name, home / META.name
        died = killed(killed_at(count), partial(accept_edits, log, meta))
        now = log.read_bytes()
        kept = home / "quarantine" / "edited-1.jsonl"
        assert now == before or (kept.read_bytes() == before and not meta.exists())
        accept_edits(log, meta)
        assert b"7+7" in log.read_bytes() and not list(home.glob("*.tmp"))
    assert count > 8


def killed(arm: Callable[[], None], act: Callable[[], object]) -> bool:
    """Act in a process of its own that `arm` lets die; whether it did."""
    child = os.fork()
    if child == 0:
        try:
            arm()
            act()
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -9)
    return code != 0


def test_an_edit_is_told_with_the_way_to_accept_it(capsys: Out) -> None:
    """A start without the option passes the record over and says how to have it."""
    edited(turn_of('"1+1"'), b"1+1", b"7+7")
    META.unlink()
    code, out, err = run(capsys, "/history")
    assert code == 0 and "--accept-edited" in err and "7+7" not in out


# ── --read-only ──


@pytest.mark.parametrize("language", ["zh", "en"])
def test_looking_changes_nothing(
    language: Language, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """What there is is shown while another process holds the lock; not a byte, nor a time changes.

    What would change something is refused with a hint, and the exit code is 2.
    """
    with Lock(Path("data")):
        paths = [Path("data"), *Path("data").iterdir()]
        before = tree(), [path.stat().st_mtime_ns for path in paths]
        asked = "/history\n/summary\n/memory\n/memory tea\n1+1\n/rewind 1\n/reset\n/compact\n"
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{asked}/tokens\n/help\n"))
        assert main(["--language", language, "--read-only"]) == 2
        out, err = capsys.readouterr()
        assert "#t3  2+2" in out and out.count("tea is green") >= 3
        assert err.count(say.LOOK_ONLY.text(language)) == 5
        assert say.LOOK_ONLY_HINT.text(language) in err
        assert (tree(), [path.stat().st_mtime_ns for path in paths]) == before
        assert sorted(path.name for path in Path().iterdir()) == ["data"]


@pytest.mark.parametrize("kind", ["torn", "middle", "twice", "spoilt note", "torn note"])
def test_looking_tells_of_damage_and_repairs_none(kind: str, capsys: Out) -> None:
    """What can be read is shown, and where it can't is said."""
    DAMAGE[kind]()
    META.unlink()
    before = tree()
    code, out, err = run(capsys, "--read-only", "/history")
    assert code == 0 and "#t3" in out
    assert "conversation.jsonl" in err or "memories.jsonl" in err
    assert tree() == before


def test_there_must_be_something_to_look_at(capsys: Out) -> None:
    """A session that is not there is an error, and is not made."""
    before = tree()
    for place in (["--session", "none"], ["--data-dir", "nowhere"]):
        assert run(capsys, "--read-only", *place)[0] == 2
        assert run(capsys, "--accept-edited", *place, "1+1")[0] == 2
        assert run(capsys, "--rebuild-context", *place)[0] == 2
        assert run(capsys, "--resume-from-turn", "1", *place, "1+1")[0] == 2
    assert tree() == before


@pytest.mark.parametrize(
    "argv",
    [
        ["--read-only", "--accept-edited"],
        ["--read-only", "--rebuild-context"],
        ["--read-only", "--resume-from-turn", "1"],
        ["--read-only", "--doctor"],
        ["--strict", "--accept-edited"],
        ["--resume-from-turn", "1", "--rebuild-context"],
        ["--resume-from-turn", "1", "--doctor"],
    ],
)
def test_who_looks_does_not_change(argv: list[str], capsys: Out) -> None:
    """Options that contradict each other are refused, and both are named."""
    code, _, err = run(capsys, *argv)
    assert code == 2 and all(option in err for option in argv if option.startswith("-"))
