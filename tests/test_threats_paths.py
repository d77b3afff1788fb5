"""Rows 1-9, 16-19 and 40 of the threat table: no path leads where a tool has no business.

Every row is tried with both ways to open a path: the kernel's and component by component.
"""

import logging
import os
import random
import shutil
import stat
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from chyan_agent.errors import ToolFailed
from chyan_agent.events import ToolRan
from chyan_agent.program import program
from chyan_agent.prompts.tools import EN
from chyan_agent.tools.beneath import opener, stepwise
from chyan_agent.tools.sandbox import Sandbox

from . import source
from .agents import agent_on, ask, calls, says
from .toolbox import Desk, Result

WAYS = {"kernel": opener(), "stepwise": stepwise}
SECRET = "the secret outside"
OUTSIDE = "path outside the workspace"
PROTECTED = "this path is protected"


@pytest.fixture(params=WAYS)
def desk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """Tools over a workspace, with a secret file and a secret folder beside it."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "workspace-secrets").mkdir()
    (tmp_path / "workspace-secrets" / "a.txt").write_text(SECRET)
    with Desk(tmp_path, beneath=WAYS[request.param], own=("data", "config.toml")) as desk:
        desk.put("a.txt", "inside")
        desk.put("sub/b.txt", "below")
        yield desk


def every_tool(desk: Desk, path: str) -> dict[str, Result]:
    """Point every tool that takes a path at it."""
    return {
        "read": desk("read", path=path),
        "overwrite": desk("write", path=path, content="spoiled"),
        "append": desk("write", path=path, content="spoiled", mode="append"),
        "search": desk("search", pattern="*", path=path),
        "grep": desk("grep", pattern="", path=path),
    }


def refused(desk: Desk, path: str, why: str) -> None:
    """No tool gives, changes or lists anything, and each says why."""
    for tool, result in every_tool(desk, path).items():
        assert why in result.get("error", ""), (tool, path, result)
        assert SECRET not in desk.last.content
    untouched(desk)


def untouched(desk: Desk) -> None:
    """What lies beside the workspace is as it was."""
    beside = desk.root.parent
    assert (beside / "secret.txt").read_text() == SECRET
    assert [p.name for p in (beside / "workspace-secrets").iterdir()] == ["a.txt"]
    assert (beside / "workspace-secrets" / "a.txt").read_text() == SECRET


def test_the_kernel_way_is_really_the_kernels() -> None:
    """On a Linux of today a path is opened in one call, so that the rows below try two ways."""
    if sys.platform != "linux" or tuple(map(int, os.uname().release.split(".")[:2])) < (5, 6):
        pytest.skip("no openat2 here")
    if WAYS["kernel"] is stepwise:
        pytest.skip("openat2 is forbidden here, as in some containers")
    root = os.open("/", os.O_RDONLY)
    try:
        with pytest.raises(OSError, match="Invalid cross-device link|Too many levels"):
            WAYS["kernel"](root, ("proc", "self", "root"), os.O_RDONLY)
    finally:
        os.close(root)


def test_a_kernel_without_the_call_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel refuses the call paths are opened in steps."""
    monkeypatch.setattr("chyan_agent.tools.beneath._OPENAT2", 9999)
    assert opener() is stepwise
    monkeypatch.setattr("sys.platform", "darwin")
    assert opener() is stepwise


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("part", ["..", ".", "", "a/../../b", "/etc", "a\0b"])
def test_row_1_what_is_no_plain_name_is_never_opened(
    tmp_path: Path, way: Callable[[int, tuple[str, ...], int], int], part: str
) -> None:
    """Row 1: even if a path came through unresolved, opening it would refuse to go up."""
    (tmp_path / "in").mkdir()
    root = os.open(tmp_path / "in", os.O_RDONLY)
    try:
        for parts in ((part,), (part, "x"), ("x", part)):
            with pytest.raises(OSError):
                way(root, parts, os.O_RDONLY)
    finally:
        os.close(root)


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "../../../../../../etc/passwd", "/etc/passwd", "sub/../../secret.txt"]
    + ["//etc/passwd", "/", "..", "./../secret.txt", "nope/../../secret.txt", "/../etc/passwd"],
)
def test_row_1_traversal_and_absolute_paths(desk: Desk, path: str) -> None:
    """Row 1: dots and absolute paths lead nowhere, whatever they pass on their way."""
    refused(desk, path, OUTSIDE)


