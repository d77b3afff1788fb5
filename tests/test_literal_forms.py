"""Forms of identifiers, numbers and times: what is named is one piece, as it stands there."""

import json

import pytest

from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.statements.evidence import extract
from chyan_agent.statements.literals import literals

FORMS = [
    ("确认号 206-4419082-7730155，在催", "id", "206-4419082-7730155"),
    ("书号是978-7-5086-4421-9", "id", "978-7-5086-4421-9"),
    ("part no. 07-3100.448.902 is out", "id", "07-3100.448.902"),
    ("tagged nightly-2027.03+fix2 today", "id", "nightly-2027.03+fix2"),
    ("pulled hub.example/kite@sha256:9a01be", "id", "hub.example/kite@sha256:9a01be"),
    ("upstream 10.20.9.4:6380 is up", "id", "10.20.9.4:6380"),
    ("ring +44 20 7946 0018, he answers", "id", "+44 20 7946 0018"),
    ("打（0571）8712 3300 找她", "id", "（0571）8712 3300"),
    ("to DE02 1203 0000 0000 2020 51, please", "id", "DE02 1203 0000 0000 2020 51"),
    ("crontab: */15 8-18 * * 1-5, quiet else", "id", "*/15 8-18 * * 1-5"),
    ("任务排在 5 4 * * 2,6", "id", "5 4 * * 2,6"),
    ("违约金按千分之五算", "number", "千分之五"),
    ("手续费万分之二点五", "number", "万分之二点五"),
    ("valued at CHF 7'300 by him", "number", "7'300"),
    ("runs 3.9.0 now", "version", "3.9.0"),
    ("端口换成 10443 了", "id", "10443"),
    ("in 2019, he left", "number", "2019"),
    ("新的是 10.0.8.15", "version", "10.0.8.15"),
]
PLAIN = [
    "计算 17*23+5",
    "compute 1200-300-25",
    "what is 2 * 3 * 4 * 5",
]


@pytest.mark.parametrize(("text", "kind", "named"), FORMS)
def test_a_form_is_one_piece(text: str, kind: str, named: str) -> None:
    """It is named whole, without the words and marks around it."""
    assert (kind, named) in [(one.kind, one.text) for one in literals(text)]


@pytest.mark.parametrize("text", PLAIN)
def test_a_sum_names_nothing(text: str) -> None:
    """What is to be worked out is no identifier."""
    assert [one for one in literals(text) if one.kind == "id"] == []


def read(*lines: str) -> list[str]:
    """Return what is kept of a file with these lines."""
    call = ToolCall("c1", "read", json.dumps({"path": "a.log"}))
    result = json.dumps({"path": "a.log", "content": "\n".join(lines)}, ensure_ascii=False)
    messages = (
        Message("user", "看一下日志"),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", result, tool_call_id="c1"),
        Message("assistant", "看过了。"),
    )
    return [piece.text for piece in extract(Turn(1, messages))]


SERIES = [f"[info] heartbeat ok seq={n}" for n in (11, 12, 14)]


def test_a_line_that_stands_out_of_a_log_is_kept() -> None:
    """A line of its own kind that names something, not the series around it."""
    told = "FATAL: E4107 lease lost on shard kestrel-9"
    assert read(*SERIES, told, *SERIES) == [told]


def test_where_many_lines_name_something_none_stands_out() -> None:
    """Of a file full of names no sample is taken: the whole is recallable."""
    names = ["alpha-1 up", "went to beta-22", "E77 seen", "x9 lost", "all of kite-5", "to zeta-6"]
    assert read(*names) == []
