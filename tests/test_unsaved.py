"""Disks that fail and sessions that are in use, with real processes: what is told, what is safe."""

import json
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.errors import LockedError
from chyan_agent.events import Answered

from .agents import agent_on, ask, says

MAIN = str(Path(__file__).parent.parent / "main.py")
Events = list[dict[str, Any]]
ENDS = {"answered", "error", "stopped"}


class Chat:
    """A chat in a process of its own, with the offline model, whose output is JSON lines."""

    def __init__(self, data: Path, *before: str) -> None:
        place = ["--data-dir", str(data), "--workspace", str(data.parent / "workspace")]
        argv = [*before, sys.executable, MAIN, "--language", "en", "--offline", "--json", *place]
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=data.parent, text=True
        )
        self.told: Events = []

    def ask(self, text: str) -> Events:
        """Ask, and return what came up to the end of the turn."""
        assert self.process.stdin
        print(text, file=self.process.stdin, flush=True)
        return self.until(*ENDS)

    def until(self, *names: str) -> Events:
        """Return the events up to one of these, or to the end of the output."""
        assert self.process.stdout
        found: Events = []
        for line in self.process.stdout:
            found.append(json.loads(line))
            if found[-1]["event"] in names:
                break
        self.told += found
        return found

    def end(self) -> int:
        """Close the input and return the exit code."""
        assert self.process.stdin and self.process.stdout
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.told += map(json.loads, self.process.stdout)
        return self.process.wait()


@contextmanager
def chat(data: Path, *before: str) -> Iterator[Chat]:
    """Start a chat; end it whatever happens."""
    it = Chat(data, *before)
    with it.process:
        try:
            yield it
        finally:
            it.process.kill()


def answers(data: Path) -> list[str]:
    """Return the last word of each turn that a new process finds."""
    shown = subprocess.run(
        [sys.executable, MAIN, "--language", "en", "--read-only", "--data-dir", str(data)]
        + ["/history"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition("→ ")[2] for line in shown.stdout.splitlines()]


# ── a full disk ──


def limited(process: int, size: int) -> None:
    """Let a process write no file beyond a size in bytes."""
    _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 64 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if (
        not shutil.which("mount")
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        pytest.skip("no right to mount a file system")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def by_limit(live: Chat, data: Path, spare: int) -> Callable[[], None]:
    """Leave so many bytes behind the conversation; return what lifts that."""
    limited(live.process.pid, (data / "conversation.jsonl").stat().st_size + spare)
    return lambda: limited(live.process.pid, resource.RLIM_INFINITY)


def test_a_full_disk_is_told_at_once_and_forgiven(tmp_path: Path) -> None:
    """The answer is shown as not saved; once there is room it is saved, and so is all that comes.

    No restart is needed, and the exit code still tells that something went wrong.
    """
    data = tmp_path / "data"
    with chat(data) as live:
        assert live.ask("1+1")[-1]["event"] == "answered"
        lift = by_limit(live, data, 200)
        *_, unsaved, error = live.ask("20+3")
        assert unsaved["event"] == "unsaved" and "23" in unsaved["text"]
        assert error["event"] == "error" and error["exit_code"] == 5 and error["hint"]
        lift()
        later = live.ask("30+4")
        assert [event["kind"] for event in later if event["event"] == "noticed"] == ["saved"]
        assert later[-1]["event"] == "answered" and later[-1]["turn"] == 3
        assert live.end() == 5
    found = answers(data)
    assert [n in text for n, text in zip(("2", "23", "34"), found, strict=True)] == [True] * 3


@pytest.mark.parametrize("spare", [pytest.param(0, marks=pytest.mark.slow), 200])
def test_what_was_never_saved_is_said_at_the_next_start(tmp_path: Path, spare: int) -> None:
    """A question that did not fit was not asked; one whose answer did not fit is interrupted."""
    data = tmp_path / "data"
    with chat(data) as live:
        live.ask("1+1")
        by_limit(live, data, spare)
        assert live.ask("20+3")[-1]["exit_code"] == 5
        assert live.ask("30+4")[-1]["exit_code"] == 5
        assert live.end() == 5
    with chat(data) as again:
        assert again.ask("40+5")[-1]["turn"] == (3 if spare else 2)
        kinds = [event.get("kind") for event in again.told]
        assert kinds.count("recovered") == (1 if spare else 0)


@pytest.mark.slow
def test_a_disk_of_64_kib(small_disk: Path) -> None:
    """On a file system that is really full turns fail, and after room was made they are saved."""
    data = small_disk / "data"
    with chat(data) as live:
        live.ask("1+1")
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        ends = [live.ask(f"remember number {n}: " + 400 * "x")[-1] for n in range(9)]
        assert ends[-1]["event"] == "error" and ends[-1]["exit_code"] == 5
        filler.unlink()
        saved = live.ask("2+2")[-1]
        assert saved["event"] == "answered"
        assert live.end() == 5
    assert "4" in answers(data)[-1]


# ── a disk that can't be trusted ──


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_a_failed_fsync_is_final(tmp_path: Path) -> None:
    """The answer is shown, nothing more is taken, exit code 5; the next start goes on."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    log = data / "conversation.jsonl"
    traced = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-P", str(log))
    with chat(data, *traced, "-e", "inject=fsync:error=EIO:when=3") as live:
        if live.ask("1+1")[-1:] == []:
            pytest.skip("strace can't trace here")
        *_, unsaved, error = live.ask("20+3")
        assert unsaved["event"] == "unsaved" and "23" in unsaved["text"]
        assert error["exit_code"] == 5 and "sync" in error["message"]
        assert live.process.wait() == 5
    with chat(data) as again:
        assert again.ask("30+4")[-1]["event"] == "answered"
        assert again.end() == 0


# ── a session in use ──


def test_the_second_process_is_refused_and_the_killed_one_forgotten(tmp_path: Path) -> None:
    """Exit code 6 names the holder; a lock dies with its process, whatever its file says."""
    data = tmp_path / "data"
    with chat(data) as first:
        first.ask("1+1")
        with chat(data) as second:
            assert second.end() == 6
            assert f"pid {first.process.pid}" in second.told[-1]["message"]
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    (data / ".lock").write_text("pid 1\n", encoding="utf-8")
    with chat(data) as third:
        assert third.ask("2+2")[-1]["turn"] == 2
        assert third.end() == 0


def test_a_second_thread_is_refused(tmp_path: Path) -> None:
    """While one thread has a turn another gets an error, and both may ask again later."""
    with agent_on(tmp_path, says("one"), says("two")) as (agent, _):
        turn = agent.run_turn("a")
        next(turn)
        refused: list[Exception] = []

        def other() -> None:
            for act in (lambda: ask(agent, "b"), agent.reset, lambda: agent.rewind(0)):
                try:
                    act()
                except LockedError as error:
                    refused.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert len(refused) == 3
        assert isinstance(list(turn)[-1], Answered)
        assert isinstance(ask(agent, "b")[-1], Answered)
        assert agent.state.last_turn == 2
