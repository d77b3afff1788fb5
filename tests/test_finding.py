"""Search and grep: complete where they can be, bounded where they can't, and saying which."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.prompts.tools import EN
from chyan_agent.tools import Context, Limits
from chyan_agent.tools.finding import Finding
from chyan_agent.tools.patterns import glob

from .clock import within
from .toolbox import COUNT, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk over a small tree, `new.md` being the newest."""
    paths = ["new.md", "a.txt", "src/b.py", "src/lib/c.py", "文档/笔记.md", ".hidden"]
    with Desk(tmp_path) as desk:
        for age, path in enumerate(paths):
            os.utime(desk.put(path, "x\n"), (10**9 - age, 10**9 - age))
        yield desk


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("*.md", ".", ["new.md", "文档/笔记.md"]),
        ("**/*.py", ".", ["src/b.py", "src/lib/c.py"]),
        ("src/*.py", ".", ["src/b.py"]),
        ("src/**/*.py", ".", ["src/b.py", "src/lib/c.py"]),
        ("./src/", ".", ["src/b.py", "src/lib/c.py"]),
        ("**", "src", ["src/b.py", "src/lib/c.py"]),
        ("lib/*", "src", ["src/lib/c.py"]),
        ("src/lib/*", "src", ["src/lib/c.py"]),
        ("*.{md,txt}", ".", ["new.md", "a.txt", "文档/笔记.md"]),
        ("[ab].*", ".", ["a.txt", "src/b.py"]),
        ("?.py", "", ["src/b.py", "src/lib/c.py"]),
        ("a.txt", ".", ["a.txt"]),
        ("笔记", ".", ["文档/笔记.md"]),
        ("", "a.txt", ["a.txt"]),
        (".hid*", ".", [".hidden"]),
        ("../*", ".", []),
        ("[", ".", []),
    ],
)  # fmt: skip
def test_search_finds_by_glob_newest_first(
    desk: Desk, pattern: str, path: str, found: list[str]
) -> None:
    """Globs work in a name and over folders; the newest file comes first."""
    where: dict[str, Any] = {"path": path} if path else {}
    result = desk("search", pattern=pattern, **where)
    assert result == {
        "total_files": len(found), "returned_files": len(found), "truncated": False, "files": found
    }  # fmt: skip


def test_search_is_capped_in_files_and_tokens(desk: Desk) -> None:
    """A flood of files is counted in full and shown in part, with a hint."""
    for n in range(300):
        desk.put(f"many/file-{n}.dat", "")
    result = desk("search", pattern="*.dat")
    assert (result["total_files"], result["returned_files"], result["truncated"]) == (
        300,
        100,
        True,
    )
    assert "Narrow" in result["hint"]
    assert 0 < desk("search", room=120, pattern="*.dat")["returned_files"] < 20


def test_search_says_what_it_can_not_search(desk: Desk) -> None:
    """A missing folder and one outside are errors."""
    assert "no such file: nope" in desk("search", pattern="*", path="nope")["error"]
    assert "outside" in desk("search", pattern="*", path="..")["error"]


def test_search_that_looks_for_text_is_sent_to_grep(desk: Desk) -> None:
    """A plain word that is in no name may be in a file; a pattern with wildcards is a name's."""
    assert desk("search", pattern="NOWHERE")["hint"] == EN.look_inside
    assert "hint" not in desk("search", pattern="*.nowhere")


@pytest.mark.parametrize("tool", ["search", "grep"])
def test_a_place_that_does_not_matter_is_the_workspace(desk: Desk, tool: str) -> None:
    """An empty path is the whole workspace; of a missing one it is said how to look there."""
    assert desk(tool, pattern="a", path="") == desk(tool, pattern="a")
    assert desk(tool, pattern="a", path="nowhere")["hint"] == EN.look_everywhere


def test_a_hostile_glob_is_quick() -> None:
    """Many wildcards in a row match in linear steps, and braces are expanded within bounds."""
    assert not glob("*a" * 60 + "*b")("a" * 200)
    assert not glob("**/" * 60 + "b")("/".join("a" * 100))
    assert not glob("{a,b}" * 40)("a")


