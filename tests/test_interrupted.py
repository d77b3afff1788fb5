"""A turn that dies in its middle: no tool runs twice, and what became of each call is told."""

import json
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import pytest

from chyan_agent import build as root
from chyan_agent.agent import Agent
from chyan_agent.cli import main
from chyan_agent.config import load
from chyan_agent.messages import Message, ToolCall, ToolResult
from chyan_agent.model import Reply, Request
from chyan_agent.prompts import Language
from chyan_agent.prompts import errors as say
from chyan_agent.prompts.core import EN
from chyan_agent.tools import Context
from chyan_agent.tools.toolset import Toolset

from .made import unpaired

Call = tuple[str, dict[str, str]]

NEW: Call = ("write", {"path": "deep/er/new.txt", "content": "fresh\n"})
OVER: Call = ("write", {"path": "over.txt", "content": "second version\n"})
MORE: Call = ("write", {"path": "log.txt", "content": "two: 二\n", "mode": "append"})
NOTE: Call = ("remember", {"content": "The port of the gateway is 8123."})
LOOK: Call = ("read", {"path": "over.txt"})
CALLS = (NEW, OVER, MORE, NOTE, LOOK)
SAID = {"done": EN.call_done, "not_run": EN.call_not_run, "unknown": EN.call_unknown}


class Model:
    """Asks for the same calls in every turn, all in one reply, and answers then."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        self._calls = tuple(
            ToolCall(f"c{n}", name, json.dumps(given)) for n, (name, given) in enumerate(calls)
        )

    def complete(self, request: Request) -> Iterator[Reply]:
        """Yield a whole reply."""
        asked = request.messages[-1].role == "user" and self._calls
        yield Reply(Message("assistant", "" if asked else "Done.", self._calls if asked else ()))

    def close(self) -> None:
        """Hold nothing."""


@contextmanager
def opened(folder: Path, *calls: Call, workspace: str = "workspace") -> Iterator[Agent]:
    """Open the session below `folder` with a model that makes these calls."""
    given: dict[str, object] = {
        "language": "en",
        "llm.base_url": "http://127.0.0.1:9/v1",
        "context.context_limit": 100_000,
        "context.tokenizer": "bytes",
        "memory.segmenter": "builtin",
        "data_dir": str(folder / "data"),
        "tools.workspace": str(folder / workspace),
    }
    made = patch.object(root, "OpenAIModel", lambda config, **_: Model(calls))
    with made, root.build(load(None, environ={}, overrides=given)) as agent:
        yield agent


def died(folder: Path, calls: tuple[Call, ...], arm: Callable[[], None]) -> bool:
    """Play a turn in a process of its own that `arm` lets die; whether it did."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with opened(folder, *calls) as agent:
                arm()
                list(agent.run_turn("Do it."))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


def die(*_: object, **__: object) -> NoReturn:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("survived")


def before_running() -> None:
    """Die when the first tool is about to begin."""
    patch.object(Toolset, "run", die).start()


def after_running(number: int = 1) -> Callable[[], None]:
    """Return what lets a process die when so many tools are done, before the result is recorded."""
    left = iter(range(number - 1))

    def arm() -> None:
        real = Toolset.run

        def run(self: Toolset, call: ToolCall, context: Context) -> ToolResult:
            result = real(self, call, context)
            return die() if next(left, None) is None else result

        patch.object(Toolset, "run", run).start()

    return arm


def prepared(folder: Path) -> Path:
    """Return a session's folder with two files in its workspace."""
    workspace = folder / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "over.txt").write_text("first version\n", encoding="utf-8")
    (workspace / "log.txt").write_text("one: 一\n", encoding="utf-8")
    return folder


def results(agent: Agent) -> list[str]:
    """Return the tool results of the last turn, which must be whole."""
    messages = agent.state.turns[-1].messages
    assert unpaired(messages) == "" and agent.state.turns[-1].closed
    return [message.content for message in messages if message.role == "tool"]


# ── one call ──


@pytest.mark.parametrize(
    "call", [NEW, OVER, MORE, NOTE], ids=["new", "overwrite", "append", "note"]
)
def test_what_became_of_a_call_is_established(tmp_path: Path, call: Call) -> None:
    """Done when its effect is there, not executed when it is not; told to model and user."""
    for arm, outcome, word in (
        (before_running, "not_run", "not executed"),
        (after_running(), "done", "completed"),
    ):
        folder = prepared(tmp_path / outcome)
        assert died(folder, (call,), arm)
        before = files(folder)
        with opened(folder, call) as agent:
            assert results(agent) == [SAID[outcome]]
            assert any(word in str(warning) for warning in agent.warnings)
            assert files(folder) == before
        with opened(folder) as agent:
            assert results(agent) == [SAID[outcome]] and not agent.warnings


def test_what_is_told_as_done_is_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed process wrote may be on no disk yet: it is synced before it is told."""
    folder = prepared(tmp_path)
    assert died(folder, (NEW,), after_running())
    target = folder / "workspace" / "deep" / "er" / "new.txt"
    synced: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with opened(folder) as agent:
        assert results(agent) == [EN.call_done]
    log = (folder / "data" / "conversation.jsonl").stat().st_ino
    told = synced[: max(place for place, inode in enumerate(synced) if inode == log)]
    assert {target.stat().st_ino, target.parent.stat().st_ino} <= set(told)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of the workspace, and the notes."""
    paths = [*(folder / "workspace").rglob("*.txt"), folder / "data" / "memories.jsonl"]
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.parametrize("arm", [before_running, after_running()])
@pytest.mark.parametrize("change", ["edited", "removed", "elsewhere", "unreadable"])
def test_what_can_not_be_known_is_not_guessed(
    tmp_path: Path, arm: Callable[[], None], change: str
) -> None:
    """A file that was changed since, or is out of reach, is left alone and said to be unknown."""
    folder = prepared(tmp_path)
    assert died(folder, (OVER,), arm)
    target = folder / "workspace" / "over.txt"
    if change == "edited":
        target.write_text("by hand\n", encoding="utf-8")
    elif change in {"removed", "unreadable"}:
        target.unlink()
        if change == "unreadable":
            target.mkdir()
    with opened(folder, workspace="other" if change == "elsewhere" else "workspace") as agent:
        assert results(agent) == [EN.call_unknown]
        assert any("unknown" in str(warning) for warning in agent.warnings)


