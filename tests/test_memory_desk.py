"""The owner's hand on the notes: listed, shown, edited, forgotten, exported, imported."""

import io
import json
import resource
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from chyan_agent.cli.arguments import parse
from chyan_agent.cli.memory import MemoryDesk
from chyan_agent.cli.options import AboutNotes
from chyan_agent.cli.show import JsonScreen, TextScreen
from chyan_agent.cli.terminal import Terminal
from chyan_agent.errors import AgentError, ConfigError, StorageError
from chyan_agent.memory.store import Store, open_memory
from chyan_agent.prompts import arguments, terminal

Run = Callable[..., str]
KEY = "sk-" + "a1B2" * 8


def opened(folder: Path) -> Store:
    """Open the notes of a folder, with a clock that never stands still."""
    ticks = count()
    return open_memory(
        folder / "memories.jsonl",
        segmenter_name="builtin",
        clock=lambda: f"2026-01-01T00:00:00.{next(ticks):03}+00:00",
    )


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Store]:
    """Notes: a database that changed, and what somebody drinks."""
    store = opened(tmp_path)
    store.remember("项目数据库使用 PostgreSQL", turn=3, source="user", key="t00003c01")
    store.remember("项目数据库改用 MySQL", turn=9, source="model")
    store.remember("I like green tea", turn=12, source="user")
    yield store
    store.close()


@pytest.fixture
def run(memory: Store) -> Run:
    """Return what gives the output of a command."""

    def run(words: str, *, as_json: bool = False) -> str:
        out = io.StringIO()
        screen: JsonScreen | TextScreen = JsonScreen(Terminal(out), "en")
        if not as_json:
            one = Terminal(out)
            screen = TextScreen(terminal.EN, answers=one, aside=one, errors=one)
        MemoryDesk(memory, screen, "en").run(words)
        return out.getvalue()

    return run


def texts(memory: Store) -> list[str]:
    """Return the current notes."""
    return [note.text for note in memory.notes()]


def test_the_list_names_ids_and_turns(run: Run) -> None:
    """Current notes are listed with the id to act on and the turn they come from."""
    assert run("") == run("list") == run("列出")
    assert [line.split()[:2] for line in run("").splitlines()] == [["n2", "#t9"], ["n3", "#t12"]]
    rows = [json.loads(line) for line in run("", as_json=True).splitlines()]
    assert [(row["event"], row["id"], row["replaces"]) for row in rows] == [
        ("note", "n2", ["n1"]),
        ("note", "n3", []),
    ]


@pytest.mark.parametrize("asked", ["tea", "search tea", "list of tea", "搜索 tea"])
def test_other_words_are_searched_for(run: Run, asked: str) -> None:
    """What is no action is a search, and a search says what was replaced."""
    assert "I like green tea" in run(asked)
    assert "replaces: 项目数据库使用 PostgreSQL" in run("数据库")
    assert "nothing found" in run("zzqx")


def test_a_search_says_what_only_comes_near(memory: Store, run: Run) -> None:
    """Where no hit holds a word that means something, a few are shown and called the nearest."""
    for size in range(5):
        memory.remember(f"第{size + 3}间屋子里有一把椅子", turn=20 + size, source="user")
    near = run("我在哪里见过有角的鲸")
    assert "only come nearest" in near and len(near.splitlines()) <= 4
    assert "nearest" not in run("椅子")
    rows = [json.loads(line) for line in run("有角的鲸", as_json=True).splitlines()]
    assert [row["met"] for row in rows if row.get("event") == "hit"] == [False] * len(rows[1:])


def test_a_search_marks_contradictions(memory: Store, run: Run) -> None:
    """Of two notes that can't both hold each names the other."""
    memory.remember("我喜欢香菜", turn=1, source="user")
    memory.remember("我讨厌香菜", turn=2, source="user")
    assert run("香菜").count("contradicts:") == 2


