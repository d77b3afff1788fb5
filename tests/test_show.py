"""What people and programs get to see of a turn."""

import dataclasses
import io
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.budget import Budget, Ledger
from chyan_agent.cli import views
from chyan_agent.cli.lines import spans
from chyan_agent.cli.show import JsonScreen, TextScreen
from chyan_agent.cli.terminal import (
    OutputClosed,
    OutputFailed,
    Terminal,
    colourful,
    cut,
    harmless,
    one_line,
    pad,
    width,
)
from chyan_agent.cli.wire import json_line
from chyan_agent.errors import AuthError, LockedError, StorageError
from chyan_agent.events import (
    Answered,
    Compacted,
    Event,
    Noticed,
    Replied,
    Requested,
    Stopped,
    ToolRan,
)
from chyan_agent.messages import Message, ToolCall, ToolResult, Turn
from chyan_agent.model import Delta, Retry, Usage
from chyan_agent.prompts import arguments, terminal
from chyan_agent.prompts.terminal import EN, ZH
from chyan_agent.state import Evidence, State, Summary

LEDGER = Ledger(10_000, 3_500, system=400, tools=700, summary=640, recent=4_000, current=380)


def text_screen() -> tuple[TextScreen, io.StringIO, io.StringIO]:
    """Return a screen that answers into one buffer and says all else into another."""
    answers, rest = io.StringIO(), io.StringIO()
    aside = Terminal(rest)
    return TextScreen(ZH, answers=Terminal(answers), aside=aside, errors=aside), answers, rest


def shown(*events: Event) -> tuple[str, str]:
    """Return what a text screen makes of events: answer, side remarks."""
    screen, answers, rest = text_screen()
    for event in events:
        screen.event(event)
    screen.meter(2)
    return answers.getvalue(), rest.getvalue()


def replied(cached: int = 0) -> Replied:
    """Return a reply to a request of 6,120 tokens."""
    return Replied(3, 1, LEDGER, Usage(6_000, 20, cached), "stop", 0.1)


def ran(name: str, arguments: str, content: str, *, ok: bool = True) -> ToolRan:
    """Return a tool run."""
    return ToolRan(3, 1, ToolCall("t00003c01", name, arguments), ToolResult(content, ok), 0.01)


def test_an_answer_streams_once() -> None:
    """Streamed text is not repeated by the acknowledgement; text that came at once is printed."""
    answer = Answered(3, "你好，世界", Usage(), 0.1)
    assert shown(Delta("你好，"), Delta("世界"), replied(), answer)[0] == "你好，世界\n"
    assert shown(answer)[0] == "你好，世界\n"


def test_the_meter_says_what_the_window_held() -> None:
    """The line names the request's tokens, the summary, the live turns and the cache."""
    meter = "[上下文 6,120/10,000 · 摘要 640 · 近期 2 轮 · 缓存 81%]\n"
    assert shown(replied(cached=4_860))[1] == meter
    assert shown(replied())[1] == "[上下文 6,120/10,000 · 摘要 640 · 近期 2 轮]\n"
    assert shown(dataclasses.replace(replied(), step=0))[1] == ""


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ran("read", '{"path":"notes.txt"}', '{"total_lines":12,"returned_lines":12}'), "(12 行)"),
        (ran("read", '{"path":"a"}', '{"total_lines":340,"returned_lines":12}'), "(12/340 行)"),
        (ran("search", '{"pattern":"*.md"}', '{"files":["a.md","b.md"]}'), "*.md  (2 条)"),
        (ran("read", '{"path":"x"}', '{"error":"no such file"}', ok=False), "失败：no such file"),
        (ran("read", '{"path":"x"}', "not JSON", ok=False), "失败：not JSON"),
        (ran("zap", "[1", "[" * 9_999), "· zap"),
        (Retry(2, 1.5, "HTTP 503"), "↻ 第 2 次重试，1.5 秒后：HTTP 503"),
        (Noticed(3, "shrunk", "窗口变小了"), "窗口变小了"),
        (Stopped(3, "max_steps", "已到步数上限"), "已到步数上限"),
    ],
)
def test_what_happens_on_the_side_takes_one_line(event: Event, line: str) -> None:
    """Tools, retries and notices are one line each and no part of the answer."""
    answer, aside = shown(event)
    assert answer == "" and line in aside and aside.count("\n") == 1


