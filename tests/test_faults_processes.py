"""The real storage code in real processes: killed, lied to, cut off. All points: `make faults`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from chyan_agent.durable import snapshot
from chyan_agent.durable.quarantine import set_aside
from chyan_agent.durable.storage import ReadFile
from chyan_agent.learnt import Learnt

from . import source
from .faults.driver import carried_out, opened
from .faults.script import OPS
from .faults.sweep import METHODS, MODELS

pytestmark = pytest.mark.timeout(600)  # hundreds of processes, one after another
ROW = re.compile(r"\| ([\w-]+) \| (skipped: .*?|\d+) \| (\d*) \| ([\d.]*) \|")


def sweep(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run sweeps in a process of their own, which forks and mounts as it likes."""
    command = [sys.executable, "-m", "tests.faults.sweep", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=source.ROOT)


@pytest.fixture(scope="module")
def sample() -> "subprocess.CompletedProcess[str]":
    """A sample of each sweep, from one process."""
    return sweep("--sample")


@pytest.mark.parametrize("method", METHODS)
def test_what_was_acknowledged_outlives_every_fault(
    sample: "subprocess.CompletedProcess[str]", method: str
) -> None:
    """A sample of each sweep finds nothing lost, nothing invented, nothing done twice."""
    rows = {row[1]: row for row in ROW.finditer(sample.stdout)}
    assert method in rows, sample.stderr
    _, points, violations, _ = rows[method].groups()
    if points.startswith("skipped: "):
        pytest.skip(points.removeprefix("skipped: "))
    assert (violations, int(points) > 1) == ("0", True), sample.stderr


def test_a_sweep_is_able_to_fail() -> None:
    """A snapshot that is ahead of the log is seen; `make test-mutants` plants more faults."""
    done = sweep("kill", "--fault", "snapshot-first", "--most", "8")
    if "skipped: " in done.stdout:
        pytest.skip(done.stdout.split("skipped: ")[1])
    assert done.returncode == 1, done.stdout


def test_the_driver_needs_no_endpoint(tmp_path: Path) -> None:
    """The driver plays and recovers from its command line, without the SDK."""
    command = [sys.executable, "-m", "tests.faults.driver", str(tmp_path)]
    for arguments in ([], ["--recover"]):
        done = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, check=False, cwd=source.ROOT
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert '"violations": []' in done.stdout


def test_a_killed_process_leaves_no_half_a_cache(tmp_path: Path) -> None:
    """What was left of endpoints.json is removed at the next start; a file at work is not there."""
    left = tmp_path / "endpoints.json.0123abcd.tmp"
    left.write_bytes(b"half")
    Learnt(tmp_path / "endpoints.json", "endpoint")
    assert list(tmp_path.iterdir()) == []


def test_what_stands_in_the_log_is_believed(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    """Ctrl-C while a rewind waits for the disk: the state is that of the log, not another one."""

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    with opened(tmp_path) as agent:
        carried_out(agent, OPS[0])
        with monkeypatch.context() as patches, pytest.raises(KeyboardInterrupt):
            patches.setattr(os, "fsync", interrupted)
            agent.rewind(0)
        assert agent.state == snapshot.rebuild(agent.conversation.transcript)
        assert agent.state.last_turn == 0


def test_a_killed_recovery_leaves_no_half_a_copy(tmp_path: Path) -> None:
    """What a recovery was setting aside when it was killed is removed by the next one."""
    (tmp_path / "quarantine").mkdir(mode=0o700)
    (tmp_path / "quarantine" / "tail-7.bin.0123abcd.tmp").write_bytes(b"to")
    (tmp_path / "conversation.jsonl").write_bytes(b"torn")
    file = ReadFile(tmp_path / "conversation.jsonl")
    kept, _ = set_aside(file, "tail-7", 0, 4)
    file.close()
    assert [kept] == list(kept.parent.iterdir())


def test_every_method_is_in_the_table() -> None:
    """docs/reliability.md has a command for each method, and no method is unknown to it."""
    text = (source.ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    assert set(re.findall(r"make faults METHOD=([\w-]+)`", text)) == {*METHODS, *MODELS}
