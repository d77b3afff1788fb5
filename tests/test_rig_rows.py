"""Laws of the row log and the journal: whatever a crash leaves can be gone on from."""

from io import StringIO
from pathlib import Path

import pytest

from chyan_agent.budget import Ledger
from chyan_agent.errors import ConfigError, CorruptError
from chyan_agent.model import Usage
from chyan_agent.rig.checks import Answered
from chyan_agent.rig.journal import Journal, place
from chyan_agent.rig.progress import Progress
from chyan_agent.rig.rows import (
    Cost,
    Ran,
    Row,
    RowLog,
    Sent,
    Shrunk,
    Verdict,
    from_json,
    read,
    to_json,
)
from chyan_agent.rig.scenarios import TurnSpec

LEDGER = Ledger(limit=10000, reserved=3500, system=200, tools=700, summary=50, recent=9, current=41)


def row(turn: int) -> Row:
    """Return a full row."""
    return Row(
        turn=turn,
        scenario="linear",
        round=1,
        text="计算 1+1",
        answer="结果是 2\ud800",
        verdict=Verdict(True),
        requests=(Sent(1, LEDGER, Usage(995, 12, 800)),),
        tools=(Ran("read", True, 0.25),),
        compactions=(Shrunk((1, 2), 900, 80, 3, 2),),
        cost=Cost(0.5, 0.375),
    )


def test_a_row_comes_back_as_it_was() -> None:
    """What is derived is written too, for readers of the file, and dropped on reading."""
    assert from_json(to_json(row(1))) == row(1)
    assert (row(1).cost.overhead, row(1).raw, row(1).requests[0].error) == (0.125, 53, 5)
    assert '"cached_tokens":800' in to_json(row(1))


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_torn_last_row_is_cut(tmp_path: Path, cut: int) -> None:
    """After a crash in the middle of a line the log goes on with that turn."""
    path = tmp_path / "log.jsonl"
    log = RowLog(path)
    log.append(row(1))
    log.append(row(2))
    log.close()
    path.write_bytes(path.read_bytes()[:-cut])
    again = RowLog(path)
    assert again.turns == 1
    again.append(row(2))
    again.close()
    assert [r.turn for r in read(path)] == [1, 2]


def test_a_gap_is_refused(tmp_path: Path) -> None:
    """Rows are one per turn; a damaged or missing one is reported with its line."""
    path = tmp_path / "log.jsonl"
    log = RowLog(path)
    with pytest.raises(ValueError, match="follows"):
        log.append(row(2))
    log.close()
    for text in ("{}\n", "no\n", to_json(row(3)).encode("utf-8", "replace").decode() + "\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(CorruptError, match="line 1"):
            RowLog(path)


def spec(*touches: str, files: tuple[tuple[str, str], ...] = ()) -> TurnSpec:
    """Return a turn that may change files."""
    return TurnSpec("?", Answered(), "dependency", touches=touches, files=files)


def test_the_journal_puts_files_back(tmp_path: Path) -> None:
    """Changed files get their text back, byte for byte, and new ones are removed."""
    (tmp_path / "a.txt").write_bytes(b"old \xff")
    journal = Journal(tmp_path / "pending.json", workspace=tmp_path, settings={"seed": 1})
    journal.begin(4, spec("a.txt", "d/b.txt"))
    place(tmp_path, spec(files=(("d/b.txt", "new"), ("a.txt", "new"))))
    again = Journal(tmp_path / "pending.json", workspace=tmp_path, settings={"seed": 1})
    pending = again.pending()
    assert pending is not None
    again.restore(pending)
    assert (pending.index, pending.redo) == (4, False)
    assert (tmp_path / "a.txt").read_bytes() == b"old \xff"
    assert not (tmp_path / "d/b.txt").exists()


def test_a_redo_is_remembered(tmp_path: Path) -> None:
    """A second crash during recovery must not take the sealed turn for an answered one."""
    journal = Journal(tmp_path / "p.json", workspace=tmp_path, settings={})
    journal.begin(0, spec())
    journal.mark_redo()
    again = Journal(tmp_path / "p.json", workspace=tmp_path, settings={}).pending()
    assert again is not None
    assert again.redo


def test_other_settings_are_named(tmp_path: Path) -> None:
    """A run can only be resumed with what it was started with."""
    Journal(tmp_path / "p.json", workspace=tmp_path, settings={"seed": 1}).begin(0, spec())
    other = Journal(tmp_path / "p.json", workspace=tmp_path, settings={"seed": 2})
    with pytest.raises(ConfigError, match="seed = 1, not 2"):
        other.pending()


def test_no_or_a_bad_journal(tmp_path: Path) -> None:
    """No journal is nothing pending; a damaged one is an error with a hint."""
    journal = Journal(tmp_path / "p.json", workspace=tmp_path, settings={})
    assert journal.pending() is None
    for text in ("{", '{"x": 1}'):
        (tmp_path / "p.json").write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match="damaged"):
            journal.pending()


def test_progress_says_rate_and_rest() -> None:
    """Away from a terminal there is a line every ten turns and one at the end."""
    times = iter([0.0, 5.0, 6.0])
    stream = StringIO()
    shown = Progress(
        stream, total=22, done=2, text="{done}/{total} {passed} {rate:.1f} {rest}",
        clock=lambda: next(times),
    )  # fmt: skip
    for done in range(3, 23):
        if done in (10, 22) or done % 10:
            shown.show(done, done - 1)
    assert stream.getvalue() == "10/22 9 1.6 0:07\n22/22 21 3.3 0:00\n"


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say yes."""
        return True


def test_progress_on_a_terminal_is_one_line() -> None:
    """The line is rewritten, and ended once."""
    stream = Terminal()
    shown = Progress(stream, total=2, done=0, text="{bar} {done}")
    shown.show(1, 1)
    shown.show(2, 2)
    assert stream.getvalue().count("\r") == 2
    assert stream.getvalue().count("\n") == 1
