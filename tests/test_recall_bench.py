"""The recall benchmark: metrics by hand, any data of the schema, and what it writes."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recall import arguments, chosen_fields
from recall_data import Item, sets, worlds
from recall_metrics import METRICS, difference, means, scored, session_hits, tokens
from recall_rivals import make

from chyan_agent.memory.index import FIELDS

from .source import ROOT

BENCHMARK = str(ROOT / "benchmarks" / "recall.py")
STORES = [
    {
        "corpus": [
            {
                "id": "a",
                "text": "猫叫年糕",
                "time": "2024-09-02",
                "speaker": "user",
                "session": "s",
            },
            {"id": "b", "text": "好的", "speaker": "assistant", "session": "s"},
            {"id": "c", "text": "The cat was vaccinated", "time": 1726300800, "unknown": [1]},
        ],
        "queries": [
            {"id": "1", "text": "猫叫什么", "relevant": ["a"], "kind": "name"},
            {"text": "vaccinated", "relevant": ["c", "not in the store"], "kind": "a new kind"},
            {"text": "who knows", "relevant": []},
            {"text": "nor this", "relevant": ["nothing"]},
            {"text": "那它呢", "relevant": ["c"], "context": ["cat?"], "ask_time": "2024-10"},
        ],
    },
    {"corpus": [{"text": "一条没有编号的笔记"}], "queries": [{"text": "笔记", "relevant": [0]}]},
    {"corpus": [], "queries": []},
]


def items(*ids: str, text: str = "字", session: str = "") -> list[Item]:
    """Return items of one text."""
    return [Item(one, text, session=session) for one in ids]


def test_metrics_by_hand() -> None:
    """Two of three relevant items, on places 1 and 4, of items of 100 tokens each."""
    ranking = items("a", "x", "y", "b", *"pqrstuv", text="字" * 100)
    found = scored(ranking, frozenset({"a", "b", "c"}))
    assert tuple(found) == METRICS
    assert found["R@1"] == pytest.approx(1 / 3)
    assert found["R@5"] == found["R@10"] == found["E@500"] == pytest.approx(2 / 3)
    assert (found["any@5"], found["MRR"]) == (1, 1)
    assert found["nDCG@10"] == pytest.approx((1 + 0.430677) / (1 + 0.630930 + 0.5), abs=1e-5)


def test_evidence_within_a_budget() -> None:
    """The list ends at the first item for which there is no room."""
    ranking = [Item("x", "字" * 400), Item("a", "字" * 101), Item("b", "字")]
    found = scored(ranking, frozenset({"a", "b"}))
    assert (found["E@500"], found["E@1000"]) == (0, 1)
    assert tokens("两字and 4 more") == 2 + 10 / 4


def test_sessions() -> None:
    """A session stands where its best item stands; without sessions there is no such figure."""
    ranking = [Item(str(n), "", session=f"s{n // 2}") for n in range(16)]
    assert list(session_hits(ranking, frozenset({"9"}), ranking).values()) == [1, 1]
    assert list(session_hits(ranking, frozenset({"10"}), ranking).values()) == [0, 1]
    assert session_hits(items("a"), frozenset({"a"}), items("a")) == {}


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.sets(st.sampled_from("abcd")))
def test_metrics_are_shares(ranking: Sequence[str], relevant: set[str]) -> None:
    """Every metric is between 0 and 1, and all are 1 when the evidence comes first."""
    if relevant:
        found = scored(items(*ranking), frozenset(relevant))
        assert all(0 <= value <= 1 for value in found.values())
        perfect = scored(items(*sorted(relevant)), frozenset(relevant))
        assert {v for name, v in perfect.items() if name != "R@1"} == {1}


def test_the_interval_of_a_difference() -> None:
    """No difference is none for sure; a gain of every question is a gain for sure; always alike."""
    assert difference([1.0] * 9, [1.0] * 9) == (0, 0, 0)
    assert difference([1.0] * 9, [0.0] * 9) == (100, 100, 100)
    mixed = [1.0, 0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0]
    assert difference(*mixed) == difference(*mixed)
    assert means([{"R@1": 1.0}, {"R@1": 0.0, "E@500": 1.0}]) == {"R@1": 50, "E@500": 100}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with two sets, one of two files."""
    folder = tmp_path / "data"
    for name in ("one/x", "one/y", "two/z"):
        path = folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(store, ensure_ascii=False) for store in STORES]
        path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    (folder / "one" / "README.md").write_text("not data", encoding="utf-8")
    return folder


def test_reading(data: Path) -> None:
    """Keys may be missing; evidence that isn't in the store is dropped; a set is a folder too."""
    read = list(worlds(data / "one" / "x.jsonl"))
    assert [len(world.items) for world in read] == [3, 1, 0]
    assert [len(question.relevant) for question in read[0].questions] == [1, 1, 0, 0, 1]
    assert [question.now for question in read[0].questions][-2:] == ["", "2024-10"]
    assert read[1].questions[0].relevant == {"0"} == {read[1].items[0].id}
    assert list(sets(data)) == ["one", "two"]
    assert list(sets(data / "two")) == ["two"]
    with pytest.raises(FileNotFoundError):
        sets(data, ["three"])