@pytest.mark.parametrize("path", ["..\\secret.txt", "%2e%2e/secret.txt", "~/secret.txt", "$HOME/x"])
def test_row_1_other_spellings_are_plain_names(desk: Desk, path: str) -> None:
    """Row 1: backslashes, percent signs, tildes and variables mean themselves."""
    assert "no such file" in desk("read", path=path)["error"]
    desk("write", path=path, content="x")
    assert (desk.root / path).read_text() == "x"
    untouched(desk)


@pytest.mark.parametrize("absolute", [False, True])
def test_row_2_a_common_prefix_is_not_inside(desk: Desk, absolute: bool) -> None:
    """Row 2: `workspace-secrets` is not in `workspace`."""
    path = f"{desk.root}-secrets/a.txt" if absolute else "../workspace-secrets/a.txt"
    refused(desk, path, OUTSIDE)


@pytest.mark.parametrize(
    ("target", "path"),
    [("../secret.txt", "out"), ("..", "out/secret.txt"), ("/etc", "out/passwd")]
    + [("sub/../../secret.txt", "out"), ("../workspace-secrets", "out/a.txt")],
)
def test_row_3_links_that_lead_out(desk: Desk, target: str, path: str) -> None:
    """Row 3: a link to a file or folder outside is not followed, listed or looked into."""
    (desk.root / "out").symlink_to(target)
    refused(desk, path, OUTSIDE)
    assert desk("search", pattern="*")["total_files"] == 2
    assert desk("grep", pattern=SECRET)["total_lines"] == 0


def test_row_4_new_files_below_a_linked_folder(desk: Desk) -> None:
    """Row 4: a new file, and new folders, behind a link that leads out are not made."""
    (desk.root / "out").symlink_to("../workspace-secrets")
    for path in ("out/new.txt", "out/deep/er/new.txt", "sub/../out/new.txt"):
        refused(desk, path, OUTSIDE)


def test_row_5_dangling_links(desk: Desk) -> None:
    """Row 5: a link to what is not there yet creates nothing outside."""
    (desk.root / "out").symlink_to("../not-yet.txt")
    (desk.root / "far").symlink_to("out")
    for path in ("out", "far"):
        refused(desk, path, OUTSIDE)
    assert not (desk.root.parent / "not-yet.txt").exists()


@contextmanager
def swapping(place: Path, target: Path) -> Iterator[None]:
    """Turn a file or folder into a link to `target` and back, in a loop, in a thread."""
    done, aside = threading.Event(), place.with_name("aside")

    def swap() -> None:
        while not done.is_set():
            with suppress(OSError):
                place.rename(aside)
                place.symlink_to(target)
                place.unlink()
            while aside.exists():  # a write in between may have made the place anew
                shutil.rmtree(place, ignore_errors=True)
                with suppress(OSError):
                    aside.replace(place)

    thread, interval = threading.Thread(target=swap), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # else the threads would hardly ever meet between two calls
    thread.start()
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join()


@pytest.mark.parametrize("swapped", ["", "a.txt"], ids=["folder", "file"])
def test_row_6_a_swap_between_check_and_use(desk: Desk, swapped: str) -> None:
    """Row 6: while a folder or file turns into a link and back, no tool ever reaches outside."""
    desk.put("swap/a.txt", "inside")
    with swapping(desk.root / "swap" / swapped, desk.root.parent / "workspace-secrets" / swapped):
        for turn in range(150):
            found = desk("read", path="swap/a.txt")
            assert found.get("content", "") in {"", "inside", "other"}
            assert desk("grep", pattern=SECRET, path="swap").get("total_lines", 0) == 0
            if turn % 3 == 0:
                desk("write", path="swap/a.txt", content="other" if turn % 2 else "inside")
    untouched(desk)


@pytest.mark.parametrize("swapped", ["", "in", "in/a.txt"], ids=["above", "folder", "file"])
@pytest.mark.parametrize("tool", ["read", "grep", "search", "overwrite", "append"])
def test_row_6_a_swap_right_after_the_check(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, swapped: str, tool: str
) -> None:
    """Row 6: what turns into a link when it has just been resolved is refused by every tool."""
    desk.put("swap/in/a.txt", "inside")
    outside = desk.root.parent / "elsewhere"
    (outside / "in").mkdir(parents=True)
    (outside / "in" / "a.txt").write_text(SECRET)
    place, real = desk.root / "swap" / swapped, os.path.realpath

    def resolve(path: Path) -> str:
        found = real(path)
        if not place.is_symlink():
            place.rename(desk.root / "aside")
            place.symlink_to(outside / swapped)
        return found

    monkeypatch.setattr(os.path, "realpath", resolve)
    calls: dict[str, Callable[[], Result]] = {
        "read": lambda: desk("read", path="swap/in/a.txt"),
        "grep": lambda: desk("grep", pattern="", path="swap/in"),
        "search": lambda: desk("search", pattern="*", path="swap/in"),
        "overwrite": lambda: desk("write", path="swap/in/a.txt", content="x"),
        "append": lambda: desk("write", path="swap/in/a.txt", content="x", mode="append"),
    }
    result = calls[tool]()
    assert SECRET not in desk.last.content
    if swapped != "in/a.txt" or tool in ("read", "overwrite", "append"):
        assert "link" in result["error"] or "not a folder" in result["error"]
    else:
        assert result.get("total_files", 0) + result.get("total_lines", 0) == 0
    assert [path.read_text() for path in outside.rglob("*.txt")] == [SECRET]
    untouched(desk)