parts = st.lists(st.sampled_from(["a", "b", "ab", ".c"]), min_size=1, max_size=4).map("/".join)


@given(parts)
def test_every_path_matches_its_own_generalisations(path: str) -> None:
    """A path matches itself, itself below any folders, and `**`."""
    first, name = path.partition("/")[0], path.rpartition("/")[2]
    for pattern in (path, f"**/{name}", f"**/{path}", "**", "*", f"{first}/**/*"):
        if pattern != f"{path}/**/*":
            assert glob(pattern)(path) or ("/**/" in pattern and "/" not in path)


def test_grep_gives_path_line_and_text(desk: Desk) -> None:
    """Matches come as path:line:text, in the order of files and lines."""
    desk.put("log/a.log", "ok\nERROR one\r\nok\nERROR 二\n")
    desk.put("b.log", b"\xef\xbb\xbfERROR first")
    result = desk("grep", pattern="^ERROR")
    assert result == {
        "total_lines": 3, "returned_lines": 3, "truncated": False,
        "matches": ["b.log:1:ERROR first", "log/a.log:2:ERROR one", "log/a.log:4:ERROR 二"],
    }  # fmt: skip
    assert desk("grep", pattern="first", path="log")["total_lines"] == 0
    assert desk("grep", pattern="(?i)error$|二", path="log/a.log")["total_lines"] == 1


def test_grep_numbers_lines_like_read(desk: Desk) -> None:
    """Line numbers agree with read over block borders, and there is no line after the last."""
    desk.put("a.log", "".join(f"{n}\r\n" for n in range(1, 40_001)) + "\r\nend")
    found = desk("grep", pattern="^(40000|)$|end", path="a.log")["matches"]
    assert found == ["a.log:40000:40000", "a.log:40001:", "a.log:40002:end"]
    assert desk("read", path="a.log", start_line=40_000, max_lines=1)["content"] == "40000\r"


def test_grep_skips_what_is_no_text(desk: Desk) -> None:
    """Binary files, pipes, links and git metadata are not looked into; other encodings are."""
    desk.put("a.bin", b"\x7fELF\x00needle\xff\xfe")
    desk.put("gbk.txt", "这里有 needle 和中文".encode("gbk"))
    desk.put(".git/config", "needle")
    os.mkfifo(desk.root / "pipe")
    (desk.root / "loop").symlink_to(".")
    assert desk("grep", pattern="needle")["matches"] == ["gbk.txt:1:这里有 needle 和中文"]


def test_grep_counts_all_and_shows_some(desk: Desk) -> None:
    """Matches above the cap are counted, so that a count is right without paging."""
    desk.put("a.log", "ERROR something happened here\nok\n" * 2000)
    result = desk("grep", pattern="ERROR")
    assert (result["total_lines"], result["returned_lines"], result["truncated"]) == (
        2000,
        50,
        True,
    )
    small = desk("grep", room=150, pattern="ERROR")
    assert small["returned_lines"] == len(small["matches"]) < 15


def test_grep_shows_a_long_line_around_the_match(desk: Desk) -> None:
    """Of a line of a megabyte only the surroundings of the match are shown, once."""
    desk.put("a.json", "x" * 500_000 + " needle " + "y" * 500_000 + "needle")
    (match,) = desk("grep", pattern="needle")["matches"]
    assert match.startswith("a.json:1:…x")
    assert " needle yy" in match
    assert len(match) < 250


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|aa)+$", "(.*)*b", "^(([a-z])+.)+[A-Z]$", "(?:a?){30}a{30}$"]
)
def test_a_hostile_pattern_ends_in_time(tmp_path: Path, pattern: str) -> None:
    """An expression that backtracks without end is stopped and named, or done in time."""
    with Desk(tmp_path, limits=Limits(regex_timeout=0.05)) as desk:
        desk.put("a.txt", "ok\n" + "a" * 5000 + "!")
        result = desk("grep", pattern=pattern)
    if "error" in result:
        assert result["error"] == "the pattern took too long (a.txt, line 2)"
        assert "Simpler".lower() in result["hint"].lower()


