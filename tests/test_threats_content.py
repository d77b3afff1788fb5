"""Rows 10-15, 38 and 39 of the threat table: no file and no argument stops or fills the agent."""

import gzip
import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from chyan_agent.tools import Limits
from chyan_agent.tools.excerpt import SCANNED, excerpt
from chyan_agent.tools.listing import walk
from chyan_agent.tools.sandbox import LARGEST

from . import source
from .clock import within
from .toolbox import Desk

MEGABYTES = 100
"""What a turn with the largest files may take beside what it took before."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Tools over an empty workspace."""
    with Desk(tmp_path) as desk:
        yield desk


def special(desk: Desk, kind: str) -> None:
    """Make a file that is none in the workspace, or skip where that takes more rights."""
    place = desk.root / "odd"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(place.relative_to(Path.cwd())))
    else:
        number = os.makedev(1, 5) if kind == "device" else os.makedev(7, 200)
        mode = stat.S_IFCHR if kind == "device" else stat.S_IFBLK
        try:
            os.mknod(place, mode | 0o666, number)
        except OSError as error:
            pytest.skip(f"no {kind} can be made here: {error.strerror}")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "disk"])
def test_row_10_special_files(desk: Desk, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Row 10: a pipe, socket, character or block device is refused and never opened."""
    monkeypatch.chdir(desk.root)  # the path of a socket may not be long
    special(desk, kind)
    desk.put("a.txt", "needle")
    for result in (
        desk("read", path="odd"),
        desk("write", path="odd", content="x"),
        desk("write", path="odd", content="x", mode="append"),
        desk("grep", pattern="", path="odd"),
        desk("search", pattern="*", path="odd"),
    ):
        assert "not a regular file" in result["error"]
    assert desk("grep", pattern="needle")["matches"] == ["a.txt:1:needle"]
    assert desk("search", pattern="*")["files"] == ["a.txt"]


def test_row_10_a_writer_of_a_pipe_is_not_woken(desk: Desk) -> None:
    """Row 10: who waits to write into a pipe goes on waiting: it was looked at, not opened."""
    os.mkfifo(desk.root / "pipe")
    code = "import os,sys; os.open(sys.argv[1], os.O_WRONLY); print('woken')"
    waiting = subprocess.Popen(
        [sys.executable, "-c", code, desk.root / "pipe"], stdout=subprocess.PIPE
    )
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.2)
        for _ in range(20):
            desk("read", path="pipe")
            desk("grep", pattern="x")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.1)
    finally:
        waiting.kill()
        waiting.communicate()


HUGE = """
import os, resource, sys
from pathlib import Path
from chyan_agent.tools.effects import WriteEffects
from tests.toolbox import Desk

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

with Desk(Path(sys.argv[1])) as desk:
    desk.put("small.txt", "x\\n" * 1000)
    desk("read", path="small.txt"), desk("grep", pattern="x"), desk("search", pattern="*")
    before = peak()
    desk.put("hole", b"")
    desk.put("head", b"line\\n" * 20_000)
    for name in ("hole", "head"):
        os.truncate(desk.root / name, 1 << 40)
    desk.put("line", b"x" * 4_000_000)
    for path in sys.argv[2:]:
        desk("read", path=path)
        desk("grep", pattern="[a-f]+$", path=path)
    for path in ("hole", "head"):
        assert "too large" in desk("write", path=path, content="x", mode="append")["error"]
        assert (desk.root / path).stat().st_size == 1 << 40
        foreseen = WriteEffects(desk.sandbox).foresee({"path": path, "content": "x"})
        assert foreseen.path and foreseen.before is None and foreseen.after is None
    print((peak() - before) // 1024)
"""


@pytest.mark.parametrize(
    "paths", [("hole", "line"), pytest.param(("head", "line"), marks=pytest.mark.slow)]
)
def test_rows_11_and_12_huge_files_take_bounded_memory(
    tmp_path: Path, paths: tuple[str, ...]
) -> None:
    """Rows 11, 12: a terabyte of nothing, also behind a text, and 4 MB in one line."""
    done = subprocess.run(
        [sys.executable, "-c", HUGE, tmp_path, *paths],
        cwd=source.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MEGABYTES


class Endless:
    """A text that goes on for ever."""

    def __init__(self) -> None:
        self.given = 0

    def read(self, size: int) -> str:
        """Return more."""
        self.given += size
        return "0123456789abcde\n" * (size // 16)


def test_row_11_what_grows_for_ever_is_left_at_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 11: of a file that grows as fast as it is read so much is looked at, and no more."""
    monkeypatch.setattr("chyan_agent.tools.excerpt.SCANNED", 1_000_000)
    stream = Endless()
    found = excerpt(stream, 3, 0, 1000)
    assert not found.complete
    assert found.total_lines is None
    assert stream.given < 1_200_000
    assert SCANNED < 1 << 30


def test_row_11_a_growing_file_is_read_and_extended(desk: Desk) -> None:
    """Row 11: a log that is written to all the time can be read, searched and extended."""
    desk.put("log", "first\n")
    done = threading.Event()

    def grow() -> None:
        with (desk.root / "log").open("ab", buffering=0) as log:
            while not done.is_set() and log.tell() < 3_000_000:
                log.write(b"more and more of it\n" * 100)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        for _ in range(5):
            assert desk("read", path="log")["content"].startswith("first")
            assert desk("grep", pattern="^first$", path="log")["total_lines"] == 1
        result = desk("write", path="log", content="last\n", mode="append")
    finally:
        done.set()
        thread.join()
    assert result["bytes"] <= LARGEST
    assert (desk.root / "log").read_bytes().endswith(b"last\n")


@pytest.mark.parametrize("room", [150, 1500])
def test_row_12_a_long_line_is_capped_and_says_so(desk: Desk, room: int) -> None:
    """Row 12: 4 MB in one line keep to the room; both tools say that there is more."""
    desk.put("a.json", '{"a":' + "[1]," * 1_000_000 + "needle}")
    page = desk("read", room=room, path="a.json")
    assert page["truncated"]
    assert page["next"]["start_line"] == 1
    (match,) = desk("grep", pattern="needle")["matches"]
    assert match.startswith("a.json:1:…")
    assert len(match) < 250


EVIL = [
    "(a+)+$",
    "(a|a)*$",
    "(a|aa)+$",
    "(.*a){20}$",
    "^(a?){40}a{40}$",
    r"(\w+\s?)*\Z!",
    "(x+x+)+y",
]


@pytest.mark.parametrize("pattern", EVIL)
def test_row_13_patterns_that_never_end(tmp_path: Path, pattern: str) -> None:
    """Row 13: on a line that makes it backtrack an expression is stopped, whatever it costs."""
    with Desk(tmp_path, limits=Limits(regex_timeout=0.05)) as desk:
        desk.put("a.txt", ("a" * 3000 + "!\n") + "x" * 3000 + "\n")
        with within(5):
            result = desk("grep", pattern=pattern)
    assert "too long" in result.get("error", "too long")


def test_row_13_a_stopped_pattern_leaves_no_thread(tmp_path: Path) -> None:
    """Row 13: the time is up inside the matcher: no thread or process goes on behind it."""
    before = threading.active_count()
    with Desk(tmp_path, limits=Limits(regex_timeout=0.05)) as desk:
        desk.put("a.txt", "ab" * 3000 + "!")
        assert (
            "took too long" in desk("grep", pattern=r"^(?:(?:ab|a|b)+)+\1?$|(\w+\s?)*$x")["error"]
        )
    assert threading.active_count() <= before  # those of other tests may have ended


def flood(root: Path, count: int) -> None:
    """Make many empty files in 20 folders, and folders that link to each other."""
    for place in range(20):
        (root / f"d{place}").mkdir(parents=True)
        (root / f"d{place}" / "loop").symlink_to(f"../d{(place + 1) % 20}")
        (root / f"d{place}" / "up").symlink_to("..")
        for number in range(count // 20):
            os.mknod(root / f"d{place}" / f"file-with-a-long-name-{number}.txt")


def test_row_14_floods_and_loops(desk: Desk) -> None:
    """Row 14: of thousands of files some are shown, all are counted, and links are no way round."""
    flood(desk.root, 3000)
    found = desk("search", pattern="*")
    assert (found["total_files"], found["returned_files"]) == (3000, 100)
    assert found["truncated"]
    assert found["hint"]
    desk.put("many.txt", "match\n" * 20_000)
    matches = desk("grep", pattern="", path="many.txt")
    assert (matches["total_lines"], matches["returned_lines"]) == (20_000, 50)


FLOOD = """
import resource, sys
from pathlib import Path
from tests.test_threats_content import flood
from tests.toolbox import Desk

with Desk(Path(sys.argv[1])) as desk:
    desk("search", pattern="*")
    flood(desk.root, 100_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = desk("search", pattern="*")
    assert found["total_files"] == 100_000 or "Stopped early" in found["hint"]
    assert "Stopped early" in desk("grep", pattern="x")["hint"]
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
def test_row_14_a_hundred_thousand_files(tmp_path: Path) -> None:
    """Row 14: the same with 100,000 files, in bounded memory; what is not looked at is said."""
    done = subprocess.run(
        [sys.executable, "-c", FLOOD, tmp_path],
        cwd=source.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    subprocess.run(["rm", "-rf", tmp_path / "workspace"], check=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MEGABYTES


def test_row_14_folders_without_a_file_count_too(desk: Desk) -> None:
    """Row 14: a walk through folders asks before each of them whether to go on."""
    for place in range(30):
        (desk.root / f"d{place}" / "deep").mkdir(parents=True)
    asked: list[int] = []

    def going() -> bool:
        asked.append(1)
        return len(asked) < 10

    assert list(desk.sandbox.files(".", going)) == []
    assert len(asked) == 10


def test_row_14_one_folder_is_listed_up_to_a_bound(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 14: of a folder with more entries than anybody can use some are listed."""
    monkeypatch.setattr("chyan_agent.tools.listing.MOST_ENTRIES", 7)
    for number in range(20):
        desk.put(f"f{number}", "")
    assert len(list(desk.sandbox.files())) == 7
    assert walk.__doc__


HAN = "测试内容，北极星项目。\n" * 50
CODINGS = {
    "gbk": HAN.encode("gbk"),
    "gb18030": (HAN + "㐀𠀀").encode("gb18030"),
    "utf-16": HAN.encode("utf-16"),
    "utf-16-le without mark": HAN.encode("utf-16-le"),
    "utf-32": HAN.encode("utf-32"),
    "utf-8 with mark": b"\xef\xbb\xbf" + HAN.encode(),
    "latin-1": "déjà vu à côté\n".encode("latin-1") * 50,
    "big5": HAN.encode("gbk")[:99] + "繁體".encode("big5"),
    "shift-jis": "日本語テキスト\n".encode("shift-jis") * 50,
    "utf-7": b"+ZeVnLIqe-" * 9,
    "nul": b"a\0b\n" * 50,
    "controls": bytes(range(32)) * 50,
    "every byte": bytes(range(256)) * 50,
    "cut": HAN.encode()[:-2],
    "surrogates": HAN.encode("utf-8") + b"\xed\xa0\x80\xed\xb0\x80",
    "odd utf-16": HAN.encode("utf-16")[:-1],
    "empty": b"",
    "mark alone": b"\xff\xfe",
}


@pytest.mark.parametrize("coding", CODINGS)
def test_row_15_any_bytes_are_text_or_binary(desk: Desk, coding: str) -> None:
    """Row 15: whatever bytes a file holds, it is shown as text or said to be binary."""
    desk.put("a.txt", CODINGS[coding])
    page = desk("read", path="a.txt")
    assert "content" in page or "is binary or" in page["error"]
    desk("grep", pattern="北极星")
    desk("search", pattern="*")
    if coding in ("gbk", "gb18030", "utf-16", "utf-32", "utf-8 with mark"):
        assert page["content"].startswith("测试内容，北极星项目。\n")
        assert desk("grep", pattern="北极星")["total_lines"] == 50


DEEP = 100_000
BOMBS = {
    "depth": '{"path":' + "[" * DEEP,
    "closed depth": '{"path":' + "[" * DEEP + "]" * DEEP + "}",
    "objects": '{"path":' * DEEP,
    "digits": '{"path":"a.txt","start_line":' + "9" * 5000 + "}",
    "more digits": '{"path":"a.txt","start_line":' + "9" * 18 + "}",
    "exponent": '{"path":"a.txt","start_line":1e999}',
    "huge exponent": '{"path":"a.txt","start_line":1e300}',
    "nan": '{"path":"a.txt","start_line":NaN}',
    "infinity": '{"path":"a.txt","start_line":-Infinity}',
    "twice": '{"path":"a.txt","path":"../secret"}',
    "surrogate": '{"path":"\\ud800"}',
    "nul": '{"path":"a\\u0000.txt"}',
    "long": json.dumps({"path": "x" * 1_000_000}),
    "many": json.dumps({str(n): n for n in range(100_000)}),
    "mark": '\ufeff{"path":"a.txt"}',
    "number as text": '{"path":"a.txt","start_line":"' + "9" * 100_000 + '"}',
    "wide digits": '{"path":"a.txt","start_line":"١"}',
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("tool", ["read", "write", "search", "grep", "remember", "recall", "none"])
def test_row_38_json_bombs(desk: Desk, tool: str, bomb: str) -> None:
    """Row 38: arguments of any depth, length or number are answered with an error, not obeyed."""
    desk.put("a.txt", "inside")
    result = desk.raw(tool, BOMBS[bomb])
    assert "error" in result
    assert "hint" in result or tool == "read"
    assert (desk.root / "a.txt").read_text() == "inside"


@pytest.mark.parametrize(
    "data", [gzip.compress(bytes(1_000_000)), gzip.compress(gzip.compress(bytes(10_000_000)))]
)
def test_row_39_archives_are_never_unpacked(desk: Desk, data: bytes) -> None:
    """Row 39: a compressed file is binary, and as large as it is on the disk."""
    desk.put("a.gz", data)
    assert f"unknown encoding, {len(data):,} bytes" in desk("read", path="a.gz")["error"]
    assert desk("grep", pattern="\0", path="a.gz")["total_lines"] == 0
