"""Laws of the stress run: every turn is judged, and a cut run goes on to the same end."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from chyan_agent.config import Config
from chyan_agent.errors import AuthError, ConfigError, CorruptError
from chyan_agent.offline import serving
from chyan_agent.rig.checks import (
    Answered,
    Check,
    CheckResult,
    EvidenceSent,
    FileIs,
    Outcome,
    both,
    has,
)  # fmt: skip
from chyan_agent.rig.command import main, options, parser
from chyan_agent.rig.journal import Journal
from chyan_agent.rig.judge import Judge
from chyan_agent.rig.options import Endpoint, Options, Places, Script
from chyan_agent.rig.progress import Progress
from chyan_agent.rig.recovery import Resumed, look
from chyan_agent.rig.rows import Row, RowLog, read
from chyan_agent.rig.runner import Rig, run
from chyan_agent.rig.scenarios import TurnSpec
from chyan_agent.rig.scenarios.dialogue import Dialogue, load
from chyan_agent.rig.watch import Tap

from .agents import configured, refuses, says
from .servers import responding

SCRIPT = Path(__file__).parents[1] / "scripts" / "run_100_turns.py"


class Crash(BaseException):
    """What a test ends a run with, as a kill would."""


class Crashing:
    """A check at which the run dies: after the answer, before the row."""

    def judge(self, outcome: Outcome) -> CheckResult:
        """Die."""
        raise Crash


class Turns:
    """A book of given turns."""

    def __init__(self, *specs: TurnSpec) -> None:
        self.specs = list(specs)

    @property
    def turns(self) -> int:
        """How many."""
        return len(self.specs)

    def at(self, index: int) -> TurnSpec:
        """Return one."""
        return self.specs[index]


def turn(text: str, check: Check | None = None, *touches: str) -> TurnSpec:
    """Return a turn."""
    return TurnSpec(text, check or Answered(), "linear", touches=touches)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One offline model for all tests of this file."""
    with serving() as base_url:
        yield base_url


class Bench:
    """A run of a given book in a folder, step by step."""

    def __init__(self, folder: Path, url: str, *specs: TurnSpec) -> None:
        self.places = Places(folder, folder / "run")
        self.book = Turns(*specs)
        self.config: Config = configured(self.places.run, url, context__max_steps=4)
        self.places.claim()
        self.places.workspace.mkdir(exist_ok=True)

    def journal(self) -> Journal:
        """Return the journal as a new process opens it."""
        return Journal(self.places.journal, workspace=self.places.workspace, settings={})

    def play(self, *, judged: bool = True) -> list[Row]:
        """Play from wherever the last play ended, as `run --resume` does."""
        journal = self.journal()
        with closing(RowLog(self.places.rows)) as rows:
            start = look(journal, rows.turns, self.places.data, self.book) or Resumed(0)
            rig = Rig(self.places.workspace, rows, journal, self.book)
            rig.play(self.config, start, silent(self.book.turns), judged=judged)
        return list(read(self.places.rows))


def silent(turns: int) -> Progress:
    """Return a progress that nobody sees."""
    return Progress(StringIO(), total=turns, done=0, text="")


def test_every_turn_leaves_a_row_with_its_figures(tmp_path: Path, url: str) -> None:
    """Ledger, usage, tools, durations, memory and verdict, with no counting error."""
    bench = Bench(
        tmp_path, url,
        turn("计算 17*23+5", has(396)),
        turn("把下面内容写入 a.txt：12", FileIs("a.txt", "12"), "a.txt"),
        turn("计算 1+1", has(3)),
    )  # fmt: skip
    rows = bench.play()
    assert [row.verdict.ok for row in rows] == [True, True, False]
    assert "answer lacks 3" in rows[2].verdict.why
    assert [ran.name for ran in rows[1].tools] == ["write"]
    assert all(sent.error == 0 for row in rows for sent in row.requests)
    cost = rows[0].cost
    assert 0 < cost.model < cost.seconds
    assert 0 < cost.rss_mb <= cost.peak_mb
    assert rows[0].raw > 10


def test_an_answered_turn_without_a_row_is_judged_and_not_asked_again(
    tmp_path: Path, url: str
) -> None:
    """The answer is in the transcript, so it counts; files and notes are as they were."""
    bench = Bench(tmp_path, url, turn("计算 2+3", Crashing()), turn("计算 4+4", has(8)))
    with pytest.raises(Crash):
        bench.play()
    bench.book.specs[0] = turn("计算 2+3", has(5))
    rows = bench.play()
    assert [(r.verdict.ok, r.verdict.recovered) for r in rows] == [(True, True), (True, False)]
    assert asked(bench).count("计算 2+3") == 1


def test_a_question_about_evidence_is_asked_again(tmp_path: Path, url: str) -> None:
    """What was sent can't be known after a crash."""
    bench = Bench(tmp_path, url, turn("你好"), turn("计算 2+3", Crashing()))
    with pytest.raises(Crash):
        bench.play()
    bench.book.specs[1] = turn("计算 2+3", EvidenceSent(("你好",)))
    rows = bench.play()
    assert (rows[1].verdict.recovered, rows[1].verdict.share) == (False, 1.0)
    assert asked(bench).count("计算 2+3") == 2


