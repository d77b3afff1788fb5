"""What a killed writer leaves in the workspace goes at the next start, and nothing else does."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chyan_agent.errors import ToolFailed
from chyan_agent.prompts.tools import EN
from chyan_agent.tools.sandbox import Sandbox

KILLED_IN_MID_WRITE = """
import os, signal, sys
from pathlib import Path
from chyan_agent.prompts.tools import EN
from chyan_agent.tools.sandbox import Sandbox
os.rename = lambda *names, **folders: os.kill(os.getpid(), signal.SIGKILL)
Sandbox(Path(sys.argv[1]), EN).write("sub/b.txt", b"never")
"""
LEFTOVER = ".chyan-0123456789abcdef.tmp"


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace with a file, and one in a folder."""
    (tmp_path / "ws" / "sub").mkdir(parents=True)
    (tmp_path / "ws" / "a.txt").write_text("inside")
    (tmp_path / "ws" / "sub" / "b.txt").write_text("below")
    return tmp_path / "ws"


def left_behind(folder: Path, name: str = LEFTOVER) -> Path:
    """An unfinished file without a writer."""
    file = folder / name
    file.write_text("half")
    return file


def test_what_a_killed_writer_left_is_removed(ws: Path) -> None:
    """A write that is killed leaves the old content, and a file that the next start removes."""
    code = [sys.executable, "-c", KILLED_IN_MID_WRITE, str(ws)]
    assert subprocess.run(code, check=False).returncode == -signal.SIGKILL
    (left,) = set((ws / "sub").iterdir()) - {ws / "sub" / "b.txt"}
    assert left.read_text() == "never"
    Sandbox(ws, EN)
    assert not left.exists()
    assert (ws / "sub" / "b.txt").read_text() == "below"


@pytest.mark.parametrize(
    "name",
    [".chyan-0123456789abcdef", ".chyan-0123456789ABCDEF.tmp", ".chyan-0123456789abcdef.tmp.md"]
    + ["a.chyan-0123456789abcdef.tmp", ".chyan-0123.tmp", ".chyan-0123456789abcdef.tmp\n"],
)
def test_only_our_own_names_are_removed(ws: Path, name: str) -> None:
    """A file with almost the name of a leftover is somebody's work."""
    file = left_behind(ws, name)
    Sandbox(ws, EN)
    assert file.exists()


@pytest.mark.parametrize("path", [LEFTOVER, f"sub/{LEFTOVER}", f"new/{LEFTOVER}"])
@pytest.mark.parametrize("append", [False, True])
def test_nothing_is_written_that_the_next_start_would_remove(
    ws: Path, path: str, append: bool
) -> None:
    """The names of unfinished files are no names for anything else; those like them are."""
    box = Sandbox(ws, EN)
    with pytest.raises(ToolFailed, match="protected"):
        box.write(path, "x", append=append)
    box.write(f"{path}.txt", "kept", append=append)
    assert [e.path for e in Sandbox(ws, EN).files() if ".tmp" in e.path] == [f"{path}.txt"]


def test_nothing_else_is_removed(ws: Path) -> None:
    """Links, folders, pipes and what is behind links, excluded or in git metadata all stay."""
    for folder in ("data/deep", ".git", "folder", "link", "pipe"):
        (ws / folder).mkdir(parents=True)
    kept = [left_behind(ws / folder) for folder in ("..", "data", "data/deep", ".git")]
    kept += [ws / folder / LEFTOVER for folder in ("folder", "link", "pipe")]
    kept[-3].mkdir()
    kept[-2].symlink_to("../a.txt")
    os.mkfifo(kept[-1])
    (ws / "out").symlink_to("..")
    Sandbox(ws, EN, excluded=[ws / "data"])
    assert all(path.is_symlink() or path.exists() for path in kept)


def test_a_large_workspace_is_searched_from_the_top(
    ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search for leftovers ends after its steps; the folders nearest to the root come first."""
    tops = (ws / "one", ws / "two")
    for top in tops:
        (top / "x" / "y").mkdir(parents=True)
    near = [left_behind(top) for top in tops]
    far = [left_behind(top / "x" / "y") for top in tops]
    monkeypatch.setattr("chyan_agent.tools.leftovers.MOST", 55)
    Sandbox(ws, EN)
    assert [path.exists() for path in (*near, *far)] == [False, False, True, True]
    monkeypatch.undo()
    Sandbox(ws, EN)
    assert not any(path.exists() for path in far)


@pytest.mark.parametrize("call", ["open", "scandir", "unlink"])
def test_a_leftover_that_can_not_be_removed_is_no_fault(
    ws: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """A workspace that may not be looked into or changed opens all the same."""

    def refuse(*arguments: object, **options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    left = left_behind(ws)
    monkeypatch.setattr(os, call, refuse)
    Sandbox(ws, EN)
    assert left.exists()


def test_a_file_that_is_being_written_stays(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start beside a writer, however slow it is, takes nothing away from it."""
    box, sync = Sandbox(ws, EN), os.fsync

    def start_another(fd: int) -> None:
        sync(fd)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", sync)
            Sandbox(ws, EN)

    monkeypatch.setattr(os, "fsync", start_another)
    box.write("a.txt", b"new")
    assert sorted(path.name for path in ws.iterdir()) == ["a.txt", "sub"]
    assert (ws / "a.txt").read_text() == "new"


def test_a_write_that_lost_its_unfinished_file_changes_nothing(
    ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should somebody remove it, the write fails and the old content stays."""
    box, sync = Sandbox(ws, EN), os.fsync

    def remove(fd: int) -> None:
        sync(fd)
        for path in ws.glob(".chyan-*"):
            path.unlink()

    monkeypatch.setattr(os, "fsync", remove)
    with pytest.raises(ToolFailed):
        box.write("a.txt", b"new")
    assert sorted(path.name for path in ws.iterdir()) == ["a.txt", "sub"]
    assert (ws / "a.txt").read_text() == "inside"