@pytest.mark.parametrize("moment", range(1, 7))
def test_row_6_a_folder_that_is_moved_out_is_left(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """Row 6: a folder that leaves the workspace while it is being opened is left as it is."""
    real, moved, calls = os.fstat, desk.root.parent / "moved", iter(range(1, 100))

    def move(fd: int) -> os.stat_result:
        if next(calls) == moment:
            (desk.root / "sub").rename(moved)
        return real(fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", move)
        desk("write", path="sub/new.txt", content="x")
        desk("write", path="sub/b.txt", content="x", mode="append")
        found = desk("read", path="sub/b.txt")
    assert found.get("content", "below") in {"below", "belowx", "x"}
    assert (moved / "b.txt").read_text() in {"below", "belowx"}
    assert not (desk.root / "sub" / "nope").exists()


def test_row_6_what_has_left_is_not_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 6: what is being read when its folder leaves the workspace is refused."""
    real, moved = os.fstat, desk.root.parent / "moved"

    def move(fd: int) -> os.stat_result:
        if not moved.exists():
            (desk.root / "sub").rename(moved)
        return real(fd)

    monkeypatch.setattr(os, "fstat", move)
    assert PROTECTED in desk("read", path="sub/b.txt")["error"]


def test_row_7_hard_links(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Row 7: a write makes a new file, so another name of the old one keeps its content.

    A read is warned of in the log.
    """
    os.link(desk.root.parent / "secret.txt", desk.root / "hard.txt")
    with caplog.at_level(logging.WARNING):
        desk("read", path="hard.txt")
    assert "hard.txt has 2 hard links" in caplog.text
    desk("write", path="hard.txt", content="more", mode="append")
    assert (desk.root / "hard.txt").read_text() == f"{SECRET}more"
    desk("write", path="hard.txt", content="new")
    untouched(desk)


@pytest.mark.parametrize("name", ["environ", "cmdline", "mem", "maps", "smaps", "root/etc/passwd"])
def test_rows_8_and_9_proc(desk: Desk, name: str) -> None:
    """Rows 8, 9: nothing of /proc is reached, by its name, by a link or through a descriptor."""
    (desk.root / "p").symlink_to("/proc/self")
    (desk.root / "f").symlink_to("/dev/fd")
    for path in (f"/proc/self/{name}", f"p/{name}", f"/proc/{os.getpid()}/{name}", "f/0"):
        refused(desk, path, OUTSIDE)


GIT = [".git", ".GIT", ".Git", ".git.", ".git ", ".git. . ", ".git::$INDEX_ALLOCATION", ".git:x"]
GIT += [
    "git~1",
    "GIT~1",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\u200dt",
    "．ｇｉｔ",
    ".gıt".replace("ı", "i"),
]


@pytest.mark.parametrize("name", GIT)
@pytest.mark.parametrize("rest", ["", "/config", "/hooks/pre-commit"])
def test_rows_16_and_40_git_metadata(desk: Desk, name: str, rest: str) -> None:
    """Rows 16, 40: `.git` is not touched, however a file system may spell it."""
    desk.put(".git/config", "[core]")
    for path in (f"{name}{rest}", f"sub/{name}{rest}"):
        refused(desk, path, PROTECTED)


@pytest.mark.parametrize(
    "name", [".gitignore", ".gitattributes", "git", "x.git", ".github/a", "git~12"]
)
def test_row_16_what_only_looks_like_it_is_free(desk: Desk, name: str) -> None:
    """Row 16: other names with git in them are ordinary."""
    desk("write", path=name, content="x")
    assert desk("read", path=name)["content"] == "x"


@pytest.mark.parametrize("name", ["data", "config.toml"])
def test_row_17_own_files_under_any_name(desk: Desk, name: str) -> None:
    """Row 17: the agent's files in the workspace are recognised by identity, not by name."""
    (desk.root / "data").mkdir()
    (desk.root / "data" / "agent.log").write_text("own")
    (desk.root / "data" / ".lock").write_text("own")
    (desk.root / "config.toml").write_text("own")
    (desk.root / "soft").symlink_to(name)
    inner = "/agent.log" if name == "data" else ""
    refused(desk, f"{name}{inner}", PROTECTED)
    refused(desk, f"soft{inner}", PROTECTED)
    if inner:
        refused(desk, "data/.lock", PROTECTED)
        refused(desk, "data/new/file", PROTECTED)
    else:
        os.link(desk.root / name, desk.root / "hard")
        refused(desk, "hard", PROTECTED)
    found = desk("search", pattern="*")["files"]
    assert sorted(found) == ["a.txt", "sub/b.txt"]
    assert desk("grep", pattern="own")["total_lines"] == 0


def test_row_17_own_files_that_are_moved(desk: Desk) -> None:
    """Row 17: renaming the data folder doesn't lay it open, as long as its path is the agent's."""
    (desk.root / "kept").mkdir()
    (desk.root / "kept" / "agent.log").write_text("own")
    (desk.root / "data").symlink_to("kept")
    refused(desk, "kept/agent.log", PROTECTED)


@pytest.mark.parametrize("name", ["config.toml", "Config.TOML", "data/agent.log", "DATA/x", "data"])
def test_row_17_own_files_that_are_not_there_yet(desk: Desk, name: str) -> None:
    """Row 17: a settings file can't be planted for the next start to find."""
    for mode in ("overwrite", "append"):
        result = desk("write", path=name, content="[llm]", mode=mode)
        assert PROTECTED in result["error"]
    assert sorted(p.name for p in desk.root.iterdir()) == ["a.txt", "sub"]


@pytest.mark.parametrize("way", WAYS)
def test_row_17_the_program_can_be_read_only(tmp_path: Path, way: str) -> None:
    """Row 17: where the workspace holds the program itself, no tool can change it."""
    code = tmp_path / "ws" / "program"
    code.mkdir(parents=True)
    (code / "main.py").write_text("run")
    box = Sandbox(tmp_path / "ws", EN, fixed=[code], beneath=WAYS[way])
    with box.open("program/main.py") as (_, file):
        assert file.read() == b"run"
    for path in ("program/main.py", "program/new/x.py", "program", "Program/x.py"):
        with pytest.raises(ToolFailed, match=PROTECTED):
            box.write(path, b"spoiled")
    assert (code / "main.py").read_text() == "run"
    assert len(list(code.iterdir())) == 1


@pytest.mark.parametrize("started", ["main.py", "./bin/chat", "-c", "", "missing.py"])
def test_row_17_the_script_that_runs_can_be_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str
) -> None:
    """Row 17: what started the program will start it again; where none did all else is free."""
    workspace = tmp_path / "workspace"
    for name in ("main.py", "bin/chat"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text("run")
    monkeypatch.chdir(workspace)
    monkeypatch.setattr(sys, "argv", [started])
    names = ("main.py", "bin/chat", "bin/other")
    spoils = [("write", {"path": name, "content": "spoiled"}) for name in names]
    with agent_on(tmp_path, calls(*spoils), says("ok")) as (agent, _):
        results = [e.result.content for e in ask(agent, "go") if isinstance(e, ToolRan)]
    assert [PROTECTED in result for result in results] == [
        started == "main.py", started == "./bin/chat", False
    ]  # fmt: skip


def test_row_17_the_script_beside_the_package_is_one() -> None:
    """Row 17: a checkout is started by its main.py, whatever has started it this time."""
    assert source.ROOT / "main.py" in program()


def test_row_18_planted_names_for_unfinished_files(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 18: names can't be foreseen; one that is there already, even a link, is not used."""
    for name in ("a.txt.tmp", ".a.txt.tmp", "a.txt~", ".chyan-0000000000000000.tmp"):
        (desk.root / name).symlink_to(desk.root.parent / "secret.txt")
    desk("write", path="a.txt", content="new")
    assert (desk.root / "a.txt").read_text() == "new"
    untouched(desk)
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
    assert "File exists" in desk("write", path="a.txt", content="newer")["error"]
    assert (desk.root / "a.txt").read_text() == "new"
    untouched(desk)


@pytest.mark.parametrize(("mask", "mode"), [(0o000, 0o644), (0o022, 0o644), (0o077, 0o600)])
def test_row_19_new_files_are_never_executable(desk: Desk, mask: int, mode: int) -> None:
    """Row 19: a new file has 0644 less the umask; into a new folder nobody else can write."""
    before = os.umask(mask)
    try:
        desk("write", path="new/run.sh", content="#!/bin/sh\n")
    finally:
        os.umask(before)
    assert stat.S_IMODE((desk.root / "new/run.sh").stat().st_mode) == mode
    assert not stat.S_IMODE((desk.root / "new").stat().st_mode) & 0o022


def test_row_40_names_in_two_forms_are_two_files(desk: Desk) -> None:
    """Row 40: é in one character and in two are what the file system says they are."""
    for form in ("NFC", "NFD"):
        name = unicodedata.normalize(form, "café.txt")
        desk("write", path=name, content=form)
        assert desk("read", path=name)["content"] == form


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"caf\xe9.txt", r"caf\xe9.txt"),
        (b"a\x1b]52;c;eA==\x07.txt", r"a\x1b]52;c;eA==\x07.txt"),
        ("gpj.\u202etxt".encode(), r"gpj.\u202etxt"),
        ("a\u200bb.txt".encode(), r"a\u200bb.txt"),
        ("a\u009b2J.txt".encode(), r"a\x9b2J.txt"),
        (b"a\nb.txt", r"a\x0ab.txt"),
    ],
)
def test_rows_27_and_40_names_are_shown_escaped(desk: Desk, name: bytes, shown: str) -> None:
    """Rows 27, 40: bytes that are no text, escapes, and marks that hide or turn text are seen."""
    (desk.root / os.fsdecode(name)).write_text("needle")
    assert shown in desk("search", pattern="*")["files"]
    assert desk("grep", pattern="needle")["matches"] == [f"{shown}:1:needle"]
    assert not set("\x1b\x07\u202e\u200b\u009b") & set(desk.last.content)


