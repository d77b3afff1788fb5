"""No path leaves the workspace, whatever lies in it; a write is whole or not at all."""

import errno
import hashlib
import os
import socket
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.errors import ConfigError, ToolFailed
from chyan_agent.prompts.tools import EN
from chyan_agent.tools.beneath import opener, stepwise
from chyan_agent.tools.sandbox import Sandbox

WAYS = (opener(), stepwise)


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace beside a secret that it must not reach."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "ws-secrets").mkdir()
    (tmp_path / "ws-secrets" / "a.txt").write_text("secret")
    (tmp_path / "ws" / "sub").mkdir(parents=True)
    (tmp_path / "ws" / "a.txt").write_text("inside")
    (tmp_path / "ws" / "sub" / "b.txt").write_text("below")
    return tmp_path / "ws"


@pytest.fixture(params=WAYS, ids=["kernel", "stepwise"])
def box(ws: Path, request: pytest.FixtureRequest) -> Sandbox:
    """A sandbox over it, by each of the two ways to open a path."""
    return Sandbox(ws, EN, beneath=request.param)


def content(box: Sandbox, path: str) -> bytes:
    """What the sandbox reads at a path."""
    with box.open(path) as (_, file):
        return file.read()


def refused(box: Sandbox, path: str, part: str = "") -> None:
    """Both reading and writing are refused, and nothing outside has changed."""
    with pytest.raises(ToolFailed, match=part):
        content(box, path)
    with pytest.raises(ToolFailed, match=part):
        box.write(path, b"overwritten")
    with pytest.raises(ToolFailed, match=part):
        box.write(path, b"overwritten", append=True)
    assert (box.root.parent / "secret.txt").read_text() == "secret"
    assert (box.root.parent / "ws-secrets" / "a.txt").read_text() == "secret"


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "../../etc/passwd", "/etc/passwd", "/", "..", "sub/../../secret.txt"]
    + ["../ws-secrets/a.txt", "/proc/self/environ", "//etc/passwd", "nope/../../secret.txt"],
)
def test_paths_outside_are_refused(box: Sandbox, path: str) -> None:
    """Neither dots nor an absolute path nor a common prefix leads out."""
    refused(box, path, "outside the workspace")


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "\0"])
def test_paths_that_are_none_are_refused(box: Sandbox, path: str) -> None:
    """An empty path and one with NUL are no paths."""
    refused(box, path, "empty")


@pytest.mark.parametrize(
    "path", ["a.txt", "./a.txt", "sub/../a.txt", "sub//../a.txt", "nope/../a.txt"]
)
def test_paths_inside_are_found_however_spelt(box: Sandbox, ws: Path, path: str) -> None:
    """Relative and absolute spellings of a path inside lead to it, under one name."""
    for spelling in (path, str(ws / path)):
        with box.open(spelling) as (name, file):
            assert (name, file.read()) == ("a.txt", b"inside")


def test_an_absolute_path_through_a_linked_root_is_inside(tmp_path: Path, ws: Path) -> None:
    """The workspace may be named by a link; both of its names are inside."""
    (tmp_path / "link").symlink_to(ws)
    box = Sandbox(tmp_path / "link", EN)
    assert content(box, str(tmp_path / "link" / "a.txt")) == b"inside"
    assert content(box, str(ws / "a.txt")) == b"inside"


@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        ("out", "../secret.txt", "out"),
        ("out", "..", "out/secret.txt"),
        ("out", "..", "out/new.txt"),
        ("out", "/etc", "out/passwd"),
        ("out", "../not-yet.txt", "out"),
        ("out", "/proc/self", "out/environ"),
        ("sub/out", "../../ws-secrets", "sub/out/a.txt"),
    ],
)
def test_links_that_lead_out_are_refused(
    box: Sandbox, ws: Path, link: str, target: str, path: str
) -> None:
    """A link to a file, folder, missing file or into /proc outside is not followed or written."""
    (ws / link).symlink_to(target)
    refused(box, path, "outside the workspace")
    assert not (ws.parent / "not-yet.txt").exists()
    assert not (ws.parent / "new.txt").exists()