def test_a_catastrophic_pattern_is_named(tmp_path: Path) -> None:
    """The classic one takes too long and is said to."""
    with Desk(tmp_path, limits=Limits(regex_timeout=0.05)) as desk:
        desk.put("a.txt", "ok\n" + "ab" * 3000 + "!")
        result = desk("grep", pattern=r"^(?:(?:ab|a|b)+)+\1?$|(\w+\s?)*$x")
    assert "took too long (a.txt, line 2)" in result["error"]


@pytest.mark.parametrize(
    "pattern",
    ["((a{1000}){1000}){1000}", "(?:(?:(?:a?){500}){500}){500}b", "a{99999}", "(?R)", "a(?1)?(b)"]
    + ["(?x)(a{999}) {999}", "(a{999})(?#c){999}", "x" * 501, "((a{ 1000}){1000 })"],
)
def test_a_pattern_that_eats_memory_is_refused(desk: Desk, pattern: str) -> None:
    """Repeats of repeats, recursion and overlong patterns never reach the compiler."""
    assert "too long or too complex" in desk("grep", pattern=pattern)["error"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{4}-\d{2}-\d{2}",
        r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        r"\{1000\}{1000}",
        "[(]{3}",
    ]
    + [r"(?P<a>x)(?P=a)", "(?i:x)", "(?<=x)y", "[[]", r"\p{Han}+", "a{2}{3}"],
)
def test_ordinary_patterns_are_accepted(desk: Desk, pattern: str) -> None:
    """Dates, ids, named groups, flags, look-behind and scripts are no danger."""
    assert (
        "error" not in desk("grep", pattern=pattern)
        or "invalid" in desk("grep", pattern=pattern)["error"]
    )


@pytest.mark.parametrize(
    "pattern", ["[", "(", "*", "a**", r"\N{NOPE}", "(?P<x", "a{9999999999999}"]
)
def test_an_invalid_pattern_is_explained(desk: Desk, pattern: str) -> None:
    """What is wrong with an expression is said, with how to write plain text."""
    result = desk("grep", pattern=pattern)
    assert "invalid pattern" in result["error"] or "too complex" in result["error"]
    assert result["hint"]