def asked(bench: Bench) -> list[str]:
    """Return what the transcript says the user said."""
    lines = (bench.places.data / "conversation.jsonl").read_text(encoding="utf-8").splitlines()
    messages = [json.loads(line).get("message") or {} for line in lines]
    return [m["content"] for m in messages if m.get("role") == "user"]


def test_an_interrupted_turn_is_undone_and_asked_again(tmp_path: Path, url: str) -> None:
    """Its file changes are taken back, and the conversation rewound to the turn before."""
    append = turn("在 a.txt 末尾追加一行：二", FileIs("a.txt", "一\n二"), "a.txt")
    bench = Bench(tmp_path, url, turn("把下面内容写入 a.txt：一", None, "a.txt"), append)
    bench.book.specs[1] = replace(append, check=both(append.check, Crashing()))
    with pytest.raises(Crash):
        bench.play()
    redo = bench.journal()
    assert redo.pending() is not None
    redo.mark_redo()
    bench.book.specs[1] = append
    rows = bench.play()
    assert [r.verdict.ok for r in rows] == [True, True]
    assert (bench.places.workspace / "a.txt").read_text(encoding="utf-8") == "一\n二\n"


def test_log_and_journal_must_belong_together(tmp_path: Path, url: str) -> None:
    """A log that lost rows is not gone on from with wrong numbers."""
    bench = Bench(tmp_path, url, turn("你好"), turn("你好"), turn("你好"))
    bench.play()
    bench.places.rows.write_bytes(b"")
    with pytest.raises(CorruptError, match="0 turns, but turn 3"):
        bench.play()


def test_a_refused_turn_is_a_row_and_the_run_goes_on(tmp_path: Path) -> None:
    """A 400 costs its turn; a request without a reply still shows its ledger."""
    with responding(refuses(400, message="no", code="bad"), says("ok 1")) as server:
        rows = Bench(tmp_path, server.url, turn("a"), turn("b", has(1))).play(judged=False)
    assert [(r.verdict.ok, bool(r.verdict.error)) for r in rows] == [(False, True), (True, False)]
    assert rows[0].requests[0].ledger.total > 0


def test_a_wrong_key_ends_the_run_which_can_be_resumed(tmp_path: Path) -> None:
    """No later turn would fare better; the turn is asked again when the key is right."""
    with responding(refuses(401, message="bad key"), says("ok")) as server:
        bench = Bench(tmp_path, server.url, turn("a"))
        with pytest.raises(AuthError):
            bench.play(judged=False)
        rows = bench.play(judged=False)
    assert [(r.verdict.ok, r.answer) for r in rows] == [(True, "ok")]


def test_the_judge_is_read_as_news(url: str) -> None:
    """Only refusals since the last look count."""
    with closing(Judge(url)) as judge:
        assert judge.news() == 0
        assert refused_by(url) == 400
        assert (judge.news(), judge.news()) == (1, 0)


def refused_by(url: str) -> int:
    """Send a request that no judge accepts; return the status."""
    import http.client
    from urllib.parse import urlsplit

    with closing(http.client.HTTPConnection(urlsplit(url).netloc)) as server:
        server.request("POST", "/v1/chat/completions", body=b'{"messages": []}')
        return server.getresponse().status


def test_a_tap_leaves_the_question_out() -> None:
    """Evidence in the question itself proves nothing; without a request there is nothing."""
    assert Tap().text() == ""