def test_links_that_stay_inside_work(box: Sandbox, ws: Path) -> None:
    """A link to a place inside is followed, and stays a link when it is written through."""
    (ws / "current").symlink_to("sub")
    (ws / "latest").symlink_to("sub/b.txt")
    assert content(box, "current/b.txt") == content(box, "latest") == b"below"
    box.write("latest", b"new")
    assert (ws / "latest").is_symlink()
    assert (ws / "sub" / "b.txt").read_bytes() == b"new"


def test_a_loop_of_links_is_refused(box: Sandbox, ws: Path) -> None:
    """Links that lead to each other end in an error."""
    (ws / "a").symlink_to("b")
    (ws / "b").symlink_to("a")
    refused(box, "a", "link")


@pytest.mark.parametrize(
    "path", [".git/config", ".GIT/hooks/x", "sub/.git/x", ".git", ".git /x", "alias/config"]
)
def test_git_metadata_is_protected(box: Sandbox, ws: Path, path: str) -> None:
    """No path with a .git component is touched, however it is spelt or linked to."""
    (ws / ".git").mkdir()
    (ws / ".git" / "config").write_text("[core]")
    (ws / "alias").symlink_to(".git")
    refused(box, path, "protected")
    box.write(".gitignore", b"*.log\n")


def test_excluded_files_are_protected_by_identity(tmp_path: Path, ws: Path) -> None:
    """The agent's own files inside the workspace are refused under any name, and not listed."""
    (ws / "data").mkdir()
    (ws / "data" / "log").write_text("own")
    (ws / "config.toml").write_text("own")
    os.link(ws / "config.toml", ws / "hard.toml")
    (ws / "soft").symlink_to("data")
    box = Sandbox(ws, EN, excluded=[ws / "data", ws / "config.toml", ws / "absent"])
    for path in ("data/log", "soft/log", "data/new", "config.toml", "hard.toml"):
        refused(box, path, "protected")
    assert [entry.path for entry in box.files()] == ["a.txt", "sub/b.txt"]


def test_the_workspace_may_not_be_the_data_folder(ws: Path) -> None:
    """A workspace that is excluded itself is an error of configuration."""
    with pytest.raises(ConfigError, match="own files"):
        Sandbox(ws, EN, excluded=[ws])


def test_a_folder_that_is_gone_is_no_place_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the current folder was removed, that is said."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(ConfigError, match="workspace"):
        Sandbox(Path("workspace"), EN)


def test_the_workspace_must_be_a_folder(ws: Path) -> None:
    """A workspace that is a file is an error of configuration; a missing one is made."""
    with pytest.raises(ConfigError, match="File exists"):
        Sandbox(ws / "a.txt", EN)
    assert Sandbox(ws / "made" / "anew", EN).root.is_dir()