@pytest.mark.parametrize("name", ["search", "grep"])
def test_a_look_that_takes_too_long_says_so(desk: Desk, name: str) -> None:
    """After its seconds a look ends with what it has, marked as incomplete."""
    ticks = itertools.count(step=2)
    finding = Finding(desk.sandbox, Limits(), EN, clock=lambda: next(ticks))
    result = getattr(finding, name)(
        {"pattern": "x" if name == "grep" else "*"}, Context(1, "c", 900, COUNT)
    )
    assert result["truncated"]
    assert "Stopped early: 5 s" in result["hint"]


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(?:x+x+)+y|(?:a|aa)+$"])
def test_many_slow_lines_take_no_longer_together(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    """Lines that are each done in time may not take more than a whole look may."""
    monkeypatch.setattr("chyan_agent.tools.limit.SECONDS", 0.4)
    desk.put("0.txt", "needle\n" + ("a" * 28 + "!\n" + "x" * 60 + "\n") * 200)
    with within(20):  # half a minute and more without a limit
        result = desk("grep", pattern=f"{pattern}|needle", path="0.txt")
    assert "Stopped early: 0.4 s" in result["hint"]
    assert (result["matches"], result["truncated"]) == (["0.txt:1:needle"], True)


def test_a_slow_glob_ends_in_time_and_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time is looked at file by file; what was found till then is shown."""
    monkeypatch.setattr("chyan_agent.tools.limit.SECONDS", 0.02)
    deep = "/".join("abcdefgh")
    for n in range(300):
        desk.put(f"{deep}/{n}", "")
    result = desk("search", pattern="**/?/" * 40 + "{a,b}" * 6 + "z")  # (over a second in all)
    assert result["truncated"] and "Stopped early: 0.02 s" in result["hint"]
    many = "**/" * 130 + "{a,b}" * 5 + "*"
    assert desk("search", pattern=many)["total_files"] == 0


@pytest.mark.parametrize("pattern", ["{a,b}" * 7, "{a,b}" * 60, "x" * 501, "a/" * 250 + "b"])
def test_a_glob_that_would_be_tried_in_part_is_refused(desk: Desk, pattern: str) -> None:
    """Too long, or too many alternatives: nothing found would not mean that there is nothing."""
    assert "too long or too complex" in desk("search", pattern=pattern)["error"]


def test_a_glob_of_many_plain_alternatives_is_whole(desk: Desk) -> None:
    """A list of a hundred names is tried to its end, and folders in a row are one."""
    names = ",".join([*(f"n{n}" for n in range(99)), "c"])
    assert desk("search", pattern=f"{{{names}}}.py")["files"] == ["src/lib/c.py"]
    assert desk("search", pattern="**/**/**/lib/**/**/*.py")["files"] == ["src/lib/c.py"]


def test_time_that_ends_between_two_lines_is_noticed(desk: Desk) -> None:
    """Also in the last file: what was not looked at is not said to hold nothing."""
    ticks = itertools.count()
    finding = Finding(desk.sandbox, Limits(), EN, clock=lambda: next(ticks) / 4)
    desk.put("long.txt", "ok\n" * 40 + "needle\n")
    wanted = {"pattern": "needle", "path": "long.txt"}
    result = finding.grep(wanted, Context(1, "c", 900, COUNT))
    assert (result["matches"], result["truncated"]) == ([], True)
    assert "Stopped early: 5 s" in str(result["hint"])


@pytest.mark.parametrize(
    ("cap", "reason"), [("MOST_FILES", "2 files"), ("MOST_CHARACTERS", "2 characters")]
)
def test_a_look_at_too_much_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, cap: str, reason: str
) -> None:
    """After its files or characters a look ends with what it has, marked as incomplete."""
    monkeypatch.setattr(f"chyan_agent.tools.limit.{cap}", 2)
    result = desk("grep", pattern="x")
    assert result["truncated"]
    assert reason in result["hint"]


def test_a_file_that_vanishes_is_passed_over(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or folder that goes while the tree is walked is left out without a word."""
    files = list(desk.sandbox.files())
    monkeypatch.setattr(desk.sandbox, "files", lambda path, going: iter(files))
    (desk.root / "a.txt").unlink()
    assert desk("grep", pattern="x")["total_lines"] == len(files) - 1


def test_a_file_that_can_not_be_opened_is_told(desk: Desk) -> None:
    """Nothing found and not looked at are two things; here the path is longer than any may be."""
    folder = os.open(desk.root, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=folder)
        folder, above = os.open("d" * 250, os.O_RDONLY, dir_fd=folder), folder
        os.close(above)
    os.close(os.open("far.txt", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    desk.put("near.txt", "needle\n")
    found = desk("grep", pattern="needle")
    assert found["matches"] == ["near.txt:1:needle"]
    assert found["note"] == EN.unread.format(count=1)
    assert "note" not in desk("grep", pattern="needle", path="near.txt")


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read", {"path": "a.txt"}),
        ("write", {"path": "b/c.txt", "content": "x"}),
        ("search", {"pattern": "*"}),
        ("grep", {"pattern": "x", "path": "."}),
    ],
)
def test_a_workspace_that_is_gone_is_said_to_be(
    desk: Desk, tmp_path: Path, tool: str, given: dict[str, Any], replaced: bool
) -> None:
    """It is not the file that is missing; nothing is made in its place."""
    desk.root.rename(tmp_path / "elsewhere")
    if replaced:
        desk.root.write_text("in its place")
    there = sorted((tmp_path / "elsewhere").rglob("*"))
    assert desk(tool, **given)["error"] == EN.no_workspace
    assert sorted((tmp_path / "elsewhere").rglob("*")) == there
    assert desk.root.exists() == replaced