def write_store(path: Path) -> Path:
    """Write a small conversation."""
    store = {
        "corpus": [
            {"id": "1", "text": "我的航班号是 MU5137。", "time": "2024-03-01", "speaker": "小林"},
            {"id": "2", "text": "酒店在西湖边。"},
            {"id": "3", "text": " "},
        ],
        "queries": [
            {"id": "q1", "text": "我的航班号是什么？", "relevant": ["1"], "kind": "simple"},
            {"id": "q2", "text": "晚饭在哪里吃？", "relevant": ["9"], "kind": "simple"},
        ],
    }
    path.write_text(json.dumps(store, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def test_a_dialogue_is_told_and_then_asked_about(tmp_path: Path) -> None:
    """Speaker and time stand before the text; questions without told evidence are left out."""
    book = load(write_store(tmp_path / "d.jsonl"))
    specs = [book.at(n) for n in range(book.turns)]
    assert [s.text for s in specs] == [
        "[2024-03-01] 小林: 我的航班号是 MU5137。", "酒店在西湖边。", "我的航班号是什么？",
    ]  # fmt: skip
    assert specs[2].check == EvidenceSent(("我的航班号是 MU5137。",))
    assert load(tmp_path / "d.jsonl", most=1).turns == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"corpus": [1], "queries": []}', "{}"])
def test_what_is_no_dialogue_is_refused_with_a_hint(tmp_path: Path, text: str) -> None:
    """Missing lines, broken JSON and other shapes."""
    path = tmp_path / "d.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert caught.value.hint
    with pytest.raises(ConfigError, match="can't read"):
        load(tmp_path / "none")


def test_evidence_in_the_window_is_seen(tmp_path: Path, url: str) -> None:
    """The final request of a question held what was told two turns before."""
    path = write_store(tmp_path / "d.jsonl")
    book = load(path)
    assert isinstance(book, Dialogue)
    rows = Bench(tmp_path, url, *(book.at(n) for n in range(3))).play()
    assert [(r.scenario, r.verdict.ok) for r in rows][2] == ("question", True)
    assert rows[2].verdict.share == 1.0


def test_a_whole_run_writes_log_plot_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command's exit code is 0, and a second --resume has nothing left to do."""
    flags = ["--turns", "12", "--language", "en", "--output", str(tmp_path)]
    assert main(flags) == 0
    assert len(list(read(tmp_path / "turns_log.jsonl"))) == 12
    assert (tmp_path / "context_usage.png").stat().st_size > 10_000
    assert "| all | 12 | 12 | 100.0% |" in (tmp_path / "report.md").read_text(encoding="utf-8")
    *_, scenarios, last = capsys.readouterr().err.splitlines()
    assert scenarios == "linear 4/4 · dependency 5/5 · memory recall 3/3"
    assert last.startswith("12/12 turns passed, 0 requests refused")
    before = (tmp_path / "turns_log.jsonl").read_bytes()
    assert main([*flags, "--resume"]) == 0
    assert (tmp_path / "turns_log.jsonl").read_bytes() == before


def test_a_killed_run_is_resumed_to_the_same_checks(tmp_path: Path) -> None:
    """SIGKILL in the middle of a run: every turn has its row, in order, with the same verdict."""
    flags = ["--turns", "40", "--seed", "5", "--output", str(tmp_path / "out")]
    log = tmp_path / "out" / "turns_log.jsonl"
    child = subprocess.Popen([sys.executable, str(SCRIPT), *flags], stderr=subprocess.DEVNULL)
    while child.poll() is None and not (log.exists() and log.read_bytes().count(b"\n") >= 9):
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    asked_for = options(parser().parse_args([*flags, "--resume"]))
    assert run(asked_for, StringIO()).played == 40
    with_kill = [(r.turn, r.answer, r.verdict.ok) for r in read(log)]
    again = replace(asked_for, resume=False)
    run(again, StringIO())
    assert with_kill == [(r.turn, r.answer, r.verdict.ok) for r in read(log)]


def test_other_settings_are_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the setting; the exit code says that the command was wrong."""
    places = Places(tmp_path, tmp_path / "run")
    places.claim()
    first = Options(places=places, script=Script(turns=3))
    journal = Journal(places.journal, workspace=places.workspace, settings=first.settings())
    journal.begin(0, turn("x"))
    assert main(["--turns", "4", "--output", str(tmp_path), "--resume"]) == 2
    assert "turns = 3，不是 4" in capsys.readouterr().err


def test_a_foreign_folder_is_never_cleared(tmp_path: Path) -> None:
    """Only a folder that a run has marked may be emptied."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("years", encoding="utf-8")
    with pytest.raises(ConfigError, match="not of a stress run"):
        Places(tmp_path, tmp_path / "run").claim()
    assert (tmp_path / "run" / "thesis.txt").exists()


def test_a_fresh_run_clears_only_its_own_files(tmp_path: Path) -> None:
    """What else lies in the output folder stays."""
    places = Places(tmp_path, tmp_path / "run")
    places.claim()
    (places.workspace).mkdir()
    for path in (places.rows, places.report, places.workspace / "a", tmp_path / "mine.md"):
        path.write_text("x", encoding="utf-8")
    places.clear()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine.md", "run"]
    assert list(places.workspace.iterdir()) == []


@pytest.mark.parametrize("flags", [["--turns", "0"], ["--loss", "2"], ["--strategy", "magic"]])
def test_wrong_options_are_refused(flags: list[str]) -> None:
    """argparse says which and ends with 2."""
    with pytest.raises(SystemExit) as caught:
        main(flags)
    assert caught.value.code == 2


def test_a_folder_that_cannot_be_made_is_said_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the path and the options that choose it."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["--output", str(tmp_path / "file" / "out")]) == 5
    assert "--output" in capsys.readouterr().err


def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends with 130 and a hint."""

    def interrupted(asked_for: Options, stream: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chyan_agent.rig.command.run", interrupted)
    assert main(["--output", str(tmp_path), "--language", "en"]) == 130
    assert "--resume" in capsys.readouterr().err


def test_a_foreign_model_is_reported_not_failed(tmp_path: Path) -> None:
    """With an external endpoint failed checks don't fail the run, errors do."""
    places = Places(tmp_path, tmp_path / "run")
    script = Script(turns=2, language="en")
    with responding(says("no idea"), says("no idea")) as server:
        asked_for = Options(places=places, script=script, endpoint=Endpoint(base_url=server.url))
        summary = run(asked_for, StringIO())
    assert (summary.ok, summary.failed, summary.judged) == (True, 2, False)
    assert not replace(summary, errors=1).ok
    assert not replace(summary, judged=True).ok