def test_special_files_are_refused_at_once(
    box: Sandbox, ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe without a writer, a socket and a device are no files, and nothing waits for them."""
    os.mkfifo(ws / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(ws)  # the path of a socket may not be long
        server.bind("socket")
        refused(box, "pipe", "not a regular file")
        refused(box, "socket", "not a regular file")
    assert [entry.path for entry in box.files()] == ["a.txt", "sub/b.txt"]


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("sub", "is a folder"),
        (".", "is a folder"),
        ("a.txt/b", "not a folder"),
        ("x" * 300, "too long"),
    ],
)
def test_what_is_no_file_is_said(box: Sandbox, path: str, part: str) -> None:
    """A folder, a file taken for a folder and too long a name are told apart."""
    refused(box, path, part)


def test_a_missing_file_is_said(box: Sandbox) -> None:
    """Reading or listing what is not there names it."""
    for look in (lambda: content(box, "sub/nope"), lambda: list(box.files("nope"))):
        with pytest.raises(ToolFailed, match="no such file: .*nope"):
            look()


def test_a_link_swapped_in_after_the_check_is_not_followed(box: Sandbox, ws: Path) -> None:
    """While a folder is swapped for a link that leads out, no read ever gives what is outside."""
    (ws / "swap").mkdir()
    (ws / "swap" / "a.txt").write_text("inside")
    (ws / "trap").symlink_to("../ws-secrets")
    done = threading.Event()

    def swapper() -> None:
        while not done.is_set():
            (ws / "swap").rename(ws / "aside")
            (ws / "trap").rename(ws / "swap")
            (ws / "swap").rename(ws / "trap")
            (ws / "aside").rename(ws / "swap")

    thread = threading.Thread(target=swapper)
    thread.start()
    seen = set()
    try:
        for _ in range(1500):
            try:
                seen.add(content(box, "swap/a.txt"))
            except ToolFailed:
                seen.add(b"refused")
    finally:
        done.set()
        thread.join()
    assert seen <= {b"inside", b"refused"}


def test_a_write_creates_folders_and_plain_files(box: Sandbox, ws: Path) -> None:
    """Missing folders are made; a new file is never executable."""
    old = os.umask(0o022)
    try:
        name, written = box.write("new/deep/x.sh", b"#!/bin/sh\nexit")
    finally:
        os.umask(old)
    assert (name, written.bytes, written.lines) == ("new/deep/x.sh", 14, 2)
    assert written.sha256 == hashlib.sha256(b"#!/bin/sh\nexit").hexdigest()
    assert stat.S_IMODE((ws / "new/deep/x.sh").stat().st_mode) == 0o644


def test_a_write_keeps_the_mode_but_not_setuid(box: Sandbox, ws: Path) -> None:
    """An existing file keeps its permissions, without the bits that lend rights."""
    (ws / "a.txt").chmod(0o4750)
    box.write("a.txt", b"new")
    assert stat.S_IMODE((ws / "a.txt").stat().st_mode) == 0o750


NOBODY = 65_534


def as_nobody(act: Callable[[], object]) -> str:
    """Return what a process of another user says of an act: nothing, or the error."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        said = "the child failed"
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            act()
            said = ""
        except ToolFailed as error:
            said = str(error)
        finally:
            os.write(writer, said.encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        said = stream.read().decode()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize(
    ("owner", "mode", "may"),
    [(NOBODY, 0o644, True), (NOBODY, 0o444, False), (NOBODY, 0o577, False)]
    + [(0, 0o644, False), (0, 0o666, True), (0, 0o400, False)],
)
@pytest.mark.parametrize("append", [False, True])
def test_a_file_that_may_not_be_written_stays(
    owner: int, mode: int, may: bool, append: bool
) -> None:
    """Another file could take its name, but that would be to write it all the same."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o777)
        file = root / "a.txt"
        file.write_text("old")
        os.chown(file, owner, owner)
        file.chmod(mode)
        box = Sandbox(root, EN)
        said = as_nobody(lambda: box.write("a.txt", "new", append=append))
        new = "oldnew" if append else "new"
        assert (said, file.read_text()) == (
            ("", new) if may else ("no permission for a.txt", "old")
        )
        assert [path.name for path in root.iterdir()] == ["a.txt"]
        assert as_nobody(lambda: box.write("b.txt", "new", append=append)) == ""


def test_a_hard_link_is_not_written_through(box: Sandbox, ws: Path) -> None:
    """The outside name of a file keeps its old content."""
    os.link(ws.parent / "secret.txt", ws / "hard.txt")
    box.write("hard.txt", b"new")
    box.write("hard.txt", b"er", append=True)
    assert (ws.parent / "secret.txt").read_text() == "secret"
    assert (ws / "hard.txt").read_text() == "newer"


@pytest.mark.parametrize(
    ("old", "new", "lines", "joined"),
    [(None, b"a\n", 1, False), (b"", b"a", 1, False), (b"x\n", b"a\nb\n", 3, False),
     (b"x", b"a", 1, True), (b"x\n", b"", 1, False), (b"\xff\r\n" * 700_000, b"y", 700_001, False)],
)  # fmt: skip
def test_an_append_keeps_every_byte(
    box: Sandbox, ws: Path, old: bytes | None, new: bytes, lines: int, joined: bool
) -> None:
    """The old content stays as it is, of any size; the result describes the whole."""
    if old is not None:
        (ws / "log").write_bytes(old)
    _, written = box.write("log", new, append=True)
    whole = (old or b"") + new
    assert (ws / "log").read_bytes() == whole
    assert (written.bytes, written.lines, written.joined) == (len(whole), lines, joined)
    assert written.sha256 == hashlib.sha256(whole).hexdigest()


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_a_write_that_fails_changes_nothing(
    box: Sandbox, ws: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """When the disk fails in the middle, the old content is whole and nothing else is left."""

    def fail(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    for append in (False, True):
        with pytest.raises(ToolFailed, match="the disk is full, a.txt is unchanged"):
            box.write("a.txt", b"new", append=append)
    assert (ws / "a.txt").read_text() == "inside"
    assert sorted(path.name for path in ws.iterdir()) == ["a.txt", "sub"]


def test_a_reader_never_sees_half_a_write(box: Sandbox, ws: Path) -> None:
    """While a file is rewritten again and again, every read gives one whole content."""
    contents = [bytes([65 + n]) * 200_000 for n in range(4)]
    box.write("big", contents[0])
    done = threading.Event()

    def writer() -> None:
        while not done.is_set():
            for each in contents:
                box.write("big", each)

    thread = threading.Thread(target=writer)
    thread.start()
    try:
        assert all(content(box, "big") in contents for _ in range(100))
    finally:
        done.set()
        thread.join()


def test_listing_leaves_out_what_tools_must_not_see(box: Sandbox, ws: Path) -> None:
    """Links, git metadata and unfinished writes are not listed; files of a folder come first."""
    (ws / ".git").mkdir()
    (ws / ".git" / "config").write_text("x")
    (ws / ".chyan-00112233445566aa.tmp").write_text("x")
    (ws / "loop").symlink_to(".")
    (ws / "out").symlink_to("..")
    (ws / "sub" / "deep").mkdir()
    (ws / "sub" / "deep" / "c.txt").write_text("x")
    (ws / "sub" / "z.txt").write_text("x")
    assert [e.path for e in box.files()] == ["a.txt", "sub/b.txt", "sub/z.txt", "sub/deep/c.txt"]
    assert [e.inside for e in box.files("sub")] == ["b.txt", "z.txt", "deep/c.txt"]
    assert [(e.path, e.inside) for e in box.files("sub/b.txt")] == [("sub/b.txt", "b.txt")]
    with pytest.raises(ToolFailed, match="outside"):
        list(box.files("out"))


def test_a_file_that_may_not_be_read_is_said(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal by the system is a refusal in words."""
    box = Sandbox(ws, EN, beneath=stepwise)
    real = os.open

    def refuse(path: str | Path, *arguments: Any, **options: Any) -> int:
        if path == "a.txt":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ToolFailed, match="no permission for a.txt"):
        content(box, "a.txt")


def test_a_failure_to_close_is_said(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the disk says at the very end is an answer too, wherever a file is let go."""
    real = os.close

    def broken(fd: int) -> None:
        real(fd)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "close", broken)
    uses = (
        lambda: content(box, "sub/b.txt"),
        lambda: list(box.files("sub")),
        lambda: box.settle("sub/b.txt"),
        lambda: box.write("sub/b.txt", b"new"),
    )
    for use in uses:
        with pytest.raises(ToolFailed, match="Input/output error"):
            use()


def test_names_are_shown_escaped(box: Sandbox, ws: Path) -> None:
    """Undecodable bytes, control and direction marks of a name can't reach the terminal."""
    (ws / os.fsdecode(b"caf\xe9\x1b[31m\xe2\x80\xae.txt")).write_bytes(b"x")
    entry = next(e for e in box.files() if "caf" in e.path)
    with box.open(entry.path) as (shown, file):
        assert (shown, file.read()) == (r"caf\xe9\x1b[31m\u202e.txt", b"x")