def test_a_lost_record_leaves_it_unknown(tmp_path: Path) -> None:
    """That a call is on no record says that it did not begin only if no record is lost."""
    folder = prepared(tmp_path)
    assert died(folder, (OVER, MORE), after_running(2))
    log = folder / "data" / "conversation.jsonl"
    *lines, intent, result, last = log.read_bytes().splitlines(keepends=True)
    assert b'"intent"' in intent and b'"tool"' in result and b'"intent"' in last
    log.write_bytes(b"".join([*lines, b"?" + intent, b"?" + result, last]))
    with opened(folder) as agent:
        assert results(agent) == [EN.call_unknown, EN.call_done]


def test_a_note_of_another_branch_is_not_taken_for_this_one(tmp_path: Path) -> None:
    """After a rewind a call id comes again; what the old call noted says nothing of the new one."""
    other: Call = ("remember", {"content": "The boat is called Ada."})
    with opened(tmp_path, other) as agent:
        list(agent.run_turn("Note it."))
        agent.rewind(0)
    assert died(tmp_path, (NOTE,), before_running)
    with opened(tmp_path) as agent:
        assert agent.state.last_turn == 1
        assert results(agent) == [EN.call_not_run]


def test_a_note_is_kept_once_when_it_is_asked_for_again(tmp_path: Path) -> None:
    """The model that was told may ask again: the note is known, and stands once."""
    assert died(tmp_path, (NOTE,), after_running())
    with opened(tmp_path, NOTE) as agent:
        list(agent.run_turn("Note it."))
        assert '"known"' in results(agent)[0]
        assert len(agent.memory.notes()) == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_user_is_told_at_the_start(
    language: Language,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command line names the turn and what became of its call, in the reader's language."""
    assert died(prepared(tmp_path), (OVER,), after_running())
    monkeypatch.chdir(tmp_path)
    argv = ["--language", language, "--offline", "--workspace", "workspace", "1+1"]
    assert main(argv) == 0
    told = capsys.readouterr().err
    for text in (say.TURN_INTERRUPTED.of(turn=1), say.CALL_DONE.of(call="write over.txt")):
        assert text.text(language) in told
    assert main(argv) == 0
    assert say.TURN_INTERRUPTED.of(turn=1).text(language) not in capsys.readouterr().err


# ── many calls, every moment ──


def killed_at(count: int) -> Callable[[], None]:
    """Return what lets a process die at the n-th call that asks the system for a change."""

    def arm() -> None:
        left = iter(range(count - 1))
        for name in ("open", "write", "fsync", "rename", "unlink", "mkdir", "ftruncate"):
            _arm(name, left)

    return arm


def _arm(name: str, left: Iterator[int]) -> None:
    real = getattr(os, name)

    def counted(*arguments: Any, **options: Any) -> Any:
        if next(left, None) is None:
            die()
        return real(*arguments, **options)

    patch.object(os, name, counted).start()


EVERY = pytest.param(1, marks=pytest.mark.slow)


@pytest.mark.parametrize("step", [5, EVERY])
def test_no_moment_is_a_bad_one(tmp_path: Path, step: int) -> None:
    """Wherever a turn with five calls dies, each was run once or not at all, and it is known."""
    count = step
    while died(prepared(tmp_path / str(count)), CALLS, killed_at(count)):
        check(tmp_path / str(count))
        count += step
    assert count > 40


def check(folder: Path) -> None:
    """Open what a crash left: what is told of each call must be what its file tells."""
    before = files(folder)
    with opened(folder) as agent:
        assert not agent.state.turns or told(agent) == [path in changed(folder) for path in PATHS]
        assert agent.state.turns or not changed(folder)
        assert files(folder) == before
        list(agent.run_turn("Go on."))
        assert files(folder) == before
        state = agent.state
    with opened(folder) as agent:
        assert agent.state == state and not agent.warnings


PATHS = ("new.txt", "over.txt", "log.txt", "memories.jsonl")


def told(agent: Agent) -> list[bool]:
    """Return of the four calls that change something which the model was told took effect."""
    found = results(agent) or [EN.call_not_run] * len(CALLS)
    assert EN.call_unknown not in found
    return [content != EN.call_not_run for content in found[: len(PATHS)]]


def changed(folder: Path) -> set[str]:
    """Return the files that hold what a call wrote; each of them holds it once and whole."""
    wanted = {
        "new.txt": b"fresh\n",
        "over.txt": b"second version\n",
        "log.txt": "one: 一\ntwo: 二\n".encode(),
    }
    old = {"new.txt": None, "over.txt": b"first version\n", "log.txt": "one: 一\n".encode()}
    there = files(folder)
    for name, content in wanted.items():
        assert there.get(name) in (content, old[name])
    notes = there["memories.jsonl"].count(b"gateway")
    assert notes <= 1
    found = {name for name, content in wanted.items() if there.get(name) == content}
    return found | ({"memories.jsonl"} if notes else set())