def test_a_compaction_leaves_a_receipt() -> None:
    """The receipt names the turns, the tokens and the handle that brings them back."""
    event = Compacted(9, (3, 4, 5, 7), 2310, 640, evidence=9, facts=4, rejected=1)
    receipt = '◇ 压缩 第 3-5, 7 轮：2,310 → 640 tokens，可用 recall("#t3") 取回'
    assert receipt in shown(event)[1]
    assert spans(()) == "" and spans((4,)) == "4"


def test_an_error_has_a_title_a_message_and_a_hint() -> None:
    """Errors end the line of a half answer and go to stderr, in the user's language."""
    screen, answers, rest = text_screen()
    screen.event(Delta("半句"))
    screen.fail(AuthError("HTTP 401", hint="检查密钥"))
    assert answers.getvalue() == "半句\n"
    assert rest.getvalue() == "✗ 密钥无效或没有权限：HTTP 401\n  提示：检查密钥\n"
    screen.fail(StorageError("disk full"))
    assert "未保存 (NOT SAVED)" in rest.getvalue()


@given(st.text())
def test_no_text_controls_the_terminal(text: str) -> None:
    """Whatever a model, a tool or a file says, no control character but \\n and \\t is printed."""
    answers = io.StringIO()
    screen = TextScreen(
        EN, answers=Terminal(answers), aside=Terminal(answers), errors=Terminal(answers)
    )
    screen.event(Delta(text))
    screen.event(ran(text, json.dumps({"path": text}), json.dumps({"error": text}), ok=False))
    screen.fail(LockedError(text, hint=text))
    odd = {c for c in answers.getvalue() if ord(c) < 32 or 127 <= ord(c) < 160}
    assert odd <= {"\n", "\t"}


def test_escapes_are_disarmed() -> None:
    """Clipboard writes, bells, C1 introducers and reordering marks lose what makes them work."""
    assert harmless("\x1b]52;c;aGk=\x07\x9b2Jok\r\n\u202etxt") == "]52;c;aGk=2Jok\ntxt"


def test_colours_only_where_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, NO_COLOR and a dumb terminal get none."""
    stream = io.StringIO()
    assert not colourful(stream, {})
    monkeypatch.setattr(stream, "isatty", lambda: True)
    assert colourful(stream, {"NO_COLOR": ""})
    assert not colourful(stream, {"NO_COLOR": "1"}) and not colourful(stream, {"TERM": "dumb"})
    Terminal(stream, colour=True).write("x", "dim")
    assert stream.getvalue() == "\x1b[2mx\x1b[0m"


def test_a_sign_of_life_passes_without_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a request is out a terminal shows a mark, which the next output wipes away."""
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    here = Terminal(stream, colour=True)
    screen = TextScreen(ZH, answers=here, aside=here, errors=here)
    screen.event(Requested(3, 1, LEDGER))
    assert stream.getvalue() == "\x1b[2m…\x1b[0m"
    screen.event(Delta("好"))
    assert stream.getvalue().endswith("\r\x1b[K好")
    assert shown(Requested(3, 1, LEDGER)) == ("", "")


@pytest.mark.parametrize(
    ("failure", "raised"),
    [(BrokenPipeError(), OutputClosed), (OSError(28, "No space left on device"), OutputFailed)],
)
def test_a_stream_that_fails_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, failure: OSError, raised: type[Exception]
) -> None:
    """A reader who left is no error; a full disk is one."""
    stream = io.StringIO()

    def fail(_: str) -> int:
        raise failure

    monkeypatch.setattr(stream, "write", fail)
    with pytest.raises(raised):
        Terminal(stream).write("x")


def test_symbols_have_plain_forms() -> None:
    """Where the encoding lacks them, symbols become ASCII and all else is escaped, never fatal."""
    bytes_ = io.BytesIO()
    stream = io.TextIOWrapper(bytes_, encoding="ascii", errors="backslashreplace")
    Terminal(stream).write("█◇ 中")
    assert bytes_.getvalue() == b"#* \\u4e2d"


@given(st.text(), st.integers(2, 40))
def test_widths_hold(text: str, columns: int) -> None:
    """Cut text is never wider than asked for, and padded text never narrower."""
    assert width(cut(text, columns)) <= columns
    assert width(pad(text, columns)) >= columns
    assert "\n" not in one_line(text, columns)


def test_chinese_is_two_columns_wide() -> None:
    """Tables with Chinese line up."""
    assert [width(t) for t in ("ab", "中文", "é", "e\u0301")] == [2, 4, 1, 1]
    assert pad("中", 4) == "中  " and cut("中文字", 5) == "中文…"