def test_who_asks_for_an_old_value_is_told_the_new_one(memory: Store, run: Run) -> None:
    """A word that only the replaced note holds leads to the note that took its place."""
    (hit,) = memory.recall("PostgreSQL", 5)
    assert (hit.text, hit.replaces) == ("项目数据库改用 MySQL", "项目数据库使用 PostgreSQL")
    assert len(memory.recall("数据库", 5)) == 1
    run("forget n2")
    assert memory.recall("PostgreSQL", 5) == []


def test_a_note_is_shown_with_its_provenance(memory: Store, run: Run) -> None:
    """Who said it, when, in which turn and words; what it replaced, and what replaced it."""
    memory.remember("User likes green tea", turn=20, source="model")
    assert run("show n3").count("#t12") == 1
    assert "model · #t20" in run("show 3")
    assert "“User likes green tea”" in run("show #N3")
    assert "before: n1" in run("show n2")
    assert "replaced by n2 项目数据库改用 MySQL" in run("show n1")
    told = json.loads(run("show n1", as_json=True))
    assert (told["state"], told["successor"], told["origins"][0]["key"]) == (
        "replaced",
        "n2",
        "t00003c01",
    )


def test_editing_and_forgetting(memory: Store, run: Run) -> None:
    """An edit takes the place of the note, what is forgotten is gone from list and recall."""
    assert "n4" in run("edit n3 I like black tea")
    assert texts(memory) == ["项目数据库改用 MySQL", "I like black tea"]
    assert "#t9" in run("forget n2")
    assert texts(memory) == ["I like black tea"]
    assert memory.recall("数据库", 5) == []
    assert "taken back" in run("show n2")


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("show n99", "/memory lists"),
        ("show zebra", "/memory lists"),
        ("edit n1 x", "n2"),
        ("edit n3", "edit ID TEXT"),
        (f"edit n3 the key is {KEY}", "password manager"),
        ("forget n1", "n2"),
        ("forget", "forget ID"),
        ("export", "export FILE"),
        ("import missing.json", "a list is needed"),
        ("export /nowhere/at/all.json", "create it"),
        (f"export {'long' * 80}/all.json", "another"),
        ("export ~nobody-at-all/all.json", "create it"),
        ("import ~nobody-at-all/all.json", "a list is needed"),
    ],
)
def test_errors_say_what_to_do(memory: Store, run: Run, asked: str, hint: str) -> None:
    """Every mistake has a hint, and changes nothing."""
    before = texts(memory)
    with pytest.raises(ConfigError) as caught:
        run(asked)
    assert hint in caught.value.hint
    assert KEY not in str(caught.value)
    assert texts(memory) == before


# ---- carried elsewhere


def test_an_export_comes_back_whole(memory: Store, run: Run, tmp_path: Path) -> None:
    """Texts, times and what was replaced arrive in an empty memory; twice changes nothing."""
    file, other = tmp_path / "notes.json", opened(tmp_path / "other")
    memory.remember("User likes green tea", turn=20, source="model")
    run(f"export {file}")
    assert file.stat().st_mode & 0o777 == 0o600
    taken = other.notebook.take(file)
    assert (taken.added, taken.updated) == (2, 1)
    assert texts(other) == texts(memory)
    assert [n.ts for n in other.notes()] == [n.ts for n in memory.notes()]
    assert [old.text for old in other.notebook.story("n2").replaced] == [
        "项目数据库使用 PostgreSQL"
    ]
    assert len(other.notebook.story("n3").origins) == 2
    size = (tmp_path / "other" / "memories.jsonl").stat().st_size
    assert other.notebook.take(file).added == 0
    assert (tmp_path / "other" / "memories.jsonl").stat().st_size == size
    other.close()