def test_a_line_that_is_no_store(tmp_path: Path) -> None:
    """The error names file and line."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"corpus": [], "queries": []}\n{"corpus": [{"id": 1}]}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.jsonl:2: no store"):
        list(worlds(path))


def test_fields() -> None:
    """Fields are taken away with a minus, or named."""
    assert chosen_fields("-time, -neighbours") == tuple(
        name for name in FIELDS if name not in {"time", "neighbours"}
    )
    assert chosen_fields("time,words") == ("words", "time")
    given = arguments(["--data", "d", "--fields", "-time,-neighbours", "--alone"])
    assert given.fields == chosen_fields("-time,-neighbours")
    with pytest.raises(SystemExit):
        arguments(["--data", "d", "--fields", "colour"])


def test_the_whole_benchmark(data: Path) -> None:
    """Tables go to standard output, progress beside them, and exactly the metrics to the file."""
    figures = data.parent / "figures.json"
    command = [sys.executable, BENCHMARK, "--data", str(data), "--json", str(figures)]
    more = ["--fields", "-time", "--segmenter", "builtin", "--ablation", "--jobs", "1"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    written = json.loads(figures.read_text(encoding="utf-8"))
    assert list(written) == ["one", "two"]
    assert list(written["one"]) == list(METRICS)
    assert written["two"]["any@5"] == 100
    assert "one: fields: 8 items, 8 questions, 4 without evidence left out" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("| set | questions | engine | R@1 | R@5 |")
    assert any(line.startswith("| two | a new kind | 1 | ") for line in lines)
    assert any(line.startswith("| -neighbours | ") for line in lines)


def test_no_data(tmp_path: Path) -> None:
    """A folder without sets is said in one line."""
    command = [sys.executable, BENCHMARK, "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


LAME = [
    "{",
    "7",
    '["corpus"]',
    '{"queries": []}',
    '{"corpus": 5}',
    '{"corpus": [{"id": 1}]}',
    '{"corpus": [], "queries": [{"text": "猫", "relevant": "a"}]}',
    "[" * 100_000,
    "\udcff",
]


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the benchmark over a folder, on one core."""
    command = [sys.executable, BENCHMARK, "--data", str(folder), "--segmenter", "builtin"]
    given = [*command, "--jobs", "1", "--alone", *more]
    return subprocess.run(given, capture_output=True, text=True, check=False)


def test_lines_that_are_no_store_are_passed_over(data: Path) -> None:
    """Each is named with its file and line and counted; the rest is judged, marked or not."""
    lines = [LAME[0], json.dumps(STORES[0]), "", *LAME[1:], json.dumps(STORES[1])]
    text = "\ufeff" + "\r\n".join(lines)
    (data / "two" / "lame.jsonl").write_bytes(text.encode("utf-8", "surrogateescape"))
    (data / "two" / "marked.jsonl").write_text(json.dumps(STORES[1]), encoding="utf-8-sig")
    done = run(data, "--json", str(data.parent / "figures.json"))
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert f"Lines skipped, as they are no store: {len(LAME)}" in done.stdout
    named = [line for line in done.stderr.splitlines() if line.startswith("skipped ")]
    places = [1, *range(4, 3 + len(LAME))]
    assert [line.split(": ")[0] for line in named] == [
        f"skipped {data / 'two' / 'lame.jsonl'}:{place}" for place in places
    ]
    before = run(data / "one")
    assert "Lines skipped" not in before.stdout
    assert list(json.loads((data.parent / "figures.json").read_text("utf-8"))) == ["one", "two"]


def test_nothing_left_to_judge(tmp_path: Path) -> None:
    """Files without any store end in one line that says so, after those that name each."""
    (tmp_path / "x.jsonl").write_text("{}\n[]\n", encoding="utf-8")
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (
        "recall.py: nothing to judge, lines that are no store: 2"
    )


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """What is given instead of a folder is said in one line."""
    (tmp_path / "x.jsonl").write_text("{}", encoding="utf-8")
    done = run(tmp_path / "x.jsonl")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


@pytest.mark.slow
def test_the_scale_benchmark(tmp_path: Path) -> None:
    """Every engine that is installed has a line, and finds what it is asked for."""
    figures = tmp_path / "figures.json"
    engines = ["plain", "fields", "rank_bm25", "fts5"]
    command = [sys.executable, str(ROOT / "benchmarks" / "recall_scale.py"), "--sizes", "60"]
    command += ["--open", "40"]
    more = ["--engines", *engines, "--json", str(figures)]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    rows = [line for line in done.stdout.splitlines()[2:] if line.startswith("| ")]
    assert [row.split(" | ")[1].strip("*") for row in rows] == engines
    assert "40 messages: opened in" in done.stdout
    written = json.loads(figures.read_text(encoding="utf-8"))
    assert all(figure["p50"] > 0 for figure in written["60"].values())


@pytest.mark.parametrize("name", ["plain", "fields", "rank_bm25", "fts5"])
def test_engines_find_what_is_asked_for(name: str) -> None:
    """Behind one face, every engine puts the only document with a word first, new ones too."""
    engine = make(name)
    words = ["一只猫", "两条狗", "三头牛", "四匹马"]
    engine.build([(word, list(word)) for word in words])
    engine.add("五个桃", list("五个桃"))
    assert engine.search("桃", ["桃"], 3)[0] == 4
    assert engine.search("狗", ["狗"], 3)[0] == 1