def test_events_as_json_lines_are_whole() -> None:
    """Every event becomes one JSON object with its name and every field; text stays as it was."""
    stream = io.StringIO()
    screen = JsonScreen(Terminal(stream), "en")
    screen.event(replied(5))
    screen.event(Delta("\x1b中"))
    screen.event(ran("read", "{}", '{"error":"x"}', ok=False))
    screen.fail(AuthError("no", hint="yes"))
    screen.say("text")
    screen.notice("offline", "so")
    screen.meter(2)
    first, delta, tool, error, said, notice = map(json.loads, stream.getvalue().splitlines())
    assert first["event"] == "replied" and first["usage"]["cached_tokens"] == 5
    assert first["ledger"]["total"] == 6_120
    assert delta == {"event": "delta", "text": "\x1b中"}
    assert tool["call"]["id"] == "t00003c01" and tool["result"]["ok"] is False
    assert error == {"event": "error", "message": "no", "hint": "yes", "exit_code": 7}
    assert said == {"event": "output", "text": "text"}
    assert notice == {"event": "noticed", "turn": 0, "kind": "offline", "text": "so"}


@given(st.text())
def test_a_json_line_is_one_line(text: str) -> None:
    """Whatever is said, a line holds no control character and gives the text back."""
    line = json_line({"text": text})
    assert len(line.splitlines()) == 1
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line[:-1])
    assert json.loads(line) == {"text": text}


def test_the_table_of_tokens_adds_up() -> None:
    """/tokens shows every zone, the total, what is free, and the arithmetic of the budget."""
    table = views.tokens(LEDGER, Budget(10_000, 3_500, 1_103, 1_619), ZH)
    assert [line.split()[1] for line in table.splitlines()[:8]] == [
        "400", "700", "640", "4,000", "380", "6,120", "3,500", "380",
    ]  # fmt: skip
    assert "10,000 − 3,500（留给回答）− 1,103（固定）= 5,397" in table


def test_the_table_of_tokens_adds_up_for_a_dearer_endpoint() -> None:
    """What the endpoint counts beyond our zones has its own line; its sums stay right."""
    budget = Budget(10_000, 3_500, 1_100, 1_600).counted(1.05)
    table = views.tokens(dataclasses.replace(LEDGER, estimated=6_426), budget, ZH)
    assert "306" in next(line for line in table.splitlines() if line.startswith(ZH.dearer))
    assert "6,426" in next(line for line in table.splitlines() if line.startswith(ZH.total))
    assert "74" in next(line for line in table.splitlines() if line.startswith(ZH.free))
    assert "10,000 − 3,500（留给回答）− 1,155（固定）= 5,345" in table


def test_history_names_handles() -> None:
    """/history has a line for each live turn and says how to reach those in the summary."""
    turns = tuple(
        Turn(n, (Message("user", f"问 {n}\n细节"), Message("assistant", "答"))) for n in (4, 5)
    )
    open_turn = Turn(6, (Message("user", "还在"),))
    state = State(Summary(through=3), (*turns, open_turn), 6)
    lines = views.history(state, 2, ZH).splitlines()
    assert lines[0] == '第 1-3 轮已在摘要中，可用 recall("#t1") 取回'
    assert lines[1:] == ["#t5  问 5 细节  → 答", "#t6  还在  → （未回答）"]
    assert views.history(State(), 10, ZH) == ZH.no_turns


def test_the_summary_cites_its_turns() -> None:
    """Evidence and facts each carry the turn that they come from."""
    held = Summary((Evidence(2, "number", "port", "port = 8080"),), ("likes teal @t1",), 3)
    assert "- port = 8080 @t2\n- likes teal @t1" in views.summary(State(held), EN)
    assert views.summary(State(), EN) == EN.no_summary


@pytest.mark.parametrize("module", [terminal, arguments])
def test_both_languages_say_the_same(module: object) -> None:
    """Every text has the same keys and the same fields to fill in both languages."""
    zh, en = dataclasses.asdict(module.ZH), dataclasses.asdict(module.EN)  # type: ignore[attr-defined]
    for name, text in zh.items():
        other = en[name]
        if isinstance(text, dict) and name != "commands":
            assert text.keys() == other.keys()
        elif isinstance(text, str):
            assert _fields(text) == _fields(other), name


def _fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in string.Formatter().parse(text)} - {None}