def test_a_long_history_comes_back_whole(tmp_path: Path) -> None:
    """A value that changed a thousand times keeps each of them, in their order."""
    memory, other, file = opened(tmp_path / "a"), opened(tmp_path / "b"), tmp_path / "notes.json"
    note, _ = memory.remember("水位 0 厘米", turn=1, source="user")
    for level in range(1, 1200):
        note = memory.notebook.edit(note.id, f"水位 {level} 厘米")
    assert memory.notebook.export(file) == 1
    taken = other.notebook.take(file)
    assert (taken.added, taken.updated) == (1, 1199)
    told = [old.text for old in other.notebook.story(other.notes()[0].id).replaced]
    assert told == [f"水位 {level} 厘米" for level in range(1198, -1, -1)]
    other.notebook.export(tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert len(again[0]["replaced"]) == 1199
    memory.close()
    other.close()


FORMS = [
    [{"content": "戊", "replaced": [{"content": "丁", "replaced": [{"content": "丙"}]}]}],
    [
        {
            "content": "戊",
            "replaced": [
                {"id": "1", "content": "丙", "replaced_by": "2"},
                {"id": "2", "text": "丁"},
            ],
        }
    ],
]
ASTRAY = {"id": "2", "content": "丁", "replaced_by": "1"}


@pytest.mark.parametrize("value", FORMS)
def test_both_forms_of_a_history(tmp_path: Path, value: list[object]) -> None:
    """What was replaced stands nested or in a row: the order is the same."""
    file, memory = tmp_path / "notes.json", opened(tmp_path / "a")
    file.write_text(json.dumps(value), encoding="utf-8")
    assert memory.notebook.take(file).updated == 2
    (note,) = memory.notes()
    assert [old.text for old in memory.notebook.story(note.id).replaced] == ["丁", "丙"]
    assert memory.notebook.story("n1").note.text == "丙"
    memory.close()


@pytest.mark.parametrize("newer", ["2", "none", "戊", 4, None, ["2"]])
def test_links_that_lead_nowhere(tmp_path: Path, newer: object) -> None:
    """A replaced note is never current, whatever is said to have taken its place."""
    file, memory = tmp_path / "notes.json", opened(tmp_path / "a")
    old = [{"id": "1", "content": "丙", "replaced_by": newer}, ASTRAY]
    file.write_text(json.dumps([{"content": "戊", "replaced": old}]), encoding="utf-8")
    memory.notebook.take(file)
    assert [note.text for note in memory.notes()] == ["戊"]
    memory.close()


@pytest.mark.parametrize(
    "fields",
    [
        '"timestamp": ' + "9" * 400,
        '"timestamp": -' + "9" * 400,
        '"timestamp": 1e999',
        '"timestamp": NaN',
        '"created_at": -Infinity',
        '"time": "0001-01-01T00:00:00+14:00"',
        '"time": "9999-12-31T23:59:59-14:00"',
        '"time": "0001-01-01T00:00:00Z"',
        '"time": "9999-12-31"',
        '"ts": -62135596800',
        '"turn": ' + "9" * 400,
        '"turn": true',
        '"turn": -3, "date": false',
    ],
)
def test_numbers_and_times_out_of_range(tmp_path: Path, fields: str) -> None:
    """A note whose time or turn can't be read is taken in without it."""
    file, memory = tmp_path / "notes.json", opened(tmp_path / "a")
    file.write_text(f'[{{"content": "我有一只猫", {fields}}}]', encoding="utf-8")
    assert memory.notebook.take(file).added == 1
    assert (memory.notes()[0].ts, memory.notes()[0].key) == ("", "import")
    memory.close()


def test_taking_in_what_is_here_changes_nothing(memory: Store, run: Run, tmp_path: Path) -> None:
    """One's own export, old values in it too, adds no note and brings no old value back."""
    before = texts(memory)
    run(f"export {tmp_path / 'notes.json'}")
    assert "0 notes added, 0 took" in run(f"import {tmp_path / 'notes.json'}")
    assert texts(memory) == before


def test_a_name_with_nul_is_read_without_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no path can hold is no part of the one that is meant."""
    monkeypatch.chdir(tmp_path)
    run("export no\0tes.json")
    assert (tmp_path / "notes.json").exists()


def test_an_export_overwrites_nothing(run: Run, tmp_path: Path) -> None:
    """A file that is there stays."""
    (tmp_path / "notes.json").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError):
        run(f"export {tmp_path / 'notes.json'}")
    assert (tmp_path / "notes.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    "value",
    [
        [{"content": "我住在杭州"}, {"content": "我有一只猫"}],
        ["我住在杭州", "我有一只猫"],
        {"memories": [{"text": "我住在杭州", "id": 7}, {"memory": "我有一只猫"}]},
        [{"content": "我住在杭州", "timestamp": 1767225600}, {"content": "我有一只猫", "tags": []}],
        [{"content": "我住在杭州", "source": "alien", "turn": "x"}, {"content": " 我有一只猫 "}],
    ],
)
def test_lists_of_other_programs(memory: Store, run: Run, tmp_path: Path, value: object) -> None:
    """A plain `memories.json` and its like are taken in, whatever else stands in the items."""
    file = tmp_path / "memories.json"
    file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8-sig")
    assert "2 notes added" in run(f"import {file}")
    assert texts(memory)[-2:] == ["我住在杭州", "我有一只猫"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "not JSON"),
        ("[{]", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("\x00\x01", "not JSON"),
        ("3", "no list"),
        ('{"a": []}', "no list"),
        ('["x", 3]', "item 2"),
        ('["x", {}]', "item 2 has no text"),
        ('["x", {"content": ["y"]}]', "item 2 has no text"),
        ('["x", "   "]', "item 2 has no text"),
        ('["x", {"content": "y", "replaced": [4]}]', "item 2.1"),
        ('["x", {"content": "y", "replaced": 4}]', "item 2"),
        ('["x", "' + "y" * 20_001 + '"]', "20,001"),
    ],
)
def test_a_bad_file_changes_nothing(
    memory: Store, run: Run, tmp_path: Path, content: str, problem: str
) -> None:
    """Where a file is wrong is said, and not even its good items are taken."""
    file = tmp_path / "bad.json"
    file.write_text(content, encoding="utf-8")
    before = (tmp_path / "memories.jsonl").read_bytes()
    with pytest.raises(ConfigError, match=problem):
        run(f"import {file}")
    assert (tmp_path / "memories.jsonl").read_bytes() == before


def test_an_import_merges_and_leaves_secrets_out(memory: Store, run: Run, tmp_path: Path) -> None:
    """Duplicates gain a time, keys and passwords are counted and left out."""
    file = tmp_path / "memories.json"
    items = ["user likes green tea", f"token: {KEY}", "数据库密码是 Hunter2!"]
    file.write_text(json.dumps(items), encoding="utf-8")
    out = run(f"import {file}")
    assert "0 notes added, 0 took the place of older ones, 1 were known" in out
    assert "2 left out" in out
    assert "import" in run("show n3")
    assert KEY not in (tmp_path / "memories.jsonl").read_text(encoding="utf-8")


def test_old_news_replaces_nothing(memory: Store, tmp_path: Path) -> None:
    """A change of before the current note, or of nobody knows when, stands beside it."""
    file = tmp_path / "memories.json"
    for time in ("2020-05-05", ""):
        item = {"content": f"项目数据库改用 Oracle{time[:4]}", "timestamp": time}
        file.write_text(json.dumps([item]), encoding="utf-8")
        assert memory.notebook.take(file).added == 1
        assert "项目数据库改用 MySQL" in texts(memory)


def test_a_full_disk_takes_all_or_nothing(memory: Store, tmp_path: Path) -> None:
    """When the disk is full in the middle of an import the notes are as they were."""
    file = tmp_path / "memories.json"
    file.write_text(json.dumps([f"fact number {n}" for n in range(500)]), encoding="utf-8")
    before, path = texts(memory), tmp_path / "memories.jsonl"
    whole = path.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 4000, old[1]))
    try:
        with pytest.raises(StorageError):
            memory.notebook.take(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert (path.read_bytes(), texts(memory)) == (whole, before)
    assert memory.remember("another fact", turn=1, source="user")[1] == "added"


def test_the_command_line_takes_the_same_words() -> None:
    """`chyan-agent memory show n3` asks for what `/memory show n3` does."""
    for argv, words in ((["memory"], ""), (["memory", "show", "n3"], "show n3")):
        options = parse([*argv, "--data-dir", "d"], arguments.EN)
        assert options.instead == AboutNotes(words)
        assert options.question is None
    with pytest.raises(AgentError):
        parse(["memory", "--nonsense"], arguments.EN)