def test_row_40_a_name_with_half_a_character(desk: Desk) -> None:
    """Row 40: what can't be encoded is a name of its own, or an error; never an exception."""
    for path in ("a\ud800.txt", "\udce9.txt", "\ud83d\ude00.txt", "😀" * 64):
        desk("write", path=path, content="x")
        desk("read", path=path)
        desk.last.content.encode()
    untouched(desk)


def test_both_ways_agree(tmp_path: Path) -> None:
    """The two ways open, and refuse, the same paths of a tree made at random."""
    rng, root = random.Random(1), tmp_path / "ws"
    (root / "a" / "b").mkdir(parents=True)
    for name in ("f", "a/f", "a/b/f"):
        (root / name).write_text(name)
    for name, target in (
        ("l", "a"),
        ("a/up", ".."),
        ("a/out", "../.."),
        ("dead", "x"),
        ("me", "me"),
    ):
        (root / name).symlink_to(target)
    boxes = [Sandbox(root, EN, beneath=way) for way in WAYS.values()]
    parts = ["a", "b", "f", "l", "up", "out", "dead", "me", "..", ".", "", "nope"]
    opened = 0
    for _ in range(1500):
        path = "/".join(rng.choices(parts, k=rng.randint(1, 4)))
        found = []
        for box in boxes:
            try:
                with box.open(path) as (name, file):
                    found.append((name, file.read()))
            except ToolFailed:
                found.append(("refused", b""))
        assert found[0] == found[1], path
        opened += found[0][0] != "refused"
    assert opened > 50


def test_a_path_too_long_for_one_call_is_opened_in_steps(tmp_path: Path) -> None:
    """A folder whose path is longer than a call takes can still be listed and opened."""
    root = os.open(tmp_path, os.O_RDONLY)
    parts = tuple(["x" * 200] * 25)
    try:
        here = os.dup(root)
        for part in parts:
            os.mkdir(part, dir_fd=here)
            above, here = here, os.open(part, os.O_RDONLY, dir_fd=here)
            os.close(above)
        for way in WAYS.values():
            found = way(root, parts, os.O_RDONLY)
            assert os.path.sameopenfile(found, here)
            os.close(found)
        os.close(here)
    finally:
        os.close(root)
        subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)


def test_row_6_no_descriptor_is_left_open(desk: Desk) -> None:
    """Whatever is refused or fails, every descriptor is closed again."""
    (desk.root / "out").symlink_to("/etc")
    os.mkfifo(desk.root / "pipe")
    before = set(Path("/proc/self/fd").iterdir())
    for path in ("a.txt", "sub", "out/passwd", "pipe", "nope/x", ".git/x", "x" * 300, "data/x"):
        every_tool(desk, path)
    assert set(Path("/proc/self/fd").iterdir()) <= before  # those of other tests may go
