"""A conversation in the terminal: commands, mistakes, interruptions."""

import io
import os
import pty
import select
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from chyan_agent import offline
from chyan_agent.cli import main
from chyan_agent.cli.reader import history_file
from chyan_agent.prompts.terminal import EN, ZH

from .agents import ctrl_c

MAIN = str(Path(__file__).parent.parent / "main.py")
Chat = Callable[..., tuple[int, str, str]]


@pytest.fixture
def chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Chat:
    """Return a function that holds a conversation and returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)

    def hold(*lines: str, argv: tuple[str, ...] = ()) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(list(argv))
        return code, *capsys.readouterr()

    return hold


def test_lines_are_answered_one_after_another(chat: Chat) -> None:
    """Each line is a turn with its answer and its meter; /quit ends it."""
    code, out, err = chat("计算 17*23+5", "计算 2*21", "/quit", "计算 1+1")
    assert code == 0 and err == ""
    assert out.index("396") < out.index("42") and out.count("[上下文 ") == 2
    assert "离线模型" in out


def test_every_command_says_something(chat: Chat) -> None:
    """/help names each command, and each of them runs on a young session."""
    names = [usage.split()[0] for usage in ZH.commands]
    assert names == [usage.split()[0] for usage in EN.commands]
    _, out, err = chat("/help", "/history", "/summary", "/memory", "/compact", "/tokens", "/q")
    assert all(usage in out for usage in ZH.commands) and err == ""
    for text in (ZH.no_turns, ZH.no_summary, "还没有记忆", ZH.nothing_to_compact, "10,000 − 3,500"):
        assert text in out


def test_memory_is_listed_and_searched(chat: Chat) -> None:
    """/memory shows the notes; with words it searches notes and history."""
    _, out, _ = chat("请记住：服务器端口是 8080", "/memory", "/memory 端口", "/memory zzqx")
    assert out.count("服务器端口是 8080") >= 2 and "'zzqx'" in out


def test_rewind_reset_and_history(chat: Chat) -> None:
    """/rewind goes back, /reset empties the window; both show in /history."""
    _, out, _ = chat("计算 1+1", "计算 2+2", "/rewind 1", "/history 5", "/reset", "/history")
    history = out[out.index("已回到第 1 轮") :]
    assert "#t1  计算 1+1" in history and "#t2" not in history
    assert history.rstrip().endswith(ZH.no_turns)


def test_compact_leaves_a_receipt_and_a_summary(chat: Chat) -> None:
    """/compact moves all but the last turns into the summary, which /summary then shows."""
    facts = [f"我的第 {n} 个代号是 北极星{n}" for n in range(1, 6)]
    _, out, _ = chat(*facts, "/compact", "/summary", "/history", "/tokens")
    assert "◇ 压缩 第 1-3 轮" in out and 'recall("#t1")' in out
    assert "@t1" in out and "第 1-3 轮已在摘要中" in out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/hlep", "/help"),
        ("/tokns", "/tokens"),
        ("/xyzzy", "/help"),
        ("", "问题是空的"),
        ("/rewind", "/rewind N：缺少 N"),
        ("/rewind two", "'two' 不是"),
        ("/rewind 99", "99"),
        ("/history many", "/history [N]"),
    ],
)
def test_mistakes_cost_a_hint_and_no_turn(chat: Chat, line: str, said: str) -> None:
    """A wrong command, number or empty line is answered, and the chat goes on with turn 1."""
    _, out, err = chat(line, "计算 17*23+5", "/history")
    assert said in out + err and "396" in out and "#t1" in out


def test_a_path_is_a_question(chat: Chat) -> None:
    """Only a single word after the slash is a command."""
    _, out, _ = chat("/etc/hosts 里有什么", "/history")
    assert "#t1  /etc/hosts" in out


def test_failures_do_not_end_the_chat(chat: Chat) -> None:
    """A refused request is shown with its hint; the next question is answered; the code tells."""

    def refuse(number: int, _: Mapping[str, object]) -> offline.Fault | None:
        body = {"error": {"message": "bad key", "code": "invalid_api_key"}}
        return None if number else offline.Fault(status=401, body=body)

    with offline.serving(faults=refuse) as url:
        code, out, err = chat("你好", "计算 17*23+5", argv=("--base-url", url))
    assert code == 7 and "密钥无效" in err and "396" in out


def test_ctrl_c_returns_to_the_prompt(chat: Chat) -> None:
    """An interrupted answer seals its turn; the next line is the next turn."""
    with offline.serving(faults=ctrl_c) as url:
        code, out, _ = chat("你好", "计算 17*23+5", "/history", argv=("--base-url", url))
    assert code == 0 and "已中断" in out and "#t2  计算 17*23+5" in out


def test_commands_in_json(chat: Chat) -> None:
    """With --json the output of a command is a JSON line too."""
    _, out, _ = chat("/history", argv=("--json",))
    assert out.splitlines()[-1] == '{"event": "output", "text": "还没有对话"}'


def test_the_history_file_is_private_and_never_fails(tmp_path: Path) -> None:
    """What was typed is kept for its owner only; very long lines and a lost folder cost nothing."""
    path = tmp_path / "history"
    history = history_file(path)
    history.append_string("你好")
    history.append_string("长" * 20_000)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(history_file(path).load_history_strings()) == ["你好"]
    lost = history_file(tmp_path / "gone" / "history")
    lost.append_string("x")
    assert list(lost.load_history_strings()) == []


def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    """Chinese can be typed and corrected; Ctrl-C stays, Ctrl-D leaves."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    with subprocess.Popen(
        [sys.executable, MAIN, "--offline", "--language", "zh"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environ,
    ) as running:
        os.close(theirs)
        try:
            _talk(ours)
            assert running.wait() == 0
        finally:
            running.kill()
            os.close(ours)
    assert (tmp_path / "data/history").read_text(encoding="utf-8").endswith("+计算 17*23+5\n")


def _talk(terminal: int) -> None:
    for keys, answer in (
        ("", "›"),
        ("计算 17*23+6错\x7f\x7f5\r", "396"),
        ("", "›"),
        ("\x03", "Ctrl-D"),
        ("", "›"),
        ("\x04", "再见"),
    ):
        os.write(terminal, keys.encode())
        _until(terminal, answer)


def _until(terminal: int, text: str, seconds: float = 240) -> None:
    """Read a terminal until a text stands in its output."""
    seen, end = b"", time.monotonic() + seconds
    while text.encode() not in seen:
        ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
        assert ready, f"{text!r} did not come; there was {seen.decode(errors='replace')!r}"
        seen += os.read(terminal, 1)
